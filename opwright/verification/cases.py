"""The random cases of an operator: a number and a seed say all of a case."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from math import gcd
from typing import Literal, TypeAlias

import numpy as np
from xdsl.dialects.builtin import i1

from ..codegen.attributes import AttrValue
from ..codegen.binding import shape_of
from ..dialect.spec.ops import InputOp, OperatorOp
from ..dialect.spec.signature import Signature
from ..narrowing import bound_column, is_allowed, narrow, served_choices
from ..variants import Variant, boolean_attributes, presences, switch_settings, true_attributes
from .arguments import Arguments, Drawing
from .attributes import draw_attributes
from .sizes import LIST_MOST, Call, describe_dims, draw_dims, free_dims, upper_limits

Filling: TypeAlias = Literal["random", "all true", "all false", "random, Inf and NaN under false"]
FILLINGS: tuple[Filling, ...] = ("random", "all true", "all false", "random, Inf and NaN under false")
"""What the boolean tensors of a case hold."""

GOLDEN = 0.618
"""The part of all choices that one case is from the next."""

SMALL_LIST = 5
SMALL_ATTRIBUTE = 4
"""How long lists of small cases are, and how large their attributes, at most."""


@dataclass(frozen=True)
class Case:
    """One call of an operator.

    Attributes:
        seed, number: what the case is drawn from.
        column: the number of the dtype column.
        present: the names of the optional tensors that are given, but for lists with a default.
        dims: the size of every dim.
        attrs: the value of every attribute.
        filling: what its boolean tensors hold; "" where it has none.
        lists: the content of each list that is given.
    """

    seed: int
    number: int
    column: int
    present: frozenset[str]
    dims: Mapping[str, int]
    attrs: Mapping[str, AttrValue]
    filling: Filling | Literal[""]
    lists: Mapping[str, tuple[int, ...]] = field(default_factory=dict[str, tuple[int, ...]])

    def __str__(self) -> str:
        return f"case {self.number} ({describe_dims(self.dims)})"

    def generator(self, purpose: str) -> np.random.Generator:
        """Return the random numbers of one purpose; they depend on nothing else."""
        return np.random.default_rng([self.seed, self.number, *purpose.encode()])

    def variant(self, operator: OperatorOp) -> Variant:
        """Return the variant that the case runs."""
        return narrow(operator, Variant(self.column, self.present, true_attributes(operator, self.attrs)))


@dataclass(frozen=True)
class _Choice:
    """What consecutive cases go through in turn."""

    present: frozenset[str]
    switches: Mapping[str, bool]
    filling: Filling | Literal[""]


def draw_case(operator: OperatorOp, seed: int, number: int) -> Case:
    """Return a case; consecutive numbers go through all columns, presences, boolean attributes and fillings in turn.

    The first cases give all that a call may give.

    Raises:
        Diagnostic: OPW014, no sizes and lists are found that hold the spec's constraints.
    """
    random = np.random.default_rng([seed, number])
    left, column = divmod(number, len(Signature.of(operator).dtype_columns))
    choices = _choices(operator)
    choice = choices[(-1 - left * _stride(len(choices))) % len(choices)]
    column = bound_column(operator, column, choice.present)
    given = given_names(operator, choice.present)

    def attributes() -> dict[str, AttrValue]:
        return draw_attributes(operator, random, choice.switches)

    def sizes(attrs: Mapping[str, AttrValue], fixed: frozenset[str]) -> dict[str, int]:
        return draw_dims(operator, Call(attrs, given), random, fixed)

    drawn = Drawing(operator, column, given, random, attributes, sizes, LIST_MOST).draw()
    return _case(seed, number, column, choice.present, drawn, choice.filling)


def small_case(operator: OperatorOp, variant: Variant, size: int) -> Case:
    """Return a case of a variant whose dims are all of one size, or what constraints allow where that is less.

    Lists and attributes are small.

    Raises:
        Diagnostic: OPW014, as for `draw_case`.
    """
    random = np.random.default_rng([size, variant.column])
    present = _served_by(operator, variant)
    given = given_names(operator, present)
    on = {name: name in variant.switches for name in boolean_attributes(operator)}

    def attributes() -> dict[str, AttrValue]:
        return draw_attributes(operator, random, on, min(size, SMALL_ATTRIBUTE))

    def sizes(attrs: Mapping[str, AttrValue], fixed: frozenset[str]) -> dict[str, int]:
        return _small_dims(operator, Call(attrs, given), size, fixed)

    longest = min(size, SMALL_LIST)
    drawn = Drawing(operator, variant.column, given, random, attributes, sizes, longest).draw()
    return _case(0, 0, variant.column, present, drawn, "random")


def _served_by(operator: OperatorOp, variant: Variant) -> frozenset[str]:
    """Return optional tensors of a call that the variant serves: also those that its kernel does not read."""
    served = (choice.present for choice, kernel in served_choices(operator) if kernel == variant)
    return next(served, variant.present)


def _stride(count: int) -> int:
    """Return how far cases step through the choices: to each of them in `count` steps, and far from the last one."""
    return next(step for step in range(max(1, round(count * GOLDEN)), count + 2) if gcd(step, count) == 1)


def _case(
    seed: int, number: int, column: int, present: frozenset[str], drawn: Arguments, filling: Filling | Literal[""]
) -> Case:
    lists = {name: tuple(int(n) for n in array) for name, array in drawn.lists.items()}
    return Case(seed, number, column, present, drawn.dims, drawn.attrs, filling, lists)


def _small_dims(operator: OperatorOp, call: Call, size: int, fixed: frozenset[str]) -> dict[str, int]:
    limits = upper_limits(operator, call)
    return {name: min(size, limits.get(name, size)) for name in free_dims(operator, call.given) if name not in fixed}


def _choices(operator: OperatorOp) -> list[_Choice]:
    """Return all that cases go through; what no call may have is not among them."""
    booleans = boolean_inputs(operator)
    names = boolean_attributes(operator)
    settings = [{name: name in on for name in names} for on in switch_settings(operator)]
    return [
        _Choice(present, switches, filling)
        for present in presences(operator)
        for switches in settings
        if is_allowed(operator, present, switches)
        for filling in (FILLINGS if any(is_given(op, present) for op in booleans) else ("",))
    ]


def boolean_inputs(operator: OperatorOp) -> list[InputOp]:
    """Return the tensors of booleans."""
    return [op for op in Signature.of(operator).inputs if op.result.type.element_type == i1]


def is_given(op: InputOp, present: frozenset[str]) -> bool:
    """Return whether a call gives the tensor; there is always something in place of a list with a default."""
    return not op.may_be_absent or op.label.data in present


def given_names(operator: OperatorOp, present: frozenset[str]) -> frozenset[str]:
    """Return the names of all inputs that a kernel gets."""
    return frozenset(op.label.data for op in Signature.of(operator).inputs if is_given(op, present))


def given_tensors(operator: OperatorOp, case: Case) -> Sequence[tuple[InputOp, tuple[int, ...]]]:
    """Return the tensors that the case gives, each with its shape; lists are in the case itself."""
    inputs = (op for op in Signature.of(operator).inputs if op.list is None)
    return [(op, shape_of(op.result.type, case.dims)) for op in inputs if is_given(op, case.present)]
