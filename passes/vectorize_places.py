"""Where the values of a point loop live while the pass vectorize turns it into row instructions."""

from dataclasses import dataclass, field

from xdsl.dialects import arith
from xdsl.ir import Attribute, Operation, SSAValue

from ..dialect.index_expr import Ref
from ..dialect.tile import AllocOp, CoresOp
from ..dialect.tile.rows import Source
from .index_code import Code
from .row_values import Materialized, Row, Rows, RowValues
from .tile_bounds import Packed, TileBounds


@dataclass
class PointLoop:
    """Turns one point loop into row instructions.

    Attributes:
        stage: the stage.
        values: the analysis of the loop.
        code: where instructions are appended.
        rows, width: extent of the loop.
        bounds: the most rows and lanes it has.
        places: buffer and first shift of each materialized key.
        owners: the key that each temporary in use holds.
        filled: the row that is filled with a scalar, by the scalar's key.
    """

    stage: CoresOp
    values: RowValues
    code: Code
    rows: SSAValue | int
    width: SSAValue
    bounds: TileBounds
    places: dict[object, tuple[SSAValue, int]] = field(default_factory=dict[object, tuple[SSAValue, int]])
    owners: dict[SSAValue, object] = field(default_factory=dict[SSAValue, object])
    filled: dict[object, SSAValue] = field(default_factory=dict[object, SSAValue])

    def count(self, span: int = 0) -> SSAValue:
        """Return the number of rows of the loop plus `span`."""
        if isinstance(self.rows, int):
            return self.code.constant(self.rows + span)
        return self.code.expr(Ref(0) + span, [self.rows])

    def source(self, value: SSAValue, shift: int) -> Source:
        """Return where the rows of a lane value start that is read `shift` rows ahead of its own place."""
        described = self.values.of(value)
        match described.key:
            case Rows(buffer, base):
                return buffer, base.append((described.shift or 0) + shift, self.code), 1
            case Row(buffer, place):
                return buffer, place.append(0, self.code), 0
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
    if loop.values.of(op.results[0]).shift is None:
        return True
    return all(part.shift is not None and part.shift + ahead == first for part in readers)


def _free(loop: PointLoop, op: Operation, made: Materialized) -> SSAValue | None:
    buffers = (alloc.result for alloc in temporaries(loop.stage))
    return next((b for b in buffers if b not in loop.owners and _suits(loop, b, op, made)), None)


def _suits(loop: PointLoop, buffer: SSAValue, op: Operation, made: Materialized) -> bool:
    """Return whether a temporary has the element type and the rows that a value needs."""
    alloc = buffer.owner
    assert isinstance(alloc, AllocOp)
    if alloc.result.type.element_type != op.results[0].type:
        return False
    return loop.bounds.fit(alloc.sizes, alloc.operands_, made.span)


TEMPORARY = "tmp"


def temporaries(stage: CoresOp) -> list[AllocOp]:
    """Return the temporaries that a stage has so far."""
    allocs = (op for op in stage.body.block.ops if isinstance(op, AllocOp))
    return [a for a in allocs if a.role.data == "temp" and a.label.data.startswith(TEMPORARY)]


def _allocate(loop: PointLoop, made: Materialized) -> SSAValue:
    return reserve(loop.stage, loop.bounds.sizes(made.span), made.op.results[0].type, made.op)


def reserve(stage: CoresOp, sizes: Packed, element: Attribute, at: Operation) -> SSAValue:
    """Reserve a new temporary in front of the stage's first loop, branch or point loop."""
    alloc = AllocOp(f"{TEMPORARY}{len(temporaries(stage))}", "temp", *sizes, element)
    alloc.location = at.location
    block = stage.body.block
    block.insert_op_before(alloc, next(op for op in block.ops if op.regions))
    return alloc.result
