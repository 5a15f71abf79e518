"""How operations of arith and math are written in a spec, for what is said of them."""

from xdsl.dialects import arith, math
from xdsl.ir import Operation

from ..dialect.diagnostics import Diagnostic

FUNCTIONS: dict[type[Operation], str] = {
    math.AbsFOp: "absolute",
    math.CeilOp: "ceil",
    math.CosOp: "cos",
    math.ErfOp: "erf",
    math.ExpOp: "exp",
    math.FloorOp: "floor",
    math.LogOp: "log",
    math.Log1pOp: "log1p",
    math.PowFOp: "power",
    math.RoundEvenOp: "rint",
    math.RsqrtOp: "rsqrt",
    math.SinOp: "sin",
    math.SqrtOp: "sqrt",
    math.TanhOp: "tanh",
    math.TruncOp: "trunc",
}

_FLOATS = ("==", ">", ">=", "<", "<=", "!=")

FLOAT_COMPARISONS = ("never", *_FLOATS, "and", *_FLOATS, "or", "always")
"""The comparisons of arith.cmpf, by number of the predicate; no spec writes those that are words."""

_ORDER = ("<", "<=", ">", ">=")

INTEGER_COMPARISONS = ("==", "!=", *_ORDER, *_ORDER)
"""The comparisons of arith.cmpi, by number of the predicate."""

CONDITIONS: dict[type[Operation], str] = {arith.AndIOp: "&", arith.OrIOp: "|", arith.XOrIOp: "~"}


def written_name(op: Operation) -> str:
    """Return what stands in a spec for an operation, in quotes: 'rint', 'x < y'; its own name where nothing does."""
    match op:
        case arith.CmpfOp():
            return f"'x {FLOAT_COMPARISONS[op.predicate.value.data]} y'"
        case arith.CmpiOp():
            return f"'x {INTEGER_COMPARISONS[op.predicate.value.data]} y'"
        case arith.SelectOp():
            return "'where'"
        case arith.SIToFPOp() | arith.FPToSIOp() | arith.TruncIOp() | arith.ExtSIOp() | arith.IndexCastOp():
            return f"'cast' from {op.operands[0].type} to {op.results[0].type}"
        case _:
            name = FUNCTIONS.get(type(op)) or CONDITIONS.get(type(op)) or op.name
            return f"'{name}'"


HINT = (
    "on lanes the chips take + - * /, maximum, minimum, exp, log, sqrt, rsqrt, absolute, floor, ceil, rint, trunc, "
    "cast, and where by comparisons of floats"
)


def no_row_instruction(op: Operation, hint: str = HINT, of: str = "") -> Diagnostic:
    """Return OPW345 for an operation on lanes, by the name it has in a spec."""
    return Diagnostic("OPW345", f"{written_name(op)}{of} has no row instruction", op, hint)


def lane_number(op: Operation) -> Diagnostic:
    """Return OPW345 for an operation on the loop index that runs over lanes."""
    text = "the index that runs over lanes is computed with, and no row holds its values yet"
    return Diagnostic("OPW345", text, op, "give what is computed from it as a tensor: x[i, j] * factor[j]")
