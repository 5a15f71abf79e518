"""Constraints on more than sizes: what they may depend on."""

from xdsl.dialects.builtin import IntegerType, i1
from xdsl.ir import Operation, SSAValue

from ...diagnostics import Diagnostic
from ..attrs import is_integer, tensor_type
from ..ops import (
    AttrOp,
    CheckOp,
    ComputeOp,
    GivenOp,
    InputOp,
    LengthOp,
    NeedOp,
    OperatorOp,
    PlacesOp,
    PositionsOp,
    RequireOp,
    ScanOp,
    WhenOp,
)
from ..signature import Signature, dim_labels

BYTES = (IntegerType(8),)


def verify(operator: OperatorOp) -> None:
    """Verify what the front end of an operator is told (OPW143 to OPW147, OPW155)."""
    for op in operator.body.walk():
        match op:
            case WhenOp():
                _verify_conditions(op)
            case NeedOp():
                _verify_need(op, operator)
            case CheckOp():
                _verify_check(op)
            case InputOp():
                _verify_tolerance(op)
            case PlacesOp():
                _verify_places(op)
            case LengthOp():
                _verify_length(op)
            case _:
                pass


def _verify_conditions(op: WhenOp) -> None:
    for value in op.conditions:
        if not isinstance(value.owner, AttrOp | GivenOp):
            hint = "conditions are boolean attributes and spec.given, with `not` before those that must not hold"
            raise Diagnostic("OPW143", "spec.when depends on something that a front end does not know", op, hint)


def _verify_need(op: NeedOp, operator: OperatorOp) -> None:
    optional = [i.label.data for i in Signature.of(operator).inputs if i.optional is not None]
    if op.label.data not in optional:
        hint = f"optional inputs: {', '.join(optional) or 'none'}"
        raise Diagnostic("OPW144", f"spec.need names '{op.label.data}', which is no optional input", op, hint)


def _verify_check(op: CheckOp) -> None:
    lhs, rhs = tensor_type(op.lhs), tensor_type(op.rhs)
    if lhs != rhs or not is_integer(lhs.element_type):
        raise Diagnostic("OPW145", f"spec.check compares {lhs} with {rhs}", op, "both hold integers and have one shape")
    for side in (op.lhs, op.rhs):
        if not isinstance(side.owner, ComputeOp | ScanOp):
            raise Diagnostic("OPW145", "spec.check compares something else than results", op, "compute a copy of it")
        _verify_source(op, side)


def _verify_length(op: LengthOp) -> None:
    """Refuse a length that something else than a constraint uses: only the host knows the list."""
    if any(not isinstance(use.operation, RequireOp) for use in op.result.uses):
        hint = "use it in spec.require alone; a list that the kernel needs is an input: spec.input ... list"
        raise Diagnostic("OPW155", "spec.length is used by something else than a constraint", op, hint)


def _verify_source(op: CheckOp, value: SSAValue) -> None:
    """Refuse what is computed from tensors whose elements the host does not know."""
    source = value.owner
    match source:
        case InputOp(list=None):
            text = f"spec.check depends on the elements of '{source.label.data}', which lie on the device"
            raise Diagnostic("OPW145", text, op, "it may depend on lists, dims and attributes")
        case PositionsOp():
            text = "spec.check depends on the places of true elements, which the device finds"
            raise Diagnostic("OPW145", text, op, "it may depend on lists, dims and attributes")
        case ComputeOp() | ScanOp():
            for inner in source.walk():
                for operand in inner.operands:
                    if _is_outside(operand, source):
                        _verify_source(op, operand)
        case _:
            pass


def _is_outside(value: SSAValue, source: Operation) -> bool:
    owner = value.owner
    return isinstance(owner, InputOp | ComputeOp | PositionsOp | ScanOp) and owner is not source


def _verify_tolerance(op: InputOp) -> None:
    tolerance = op.tolerance
    if tolerance.mismatch is not None and tolerance.mismatch[0] not in dim_labels(op.result.type):
        raise Diagnostic("OPW146", f"'{op.label.data}' has no dim {tolerance.mismatch[0]}", op)
    for element in tolerance.accepts:
        if op.result.type.element_type != i1 or element not in BYTES:
            text = f"'{op.label.data}' cannot take {element} for {op.result.type.element_type}"
            raise Diagnostic("OPW146", text, op, "bytes (i8) may stand for booleans (i1)")


def _verify_places(op: PlacesOp) -> None:
    if not isinstance(op.tensor.owner, InputOp) or not is_integer(tensor_type(op.tensor).element_type):
        text = "spec.places is about something else than an input of integers"
        raise Diagnostic("OPW147", text, op, "it says what the elements of an integer input are")
