"""Helpers with which spec-level passes rebuild computes: cloning a body while loop variables become expressions."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from xdsl.builder import Builder
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Block, Operation, Region, SSAValue
from xdsl.rewriter import InsertPoint

from ..dialect.index_expr import Const, IndexExpr, Ref, substitute
from ..dialect.index_map import IndexMapAttr, pack
from ..dialect.spec import ComputeOp, EachOp, IndexOp, OperatorOp, ReadOp, WriteOp
from ..dialect.spec.nests import Header, Nest


@dataclass(frozen=True)
class IndexValue:
    """An index expression together with the values its refs stand for."""

    expr: IndexExpr
    operands: tuple[SSAValue, ...] = ()

    @staticmethod
    def of(value: SSAValue | int) -> "IndexValue":
        """Return a value or an integer as an expression."""
        return IndexValue(Const(value)) if isinstance(value, int) else IndexValue(Ref(0), (value,))

    def plus(self, other: "IndexValue") -> "IndexValue":
        """Return the sum."""
        operands = (*self.operands, *other.operands)
        shifted = substitute(other.expr, [Ref(len(self.operands) + n) for n in range(len(other.operands))])
        return IndexValue(self.expr + shifted, operands)


@dataclass
class Scope:
    """What the values of an old body stand for in the new one.

    Attributes:
        values: old value to new value.
        indices: old index value to the expression that replaces it.
    """

    values: dict[SSAValue, SSAValue] = field(default_factory=dict[SSAValue, SSAValue])
    indices: dict[SSAValue, IndexValue] = field(default_factory=dict[SSAValue, IndexValue])

    def inner(self) -> "Scope":
        """Return a copy, for a nested region."""
        return Scope(dict(self.values), dict(self.indices))

    def value(self, old: SSAValue) -> SSAValue:
        """Return the new value of an old one."""
        return self.values.get(old, old)

    def expression(self, old: SSAValue) -> IndexValue:
        """Return what an index operand becomes."""
        return self.indices.get(old) or IndexValue.of(self.value(old))

    def index_map(self, indices: IndexMapAttr, operands: Sequence[SSAValue]) -> tuple[IndexMapAttr, list[SSAValue]]:
        """Return an index list with its operands replaced."""
        exprs, values = resolve(indices.data, [self.expression(o) for o in operands])
        return pack(exprs, values)


def resolve(exprs: Iterable[IndexExpr], operands: Sequence[IndexValue]) -> tuple[list[IndexExpr], list[SSAValue]]:
    """Replace each `Ref(n)` of the expressions by the n-th operand's expression."""
    values: list[SSAValue] = []
    replacement: list[IndexExpr] = []
    for operand in operands:
        base = len(values)
        values.extend(operand.operands)
        replacement.append(substitute(operand.expr, [Ref(base + n) for n in range(len(operand.operands))]))
    return [substitute(e, replacement) for e in exprs], values


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
        case EachOp():
            return _clone_each(op, scope)
        case _:
            return _clone_other(builder, op, scope)


def _clone_each(op: EachOp, scope: Scope) -> EachOp:
    inner = scope.inner()
    body = Block(arg_types=[dim.type for dim in op.dims])
    for old, new in zip(op.dims, body.args, strict=True):
        inner.values[old] = new
        new.name_hint = old.name_hint
    clone_body(op.body.block, inner, body)
    header, bounds = nest_header(op, inner, body.args)
    return EachOp(header, bounds, Region(body))


def nest_header(op: Nest, scope: Scope, dims: Sequence[SSAValue]) -> tuple[Header, list[SSAValue]]:
    """Return the ranges of a nest under a scope that maps its dims to `dims`, and the operands they need."""
    every = range(len(op.dims))
    return make_header(dims, nest_bounds(op, op.lower, every, scope), nest_bounds(op, op.upper, every, scope))


Bound = tuple[Sequence[IndexExpr], Sequence[SSAValue]]
"""Several bounds of one dim, and the values that their refs stand for."""


def nest_bounds(op: Nest, side: Iterable[IndexMapAttr], positions: Iterable[int], scope: Scope) -> list[Bound]:
    """Return one side of the ranges of some dims of a nest under a scope."""
    maps = list(side)
    operands = [scope.expression(v) for v in op.bound_values]
    return [resolve(maps[p].data, operands) for p in positions]


def make_header(
    dims: Sequence[SSAValue], lower: Sequence[Bound], upper: Sequence[Bound]
) -> tuple[Header, list[SSAValue]]:
    """Build ranges from bounds that each bring their own operands; dims among the operands become the nest's dims."""
    operands: list[SSAValue] = []

    def place(value: SSAValue) -> IndexExpr:
        if value in dims:
            return Ref(list(dims).index(value))
        if value not in operands:
            operands.append(value)
        return Ref(len(dims) + operands.index(value))

    def side(bounds: Sequence[Bound]) -> list[list[IndexExpr]]:
        packed = [pack(exprs, values) for exprs, values in bounds]
        return [[substitute(e, [place(v) for v in values]) for e in index_map.data] for index_map, values in packed]

    return Header(side(lower), side(upper)), operands


def _clone_other(builder: Builder, op: Operation, scope: Scope) -> Operation:
    mapper = dict(scope.values)
    for operand in op.operands:
        if operand in scope.indices:
            expression = scope.indices[operand]
            index = IndexOp(*pack([expression.expr], expression.operands))
            mapper[operand] = builder.insert(index).result
    return op.clone(mapper)


def find_operator(module: ModuleOp) -> OperatorOp | None:
    """Return the module's operator, or None once it has been lowered."""
    return next((op for op in module.body.block.ops if isinstance(op, OperatorOp)), None)


def computes(operator: OperatorOp) -> list[ComputeOp]:
    """Return the operator's computes in order."""
    return [op for op in operator.body.block.ops if isinstance(op, ComputeOp)]


def nest_writes(compute: ComputeOp) -> list[WriteOp]:
    """Return all writes into the compute's results, in order."""
    return [op for op in compute.body.walk() if isinstance(op, WriteOp)]
