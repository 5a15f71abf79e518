"""The analysis of the pass vectorize: which values of a point loop are the same but for a number of rows."""

from collections.abc import Hashable, Sequence
from dataclasses import dataclass, field

from xdsl.dialects import arith
from xdsl.ir import Attribute, Operation, SSAValue

from ..dialect.diagnostics import Diagnostic
from ..dialect.index_expr import Const, IndexExpr
from ..dialect.index_map import IndexMapAttr, pack
from ..dialect.tile import ForeachOp, ReadOp, WriteOp
from .index_code import Code
from .row_operations import verify_operation
from .stage_view import split_index, verify_rows_and_lanes
from .written_names import lane_number, no_row_instruction


@dataclass(frozen=True)
class Base:
    """A row of a buffer that the loop does not change: an expression over values from outside."""

    index_map: IndexMapAttr
    operands: tuple[SSAValue, ...]

    @staticmethod
    def of(expr: IndexExpr, operands: Sequence[SSAValue]) -> "Base":
        """Return a row as an expression."""
        index_map, values = pack([expr], operands)
        return Base(index_map, tuple(values))

    def append(self, more: int, code: Code) -> SSAValue:
        """Append the arithmetic of the row, `more` rows further."""
        return code.expr(self.index_map.data[0] + more, self.operands)


@dataclass(frozen=True)
class Rows:
    """Key of what is read from a buffer by row and lane, from a row on."""

    buffer: SSAValue
    base: Base


@dataclass(frozen=True)
class Row:
    """Key of what is read from one row of a buffer by lane."""

    buffer: SSAValue
    place: Base


@dataclass(frozen=True)
class Scalars:
    """Key of what is read from one row of a buffer by the loop's row only."""

    buffer: SSAValue
    place: Base


@dataclass(frozen=True)
class RowValue:
    """A value of the body, up to a shift in rows.

    Attributes:
        key: equal for values that differ by a shift only.
        shift: rows the value is ahead of the loop's row; None where it is the same for all rows.
        lanes: the value differs from lane to lane; else it is a scalar of its row.
    """

    key: Hashable
    shift: int | None
    lanes: bool


@dataclass
class Materialized:
    """One key that becomes a buffer.

    Attributes:
        op: the first operation that has the key.
        low, high: smallest and largest shift in use.
        users: writes, and operations that stand for a key themselves, that read a value of this key, in order.
    """

    op: Operation
    low: int
    high: int
    users: list[Operation] = field(default_factory=list[Operation])

    @property
    def span(self) -> int:
        """Return how many rows more than the loop's the value is needed on."""
        return self.high - self.low


@dataclass(frozen=True)
class RowValues:
    """All values of a point loop.

    Attributes:
        points: the loop.
        values: description of every value of the body.
        keys: what each key of lane values stands for, in order of first appearance.
    """

    points: ForeachOp
    values: dict[SSAValue, RowValue]
    keys: dict[Hashable, Materialized]

    @staticmethod
    def analyze(points: ForeachOp) -> "RowValues":
        """Describe the body; raise for an operation that rows cannot express."""
        verify_rows_and_lanes(points)
        found = RowValues(points, {}, {})
        for op in points.body.block.ops:
            if isinstance(op, WriteOp):
                found._check_write(op)
            else:
                found._describe(op)
        found._check_sums()
        found._spread()
        return found

    def of(self, value: SSAValue) -> RowValue:
        """Return the description of a value: the number of the row; others from outside the loop are fixed scalars."""
        if value is self.points.dims[0]:
            return RowValue("row", 0, lanes=False)
        return self.values.get(value) or RowValue(_outside_key(value), None, lanes=False)

    def _describe(self, op: Operation) -> None:
        if len(op.results) != 1 or op.regions:
            raise no_row_instruction(op)
        value = self._read(op) if isinstance(op, ReadOp) else self._compute(op)
        self.values[op.results[0]] = value
        if value.lanes:
            self._use(value, op)
            if self.keys[value.key].op is op:
                self._note_uses(op)

    def _note_uses(self, op: Operation) -> None:
        for operand in op.operands:
            described = self.of(operand)
            if described.lanes and described.key in self.keys:
                self.keys[described.key].users.append(op)

    def _use(self, value: RowValue, op: Operation) -> None:
        shift = value.shift or 0
        known = self.keys.setdefault(value.key, Materialized(op, shift, shift))
        known.low, known.high = min(known.low, shift), max(known.high, shift)

    def _read(self, op: ReadOp) -> RowValue:
        row, lane = self.points.dims[0], self.points.dims[-1]
        operands = tuple(op.operands_)
        splits = [split_index(e, operands, (row, lane)) for e in op.indices.data]
        match splits:
            case [(IndexExpr() as place, (1, 0)), (Const(0), (0, 1))]:
                shift = place.value if isinstance(place, Const) else 0
                return RowValue(Rows(op.source, Base.of(place - shift, operands)), shift, lanes=True)
            case [(IndexExpr() as place, (0, 0)), (Const(0), (0, 1))]:
                return RowValue(Row(op.source, Base.of(place, operands)), None, lanes=True)
            case [(IndexExpr() as place, (0, 0)), (Const(shift), (1, 0))]:
                return RowValue(Scalars(op.source, Base.of(place, operands)), shift, lanes=False)
            case _:
                raise Diagnostic("OPW345", "a read of a buffer must be by row and lane, or by row", op)

    def _compute(self, op: Operation) -> RowValue:
        if self.points.dims[-1] in op.operands:
            raise lane_number(op)
        if isinstance(op, arith.ConstantOp):
            return RowValue(("constant", op.value), None, lanes=False)
        parts = [self.of(operand) for operand in op.operands]
        shifts = [p.shift for p in parts if p.shift is not None]
        base = min(shifts, default=None)
        inner = tuple((p.key, None if p.shift is None else p.shift - (base or 0)) for p in parts)
        attrs: tuple[tuple[str, Attribute], ...] = tuple(sorted(op.properties.items()))
        key = (op.name, attrs, tuple(r.type for r in op.results), inner)
        value = RowValue(key, base, lanes=any(p.lanes for p in parts))
        if value.lanes:
            verify_operation(op)
        return value

    def _check_write(self, op: WriteOp) -> None:
        if op.guard is not None:
            raise Diagnostic("OPW346", "a guarded write has no row instruction yet", op)
        self._note_uses(op)

    def _check_sums(self) -> None:
        """Refuse two sums into one row: all rows of one would come before those of the other, unlike in the loop."""
        seen: set[tuple[SSAValue, object, tuple[SSAValue, ...]]] = set()
        for op in self.points.body.block.ops:
            if isinstance(op, WriteOp) and op.combine and self.points.dims[0] not in op.operands_:
                place = (op.target, op.indices, tuple(op.operands_))
                if place in seen:
                    raise Diagnostic("OPW347", "two values are summed into one row", op, "add them first")
                seen.add(place)

    def _spread(self) -> None:
        """Widen the rows of operands to what their users need, users first."""
        for made in reversed(self.keys.values()):
            described = self.values[made.op.results[0]]
            base = described.shift or 0
            for operand in made.op.operands:
                part = self.of(operand)
                if part.lanes and part.shift is not None:
                    source = self.keys[part.key]
                    ahead = part.shift - base
                    source.low = min(source.low, made.low + ahead)
                    source.high = max(source.high, made.high + ahead)


def _outside_key(value: SSAValue) -> Hashable:
    owner = value.owner
    return ("constant", owner.value) if isinstance(owner, arith.ConstantOp) else ("value", value)
