"""The operations of a point loop that have row instructions."""

from xdsl.dialects import arith, math
from xdsl.ir import Operation

from ..dialect.tile import ChooseOp
from .written_names import no_row_instruction

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
    math.FloorOp: "floor",
    math.CeilOp: "ceil",
    math.RoundEvenOp: "rint",
    math.TruncOp: "trunc",
}

CASTS = (arith.ExtFOp, arith.TruncFOp, arith.SIToFPOp, arith.FPToSIOp, arith.ExtSIOp, arith.ExtUIOp)

SCALAR_KINDS = ("add", "sub", "mul", "max", "min")
"""The kinds that may take a scalar on one side."""


def verify_operation(op: Operation) -> None:
    """Raise OPW345 for an operation on lanes without a row instruction."""
    if type(op) not in BINARY and type(op) not in UNARY and not isinstance(op, (*CASTS, arith.SelectOp, ChooseOp)):
        raise no_row_instruction(op)
