"""Choices by conditions that differ from lane to lane, as tile.choose, for the pass legalize-lanes."""

from collections.abc import Set
from dataclasses import dataclass

from xdsl.dialects import arith
from xdsl.dialects.builtin import IndexType, f32
from xdsl.ir import Operation, SSAValue

from ..dialect.tile import ChooseOp
from .constants import constant_value
from .lane_conversions import constant, to_float
from .loops_scalars import Insert, convert, integer_width
from .written_names import lane_number, no_row_instruction

FLOATS: dict[int, tuple[str, bool]] = {
    **{number: (kind, True) for number, kind in enumerate(("eq", "gt", "ge", "lt", "le"), 1)},
    **{number: (kind, False) for number, kind in enumerate(("le", "lt", "ge", "gt", "eq"), 9)},
}
"""What arith.cmpf tests by number of its predicate, and whether it is that or the opposite, which NaN meets."""

INTEGERS = {0: ("eq", True), 1: ("eq", False), 2: ("lt", True), 3: ("le", True), 4: ("gt", True), 5: ("ge", True)}
"""What arith.cmpi tests, likewise."""

EXACT_BITS = 16
"""Integers of at most so many bits are compared as f32."""


@dataclass(frozen=True)
class LaneChoices:
    """Builds choices in front of an operation of a point loop.

    Attributes:
        lanes: the values of the loop that differ from lane to lane.
        insert: inserts an operation.
    """

    lanes: Set[SSAValue]
    insert: Insert

    def choose(self, condition: SSAValue, chosen: SSAValue, other: SSAValue) -> SSAValue:
        """Return a value where a condition holds, else another one.

        Raises:
            Diagnostic: OPW345 for a condition that no comparison of floats stands for.
        """
        op = condition.owner
        if condition not in self.lanes or not isinstance(op, Operation):
            return self.insert(arith.SelectOp(condition, chosen, other))
        match op:
            case arith.CmpfOp():
                return self._by_floats(op, chosen, other)
            case arith.CmpiOp():
                return self._by_integers(op, chosen, other)
            case _:
                return self.choose(*self._of_several(op, chosen, other))

    def _of_several(self, op: Operation, chosen: SSAValue, other: SSAValue) -> tuple[SSAValue, SSAValue, SSAValue]:
        """Return a condition and two values that choose alike: the values are choices by what it is made of."""
        match op:
            case arith.AndIOp():
                return op.lhs, self.choose(op.rhs, chosen, other), other
            case arith.OrIOp():
                return op.lhs, chosen, self.choose(op.rhs, chosen, other)
            case arith.XOrIOp() if constant_value(op.rhs):
                return op.lhs, other, chosen
            case arith.XOrIOp():
                return op.lhs, self.choose(op.rhs, other, chosen), self.choose(op.rhs, chosen, other)
            case arith.SelectOp():
                return op.cond, self.choose(op.lhs, chosen, other), self.choose(op.rhs, chosen, other)
            case _:
                raise no_row_instruction(op, "a condition on lanes is a comparison of floats, or several of them")

    def _by_floats(self, op: arith.CmpfOp, chosen: SSAValue, other: SSAValue) -> SSAValue:
        """Choose by a comparison; `less or greater` and its opposite take two."""
        predicate = op.predicate.value.data
        if predicate in (6, 8):
            first, second = (chosen, other) if predicate == 6 else (other, chosen)
            less = self._compared("lt", op, op.lhs, op.rhs, (first, second))
            return self._compared("gt", op, op.lhs, op.rhs, (first, less))
        if predicate not in FLOATS:
            raise no_row_instruction(op)
        kind, holds = FLOATS[predicate]
        return self._compared(kind, op, op.lhs, op.rhs, (chosen, other) if holds else (other, chosen))

    def _by_integers(self, op: arith.CmpiOp, chosen: SSAValue, other: SSAValue) -> SSAValue:
        """Choose by a comparison of small integers: f32 holds them exactly."""
        kind = op.lhs.type
        if isinstance(kind, IndexType):
            raise lane_number(op)
        if not 1 < integer_width(kind) <= EXACT_BITS or op.predicate.value.data not in INTEGERS:
            hint = "compare floats: cast(k, f32) of small integers"
            raise no_row_instruction(op, hint, of=f" of lanes of {kind}")
        test, holds = INTEGERS[op.predicate.value.data]
        a, b = (self._number(side) for side in (op.lhs, op.rhs))
        return self._compared(test, op, a, b, (chosen, other) if holds else (other, chosen))

    def _number(self, value: SSAValue) -> SSAValue:
        """Return a small integer as f32."""
        known = constant_value(value)
        if known is not None:
            return constant(known, f32, self.insert)
        return (to_float if value in self.lanes else convert)(value, f32, self.insert)

    def _compared(
        self, kind: str, op: Operation, lhs: SSAValue, rhs: SSAValue, sides: tuple[SSAValue, SSAValue]
    ) -> SSAValue:
        if lhs.type != sides[0].type:
            raise no_row_instruction(op, f"choose between {lhs.type}", of=f" that chooses {sides[0].type}")
        return self.insert(ChooseOp(kind, lhs, rhs, *sides))
