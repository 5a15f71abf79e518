"""What a spec promises of the elements of lists and of integer tensors, tested on the arrays of a call."""

from collections.abc import Iterable, Mapping, Sequence

import numpy as np
from xdsl.ir import Operation, SSAValue

from ...dialect.diagnostics import Diagnostic
from ...dialect.index_expr import evaluate as evaluate_index
from ...dialect.spec.attrs import tensor_type
from ...dialect.spec.ops import CheckOp, ComputeOp, InputOp, OperatorOp, OutputOp, PlacesOp
from ..aclnn.list_checks import list_checks
from ..attributes import AttrValue
from ..conditions import constraints
from ..dtypes import Array
from ..symbols import COMPARE, symbol_values

MARKS_AN_ELEMENT = 64
"""A test for equal elements marks each place up to so many places an element; where there are more, it sorts."""

SHOWN = 12
"""How many elements of a list a message shows."""


def declared_places(
    operator: OperatorOp, dims: Mapping[str, int], attrs: Mapping[str, AttrValue], present: frozenset[str]
) -> list[tuple[PlacesOp, str, int]]:
    """Return each declaration of places that counts for a call: the operation, the input, the number of places."""
    values = symbol_values(operator, dims, attrs)
    found: list[tuple[PlacesOp, str, int]] = []
    for op, counts in constraints(operator, attrs, present):
        if not isinstance(op, PlacesOp) or not counts or not isinstance(op.tensor.owner, InputOp):
            continue
        name = op.tensor.owner.label.data
        if name in present:
            below = evaluate_index(op.below.data[0], [values[v] for v in op.operands_])
            found.append((op, name, below))
    return found


def check_places(op: PlacesOp, name: str, below: int, array: Array) -> None:
    """Test the elements of one tensor.

    Raises:
        Diagnostic: OPW211 an element out of range, OPW212 two elements that name one place.
    """
    wrong = array >= below if op.unused is not None else (array < 0) | (array >= below)
    if wrong.any():
        place = _first(wrong)
        legal = f"0 to {below - 1}" if below > 0 else "none"
        unused = ", and negative ones for nothing" if op.unused is not None else ""
        text = f"element {_at(place)} of '{name}' is {array[place]}; legal are {legal}{unused}"
        raise Diagnostic("OPW211", text, op, f"{int(wrong.sum())} of {array.size} elements are out of range")
    if op.distinct is not None:
        _check_distinct(op, name, array, below)


def _check_distinct(op: PlacesOp, name: str, array: Array, below: int) -> None:
    used = np.flatnonzero(array.ravel() >= 0)
    places = array.ravel()[used]
    if _all_distinct(places, below):
        return
    order = np.argsort(places, kind="stable")
    twice = np.flatnonzero(places[order][1:] == places[order][:-1])
    if twice.size:
        first, second = (_at(np.unravel_index(used[order[twice[0] + n]], array.shape)) for n in (0, 1))
        text = f"elements {first} and {second} of '{name}' both name place {places[order[twice[0]]]}"
        raise Diagnostic("OPW212", text, op, "each place is named at most once")


def _all_distinct(places: Array, below: int) -> bool:
    """Return whether numbers from 0 to below - 1 differ, without sorting where a mark a number takes little memory."""
    if below > MARKS_AN_ELEMENT * places.size:
        return np.unique(places).size == places.size
    marks = np.zeros(max(below, 0), np.bool_)
    marks[places] = True
    return int(np.count_nonzero(marks)) == places.size


def _first(wrong: Array) -> tuple[int, ...]:
    return tuple(int(n) for n in np.unravel_index(int(np.argmax(wrong)), wrong.shape))


def _at(place: Iterable[object]) -> str:
    return "[" + ", ".join(str(n) for n in place) + "]"


def sources(operator: OperatorOp) -> list[Operation]:
    """Return the operations that checks on lists need, in the order of the spec."""
    ops = list(operator.body.block.ops)
    needed = {op for op in ops if isinstance(op, CheckOp)}
    for op in reversed(ops):
        if op in needed:
            needed |= {v.owner for inner in op.walk() for v in inner.operands if isinstance(v.owner, Operation)}
    return [op for op in ops if op in needed and not isinstance(op, OutputOp)]


def check_sides(operator: OperatorOp, sides: Mapping[SSAValue, Array | None], arrays: Mapping[str, Array]) -> None:
    """Test the constraints on lists, whose sides are computed.

    Raises:
        Diagnostic: OPW210, the first place where one does not hold.
    """
    for op in operator.body.block.ops:
        if not isinstance(op, CheckOp):
            continue
        lhs, rhs = sides[op.lhs], sides[op.rhs]
        assert lhs is not None
        assert rhs is not None
        wrong = ~COMPARE[op.comparison.data](lhs, rhs)
        if wrong.any():
            place = _first(wrong)
            check = next(check for check in list_checks(operator) if check.op is op)
            text = f"{check.text} does not hold{_where(op, place)}: {lhs[place]} and {rhs[place]}"
            raise Diagnostic("OPW210", text, op, _lists(operator, arrays))


def _where(op: CheckOp, place: Sequence[int]) -> str:
    """Return at which values of the loop indices, ` at b = 3`; nothing for a side that is one number."""
    owner = next((side.owner for side in (op.lhs, op.rhs) if isinstance(side.owner, ComputeOp)), None)
    names = [dim.name_hint or "?" for dim in owner.dims] if owner is not None else []
    if len(names) < len(place) or tensor_type(op.lhs).dims == (1,):
        return ""
    return " at " + ", ".join(f"{name} = {n}" for name, n in zip(names, place, strict=False))


def _lists(operator: OperatorOp, arrays: Mapping[str, Array]) -> str:
    names = [op.label.data for op in operator.body.block.ops if isinstance(op, InputOp) and op.list is not None]
    return "; ".join(f"'{name}' is {_shown(arrays[name])}" for name in names if name in arrays)


def _shown(array: Array) -> str:
    more = ", ..." if array.size > SHOWN else ""
    return "[" + ", ".join(map(str, array[:SHOWN].tolist())) + more + "]"
