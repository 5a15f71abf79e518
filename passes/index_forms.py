"""Index values as linear forms over values that are not sums themselves.

The kernel's tiling arguments stand for the results of the tiling function, so forms reach through both functions.
"""

from dataclasses import dataclass, field

from xdsl.dialects import arith, func
from xdsl.dialects.builtin import IndexType, IntegerAttr, ModuleOp
from xdsl.ir import Block, Operation, SSAValue

from ..dialect.tile import kernel as kernels


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


@dataclass
class Forms:
    """The linear forms of one module's index values.

    Attributes:
        same: what stands for a value: the tiling function's result for a kernel argument, and the other way for dims.
        floor: numbers that arguments are never below.
    """

    same: dict[SSAValue, SSAValue] = field(default_factory=dict[SSAValue, SSAValue])
    floor: dict[SSAValue, int] = field(default_factory=dict[SSAValue, int])
    _forms: dict[SSAValue, Linear] = field(default_factory=dict[SSAValue, Linear])
    _naturals: dict[Operation, SSAValue] = field(default_factory=dict[Operation, SSAValue])
    _products: dict[frozenset[Linear], SSAValue] = field(default_factory=dict[frozenset[Linear], SSAValue])

    def read_functions(self, module: ModuleOp) -> None:
        """Connect the kernel's arguments with its tiling function; without these nothing is known of arguments.

        Extents of tensors are not negative, however they are computed: calls with others are refused.
        """
        try:
            kernel, tiling = kernels.find_kernel(module), kernels.find_tiling(module)
        except LookupError:
            return
        arguments = {a.name: a for a in kernels.kernel_arguments(kernel)}
        for argument in arguments.values():
            if argument.role in (kernels.DIM, kernels.CORES):
                self.floor[argument.value] = int(argument.role == kernels.CORES)
        for argument in kernels.kernel_arguments(tiling):
            self.same[argument.value] = arguments[argument.name].value
        returned = tiling.body.blocks[-1].last_op
        assert isinstance(returned, func.ReturnOp)
        for name, value in zip(kernels.tiling_result_names(tiling), returned.operands, strict=True):
            self.same[arguments[name].value] = value
        for name in {dim for argument in arguments.values() for dim in argument.dims if isinstance(dim, str)}:
            extent = self.resolve(arguments[name].value)
            self.floor[extent] = max(0, self.floor.get(extent, 0))

    def resolve(self, value: SSAValue) -> SSAValue:
        """Return the value that stands for this one in all forms."""
        while value in self.same:
            value = self.same[value]
        return value

    def form(self, value: SSAValue) -> Linear:
        """Return a value as a linear form; equal products of the same forms are one value."""
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
                return self._product(value, self.form(lhs), self.form(rhs))
            case arith.MinSIOp() | arith.MaxSIOp() as op:
                return self._extreme(value, op)
            case _:
                return Linear.of(value)

    def _extreme(self, value: SSAValue, op: arith.MinSIOp | arith.MaxSIOp) -> Linear:
        left, right = self.constant(op.lhs), self.constant(op.rhs)
        if left is None or right is None:
            return Linear.of(value)
        return Linear.of((min if isinstance(op, arith.MinSIOp) else max)(left, right))

    def _product(self, value: SSAValue, left: Linear, right: Linear) -> Linear:
        if not left.terms:
            return Linear.of(0).plus(right, left.constant)
        if not right.terms:
            return Linear.of(0).plus(left, right.constant)
        key = frozenset({left, right})
        return Linear.of(self._products.setdefault(key, value))

    def constant(self, value: SSAValue) -> int | None:
        """Return the value where it is known."""
        form = self.form(value)
        return None if form.terms else form.constant

    def natural(self, key: Operation) -> SSAValue:
        """Return a number of which only is known that it is not negative: one for each key."""
        if key not in self._naturals:
            self._naturals[key] = Block(arg_types=[IndexType()]).args[0]
            self.floor[self._naturals[key]] = 0
        return self._naturals[key]
