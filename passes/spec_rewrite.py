"""Helpers with which spec-level passes rebuild computes: cloning a body while loop variables become expressions."""

from xdsl.builder import Builder
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Block, Operation, Region, SSAValue
from xdsl.rewriter import InsertPoint

from ..dialect.index_map import pack
from ..dialect.spec import ComputeOp, EachOp, IndexOp, OperatorOp, ReadOp, TensorType, WriteOp
from .spec_scope import Scope, nest_header


def clone_into(builder: Builder, op: Operation, scope: Scope) -> Operation:
    """Clone a body operation at the builder's place; record its results in the scope."""
    new = _clone(builder, op, scope)
    new.location = op.location
    builder.insert(new)
    for old_result, new_result in zip(op.results, new.results, strict=True):
        scope.values[old_result] = new_result
        new_result.name_hint = old_result.name_hint
    return new


def clone_body(block: Block, scope: Scope, into: Block) -> None:
    """Clone all operations of a body to the end of another block."""
    builder = at_end(into)
    for op in block.ops:
        clone_into(builder, op, scope)


def at_end(block: Block) -> Builder:
    """Return a builder at the end of the block."""
    return Builder(InsertPoint.at_end(block))


def _clone(builder: Builder, op: Operation, scope: Scope) -> Operation:
    if (access := rebuilt(op, scope)) is not None:
        return access
    return _clone_each(op, scope) if isinstance(op, EachOp) else _clone_other(builder, op, scope)


def rebuilt(op: Operation, scope: Scope) -> ReadOp | WriteOp | IndexOp | None:
    """Return the operation with the scope's values and expressions, or None where it holds no index list."""
    match op:
        case ReadOp():
            index_map, operands = scope.index_map(op.indices, op.operands_)
            outside = None if op.outside is None else scope.value(op.outside)
            absent = None if op.absent is None else scope.value(op.absent)
            return ReadOp(scope.value(op.tensor), index_map, operands, op.result.type, outside, absent)
        case WriteOp():
            index_map, operands = scope.index_map(op.indices, op.operands_)
            guard = None if op.guard is None else scope.value(op.guard)
            return WriteOp(
                scope.value(op.value),
                op.number.data,
                index_map,
                operands,
                op.combine,
                guard,
                unique=op.unique is not None,
            )
        case IndexOp():
            return IndexOp(*scope.index_map(op.indices, op.operands_))
        case _:
            return None


def _clone_each(op: EachOp, scope: Scope) -> EachOp:
    inner = scope.inner()
    body = Block(arg_types=[dim.type for dim in op.dims])
    for old, new in zip(op.dims, body.args, strict=True):
        inner.values[old] = new
        new.name_hint = old.name_hint
    clone_body(op.body.block, inner, body)
    header, bounds = nest_header(op, inner, body.args)
    return EachOp(header, bounds, Region(body))


def _clone_other(builder: Builder, op: Operation, scope: Scope) -> Operation:
    return op.clone({**scope.values, **indices_as_values(builder, op, scope)})


def indices_as_values(builder: Builder, op: Operation, scope: Scope) -> dict[SSAValue, SSAValue]:
    """Insert a spec.index for each operand of an operation that the scope replaces by an expression."""
    found: dict[SSAValue, SSAValue] = {}
    for operand in op.operands:
        if operand in scope.indices:
            expression = scope.indices[operand]
            index = builder.insert(IndexOp(*pack([expression.expr], expression.operands)))
            index.location = op.location
            found[operand] = index.result
    return found


def find_operator(module: ModuleOp) -> OperatorOp | None:
    """Return the module's operator, or None once it has been lowered."""
    return next((op for op in module.body.block.ops if isinstance(op, OperatorOp)), None)


def computes(operator: OperatorOp) -> list[ComputeOp]:
    """Return the operator's computes in order."""
    return [op for op in operator.body.block.ops if isinstance(op, ComputeOp)]


def nest_writes(compute: ComputeOp) -> list[WriteOp]:
    """Return all writes into the compute's results, in order."""
    return [op for op in compute.body.walk() if isinstance(op, WriteOp)]


def tensor_dims(access: ReadOp | WriteOp) -> tuple[str | int, ...]:
    """Return the dims of the tensor that an access reads, or of the result that it writes."""
    kind = access.tensor.type if isinstance(access, ReadOp) else access.compute.results_[access.number.data].type
    assert isinstance(kind, TensorType)
    return kind.dims
