"""Row copies and row instructions as loops over rows and elements; the loop over elements is a loop of lanes."""

from collections.abc import Callable, Mapping
from typing import cast

from xdsl.dialects import memref
from xdsl.dialects.builtin import MemRefType
from xdsl.ir import Attribute, Operation, SSAValue

from ..dialect.diagnostics import Diagnostic
from ..dialect.tile import (
    AccumulateOp,
    BinaryOp,
    CastOp,
    CompressOp,
    FillOp,
    IotaOp,
    LoadRowsOp,
    NonzeroOp,
    ScalarOp,
    SelectOp,
    SplatOp,
    StoreRowsOp,
    UnaryOp,
)
from ..dialect.tile.buffers import Border
from ..dialect.tile.rows import RowsOp
from .loops_context import LoopContext
from .loops_nest import Nest
from .loops_scalars import Insert, apply, can_apply, can_combine, can_convert, choose, combine, convert, is_float

Values = list[SSAValue]


def check_rows(op: RowsOp) -> None:
    """Refuse a row instruction on types it has no meaning for.

    Raises:
        Diagnostic: OPW351 for a conversion, OPW352 for a function or combination.
    """
    if isinstance(op, IotaOp | NonzeroOp | CompressOp):
        return
    target = element_type(op.target)
    types = [element_type(value) for value in (*op.sources, *op.scalars)]
    if isinstance(op, CastOp | FillOp):
        if not can_convert(types[0], target):
            text = f"'{op.name}' from {types[0]} to {target} would round twice"
            raise Diagnostic("OPW351", text, op, "convert to f32 first")
        return
    kind = op.kind.data
    if isinstance(op, SelectOp):
        fits = is_float(target)
    else:
        fits = can_apply(kind or "copy", target) if isinstance(op, UnaryOp | SplatOp) else can_combine(kind, target)
    if not fits or any(t != target for t in types):
        raise Diagnostic(
            "OPW352", f"'{op.name} \"{kind}\"' does not take ({', '.join(map(str, types))}) to {target}", op
        )


def element_type(value: SSAValue) -> Attribute:
    """Return the element type of a memref, or the type of a scalar."""
    scalar = value.type
    return cast("MemRefType[Attribute]", scalar).element_type if isinstance(scalar, MemRefType) else scalar


def _fill(op: RowsOp, values: Values, target: Attribute, insert: Insert) -> SSAValue:
    return convert(op.scalars[0], target, insert)


def _cast(op: RowsOp, values: Values, target: Attribute, insert: Insert) -> SSAValue:
    return convert(values[0], target, insert)


def _unary(op: RowsOp, values: Values, target: Attribute, insert: Insert) -> SSAValue:
    return apply(op.kind.data, values[0], insert)


def _binary(op: RowsOp, values: Values, target: Attribute, insert: Insert) -> SSAValue:
    return combine(op.kind.data, values[0], values[1], insert)


def _scalar(op: RowsOp, values: Values, target: Attribute, insert: Insert) -> SSAValue:
    return combine(op.kind.data, values[0], op.scalars[0], insert)


def _select(op: RowsOp, values: Values, target: Attribute, insert: Insert) -> SSAValue:
    return choose(op.kind.data, values, insert)


COMPUTE: Mapping[type[RowsOp], Callable[[RowsOp, Values, Attribute, Insert], SSAValue]] = {
    FillOp: _fill,
    CastOp: _cast,
    UnaryOp: _unary,
    BinaryOp: _binary,
    ScalarOp: _scalar,
    SelectOp: _select,
}
"""The value of an element of the target, from those of the sources."""


class RowLoops:
    """The two loops of a row operation: over rows, and over the elements of a row."""

    def __init__(self, op: Operation, rows: SSAValue, width: SSAValue, context: LoopContext) -> None:
        self._nest = Nest.before(op, context)
        zones = self._nest.zones
        zero = zones.constant(0)
        self.row = self._nest.open(zero, rows, "r")
        self.element = self._nest.open(zero, width, "e")
        zones.complete = True
        self.insert: Insert = zones.inserter(zones.inner)

    def plus(self, start: SSAValue, step: SSAValue) -> SSAValue:
        """Return a sum of index values."""
        return self._nest.zones.plus(start, step)

    def load(self, array: SSAValue, indices: list[SSAValue]) -> SSAValue:
        """Read an element."""
        return self.insert(memref.LoadOp.get(array, indices))

    def store(self, value: SSAValue, array: SSAValue, indices: list[SSAValue]) -> None:
        """Write an element, and finish the loops."""
        self._nest.zones.put(memref.StoreOp.get(value, array, indices), self._nest.zones.inner)
        self._nest.close(lanes=True, guard=None)


def lower_rows(op: RowsOp, context: LoopContext) -> None:
    """Replace a row instruction by loops."""
    loops = RowLoops(op, op.rows, op.width, context)
    values = [
        loops.load(buffer, [loops.plus(start, loops.row) if step else start, loops.element])
        for buffer, start, step in op.source_list
    ]
    if isinstance(op, AccumulateOp):
        place = [op.row, loops.element]
        value = combine(op.kind.data, loops.load(op.target, place), values[0], loops.insert)
    else:
        place = [loops.plus(op.row, loops.row), loops.element]
        value = COMPUTE[type(op)](op, values, element_type(op.target), loops.insert)
    loops.store(value, op.target, place)
    op.detach()
    op.erase()


def _fill_border(op: LoadRowsOp | StoreRowsOp, border: Border, context: LoopContext) -> None:
    """Set the lanes in front of what is copied, and those behind it."""
    left, right, beyond = border
    for count, first in ((left, None), (right, (left, op.width))):
        loops = RowLoops(op, op.rows, count, context)
        lane = loops.element
        for offset in first or ():
            lane = loops.plus(offset, lane)
        loops.store(beyond, op.target, [loops.plus(op.row, loops.row), lane])


def lower_copy(op: LoadRowsOp | StoreRowsOp, context: LoopContext) -> None:
    """Replace a copy between global memory and a buffer by loops."""
    border = op.border if isinstance(op, LoadRowsOp) else None
    if border is not None:
        _fill_border(op, border, context)
    loops = RowLoops(op, op.rows, op.width, context)
    outside = list(op.start)
    outside[op.along.data] = loops.plus(outside[op.along.data], loops.row)
    outside[-1] = loops.plus(outside[-1], loops.element)
    lane = loops.element if border is None else loops.plus(border[0], loops.element)
    inside = [loops.plus(op.row, loops.row), lane]
    if isinstance(op, LoadRowsOp):
        loops.store(loops.load(op.source, outside), op.target, inside)
    else:
        loops.store(loops.load(op.source, inside), op.target, outside)
    op.detach()
    op.erase()
