"""Row instructions that select lanes: numbers of lanes, a bit a lane, and the lanes whose bit is set, side by side.

tile.iota to %order[%c0] rows %c1 width %n : () -> memref<?x?xi32, "ub">
tile.nonzero %x[%c0] to %bits[%c0] rows %rows width %lanes : (memref<?x?xf16, "ub">) -> memref<?x?xi8, "ub">
tile.compress %order[%c0] step 0, %bits[%c0] to %list[%c0] rows %rows width %n : (...) -> memref<?x?xi32, "ub">
"""

from typing import ClassVar

from xdsl.irdl import irdl_op_definition

from .rows import RowsOp

BITS_WIDTH = 256
"""The width of tile.nonzero is a multiple of this: the bits of a row then fill whole blocks."""


@irdl_op_definition
class IotaOp(RowsOp):
    """Number the lanes of each row: `target[row + r, e] = e`."""

    name = "tile.iota"
    SOURCES: ClassVar[int] = 0


@irdl_op_definition
class NonzeroOp(RowsOp):
    """Test each element: bit e mod 8 of `target[row + r, e / 8]` is set if `source[source_row + r, e]` is not 0."""

    name = "tile.nonzero"
    SOURCES: ClassVar[int] = 1


@irdl_op_definition
class CompressOp(RowsOp):
    """Put the elements of each row whose bit is set side by side: `target[row + r, 0]`, `target[row + r, 1]`, ...

    The second source holds the bits, as tile.nonzero writes them. What stands behind the last element is not defined.
    """

    name = "tile.compress"
    SOURCES: ClassVar[int] = 2
