"""What the pass lower-to-loops knows of the function it works on."""

from collections.abc import Mapping, Sequence
from typing import cast

from xdsl.dialects import arith
from xdsl.dialects.builtin import IndexType, IntegerAttr, MemRefType
from xdsl.dialects.func import FuncOp
from xdsl.ir import Attribute, Block, SSAValue

from ..dialect.tile.kernel import kernel_arguments
from .index_facts import Facts
from .loops_ranges import Ranges, Size


class LoopContext:
    """The function: what can be proven in it, the extents of its arrays, and its index constants."""

    def __init__(self, function: FuncOp, facts: Facts) -> None:
        """Read the function's head; buffers are added as they become arrays."""
        self._facts = facts
        self._entry = function.body.block
        self._location = function.location
        self._extents: dict[SSAValue, Sequence[Size]] = dict(argument_extents(function))
        self._constants: dict[int, SSAValue] = {}
        for op in self._entry.ops:
            if isinstance(op, arith.ConstantOp) and isinstance(op.result.type, IndexType):
                value = cast("IntegerAttr[IndexType]", op.value).value.data
                self._constants.setdefault(value, op.result)
                op.detach()
                self._first(op)

    def ranges(self, block: Block) -> Ranges:
        """Return what can be proven in a block."""
        return Ranges(self._facts, block)

    def extents(self, array: SSAValue) -> Sequence[Size]:
        """Return the extents of an array."""
        return self._extents.get(array) or static_shape(array)

    def add_extents(self, array: SSAValue, extents: Sequence[Size]) -> None:
        """Tell the extents of an array that the function reserves."""
        self._extents[array] = extents

    def constant(self, value: int) -> SSAValue:
        """Return an index constant, which stands at the start of the function."""
        if value not in self._constants:
            op = arith.ConstantOp(IntegerAttr(value, IndexType()))
            op.result.name_hint = f"c{value}" if value >= 0 else None
            op.location = self._location
            self._first(op)
            self._constants[value] = op.result
        return self._constants[value]

    def _first(self, op: arith.ConstantOp) -> None:
        if self._entry.first_op is None:
            self._entry.add_op(op)
        else:
            self._entry.insert_op_before(op, self._entry.first_op)


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
