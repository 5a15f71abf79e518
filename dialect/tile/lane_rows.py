"""Row instructions that combine the elements of a row, or give all elements of a row the same partner.

A combination over lanes has one order on every target: elements fold onto a number of partial results, FOLD where
operands are staged, element e onto number e mod FOLD in ascending order; then a balanced tree combines the partial
results, neighbours first. The order does not depend on how a row is cut into tiles, as long as tiles are multiples of
FOLD.

    tile.fold "add" %p[%c0] to %f[%c0] rows %rows width %width : (memref<?x?xf32, "ub">) -> memref<?x?xf32, "ub">
    tile.tree "add" %f[%c0] to %s[%c0] rows %rows width %c64 : (memref<?x?xf32, "ub">) -> memref<?x?xf32, "ub">
    tile.splat %s[%c0] to %b[%c0] rows %rows width %c8 : (memref<?x?xf32, "ub">) -> memref<?x?xf32, "ub">
    tile.by_row "mul" %x[%c0], %b[%c0] to %y[%c0] rows %rows width %width : (...) -> memref<?x?xf32, "ub">
"""

from typing import ClassVar

from xdsl.irdl import irdl_op_definition

from .rows import RowsOp

FOLD = 64
"""Partial results of a combination over lanes."""


@irdl_op_definition
class FoldOp(RowsOp):
    """Combine the elements of each row into partial results: `target[row + r, e mod FOLD] += source[r, e]`.

    Elements combine in ascending order. The first FOLD elements of the target's rows hold partial results already, at
    first the identity.
    """

    name = "tile.fold"
    KINDS: ClassVar[tuple[str, ...]] = ("add", "max", "min")
    SOURCES: ClassVar[int] = 1


@irdl_op_definition
class TreeOp(RowsOp):
    """Combine the partial results of each row: `target[row, r] = tree(source[r, 0], ..., source[r, width - 1])`.

    The tree combines neighbours: ((s0 + s1) + (s2 + s3)) + ..., each step rounded. The results of all rows lie beside
    one another in one row of the target. `width` is a constant power of two, at most FOLD.
    """

    name = "tile.tree"
    KINDS: ClassVar[tuple[str, ...]] = ("add", "max", "min")
    SOURCES: ClassVar[int] = 1


@irdl_op_definition
class SplatOp(RowsOp):
    """Give each row one element of a row: `target[row + r, e] = source[source_row, r]` for e in 0..width."""

    name = "tile.splat"
    SOURCES: ClassVar[int] = 1


@irdl_op_definition
class ByRowOp(RowsOp):
    """Combine each row with the first element of another: `target[row + r, e] = f(x[r, e], s[r, 0])`."""

    name = "tile.by_row"
    KINDS: ClassVar[tuple[str, ...]] = ("add", "sub", "mul", "div", "max", "min")
    SOURCES: ClassVar[int] = 2
