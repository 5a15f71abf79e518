"""The operations of a point loop that have row instructions."""

from collections.abc import Sequence

from xdsl.dialects import arith, math
from xdsl.ir import Operation

from ..dialect.diagnostics import Diagnostic

BINARY: dict[type[Operation], str] = {
    arith.AddfOp: "add",
    arith.SubfOp: "sub",
    arith.MulfOp: "mul",
    arith.DivfOp: "div",
    arith.MaximumfOp: "max",
    arith.MinimumfOp: "min",
}

UNARY: dict[type[Operation], str] = {
    math.ExpOp: "exp",
    math.LogOp: "log",
    math.SqrtOp: "sqrt",
    math.RsqrtOp: "rsqrt",
    math.AbsFOp: "abs",
    arith.NegfOp: "neg",
}

CASTS = (arith.ExtFOp, arith.TruncFOp, arith.SIToFPOp, arith.ExtSIOp, arith.ExtUIOp)

SCALAR_KINDS = ("add", "sub", "mul", "max", "min")
"""The kinds that may take a scalar on one side."""


def verify_operation(op: Operation, lanes: Sequence[bool]) -> None:
    """Raise for an operation on lanes without a row instruction; `lanes` says which operands differ in their lanes."""
    if type(op) not in BINARY and type(op) not in UNARY and not isinstance(op, (*CASTS, arith.SelectOp)):
        compares = isinstance(op, arith.CmpiOp | arith.CmpfOp)
        hint = "a condition may differ from row to row, not from lane to lane" if compares else ""
        raise Diagnostic("OPW345", f"'{op.name}' has no row instruction", op, hint)
