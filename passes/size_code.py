"""The scalars that stand between the declarations of an operator, as code of a function."""

from xdsl.dialects import arith, math
from xdsl.ir import Operation, SSAValue

from ..dialect.index_map import IndexMapAttr
from ..dialect.spec import DimOp, IndexOp, OperatorOp
from .index_code import Code
from .spec_scope import Scope

SCALAR_DIALECTS = (arith.Arith.name, math.Math.name)


def clone_scalars(operator: OperatorOp, scope: Scope, code: Code) -> None:
    """Append every scalar and computed dim that the scope does not know yet, and record it there."""
    for op in operator.body.block.ops:
        if any(result in scope.values for result in op.results):
            continue
        match op:
            case DimOp(definition=IndexMapAttr() as indices) | IndexOp(indices=indices):
                value = code.expr(indices.data[0], [scope.value(v) for v in op.operands_])
                _record(scope, op.result, value)
            case _ if op.dialect_name() in SCALAR_DIALECTS:
                clone = code.add(op.clone(scope.values))
                for old, new in zip(op.results, clone.results, strict=True):
                    _record(scope, old, new)
            case _:
                pass


def _record(scope: Scope, old: SSAValue, new: SSAValue) -> None:
    scope.values[old] = new
    if isinstance(new.owner, Operation) and old.name_hint is not None:
        new.name_hint = old.name_hint
