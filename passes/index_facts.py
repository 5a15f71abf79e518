"""What can be proven about the index values of a kernel: bounds, order and divisors.

A form is shown to be at least 0 by replacing one value after the other by a bound of it: the operands of a min or a
max, the ends of its loop, what a remainder or a quotient cannot pass.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field
from math import gcd

from xdsl.dialects import arith, scf
from xdsl.dialects.builtin import IntegerAttr, ModuleOp
from xdsl.ir import BlockArgument, Operation, SSAValue

from ..dialect.ascendc import StageOp
from ..dialect.tile.ops import CoresOp
from .index_forms import Linear
from .index_intervals import Intervals

DEPTH = 8
"""How many replacements in a row a proof may take."""

QUOTIENTS = (arith.CeilDivSIOp, arith.DivSIOp, arith.FloorDivSIOp)


@dataclass
class Facts(Intervals):
    """Proves facts about the index values of one module: make one by `Facts.of`."""

    _quotients: list[arith.CeilDivSIOp] = field(default_factory=list[arith.CeilDivSIOp])
    _multiplications: list[arith.MuliOp] = field(default_factory=list[arith.MuliOp])
    _proofs: dict[Linear, bool] = field(default_factory=dict[Linear, bool])
    _failed: dict[Linear, int] = field(default_factory=dict[Linear, int])
    _heights: dict[SSAValue, int] = field(default_factory=dict[SSAValue, int])

    @staticmethod
    def of(module: ModuleOp) -> "Facts":
        """Read a module."""
        facts = Facts()
        facts.read_functions(module)
        facts.read_divisors(module)
        facts.read_requirements(module)
        facts._quotients = [op for op in module.walk() if isinstance(op, arith.CeilDivSIOp)]
        facts._multiplications = [op for op in module.walk() if isinstance(op, arith.MuliOp)]
        return facts

    def require(self, value: SSAValue, most: int) -> None:
        """Learn that a value is never above a number."""
        super().require(value, most)
        self._proofs.clear()

    def at_least(self, value: SSAValue | Linear, bound: int) -> bool:
        """Return whether the value is proven to be at least `bound`."""
        form = value if isinstance(value, Linear) else self.form(value)
        return self._proven(form.plus(-bound))

    def at_most(self, value: SSAValue | Linear, bound: int) -> bool:
        """Return whether the value is proven to be at most `bound`."""
        form = value if isinstance(value, Linear) else self.form(value)
        return self._proven(Linear.of(bound).plus(form, -1))

    def _proven(self, form: Linear) -> bool:
        if form not in self._proofs:
            self._proofs[form] = self._non_negative(form, DEPTH)
        return self._proofs[form]

    def _non_negative(self, form: Linear, depth: int) -> bool:
        low = self.sum_bound(form, lower=True)
        if low is not None and low >= 0:
            return True
        if depth <= self._failed.get(form, 0) or not form.terms:
            return False
        value, coefficient = max(form.ordered(), key=lambda term: self._height(term[0]))
        if self._replaced(form, value, coefficient, depth):
            return True
        self._failed[form] = depth
        return False

    def _height(self, value: SSAValue) -> int:
        """Return the length of the chain of bounds below a value.

        The highest value of a form goes first: no bound of another one can hold it, so only now can it cancel out.
        """
        value = self.resolve(value)
        if value not in self._heights:
            owner = value.owner if isinstance(value.owner, Operation) else value.owner.parent_op()
            below = owner.operands if isinstance(owner, Operation) else ()
            self._heights[value] = 1 + max((self._height(v) for v in below), default=0)
        return self._heights[value]

    def _replaced(self, form: Linear, value: SSAValue, coefficient: int, depth: int) -> bool:
        def holds(by: Linear) -> bool:
            return self._non_negative(form.replace(value, coefficient, by), depth - 1)

        match value.owner:
            case arith.MinSIOp(lhs=lhs, rhs=rhs) if coefficient > 0:
                return holds(self.form(lhs)) and holds(self.form(rhs))
            case arith.MaxSIOp(lhs=lhs, rhs=rhs) if coefficient < 0:
                return holds(self.form(lhs)) and holds(self.form(rhs))
            case _:
                bounds = self._lower_forms(value) if coefficient > 0 else self._upper_forms(value)
                return any(holds(by) for by in bounds) or self._scaled(form, value, coefficient, depth)

    def _scaled(self, form: Linear, value: SSAValue, coefficient: int, depth: int) -> bool:
        """Try the bounds of a quotient by a constant d: n <= d * ceildiv(n, d) < n + d, n - d < d * (n / d) <= n.

        An integer is at least 0 if d times it is above -d.
        """
        if not isinstance(value.owner, QUOTIENTS):
            return False
        by, numerator = self.constant(value.owner.rhs), self.form(value.owner.lhs)
        truncates = isinstance(value.owner, arith.DivSIOp)
        if by is None or by < 1 or (truncates and not self.is_natural(value.owner.lhs)):
            return False
        if coefficient % by:
            form, coefficient = Linear.of(by - 1).plus(form, by), coefficient * by
        ceil = isinstance(value.owner, arith.CeilDivSIOp)
        slack = (by - 1 if ceil else 0) if coefficient < 0 else (0 if ceil else 1 - by)
        rest = Linear(form.terms - {(value, coefficient)}, form.constant)
        return self._non_negative(rest.plus(numerator.plus(slack), coefficient // by), depth - 1)

    def _lower_forms(self, value: SSAValue) -> Iterator[Linear]:
        if (loop := loop_of(value)) is not None:
            yield self.form(loop.lb)
        elif isinstance(value.owner, arith.MaxSIOp):
            yield self.form(value.owner.lhs)
            yield self.form(value.owner.rhs)
        if (low := self.low(value)) is not None:
            yield Linear.of(low)

    def _upper_forms(self, value: SSAValue) -> Iterator[Linear]:
        match value.owner:
            case arith.MinSIOp(lhs=lhs, rhs=rhs):
                yield self.form(lhs)
                yield self.form(rhs)
            case arith.RemSIOp(lhs=lhs, rhs=rhs) if self.is_natural(lhs):
                yield self.form(lhs)
                yield self.form(rhs).plus(-1)
            case arith.DivSIOp(lhs=lhs, rhs=rhs) | arith.FloorDivSIOp(lhs=lhs, rhs=rhs) if self.is_natural(lhs):
                yield from self._quotient_upper_forms(lhs, rhs)
            case arith.MuliOp(lhs=lhs, rhs=rhs):
                yield from self._tile_start_upper_forms(lhs, rhs)
                yield from self._tile_start_upper_forms(rhs, lhs)
            case _:
                yield from self._argument_upper_forms(value)
        if (high := self.high(value)) is not None:
            yield Linear.of(high)

    def _argument_upper_forms(self, value: SSAValue) -> Iterator[Linear]:
        if (loop := loop_of(value)) is not None:
            yield self.form(loop.ub).plus(-1)
        parent = value.block.parent_op() if isinstance(value, BlockArgument) else None
        if isinstance(parent, StageOp | CoresOp):
            yield self.form(parent.cores).plus(-1)

    def _quotient_upper_forms(self, lhs: SSAValue, rhs: SSAValue) -> Iterator[Linear]:
        """Bound a / b: by a, for a < b * n by n - 1, and for a = c * n with c <= b by n."""
        if not self.is_natural(rhs):
            return
        yield self.form(lhs)
        for op in self._multiplications:
            for factor, other in ((op.lhs, op.rhs), (op.rhs, op.lhs)):
                below = self.form(op.result).plus(-1).plus(self.form(lhs), -1)
                if self.form(factor) == self.form(rhs) and self._non_negative(below, 4):
                    yield self.form(other).plus(-1)
        product = self.resolve(lhs).owner
        if not isinstance(product, arith.MuliOp):
            return
        for factor, other in ((product.lhs, product.rhs), (product.rhs, product.lhs)):
            if self.is_natural(other) and self._non_negative(self.form(rhs).plus(self.form(factor), -1), 2):
                yield self.form(other)

    def _tile_start_upper_forms(self, number: SSAValue, size: SSAValue) -> Iterator[Linear]:
        """Bound number * size, the start of one of ceildiv(n, size) tiles: it lies below n."""
        for op in self._quotients:
            if self.form(op.rhs) != self.form(size) or op.result is number:
                continue
            last = self.form(op.result).plus(-1)
            if self._non_negative(last.plus(self.form(number), -1), 3):
                yield self.form(op.lhs).plus(-1)

    def divisor(self, value: SSAValue) -> int:
        """Return a number that divides the value; 0 where the value is 0."""
        value = self.resolve(value)
        match value.owner:
            case arith.ConstantOp(value=IntegerAttr() as constant):
                return abs(constant.value.data)
            case arith.MuliOp(lhs=lhs, rhs=rhs):
                return self.divisor(lhs) * self.divisor(rhs)
            case (
                arith.AddiOp(lhs=lhs, rhs=rhs)
                | arith.SubiOp(lhs=lhs, rhs=rhs)
                | arith.MinSIOp(lhs=lhs, rhs=rhs)
                | arith.MaxSIOp(lhs=lhs, rhs=rhs)
                | arith.SelectOp(lhs=lhs, rhs=rhs)
            ):
                return gcd(self.divisor(lhs), self.divisor(rhs))
            case _:
                loop = loop_of(value)
                return 1 if loop is None else gcd(self.divisor(loop.lb), self.divisor(loop.step))


def loop_of(value: SSAValue) -> scf.ForOp | None:
    """Return the loop whose variable a value is."""
    if (
        isinstance(value, BlockArgument)
        and value.index == 0
        and isinstance(parent := value.block.parent_op(), scf.ForOp)
    ):
        return parent
    return None
