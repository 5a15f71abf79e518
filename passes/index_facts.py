"""What can be proven about the index values of a kernel: bounds, order and divisors.

A value is a linear form over values that are not sums themselves. A form is shown to be at least 0 by replacing one value
after the other by a bound of it: the operands of a min or a max, the ends of its loop, what a remainder or a quotient
cannot pass. The kernel's tiling arguments stand for the results of the tiling function.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from math import gcd

from xdsl.dialects import arith, func, scf
from xdsl.dialects.builtin import IndexType, IntegerAttr, ModuleOp
from xdsl.ir import Block, BlockArgument, Operation, SSAValue

from ..dialect.ascendc import StageOp
from ..dialect.tile import kernel as kernels
from ..dialect.tile.ops import CoresOp
from ..dialect.tile.tiling import FitRowsOp

DIVISIONS = (arith.CeilDivSIOp, arith.DivSIOp, arith.FloorDivSIOp, arith.RemSIOp)

DEPTH = 8
"""How many replacements in a row a proof may take."""


@dataclass(frozen=True)
class Linear:
    """A sum of values with coefficients, and a constant."""

    terms: frozenset[tuple[SSAValue, int]]
    constant: int = 0

    @staticmethod
    def of(value: SSAValue | int) -> "Linear":
        """Return a value or an integer as a form, without looking into the value."""
        if isinstance(value, int):
            return Linear(frozenset(), value)
        return Linear(frozenset({(value, 1)}))

    @property
    def is_multiple(self) -> bool:
        """Return whether the form is a multiple of one value."""
        return len(self.terms) == 1 and not self.constant

    def coefficient(self, value: SSAValue) -> int:
        """Return the coefficient of a value, 0 where it does not occur."""
        return next((c for v, c in self.terms if v is value), 0)

    def plus(self, other: "Linear | int", scale: int = 1) -> "Linear":
        """Return self + scale * other."""
        other = Linear.of(other) if isinstance(other, int) else other
        terms = dict(self.terms)
        for value, coefficient in other.terms:
            terms[value] = terms.get(value, 0) + scale * coefficient
        kept = frozenset((v, c) for v, c in terms.items() if c)
        return Linear(kept, self.constant + scale * other.constant)

    def replace(self, value: SSAValue, coefficient: int, by: "Linear") -> "Linear":
        """Return the form with one of its terms replaced."""
        return Linear(self.terms - {(value, coefficient)}, self.constant).plus(by, coefficient)

    def ordered(self) -> list[tuple[SSAValue, int]]:
        """Return the terms in an order that does not change from run to run."""
        return sorted(self.terms, key=lambda term: (term[1], term[0].name_hint or ""))


class Facts:
    """Proves facts about the index values of one module."""

    def __init__(self, module: ModuleOp) -> None:
        """Read the module; without a kernel and a tiling function nothing is known of arguments."""
        self._same: dict[SSAValue, SSAValue] = {}
        self._floor: dict[SSAValue, int] = {}
        self._quotients: list[arith.CeilDivSIOp] = []
        self._products: list[arith.MuliOp] = []
        self._divisors: set[SSAValue] = set()
        self._naturals: dict[Operation, SSAValue] = {}
        self._proofs: dict[Linear, bool] = {}
        self._forms: dict[SSAValue, Linear] = {}
        self._lows: dict[SSAValue, int | None] = {}
        self._highs: dict[SSAValue, int | None] = {}
        self._read_functions(module)
        for op in module.walk():
            if isinstance(op, arith.CeilDivSIOp):
                self._quotients.append(op)
            if isinstance(op, arith.MuliOp):
                self._products.append(op)
            if isinstance(op, DIVISIONS) and isinstance(op.parent_op(), func.FuncOp | StageOp | CoresOp):
                self._divisors.add(self.resolve(op.rhs))
                self._divisors.update(v for v, _ in self.form(op.rhs).terms if self.form(op.rhs).is_multiple)

    def _read_functions(self, module: ModuleOp) -> None:
        try:
            kernel, tiling = kernels.find_kernel(module), kernels.find_tiling(module)
        except LookupError:
            return
        arguments = {a.name: a for a in kernels.kernel_arguments(kernel)}
        for argument in arguments.values():
            if argument.role in (kernels.DIM, kernels.CORES):
                self._floor[argument.value] = int(argument.role == kernels.CORES)
        for argument in kernels.kernel_arguments(tiling):
            self._same[argument.value] = arguments[argument.name].value
        returned = tiling.body.blocks[-1].last_op
        assert isinstance(returned, func.ReturnOp)
        for name, value in zip(kernels.tiling_result_names(tiling), returned.operands, strict=True):
            self._same[arguments[name].value] = value

    def resolve(self, value: SSAValue) -> SSAValue:
        """Return the value that stands for this one in all forms."""
        while value in self._same:
            value = self._same[value]
        return value

    def form(self, value: SSAValue) -> Linear:
        """Return a value as a linear form."""
        value = self.resolve(value)
        if value not in self._forms:
            self._forms[value] = self._form(value)
        return self._forms[value]

    def _form(self, value: SSAValue) -> Linear:
        match value.owner:
            case arith.ConstantOp(value=IntegerAttr() as constant):
                return Linear.of(constant.value.data)
            case arith.AddiOp(lhs=lhs, rhs=rhs):
                return self.form(lhs).plus(self.form(rhs))
            case arith.SubiOp(lhs=lhs, rhs=rhs):
                return self.form(lhs).plus(self.form(rhs), -1)
            case arith.MuliOp(lhs=lhs, rhs=rhs):
                left, right = self.form(lhs), self.form(rhs)
                if not left.terms:
                    return Linear.of(0).plus(right, left.constant)
                if not right.terms:
                    return Linear.of(0).plus(left, right.constant)
                return Linear.of(value)
            case _:
                return Linear.of(value)

    def natural(self, key: Operation) -> SSAValue:
        """Return a number of which only is known that it is not negative: one for each key."""
        if key not in self._naturals:
            self._naturals[key] = Block(arg_types=[IndexType()]).args[0]
            self._floor[self._naturals[key]] = 0
        return self._naturals[key]

    def constant(self, value: SSAValue) -> int | None:
        """Return the value where it is known."""
        form = self.form(value)
        return None if form.terms else form.constant

    # Bounds by intervals

    def low(self, value: SSAValue) -> int | None:
        """Return a number the value is never below, if one is known.

        What the kernel divides by unconditionally is not 0: the division has no meaning otherwise.
        """
        value = self.resolve(value)
        if value not in self._lows:
            self._lows[value] = self._floor.get(value)
            low = self._bound(value, self.low, self.high, min)
            self._lows[value] = 1 if low == 0 and value in self._divisors else low
        return self._lows[value]

    def high(self, value: SSAValue) -> int | None:
        """Return a number the value is never above, if one is known."""
        value = self.resolve(value)
        if value not in self._highs:
            self._highs[value] = None
            self._highs[value] = self._bound(value, self.high, self.low, max)
        return self._highs[value]

    def _bound(
        self,
        value: SSAValue,
        side: Callable[[SSAValue], int | None],
        other: Callable[[SSAValue], int | None],
        outer: Callable[[int, int], int],
    ) -> int | None:
        form = self.form(value)
        if form != Linear.of(value):
            return self._sum_bound(form, side, other)
        lower = outer is min
        if value in self._floor:
            return self._floor[value] if lower else None
        if isinstance(value, BlockArgument):
            return self._argument_bound(value, lower)
        match value.owner:
            case arith.MinSIOp(lhs=lhs, rhs=rhs):
                return _both(min, side(lhs), side(rhs)) if lower else _either(min, side(lhs), side(rhs))
            case arith.MaxSIOp(lhs=lhs, rhs=rhs):
                return _either(max, side(lhs), side(rhs)) if lower else _both(max, side(lhs), side(rhs))
            case arith.SelectOp(lhs=lhs, rhs=rhs):
                return _both(outer, side(lhs), side(rhs))
            case arith.MuliOp(lhs=lhs, rhs=rhs):
                return self._product_bound(lhs, rhs, side)
            case arith.DivSIOp(lhs=lhs, rhs=rhs) | arith.FloorDivSIOp(lhs=lhs, rhs=rhs):
                return self._quotient_bound(lhs, rhs, lower, lambda a, b: a // b)
            case arith.CeilDivSIOp(lhs=lhs, rhs=rhs):
                return self._quotient_bound(lhs, rhs, lower, lambda a, b: -(-a // b))
            case arith.RemSIOp(lhs=lhs, rhs=rhs):
                return self._remainder_bound(lhs, rhs, lower)
            case FitRowsOp(cap=cap):
                return 1 if lower else self.high(cap)
            case _:
                return None

    def _sum_bound(
        self, form: Linear, side: Callable[[SSAValue], int | None], other: Callable[[SSAValue], int | None]
    ) -> int | None:
        total = form.constant
        for value, coefficient in form.terms:
            bound = side(value) if coefficient > 0 else other(value)
            if bound is None:
                return None
            total += coefficient * bound
        return total

    def _argument_bound(self, value: BlockArgument, lower: bool) -> int | None:
        parent = value.block.parent_op()
        if isinstance(parent, scf.ForOp) and value.index == 0:
            if lower:
                return self.low(parent.lb)
            end = self.high(parent.ub)
            return None if end is None else end - 1
        if isinstance(parent, StageOp | CoresOp):
            return 0 if lower else None
        return None

    def _product_bound(
        self, lhs: SSAValue, rhs: SSAValue, side: Callable[[SSAValue], int | None]
    ) -> int | None:
        lows, bounds = (self.low(lhs), self.low(rhs)), (side(lhs), side(rhs))
        if any(low is None or low < 0 for low in lows):
            return None
        return _both(lambda a, b: a * b, *bounds)

    def _quotient_bound(
        self, lhs: SSAValue, rhs: SSAValue, lower: bool, divide: Callable[[int, int], int]
    ) -> int | None:
        low, divisor = self.low(lhs), self.low(rhs)
        if low is None or low < 0 or divisor is None or divisor < 0:
            return None
        if not lower:
            high = self.high(lhs)
            return None if high is None else divide(high, max(divisor, 1))
        largest = self.high(rhs)
        return divide(low, largest if largest is not None else max(low, 1) + 1)

    def _remainder_bound(self, lhs: SSAValue, rhs: SSAValue, lower: bool) -> int | None:
        low, divisor = self.low(lhs), self.high(rhs)
        if low is None or low < 0:
            return None
        if lower:
            return 0
        return _either(min, self.high(lhs), None if divisor is None else divisor - 1)

    # Order by substitution

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
        low = self._sum_bound(form, self.low, self.high)
        if low is not None and low >= 0:
            return True
        if depth == 0 or not form.terms:
            return False
        return any(self._replaced(form, value, c, depth) for value, c in form.ordered())

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
        """Try the bounds of a quotient by a constant d: n <= d * ceildiv(n, d) < n + d, n - d < d * (n / d) <= n."""
        if not isinstance(value.owner, DIVISIONS) or isinstance(value.owner, arith.RemSIOp):
            return False
        by, numerator = self.constant(value.owner.rhs), self.form(value.owner.lhs)
        if by is None or by < 1 or coefficient % by or not self._is_natural(value.owner.lhs):
            return False
        ceil = isinstance(value.owner, arith.CeilDivSIOp)
        slack = (by - 1 if ceil else 0) if coefficient < 0 else (0 if ceil else 1 - by)
        rest = Linear(form.terms - {(value, coefficient)}, form.constant)
        return self._non_negative(rest.plus(numerator.plus(slack), coefficient // by), depth - 1)

    def _lower_forms(self, value: SSAValue) -> Iterator[Linear]:
        parent = value.block.parent_op() if isinstance(value, BlockArgument) else None
        match parent or value.owner:
            case scf.ForOp() as loop if isinstance(value, BlockArgument) and value.index == 0:
                yield self.form(loop.lb)
            case arith.MaxSIOp(lhs=lhs, rhs=rhs):
                yield self.form(lhs)
                yield self.form(rhs)
            case _:
                pass
        if (low := self.low(value)) is not None:
            yield Linear.of(low)

    def _upper_forms(self, value: SSAValue) -> Iterator[Linear]:
        if isinstance(value, BlockArgument):
            yield from self._argument_upper_forms(value)
        match value.owner:
            case arith.MinSIOp(lhs=lhs, rhs=rhs):
                yield self.form(lhs)
                yield self.form(rhs)
            case arith.RemSIOp(lhs=lhs, rhs=rhs) if self._is_natural(lhs):
                yield self.form(lhs)
                yield self.form(rhs).plus(-1)
            case arith.DivSIOp(lhs=lhs, rhs=rhs) | arith.FloorDivSIOp(lhs=lhs, rhs=rhs) if self._is_natural(lhs):
                yield from self._quotient_upper_forms(lhs, rhs)
            case arith.MuliOp(lhs=lhs, rhs=rhs):
                yield from self._tile_start_upper_forms(lhs, rhs)
                yield from self._tile_start_upper_forms(rhs, lhs)
            case _:
                pass
        if (high := self.high(value)) is not None:
            yield Linear.of(high)

    def _argument_upper_forms(self, value: BlockArgument) -> Iterator[Linear]:
        parent = value.block.parent_op()
        if isinstance(parent, scf.ForOp) and value.index == 0:
            yield self.form(parent.ub).plus(-1)
        if isinstance(parent, StageOp | CoresOp):
            yield self.form(parent.cores).plus(-1)

    def _is_natural(self, value: SSAValue) -> bool:
        low = self.low(value)
        return low is not None and low >= 0

    def _quotient_upper_forms(self, lhs: SSAValue, rhs: SSAValue) -> Iterator[Linear]:
        """Bound a / b: by a, for a = c * n with c <= b by n, and for a < b * n by n - 1."""
        if not self._is_natural(rhs):
            return
        yield self.form(lhs)
        for op in self._products:
            for factor, other in ((op.lhs, op.rhs), (op.rhs, op.lhs)):
                below = self.form(op.result).plus(-1).plus(self.form(lhs), -1)
                if self.resolve(factor) is self.resolve(rhs) and self._non_negative(below, 4):
                    yield self.form(other).plus(-1)
        product = self.resolve(lhs).owner
        if not isinstance(product, arith.MuliOp):
            return
        for factor, other in ((product.lhs, product.rhs), (product.rhs, product.lhs)):
            if self._is_natural(other) and self._non_negative(self.form(rhs).plus(self.form(factor), -1), 2):
                yield self.form(other)

    def _tile_start_upper_forms(self, number: SSAValue, size: SSAValue) -> Iterator[Linear]:
        """Bound number * size, the start of one of ceildiv(n, size) tiles: it lies below n."""
        for op in self._quotients:
            if self.resolve(op.rhs) is not self.resolve(size) or op.result is number:
                continue
            last = self.form(op.result).plus(-1)
            if self._non_negative(last.plus(self.form(number), -1), 3):
                yield self.form(op.lhs).plus(-1)

    # Divisors

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
                return self._argument_divisor(value)

    def _argument_divisor(self, value: SSAValue) -> int:
        parent = value.owner.parent_op() if isinstance(value, BlockArgument) else None
        if isinstance(parent, scf.ForOp) and isinstance(value, BlockArgument) and value.index == 0:
            return gcd(self.divisor(parent.lb), self.divisor(parent.step))
        return 1


def _both(combine: Callable[[int, int], int], a: int | None, b: int | None) -> int | None:
    return None if a is None or b is None else combine(a, b)


def _either(combine: Callable[[int, int], int], a: int | None, b: int | None) -> int | None:
    if a is None or b is None:
        return b if a is None else a
    return combine(a, b)


def enclosing_loops(op: Operation) -> Iterator[scf.ForOp]:
    """Yield the loops around an operation, innermost first."""
    parent = op.parent_op()
    while parent is not None:
        if isinstance(parent, scf.ForOp):
            yield parent
        parent = parent.parent_op()
