"""Builds a stage of one core: loops over tables of places, and prefix sums."""

from collections.abc import Sequence

from xdsl.dialects import arith, scf
from xdsl.dialects.builtin import IndexType
from xdsl.ir import Block, BlockArgument, Region, SSAValue

from ..dialect.index_expr import Ref
from ..dialect.index_map import pack
from ..dialect.spec import ComputeOp, ScanOp, WriteOp
from ..dialect.tile import CoresOp
from ..dialect.tile import ReadOp as LoadOp
from ..dialect.tile import WriteOp as StoreOp
from .index_code import Code
from .ragged_sums_build import dim_value
from .scalar_code import append_operation
from .serial_plan import SerialPlan
from .spec_scope import Scope, nest_bounds


def build_serial(plan: SerialPlan, scope: Scope, code: Code, cores: SSAValue) -> None:
    """Append the stage."""
    stage = code.add(CoresOp(cores, plan.label))
    core = stage.body.block.args[0]
    core.name_hint = "core"
    inner = Code(stage.body.block, plan.ops[0].location)
    first = inner.add(arith.CmpiOp(core, inner.constant(0), "eq")).result
    with inner.when(first) as body:
        for op in plan.ops:
            body.location = op.location
            if isinstance(op, ComputeOp):
                _compute(op, Scope(dict(scope.values)), body, list(op.dims))
            else:
                _scan(op, scope, body)


def _compute(op: ComputeOp, scope: Scope, code: Code, dims: Sequence[BlockArgument]) -> None:
    """Append the loops of a compute, one a dim, and its body."""
    if not dims:
        for inner in op.body.block.ops:
            if isinstance(inner, WriteOp):
                _write(op, inner, scope, code)
            else:
                append_operation(inner, scope, code)
        return
    position = dims[0].index
    lower, upper = (
        code.fold(kind, [code.expr(e, operands) for e in exprs])
        for kind, (exprs, operands) in (
            ("max", nest_bounds(op, op.lower, [position], scope)[0]),
            ("min", nest_bounds(op, op.upper, [position], scope)[0]),
        )
    )
    with code.loop(lower, upper, code.constant(1), dims[0].name_hint) as (body, index):
        scope.values[dims[0]] = index
        _compute(op, scope, body, dims[1:])


def _write(op: ComputeOp, write: WriteOp, scope: Scope, code: Code) -> None:
    guard = None if write.guard is None else scope.value(write.guard)
    target = scope.value(op.results_[write.number.data])
    index_map, operands = scope.index_map(write.indices, write.operands_)
    code.add(StoreOp(scope.value(write.value), target, index_map, operands, "", guard))


def _scan(op: ScanOp, scope: Scope, code: Code) -> None:
    """Append a loop that carries the sum of what came before."""
    source, target = scope.value(op.tensor), scope.value(op.result)
    kind = op.result.type.element_type
    dim = op.result.type.dims[0]
    extent = code.constant(dim) if isinstance(dim, int) else dim_value(op, dim, scope)
    body = Block(arg_types=[IndexType(), kind])
    index, total = body.args
    index.name_hint, total.name_hint = "i", "sum"
    inner = Code(body, code.location)
    place = pack([Ref(0)], [index])
    value = inner.add(LoadOp(source, *place)).result
    after = inner.add(arith.AddiOp(total, value)).result
    inner.add(StoreOp(total if op.exclusive is not None else after, target, *place))
    inner.add(scf.YieldOp(after))
    code.add(scf.ForOp(code.constant(0), extent, code.constant(1), [code.scalar(kind, 0)], Region(body)))
