"""Where the values of a point loop live while the pass vectorize turns it into row instructions."""

from dataclasses import dataclass, field

from xdsl.dialects import arith
from xdsl.ir import Operation, SSAValue

from ..dialect.index_expr import Const, Ref, linear
from ..dialect.index_map import pack
from ..dialect.tile import AllocOp
from ..dialect.tile.rows import Source
from .index_code import Code
from .row_values import Materialized, Row, Rows, RowValues
from .stage_view import StageView


@dataclass
class PointLoop:
    """Turns one point loop into row instructions.

    Attributes:
        view: the stage.
        values: the analysis of the loop.
        code: where instructions are appended.
        rows, width: extent of the loop.
        places: buffer and first shift of each materialized key.
        owners: the key that each temporary in use holds.
    """

    view: StageView
    values: RowValues
    code: Code
    rows: SSAValue | int
    width: SSAValue
    places: dict[object, tuple[SSAValue, int]] = field(default_factory=dict[object, tuple[SSAValue, int]])
    owners: dict[SSAValue, object] = field(default_factory=dict[SSAValue, object])

    def count(self, span: int = 0) -> SSAValue:
        """Return the number of rows of the loop plus `span`."""
        if isinstance(self.rows, int):
            return self.code.constant(self.rows + span)
        return self.code.expr(Ref(0) + span, [self.rows])

    def source(self, value: SSAValue, shift: int) -> Source:
        """Return where the rows of a lane value start that is read `shift` rows ahead of its own place."""
        described = self.values.of(value)
        match described.key:
            case Rows(buffer):
                return buffer, self.code.constant((described.shift or 0) + shift), 1
            case Row(buffer, place):
                return buffer, self.code.constant(place), 0
            case _:
                buffer, low = self.places[described.key]
                if described.shift is None:
                    return buffer, self.code.constant(0), 0
                return buffer, self.code.constant(described.shift + shift - low), 1


@dataclass(frozen=True)
class Destination:
    """Where a value goes: buffer, first row, number of rows, and how far ahead its operands are read."""

    buffer: SSAValue
    row: SSAValue
    count: SSAValue
    ahead: int


def temporary(loop: PointLoop, op: Operation, made: Materialized, ahead: int) -> SSAValue:
    """Return a free temporary of the value's type; an operand that dies here and lies at the same rows may be it."""
    buffer = _reusable(loop, op, made, ahead) or _free(loop, op, made) or _allocate(loop, made)
    loop.owners[buffer] = loop.values.of(op.results[0]).key
    return buffer


def release(loop: PointLoop, user: Operation) -> None:
    """Give back the temporaries whose last user this was."""
    for operand in user.operands:
        buffer = _dies(loop, operand, user)
        if buffer is not None:
            del loop.owners[buffer]


def _dies(loop: PointLoop, operand: SSAValue, user: Operation) -> SSAValue | None:
    """Return the temporary that holds the operand, if this is its last user."""
    key = loop.values.of(operand).key
    made, place = loop.values.keys.get(key), loop.places.get(key)
    if made is None or place is None or made.users[-1] is not user or loop.owners.get(place[0]) != key:
        return None
    return place[0]


def kept_side(loop: PointLoop, select: arith.SelectOp, buffer: SSAValue) -> SSAValue:
    """Return the side whose rows stay where the condition does not want the other: one that lies in the buffer."""
    sides = [side for side in (select.lhs, select.rhs) if loop.values.of(side).lanes]
    places = [loop.places.get(loop.values.of(side).key) for side in sides]
    return next(
        (s for s, place in zip(sides, places, strict=True) if place is not None and place[0] is buffer), sides[0]
    )


def _reusable(loop: PointLoop, op: Operation, made: Materialized, ahead: int) -> SSAValue | None:
    """Return the buffer of an operand whose rows the operation may overwrite one by one as it reads them."""
    for operand in op.operands:
        buffer = _dies(loop, operand, op)
        if buffer is not None and _same_rows(loop, operand, op, ahead) and _suits(loop, buffer, op, made):
            return buffer
    return None


def _same_rows(loop: PointLoop, operand: SSAValue, op: Operation, ahead: int) -> bool:
    """Return whether the operation reads the operand's buffer at the rows at which it would write, and at no others."""
    described = loop.values.of(operand)
    readers = [part for part in map(loop.values.of, op.operands) if part.key == described.key]
    first = loop.places[described.key][1]
    return all(part.shift is not None and part.shift + ahead == first for part in readers)


def _free(loop: PointLoop, op: Operation, made: Materialized) -> SSAValue | None:
    buffers = (alloc.result for alloc in _temporaries(loop.view))
    return next((b for b in buffers if b not in loop.owners and _suits(loop, b, op, made)), None)


def _suits(loop: PointLoop, buffer: SSAValue, op: Operation, made: Materialized) -> bool:
    """Return whether a temporary has the element type and the rows that a value needs."""
    alloc = buffer.owner
    assert isinstance(alloc, AllocOp)
    form = linear(alloc.sizes.data[0])
    if form is None or alloc.result.type.element_type != op.results[0].type:
        return False
    if isinstance(loop.rows, int):
        return not form[0] and form[1] >= loop.rows + made.span
    return bool(form[0]) and form[1] >= made.span


TEMPORARY = "tmp"


def _temporaries(view: StageView) -> list[AllocOp]:
    allocs = (op for op in view.stage.body.block.ops if isinstance(op, AllocOp))
    return [a for a in allocs if a.role.data == "temp" and a.label.data.startswith(TEMPORARY)]


def _allocate(loop: PointLoop, made: Materialized) -> SSAValue:
    view = loop.view
    label = f"{TEMPORARY}{len(_temporaries(view))}"
    if isinstance(loop.rows, int):
        sizes, operands = pack([Const(loop.rows + made.span), Ref(0)], [view.lane_tile])
    else:
        assert view.row_tile is not None
        sizes, operands = pack([Ref(0) + made.span, Ref(1)], [view.row_tile, view.lane_tile])
    alloc = AllocOp(label, "temp", sizes, operands, made.op.results[0].type)
    alloc.location = made.op.location
    view.stage.body.block.insert_op_before(alloc, view.item_loop)
    return alloc.result
