"""The constraints of a spec, one line each: on sizes, attributes, what is given, and elements of lists and tensors."""

from collections.abc import Sequence
from dataclasses import dataclass

from xdsl.ir import SSAValue

from .codegen.aclnn.list_checks import list_checks
from .codegen.symbol_text import expression_text, requirement_text
from .dialect.spec.front_end import with_guards
from .dialect.spec.ops import (
    AttrOp,
    CheckOp,
    GivenOp,
    InputOp,
    NeedOp,
    OperatorOp,
    OutputOp,
    PlacesOp,
    RequireOp,
)


@dataclass(frozen=True)
class Constraint:
    """A condition of the document, and the error code of its front end; none for what only a device knows."""

    condition: str
    code: int | None

    def __str__(self) -> str:
        """Return the constraint in one line."""
        return self.condition + (f"    (else {self.code})" if self.code is not None else "")


def constraints_of(operator: OperatorOp) -> tuple[Constraint, ...]:
    """Return the constraints in the order of the spec."""
    texts = {check.op: check.text for check in list_checks(operator)}
    return tuple(
        Constraint(_condition(op, texts) + _where(guards), _code(op))
        for op, guards in with_guards(operator)
        if isinstance(op, RequireOp | NeedOp | CheckOp | PlacesOp)
    )


def _where(guards: Sequence[tuple[SSAValue, bool]]) -> str:
    """Return what has to hold for a constraint to count."""
    texts = [_named(value) if wanted else f"not {_named(value)}" for value, wanted in guards]
    return f", where {' and '.join(texts)}" if texts else ""


def _named(condition: SSAValue) -> str:
    match condition.owner:
        case AttrOp(label=label):
            return label.data
        case GivenOp(tensor=tensor) if isinstance(tensor.owner, InputOp | OutputOp):
            return f"given({tensor.owner.label.data})"
        case _:
            return condition.name_hint or "?"


def _condition(op: RequireOp | NeedOp | CheckOp | PlacesOp, checks: dict[CheckOp, str]) -> str:
    match op:
        case RequireOp():
            return requirement_text(op)
        case NeedOp():
            return f"{op.label.data} is given"
        case CheckOp():
            return checks[op]
        case PlacesOp():
            name = op.tensor.owner.label.data if isinstance(op.tensor.owner, InputOp) else "?"
            unused = ", or negative for nothing" if op.unused is not None else ""
            distinct = "; no two the same" if op.distinct is not None else ""
            below = expression_text(op.below.data[0], op.operands_)
            return f"elements of {name} from 0 to {below} - 1{unused}{distinct}"


def _code(op: RequireOp | NeedOp | CheckOp | PlacesOp) -> int | None:
    return None if isinstance(op, PlacesOp) else op.code.data
