"""What the pass promote can prove about places in tensors."""

from collections.abc import Sequence
from dataclasses import dataclass

from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import SSAValue

from ..dialect.index_expr import IndexExpr, linear
from ..dialect.tile.kernel import KernelArgument, find_kernel, kernel_arguments
from .index_facts import Facts
from .index_forms import Linear


@dataclass(frozen=True)
class Ranges:
    """The extents of a kernel's tensors, and proofs that indices stay inside them."""

    facts: Facts
    arguments: dict[str, KernelArgument]

    @staticmethod
    def of(module: ModuleOp) -> "Ranges":
        """Read a module that holds a kernel."""
        return Ranges(Facts.of(module), {a.name: a for a in kernel_arguments(find_kernel(module))})

    def size(self, tensor: SSAValue, position: int) -> SSAValue | int:
        """Return the extent of a dim of a tensor: a number or an argument of the kernel."""
        dim = next(a.dims[position] for a in self.arguments.values() if a.value is tensor)
        return dim if isinstance(dim, int) else self.arguments[dim].value

    def not_negative(self, expr: IndexExpr, operands: Sequence[SSAValue]) -> bool:
        """Return whether an index is certainly at least 0."""
        form = self._form(expr, operands)
        return form is not None and self.facts.at_least(form, 0)

    def below(self, expr: IndexExpr, operands: Sequence[SSAValue], size: SSAValue | int) -> bool:
        """Return whether an index is certainly less than a size."""
        form = self._form(expr, operands)
        limit = Linear.of(size) if isinstance(size, int) else self.facts.form(size)
        return form is not None and self.facts.at_least(limit.plus(form, -1), 1)

    def _form(self, expr: IndexExpr, operands: Sequence[SSAValue]) -> Linear | None:
        terms = linear(expr)
        if terms is None:
            return None
        total = Linear.of(terms[1])
        for position, coefficient in terms[0].items():
            total = total.plus(self.facts.form(operands[position]), coefficient)
        return total
