"""What the pass lower-to-loops can prove about index values at a point of a nest."""

from collections.abc import Sequence

from xdsl.dialects.scf import ForOp
from xdsl.ir import Block, Operation, SSAValue

from ..dialect.index_expr import IndexExpr, linear
from .index_facts import Facts
from .index_forms import Linear

Size = SSAValue | int
"""An extent: a value or a number."""


class Ranges:
    """Proofs about index values inside a block."""

    def __init__(self, facts: Facts, block: Block) -> None:
        self._facts = facts
        self._block = block

    def at_least(self, value: SSAValue, bound: int) -> bool:
        """Return whether a value is proven to be at least `bound`."""
        return self._facts.at_least(value, bound)

    def is_below(self, value: SSAValue, size: Size) -> bool:
        """Return whether a value is proven to be less than an extent."""
        return self._facts.at_least(self._form(size).plus(self._facts.form(value), -1), 1)

    def has_element(self, size: Size) -> bool:
        """Return whether an extent is proven to be at least 1, given that every loop around the block has a point."""
        form = self._form(size).plus(-1)
        if self._facts.at_least(form, 0):
            return True
        loops = (op for op in _parents(self._block) if isinstance(op, ForOp))
        spans = (self._form(loop.ub).plus(self._form(loop.lb), -1).plus(-1) for loop in loops)
        return any(self._facts.at_least(form.plus(span, -1), 0) for span in spans)

    def runs(self, lower: SSAValue, upper: SSAValue) -> bool:
        """Return whether a loop is proven to have an iteration."""
        return self.is_below(lower, upper)

    def constant(self, value: SSAValue) -> int | None:
        """Return the value where it is known."""
        return self._facts.constant(value)

    def form(self, expr: IndexExpr, operands: Sequence[SSAValue]) -> Linear | None:
        """Return an index expression as a linear form of values, or None where it is none."""
        found = linear(expr)
        if found is None:
            return None
        terms, constant = found
        total = Linear.of(constant)
        for position, coefficient in terms.items():
            total = total.plus(self._facts.form(operands[position]), coefficient)
        return total

    def _form(self, size: Size) -> Linear:
        return Linear.of(size) if isinstance(size, int) else self._facts.form(size)


def _parents(block: Block) -> list[Operation]:
    parents: list[Operation] = []
    op = block.parent_op()
    while op is not None:
        parents.append(op)
        op = op.parent_op()
    return parents
