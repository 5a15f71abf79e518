"""The variants of an operator: a kernel for each dtype column, choice of optional tensors, and boolean attributes."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import chain, combinations
from typing import TYPE_CHECKING

from xdsl.dialects.builtin import i1

from .dialect.spec.signature import Signature

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from .codegen.attributes import AttrValue
    from .dialect.spec.ops import OperatorOp


@dataclass(frozen=True)
class Variant:
    """What a kernel is made for.

    Attributes:
        column: the number of a dtype column.
        present: the names of the optional tensors that are given.
        switches: the names of the boolean attributes that are true.
    """

    column: int
    present: frozenset[str]
    switches: frozenset[str] = frozenset()

    @property
    def chosen(self) -> frozenset[str]:
        """Return the names of all that is given or true."""
        return self.present | self.switches

    def name(self, operator: OperatorOp) -> str:
        """Return a name for files: dtypes, then what is true and given, as in `bf16_maskOptional`."""
        signature = Signature.of(operator)
        dtypes = dict.fromkeys(str(t) for t in signature.dtype_columns[self.column].values())
        choices = (*boolean_attributes(operator), *optional_inputs(operator))
        given = [name for name in choices if name in self.chosen]
        return "_".join((*dtypes, *given)) or "all"

    def told(self, operator: OperatorOp) -> str:
        """Return what it is made for as a page says it, as in `T = bf16; maskOptional given`."""
        column = Signature.of(operator).dtype_columns[self.column]
        words = [f"{label} = {dtype}" for label, dtype in column.items()]
        words += [f"{name} = {str(name in self.switches).lower()}" for name in boolean_attributes(operator)]
        words += [f"{name} {'given' if name in self.present else 'absent'}" for name in optional_inputs(operator)]
        return "; ".join(words) or "the only variant"


def boolean_attributes(operator: OperatorOp) -> list[str]:
    """Return the names of the boolean attributes: a kernel is made for one value of each."""
    return [op.label.data for op in Signature.of(operator).attrs if op.result.type == i1]


def true_attributes(operator: OperatorOp, attrs: Mapping[str, AttrValue]) -> frozenset[str]:
    """Return the names of the boolean attributes that are true in a call."""
    return frozenset(name for name in boolean_attributes(operator) if attrs[name])


def switch_settings(operator: OperatorOp) -> list[frozenset[str]]:
    """Return each choice of the boolean attributes: all false first."""
    return subsets(boolean_attributes(operator))


def subsets(names: Sequence[str]) -> list[frozenset[str]]:
    """Return all subsets of some names: none first, all last."""
    choices = chain.from_iterable(combinations(names, count) for count in range(len(names) + 1))
    return [frozenset(choice) for choice in choices]


def optional_inputs(operator: OperatorOp) -> list[str]:
    """Return the names of the tensors that a call may leave out; a list with a default always comes to the kernel."""
    inputs = Signature.of(operator).inputs
    return [op.label.data for op in inputs if op.optional is not None and op.default is None]


def presences(operator: OperatorOp) -> list[frozenset[str]]:
    """Return each choice of the optional tensors: none first, all last."""
    return subsets(optional_inputs(operator))


def all_variants(operator: OperatorOp) -> list[Variant]:
    """Return every variant that a call may need, columns in the order of the spec; see narrowing.py."""
    from .narrowing import served_choices

    return list(dict.fromkeys(variant for _, variant in served_choices(operator)))
