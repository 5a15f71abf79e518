"""Which functions in a nest have arguments that are scalars of a row: they do not depend on the lanes."""

from collections.abc import Iterator
from dataclasses import dataclass

from xdsl.dialects.builtin import AnyFloat
from xdsl.ir import Block, BlockArgument, Operation, OpResult, SSAValue

from ..dialect.index_expr import Const, Ref, refs
from ..dialect.spec import ComputeOp, DimOp, EachOp, ReadOp, WriteOp
from .spec_rewrite import nest_writes


@dataclass(frozen=True)
class Size:
    """The size of a dim: its name, and its value at the level of the operator."""

    label: str
    value: SSAValue


@dataclass(frozen=True)
class RowFunction:
    """A function that is to be computed before its nest.

    Attributes:
        compute: the nest.
        op: the function.
        slice: it and what it is computed from within the nest, in order.
        dims: the dims of the nest that it depends on, in order.
        sizes: the size of each.
    """

    compute: ComputeOp
    op: Operation
    slice: tuple[Operation, ...]
    dims: tuple[BlockArgument, ...]
    sizes: tuple[Size, ...]

    @property
    def result(self) -> OpResult:
        """Return the function's value."""
        return self.op.results[0]


def row_functions(compute: ComputeOp) -> Iterator[RowFunction]:
    """Yield the functions of a nest whose arguments are scalars of a row, last ones first; uses may be replaced."""
    lanes = lane_dims(compute)
    for op in reversed(list(compute.body.walk())):
        if op.parent is not None and _is_function(op):
            found = _analyze(compute, op, lanes)
            if found is not None:
                yield found


def _is_function(op: Operation) -> bool:
    return op.name.startswith("math.") and isinstance(op.results[0].type, AnyFloat)


def lane_dims(compute: ComputeOp) -> set[SSAValue]:
    """Return the dims that may lie along the lanes: contiguous ones that are summed over, or else those of writes."""
    found: set[SSAValue] = set()
    reads = [op for op in compute.body.walk() if isinstance(op, ReadOp)]
    for write in nest_writes(compute):
        named = set(write.operands_)
        summed = {v for read in reads for v in _last(read) if isinstance(v, BlockArgument) and v not in named}
        found |= summed if write.combine and summed else set(_last(write))
    return found


def _last(access: ReadOp | WriteOp) -> list[SSAValue]:
    """Return what the last index of an access is made of."""
    return [access.operands_[n] for e in access.indices.data[-1:] for n in refs(e)]


def _analyze(compute: ComputeOp, op: Operation, lanes: set[SSAValue]) -> RowFunction | None:
    """Return the plan for a function, or None where it must stay: it depends on lanes, or on what only the nest has."""
    ops, dims = _sources(compute, op)
    named = tuple(dim for dim in compute.dims if dim in dims)
    if not dims or lanes & dims or len(named) < len(dims):
        return None
    sizes = tuple(_size(compute, dim) for dim in named)
    known = tuple(size for size in sizes if size is not None)
    movable = all(_is_movable(each) for each in ops)
    return RowFunction(compute, op, ops, named, known) if movable and len(known) == len(sizes) else None


def _sources(compute: ComputeOp, op: Operation) -> tuple[tuple[Operation, ...], set[SSAValue]]:
    """Return what an operation is computed from within the nest, in order, and the loop variables among it."""
    ops, dims, open_ = {op}, set[SSAValue](), [op]
    while open_:
        for value in open_.pop().operands:
            match value.owner:
                case Block():
                    dims.add(value)
                case owner if compute.is_ancestor(owner) and owner not in ops:
                    ops.add(owner)
                    open_.append(owner)
                case _:
                    pass
    return tuple(each for each in compute.body.walk() if each in ops), dims


def _is_movable(op: Operation) -> bool:
    """Return whether an operation means the same in a nest of its own: reads name dims, or tell a value outside."""
    if isinstance(op, ReadOp):
        return op.outside is not None or all(isinstance(v, BlockArgument) for v in op.operands_)
    return not isinstance(op, EachOp | WriteOp)


def _size(compute: ComputeOp, dim: BlockArgument) -> Size | None:
    """Return the size of a dim that runs from 0 to a named size."""
    lower, upper = (side.data[dim.index].data for side in (compute.lower, compute.upper))
    if lower != (Const(0),) or len(upper) != 1 or not isinstance(upper[0], Ref):
        return None
    bound = upper[0].position - len(compute.dims)
    value = compute.bounds[bound] if bound >= 0 else None
    owner = None if value is None else value.owner
    return Size(owner.label.data, owner.result) if isinstance(owner, DimOp) else None
