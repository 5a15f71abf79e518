"""Reads whose lanes may lie beyond the ends of a row, a few of them: a copy of its own with a border of one value.

`%x[%n, %h0 + %l - 1] else %v` where the tile holds lanes `%h0` to `%h0 + %width` of `%x`:

    %left = min(max(-(%h0 - 1), 0), %width)           // lanes before the first of the row
    %from = %h0 - 1 + %left
    %inside = min(%H - %from, %width - %left)
    %right = %width - %left - %inside
    tile.load_rows %x[%n0, %from] along 0 to %x_in[%c0] rows %rows width %inside border %left, %right of %v
    tile.fill (%v) to %x_in[%c0] rows %none width %width      // the rows, where no lane lies inside

A border is at most one block on chip.
"""

from dataclasses import dataclass

from xdsl.dialects import arith
from xdsl.dialects.builtin import FixedBitwidthType, MemRefType
from xdsl.ir import Attribute, SSAValue
from xdsl.utils.hints import isa

from ..dialect.ascendc.units import BLOCK_BYTES
from ..dialect.diagnostics import Diagnostic
from ..dialect.index_expr import Ref, linear
from ..dialect.tile import FillOp, ForeachOp, LoadRowsOp
from .index_code import Code
from .promote_access import Access
from .promote_ranges import Ranges
from .stage_view import extent


def lane_shift(access: Access, points: ForeachOp, ranges: Ranges) -> int:
    """Return by how many lanes a read leaves the lanes of its tile, 0 where those it reads surely lie in the tensor.

    Raises:
        Diagnostic: OPW342 for lanes that may lie outside in another way.
    """
    position = access.lane_at
    if access.outside is None or position is None or _inside(access, position, 0, points, ranges):
        return 0
    form = linear(access.base[position])
    shift = 0 if form is None else form[1]
    if not shift or not _inside(access, position, shift, points, ranges):
        text = f"a read that may leave the tensor along index {position} cannot be promoted yet"
        raise Diagnostic(
            "OPW342", text, access.op, "only lanes a fixed number apart, and the rows of a tile, may leave it"
        )
    most = BLOCK_BYTES // _element_bytes(access)
    if abs(shift) > most:
        text = f"lanes that lie {abs(shift)} apart may leave the tensor; a copy adds a border of at most {most}"
        raise Diagnostic("OPW342", text, access.op, "pad that dim")
    return shift


def _inside(access: Access, position: int, shift: int, points: ForeachOp, ranges: Ranges) -> bool:
    """Return whether the lanes, moved back by a shift, surely lie in the tensor."""
    width = extent(points, len(points.dims) - 1)
    operands, first = list(access.op.operands_), access.base[position] - shift
    last = first + (width - 1) if isinstance(width, int) else first + Ref(len(operands)) - 1
    operands += [width] if isinstance(width, SSAValue) else []
    size = ranges.size(access.memref, position)
    return ranges.not_negative(first, operands) and ranges.below(last, operands, size)


def _element_bytes(access: Access) -> int:
    kind = access.memref.type
    assert isa(kind, MemRefType[Attribute])
    assert isinstance(kind.element_type, FixedBitwidthType)
    return kind.element_type.size


@dataclass(frozen=True)
class Lanes:
    """The lanes of a copy: how many lie before the tensor, in it, and behind it, and the first inside."""

    left: SSAValue
    inside: SSAValue
    right: SSAValue
    start: SSAValue

    @staticmethod
    def build(shift: int, start: SSAValue, wanted: SSAValue, size: SSAValue | int, code: Code) -> "Lanes":
        """Append the arithmetic for `wanted` lanes from `start` on, which lie `shift` lanes from those of a tile."""
        zero = code.constant(0)
        left = right = zero
        if shift < 0:
            before = code.binary("max", code.binary("-", zero, start), zero)
            left = code.binary("min", code.binary("min", before, wanted), code.constant(-shift), "left")
            start = code.binary("+", start, left)
        inside = code.binary("-", wanted, left)
        if shift > 0:
            limit = code.constant(size) if isinstance(size, int) else size
            inside = code.binary("max", code.binary("min", code.binary("-", limit, start), wanted), zero)
            right = code.binary("min", code.binary("-", wanted, inside), code.constant(shift), "right")
        inside.name_hint = "inside"
        return Lanes(left, inside, right, start)


@dataclass(frozen=True)
class Rows:
    """Rows of a buffer that a copy fills."""

    buffer: SSAValue
    first: SSAValue
    count: SSAValue


def load_bordered(
    copy: tuple[SSAValue, list[SSAValue], int], rows: Rows, lanes: Lanes, beyond: tuple[SSAValue, SSAValue], code: Code
) -> None:
    """Append the copy of rows whose lanes may lie outside, from a tensor at a start along a dim.

    `beyond` is the value outside and the number of lanes. Where no lane lies inside, all of them get the value.
    """
    (source, start, along), (value, width) = copy, beyond
    place = [*start[:-1], lanes.start]
    border = (lanes.left, lanes.right, value)
    code.add(LoadRowsOp(source, place, along, rows.buffer, rows.first, rows.count, lanes.inside, border))
    zero = code.constant(0)
    empty = code.add(arith.CmpiOp(lanes.inside, zero, "sle")).result
    none = code.add(arith.SelectOp(empty, rows.count, zero), "outside").result
    code.add(FillOp("", [], rows.buffer, rows.first, none, width, [value]))
