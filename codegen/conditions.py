"""Which constraints of a spec count for a call: those of spec.when depend on attributes and on what is given."""

from collections.abc import Iterator, Mapping, Sequence

from xdsl.ir import Operation, SSAValue

from ..dialect.spec.front_end import with_guards
from ..dialect.spec.ops import AttrOp, GivenOp, InputOp, OperatorOp
from .attributes import AttrValue


def constraints(
    operator: OperatorOp, attrs: Mapping[str, AttrValue], present: frozenset[str]
) -> Iterator[tuple[Operation, bool | None]]:
    """Yield each operation of the operator, those within spec.when for themselves, and whether it counts.

    Args:
        operator: the operator.
        attrs: attributes by name. A condition on one that is not there is not decided: None.
        present: the inputs that are given.
    """
    for op, guards in with_guards(operator):
        yield op, _hold(guards, attrs, present)


def _hold(
    guards: Sequence[tuple[SSAValue, bool]], attrs: Mapping[str, AttrValue], present: frozenset[str]
) -> bool | None:
    found = [_value(value, attrs, present) for value, _ in guards]
    wanted = [wanted for _, wanted in guards]
    if any(value is not None and value != want for value, want in zip(found, wanted, strict=True)):
        return False
    return None if None in found else True


def _value(condition: SSAValue, attrs: Mapping[str, AttrValue], present: frozenset[str]) -> bool | None:
    match condition.owner:
        case AttrOp(label=label):
            value = attrs.get(label.data)
            return None if value is None else bool(value)
        case GivenOp(tensor=tensor) if isinstance(tensor.owner, InputOp):
            return tensor.owner.label.data in present
        case _:
            return None
