"""What may stand in the body of a compute."""

from xdsl.ir import Operation

from ...diagnostics import Diagnostic
from ..attrs import is_scalar
from ..ops import ComputeOp, EachOp, IndexOp, ReadOp, SearchOp, WriteOp

OPEN_DIALECTS = ("arith", "math")


def verify(compute: ComputeOp) -> None:
    """Refuse operations in a body that are not on scalars, or have effects (OPW134)."""
    for op in compute.walk():
        if op is not compute and not isinstance(op, EachOp | IndexOp | ReadOp | SearchOp | WriteOp):
            _verify_scalar(op)


def _verify_scalar(op: Operation) -> None:
    hint = "a body holds spec.read, search, index, write and each, and operations of arith and math on scalars"
    if op.name.partition(".")[0] not in OPEN_DIALECTS or op.regions or len(op.results) != 1:
        raise Diagnostic("OPW134", f"'{op.name}' cannot stand in the body of a compute", op, hint)
    for value in (*op.operands, *op.results):
        if not is_scalar(value.type):
            raise Diagnostic("OPW134", f"'{op.name}' works on {value.type}, not on scalars", op, hint)
