"""Tests that places taken from data lie in their tensors: what fails one is neither read nor written.

Indices that are made of loop variables are in range by the operator's definition; those that are read from tensors are
as good as the caller's data. Those that are the same for all points of a tile are tested before its point loop; other
reads, and those of scalars, give 0 where they would leave their tensor.
"""

from collections.abc import Iterable, Iterator, Sequence, Set
from dataclasses import dataclass

from xdsl.dialects import arith
from xdsl.ir import Operation, SSAValue

from ..dialect.index_expr import IndexExpr, refs
from ..dialect.index_map import pack
from ..dialect.spec import ComputeOp, EachOp, ReadOp, SearchOp, WriteOp
from .index_code import Code
from .ragged_sums import is_inner
from .ragged_sums_build import dim_value
from .spec_rewrite import tensor_dims
from .spec_scope import Scope, resolve

Access = ReadOp | WriteOp


@dataclass(frozen=True)
class Guard:
    """One index of an access that follows from data, and the size of its dim."""

    access: Access
    position: int

    def key(self) -> tuple[object, ...]:
        """Return something equal for equal tests."""
        index_map, operands = pack([self.access.indices.data[self.position]], self.access.operands_)
        return index_map, tuple(operands), self.dim

    @property
    def dim(self) -> str | int:
        """Return the size of the dim: a number, or the name of the operator's dim."""
        return tensor_dims(self.access)[self.position]


def leading_to(values: Iterable[SSAValue], ops: Sequence[Operation]) -> list[Operation]:
    """Return the operations that values follow from, in order."""
    wanted = set(values)
    found: list[Operation] = []
    for op in reversed(ops):
        if any(result in wanted for result in op.results):
            found.insert(0, op)
            wanted.update(op.operands)
    return found


def is_tested(read: ReadOp, varying: Set[SSAValue]) -> bool:
    """Return whether every index of a read that follows from data has a test before the point loop."""
    compute = _compute(read)
    for expr in read.indices.data:
        values = [read.operands_[n] for n in refs(expr)]
        if any(v in varying for v in values) and any(from_data(compute, v) for v in values):
            return False
    return True


def follows_data(read: ReadOp) -> bool:
    """Return whether an index of a read follows from data."""
    compute = _compute(read)
    return any(from_data(compute, value) for value in read.operands_)


def guards_of(accesses: Iterable[Access], compute: ComputeOp, varying: Set[SSAValue]) -> list[Guard]:
    """Return the tests that accesses need; those that say what stands outside need none."""
    found: dict[tuple[object, ...], Guard] = {}
    for access in accesses:
        if isinstance(access, ReadOp) and access.outside is not None:
            continue
        for position, expr in enumerate(access.indices.data):
            values = [access.operands_[n] for n in refs(expr)]
            fixed = not any(v in varying for v in values)
            if fixed and any(from_data(compute, v) for v in values):
                guard = Guard(access, position)
                found.setdefault(guard.key(), guard)
    return list(found.values())


def from_data(compute: ComputeOp, value: SSAValue) -> bool:
    """Return whether an index value follows from elements of tensors."""
    if not is_inner(compute, value):
        return False
    if isinstance(value.owner, Operation):
        op = value.owner
        return isinstance(op, ReadOp | SearchOp) or any(from_data(compute, operand) for operand in op.operands)
    nest = value.owner.parent_op()
    assert isinstance(nest, EachOp)
    return any(from_data(compute, bound) for bound in nest.bounds)


def append_guard(guards: Iterable[Guard], condition: SSAValue | None, scope: Scope, code: Code) -> SSAValue | None:
    """Append all tests; return their conjunction with a condition, None where there is nothing to test."""
    found = condition
    for test in _tests(guards, scope, code):
        found = test if found is None else code.add(arith.AndIOp(found, test)).result
    return found


def _tests(guards: Iterable[Guard], scope: Scope, code: Code) -> Iterator[SSAValue]:
    for guard in guards:
        expr = guard.access.indices.data[guard.position]
        index = _index(expr, guard.access, scope, code)
        dim = guard.dim
        size = code.constant(dim) if isinstance(dim, int) else dim_value(_compute(guard.access), dim, scope)
        yield code.add(arith.CmpiOp(index, code.constant(0), "sge")).result
        yield code.add(arith.CmpiOp(index, size, "slt")).result


def _index(expr: IndexExpr, access: Access, scope: Scope, code: Code) -> SSAValue:
    exprs, operands = resolve([expr], [scope.expression(v) for v in access.operands_])
    return code.expr(exprs[0], operands)


def _compute(access: Access) -> ComputeOp:
    place: Operation | None = access.parent_op()
    while not isinstance(place, ComputeOp):
        assert place is not None
        place = place.parent_op()
    return place
