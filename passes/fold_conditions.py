"""Conditions of a specialized operator that are known: `and`, `or` and `xor` with a constant."""

from xdsl.dialects import arith
from xdsl.dialects.builtin import i1
from xdsl.ir import SSAValue
from xdsl.rewriter import Rewriter

from ..dialect.spec import OperatorOp
from .constants import constant_value


def fold_conditions(operator: OperatorOp) -> None:
    """Replace each operation on booleans whose result a constant operand decides."""
    for op in list(operator.body.walk()):
        if isinstance(op, arith.AndIOp | arith.OrIOp | arith.XOrIOp) and op.result.type == i1:
            known = _known(op)
            if known is not None:
                Rewriter.replace_op(op, [], [known])


def _known(op: arith.AndIOp | arith.OrIOp | arith.XOrIOp) -> SSAValue | None:
    """Return the value that an operation surely has, or None."""
    for number, other in ((op.rhs, op.lhs), (op.lhs, op.rhs)):
        value = constant_value(number)
        if value is None:
            continue
        if isinstance(op, arith.XOrIOp):
            return None if value else other
        deciding = 0 if isinstance(op, arith.AndIOp) else 1
        return number if bool(value) == bool(deciding) else other
    return None
