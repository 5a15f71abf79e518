"""Numbers that index values are never below or above."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from xdsl.dialects import arith, func, scf
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import BlockArgument, Operation, SSAValue

from ..dialect.ascendc import RequireOp, StageOp
from ..dialect.tile.lane_rows import FOLD
from ..dialect.tile.ops import CoresOp
from ..dialect.tile.search import SearchOp
from ..dialect.tile.tiling import FitLanesOp, FitRowsOp, FitsOp
from .index_forms import Forms, Linear

DIVISIONS = (arith.CeilDivSIOp, arith.DivSIOp, arith.FloorDivSIOp, arith.RemSIOp)


@dataclass
class Intervals(Forms):
    """The bounds of one module's index values.

    Attributes:
        divisors: values that the kernel divides by unconditionally: they are not 0.
        ceiling: numbers that values are never above, as the tiling function refuses the shapes otherwise.
    """

    divisors: set[SSAValue] = field(default_factory=set[SSAValue])
    ceiling: dict[SSAValue, int] = field(default_factory=dict[SSAValue, int])
    _lows: dict[SSAValue, int | None] = field(default_factory=dict[SSAValue, int | None])
    _highs: dict[SSAValue, int | None] = field(default_factory=dict[SSAValue, int | None])

    def read_divisors(self, module: ModuleOp) -> None:
        """Collect the divisors."""
        for op in module.walk():
            if isinstance(op, DIVISIONS) and isinstance(op.parent_op(), func.FuncOp | StageOp | CoresOp):
                form = self.form(op.rhs)
                self.divisors.add(self.resolve(op.rhs))
                self.divisors.update(value for value, _ in form.terms if form.is_multiple)

    def read_requirements(self, module: ModuleOp) -> None:
        """Collect what the tiling function requires to be at most a constant."""
        for op in module.walk():
            test = op.condition.owner if isinstance(op, RequireOp) else None
            if isinstance(test, arith.CmpiOp) and _predicate(test) == "sle":
                most = self.constant(test.rhs)
                if most is not None:
                    self.require(test.lhs, most)

    def require(self, value: SSAValue, most: int) -> None:
        """Learn that a value is never above a number; of sums nothing is learnt."""
        form = self.form(value)
        if form.is_multiple:
            part, coefficient = next(iter(form.terms))
            if coefficient > 0:
                self.ceiling[part] = min(most // coefficient, self.ceiling.get(part, most))
        self._highs.clear()

    def low(self, value: SSAValue) -> int | None:
        """Return a number the value is never below, if one is known.

        What the kernel divides by unconditionally is not 0: the division has no meaning otherwise.
        """
        value = self.resolve(value)
        if value not in self._lows:
            self._lows[value] = self.floor.get(value)
            low = _either(max, self.floor.get(value), self._bound(value, lower=True))
            self._lows[value] = 1 if low == 0 and value in self.divisors else low
        return self._lows[value]

    def high(self, value: SSAValue) -> int | None:
        """Return a number the value is never above, if one is known."""
        value = self.resolve(value)
        if value not in self._highs:
            self._highs[value] = self.ceiling.get(value)
            self._highs[value] = _either(min, self._bound(value, lower=False), self.ceiling.get(value))
        return self._highs[value]

    def side(self, value: SSAValue, lower: bool) -> int | None:
        """Return the lower or the upper bound."""
        return self.low(value) if lower else self.high(value)

    def is_natural(self, value: SSAValue) -> bool:
        """Return whether a value is known not to be negative."""
        low = self.low(value)
        return low is not None and low >= 0

    def sum_bound(self, form: Linear, lower: bool) -> int | None:
        """Return a bound of a form."""
        total = form.constant
        for value, coefficient in form.terms:
            bound = self.side(value, lower == (coefficient > 0))
            if bound is None:
                return None
            total += coefficient * bound
        return total

    def _bound(self, value: SSAValue, lower: bool) -> int | None:
        form = self.form(value)
        if form != Linear.of(value):
            return self.sum_bound(form, lower)
        if value in self.floor:
            return self.floor[value] if lower else None
        if isinstance(value, BlockArgument):
            return self._argument_bound(value, lower)
        assert isinstance(value.owner, Operation)
        rule = BOUNDS.get(type(value.owner))
        return None if rule is None else rule(self, value.owner, lower)

    def _argument_bound(self, value: BlockArgument, lower: bool) -> int | None:
        parent = value.block.parent_op()
        if isinstance(parent, scf.ForOp) and value.index == 0:
            if lower:
                return self.low(parent.lb)
            end = self.high(parent.ub)
            return None if end is None else end - 1
        return 0 if isinstance(parent, StageOp | CoresOp) and lower else None


def _predicate(test: arith.CmpiOp) -> str:
    return arith.CMPI_COMPARISON_OPERATIONS[test.predicate.value.data]


def _min(facts: Intervals, op: arith.MinSIOp, lower: bool) -> int | None:
    sides = facts.side(op.lhs, lower), facts.side(op.rhs, lower)
    return _both(min, *sides) if lower else _either(min, *sides)


def _max(facts: Intervals, op: arith.MaxSIOp, lower: bool) -> int | None:
    sides = facts.side(op.lhs, lower), facts.side(op.rhs, lower)
    return _either(max, *sides) if lower else _both(max, *sides)


def _select(facts: Intervals, op: arith.SelectOp, lower: bool) -> int | None:
    return _both(min if lower else max, facts.side(op.lhs, lower), facts.side(op.rhs, lower))


def _product(facts: Intervals, op: arith.MuliOp, lower: bool) -> int | None:
    if not (facts.is_natural(op.lhs) and facts.is_natural(op.rhs)):
        return None
    return _both(lambda a, b: a * b, facts.side(op.lhs, lower), facts.side(op.rhs, lower))


def _quotient(divide: Callable[[int, int], int]) -> "Rule":
    def rule(facts: Intervals, op: arith.DivSIOp | arith.CeilDivSIOp, lower: bool) -> int | None:
        low, divisor = facts.low(op.lhs), facts.low(op.rhs)
        if low is None or low < 0 or divisor is None or divisor < 0:
            return None
        if not lower:
            high = facts.high(op.lhs)
            return None if high is None else divide(high, max(divisor, 1))
        largest = facts.high(op.rhs)
        return divide(low, largest or max(low, 1) + 1)

    return rule


def _ceiling(facts: Intervals, op: arith.CeilDivSIOp, lower: bool) -> int | None:
    """Bound a quotient rounded up; n in ceildiv(n, d) pieces makes pieces of at most d."""
    bound = _quotient(lambda a, b: -(-a // b))(facts, op, lower)
    pieces = facts.resolve(op.rhs).owner
    if isinstance(pieces, arith.MaxSIOp) and facts.constant(pieces.rhs) == 1:
        pieces = facts.resolve(pieces.lhs).owner
    if lower or not isinstance(pieces, arith.CeilDivSIOp) or facts.form(pieces.lhs) != facts.form(op.lhs):
        return bound
    most = facts.high(pieces.rhs)
    return bound if most is None else _either(min, bound, max(most, 1))


def _remainder(facts: Intervals, op: arith.RemSIOp, lower: bool) -> int | None:
    """Bound a remainder, which has the sign of what is divided and is less than the divisor."""
    natural = facts.is_natural(op.lhs)
    if lower or not (natural or facts.is_natural(op.rhs)):
        return 0 if lower and natural else None
    divisor = facts.high(op.rhs)
    return _either(min, facts.high(op.lhs) if natural else None, None if divisor is None else divisor - 1)


def _fit_rows(facts: Intervals, op: FitRowsOp, lower: bool) -> int | None:
    return 1 if lower else facts.high(op.cap)


Rule = Callable[[Intervals, Any, bool], int | None]

BOUNDS: Mapping[type[Operation], Rule] = {
    arith.MinSIOp: _min,
    arith.MaxSIOp: _max,
    arith.SelectOp: _select,
    arith.MuliOp: _product,
    arith.DivSIOp: _quotient(lambda a, b: a // b),
    arith.FloorDivSIOp: _quotient(lambda a, b: a // b),
    arith.CeilDivSIOp: _ceiling,
    arith.RemSIOp: _remainder,
    FitLanesOp: lambda facts, op, lower: FOLD if lower else None,
    FitRowsOp: _fit_rows,
    FitsOp: lambda facts, op, lower: 0 if lower else 1,
    SearchOp: lambda facts, op, lower: 0 if lower else None,
}
"""The bounds of an operation's result by those of its operands."""


def _both(combine: Callable[[int, int], int], a: int | None, b: int | None) -> int | None:
    return None if a is None or b is None else combine(a, b)


def _either(combine: Callable[[int, int], int], a: int | None, b: int | None) -> int | None:
    if a is None or b is None:
        return b if a is None else a
    return combine(a, b)
