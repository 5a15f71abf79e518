"""The random cases of an operator: a number and a seed say all of a case."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, TypeAlias

import numpy as np
from xdsl.dialects.builtin import i1

from ..codegen.attributes import AttrValue, bind_attributes
from ..codegen.binding import shape_of
from ..codegen.symbols import define_dims
from ..dialect.spec.ops import InputOp, OperatorOp
from ..dialect.spec.signature import Signature
from ..variants import presences
from .sizes import describe_dims, draw_dims, upper_limits

Filling: TypeAlias = Literal["random", "all true", "all false", "random, Inf and NaN under false"]
FILLINGS: tuple[Filling, ...] = ("random", "all true", "all false", "random, Inf and NaN under false")
"""What the boolean tensors of a case hold."""


@dataclass(frozen=True)
class Case:
    """One call of an operator.

    Attributes:
        seed, number: what the case is drawn from.
        column: the number of the dtype column.
        present: the names of the optional tensors that are given.
        dims: the size of every dim.
        attrs: the value of every attribute.
        filling: what its boolean tensors hold; "" where it has none.
    """

    seed: int
    number: int
    column: int
    present: frozenset[str]
    dims: Mapping[str, int]
    attrs: Mapping[str, AttrValue]
    filling: Filling | Literal[""]

    def __str__(self) -> str:
        return f"case {self.number} ({describe_dims(self.dims)})"

    def generator(self, purpose: str) -> np.random.Generator:
        """Return the random numbers of one purpose; they depend on nothing else."""
        return np.random.default_rng([self.seed, self.number, *purpose.encode()])


def draw_case(operator: OperatorOp, seed: int, number: int) -> Case:
    """Return a case; consecutive numbers go through all columns, presences and fillings in turn."""
    signature = Signature.of(operator)
    random = np.random.default_rng([seed, number])
    left, column = divmod(number, len(signature.dtype_columns))
    choices = _choices(operator)
    present, filling = choices[left % len(choices)]
    attrs = bind_attributes(signature.attrs, {})
    dims = define_dims(operator, draw_dims(operator, random), attrs)
    return Case(seed, number, column, present, dims, attrs, filling)


def small_case(operator: OperatorOp, column: int, present: frozenset[str], size: int) -> Case:
    """Return a case whose dims are all of one size, or what a constraint allows where that is less."""
    signature = Signature.of(operator)
    attrs, limits = bind_attributes(signature.attrs, {}), upper_limits(operator)
    free = [op.label.data for op in signature.dims if op.definition is None]
    dims = define_dims(operator, {name: min(size, limits.get(name, size)) for name in free}, attrs)
    return Case(0, 0, column, present, dims, attrs, "random")


def _choices(operator: OperatorOp) -> list[tuple[frozenset[str], Filling | Literal[""]]]:
    return [
        (present, filling)
        for present in presences(operator)
        for filling in (FILLINGS if any(is_given(op, present) for op in boolean_inputs(operator)) else ("",))
    ]


def boolean_inputs(operator: OperatorOp) -> list[InputOp]:
    """Return the tensors of booleans."""
    return [op for op in Signature.of(operator).inputs if op.result.type.element_type == i1]


def is_given(op: InputOp, present: frozenset[str]) -> bool:
    """Return whether a call gives the tensor."""
    return op.optional is None or op.label.data in present


def given_inputs(operator: OperatorOp, case: Case) -> Sequence[tuple[InputOp, tuple[int, ...]]]:
    """Return the tensors that the case gives, each with its shape."""
    inputs = Signature.of(operator).inputs
    return [(op, shape_of(op.result.type, case.dims)) for op in inputs if is_given(op, case.present)]
