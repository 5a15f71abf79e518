"""hoist-functions: functions of values that are scalars of a row get tensors of their own.

A chip has functions (sqrt, exp, ...) as vector instructions alone. One whose argument does not depend on the lanes is
computed before, with a dim of its own along the lanes, and read as a scalar.

Before:

    %y = spec.compute (%n: 0 to %N, %d: 0 to %D) -> !spec.tensor<[N, D], f32> {
      %a = spec.read %x[%n, %d] : f32
      %s = spec.read %sums[%n] : f32
      %r = math.rsqrt %s : f32
      %b = arith.mulf %a, %r : f32
      spec.write %b to 0[%n, %d]
    }

After:

    %r = spec.compute (%n: 0 to %N) -> !spec.tensor<[N], f32> {
      %s = spec.read %sums[%n] : f32
      %f = math.rsqrt %s : f32
      spec.write %f to 0[%n]
    }
    %y = spec.compute (%n: 0 to %N, %d: 0 to %D) -> !spec.tensor<[N, D], f32> {
      %a = spec.read %x[%n, %d] : f32
      %r_1 = spec.read %r[%n] : f32
      %b = arith.mulf %a, %r_1 : f32
      spec.write %b to 0[%n, %d]
    }
"""

from collections.abc import Sequence
from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects.builtin import IndexType, ModuleOp
from xdsl.ir import Block, Region
from xdsl.passes import ModulePass
from xdsl.rewriter import InsertPoint, Rewriter

from ..dialect.index_expr import Const, Ref
from ..dialect.index_map import IndexMapAttr
from ..dialect.spec import ComputeOp, ReadOp, TensorType, WriteOp
from .chips import get_chip
from .row_functions import RowFunction, row_functions
from .spec_rewrite import at_end, clone_into, computes, find_operator
from .spec_scope import FROM_ZERO, Bound, Scope, make_header


@dataclass(frozen=True)
class HoistFunctionsPass(ModulePass):
    """Compute functions of scalars of a row in tensors of their own, for targets that stage their operands."""

    name = "hoist-functions"

    target: str = "cpu"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        operator = find_operator(op)
        if operator is None or not get_chip(self.target).staged:
            return
        for compute in computes(operator):
            for function in row_functions(compute):
                hoist(function)


def hoist(function: RowFunction) -> None:
    """Put a compute of the function in front of its nest, read that, and erase what nothing else uses."""
    made = _compute(function)
    Rewriter.insert_op(made, InsertPoint.before(function.compute))
    result = function.result
    read = ReadOp(made.results_[0], _every(function), list(function.dims), result.type)
    read.location = function.op.location
    Rewriter.insert_op(read, InsertPoint.before(function.op))
    read.result.name_hint = result.name_hint
    result.replace_all_uses_with(read.result)
    for op in reversed(function.slice):
        if not any(each.uses for each in op.results):
            Rewriter.erase_op(op)


def _compute(function: RowFunction) -> ComputeOp:
    """Return the compute of the function alone, over the dims that its argument depends on."""
    body = Block(arg_types=[IndexType()] * len(function.dims))
    scope = Scope()
    for old, new in zip(function.dims, body.args, strict=True):
        scope.values[old] = new
        new.name_hint = old.name_hint
    builder = at_end(body)
    for op in function.slice:
        clone_into(builder, op, scope)
    write = WriteOp(scope.value(function.result), 0, _every(function), list(body.args))
    write.location = function.op.location
    builder.insert(write)
    upper: Sequence[Bound] = [((Ref(0),), (size.value,)) for size in function.sizes]
    header, bounds = make_header(body.args, [FROM_ZERO] * len(upper), upper)
    shape = TensorType.of([size.label for size in function.sizes], function.result.type)
    made = ComputeOp(header, bounds, [shape], Region(body))
    made.location = function.op.location
    made.results_[0].name_hint = function.result.name_hint or f"row_{function.op.name.partition('.')[2]}"
    return made


def _every(function: RowFunction) -> IndexMapAttr:
    """Return the index list that names each dim of the function in order."""
    return IndexMapAttr(tuple(Ref(n) for n in range(len(function.dims))) or (Const(0),))
