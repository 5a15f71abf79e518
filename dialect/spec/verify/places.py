"""Where operations may stand: in an operator, in a compute, behind what they use."""

from types import NoneType

from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Block, Operation, SSAValue

from ...diagnostics import Diagnostic
from ..ops import (
    ComputeOp,
    EachOp,
    IndexOp,
    NeedOp,
    OperatorOp,
    PlacesOp,
    ReadOp,
    RequireOp,
    SearchOp,
    WhenOp,
    WriteOp,
)


def outside_compute(write: WriteOp) -> Diagnostic:
    """Return the error for a write that no compute encloses."""
    return Diagnostic("OPW120", "spec.write stands outside spec.compute", write, "move it into the body of a compute")


def verify_place(op: Operation) -> None:
    """Refuse an operation of the dialect that stands where it has no meaning (OPW103, OPW120)."""
    inside = isinstance(op.parent_op(), ComputeOp | EachOp)
    at_top = isinstance(op.parent_op(), OperatorOp)
    match op:
        case WriteOp() if not inside:
            raise outside_compute(op)
        case EachOp() | ReadOp() | SearchOp() if not inside:
            raise Diagnostic("OPW103", f"'{op.name}' stands outside spec.compute", op)
        case EachOp() | ReadOp() | SearchOp() | WriteOp() | IndexOp() if inside or at_top:
            pass
        case RequireOp() | NeedOp() | PlacesOp() if isinstance(op.parent_op(), WhenOp):
            pass
        case _ if not at_top:
            hint = "move it to the body of the operator"
            raise Diagnostic("OPW103", f"'{op.name}' does not stand directly in spec.operator", op, hint)
        case _:
            pass


def verify_operator_place(operator: OperatorOp) -> None:
    """Refuse an operator within another operation than a module (OPW103)."""
    if not isinstance(operator.parent_op(), ModuleOp | NoneType):
        raise Diagnostic("OPW103", "spec.operator stands directly in a module, or alone", operator)


def verify_order(operator: OperatorOp) -> None:
    """Refuse the use of a value before it is defined (OPW139)."""
    _verify_block(operator.body.block, set())


def _verify_block(block: Block, known: set[SSAValue]) -> None:
    known = known | set(block.args)
    for op in block.ops:
        for operand in op.operands:
            if operand not in known:
                name = f"%{operand.name_hint}" if operand.name_hint else "a value"
                raise Diagnostic("OPW139", f"{name} is used before it is defined", op, "computes stand in order of use")
        for region in op.regions:
            for inner in region.blocks:
                _verify_block(inner, known)
        known.update(op.results)
