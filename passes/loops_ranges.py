"""What the pass lower-to-loops can prove about index values at a point of a nest."""

from collections.abc import Mapping, Sequence
from typing import cast

from xdsl.dialects.builtin import MemRefType
from xdsl.dialects.func import FuncOp
from xdsl.dialects.scf import ForOp
from xdsl.ir import Attribute, Block, Operation, SSAValue

from ..dialect.index_expr import IndexExpr, linear
from ..dialect.tile.kernel import kernel_arguments
from .index_facts import Facts, Linear

Size = SSAValue | int
"""An extent: a value or a number."""


class Ranges:
    """Proofs about index values inside a block: bounds of values, and that every loop around the block has a point."""

    def __init__(self, facts: Facts, block: Block) -> None:
        self._facts = facts
        self._block = block

    def at_least(self, value: SSAValue, bound: int) -> bool:
        """Return whether a value is proven to be at least `bound`."""
        return self._holds(self._facts.form(value).plus(-bound))

    def is_below(self, value: SSAValue, size: Size) -> bool:
        """Return whether a value is proven to be less than an extent."""
        return self._holds(self._form(size).plus(self._facts.form(value), -1).plus(-1))

    def has_element(self, size: Size) -> bool:
        """Return whether an extent is proven to be at least 1."""
        return self._holds(self._form(size).plus(-1))

    def runs(self, lower: SSAValue, upper: SSAValue) -> bool:
        """Return whether a loop is proven to have an iteration."""
        return self.is_below(lower, upper)

    def inside(self, block: Block) -> "Ranges":
        """Return the proofs for another block."""
        return Ranges(self._facts, block)

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

    def _holds(self, form: Linear) -> bool:
        if self._facts.at_least(form, 0):
            return True
        loops = (op for op in _parents(self._block) if isinstance(op, ForOp))
        spans = (self._facts.form(loop.ub).plus(self._facts.form(loop.lb), -1).plus(-1) for loop in loops)
        return any(self._facts.at_least(form.plus(span, -1), 0) for span in spans)


def _parents(block: Block) -> list[Operation]:
    parents: list[Operation] = []
    op = block.parent_op()
    while op is not None:
        parents.append(op)
        op = op.parent_op()
    return parents


def argument_extents(function: FuncOp) -> dict[SSAValue, tuple[Size, ...]]:
    """Return the extents of a function's memrefs, as `tile.dims` names them."""
    arguments = kernel_arguments(function)
    named: dict[str, SSAValue] = {a.name: a.value for a in arguments if a.name}
    return {a.value: tuple(_size(dim, named) for dim in a.dims) for a in arguments if a.dims}


def _size(dim: str | int, named: Mapping[str, SSAValue]) -> Size:
    return dim if isinstance(dim, int) else named[dim]


def static_shape(array: SSAValue) -> tuple[int, ...]:
    """Return the shape that the array's type gives."""
    return cast("MemRefType[Attribute]", array.type).get_shape()
