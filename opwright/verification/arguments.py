"""Attributes, sizes and lists of random cases, drawn until all hold together that a spec says of them."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

import numpy as np

from ..codegen.attributes import AttrValue
from ..codegen.binding import shape_of
from ..codegen.dtypes import Array
from ..codegen.lists import default_lists
from ..codegen.reference import check_lists, declared_places
from ..codegen.symbols import check_sizes, define_dims
from ..dialect.diagnostics import Diagnostic
from ..dialect.spec.ops import InputOp, OperatorOp
from ..dialect.spec.signature import Signature, dim_labels
from .lists import binding_of, bounds, determine, determined_dims, draw_list, input_lists
from .relations import relations_hold
from .sizes import ROWS, draw_length, list_dims

ROUNDS = 10
TRIES = 100
"""How often arguments are drawn anew, for each of several lengths of the lists."""

ABSENT_SHARE = 0.15
EMPTY_SHARE = 0.1
"""The shares of lists with a default that are absent, and that are empty."""

ZERO_SHARE = 0.1
"""The share of cases that are kept although a dim that follows from lists is 0."""

DrawAttributes = Callable[[], dict[str, AttrValue]]
DrawSizes = Callable[[Mapping[str, AttrValue], frozenset[str]], dict[str, int]]


@dataclass(frozen=True)
class Arguments:
    """What a case consists of, but for the tensors.

    Attributes:
        attrs: the value of every attribute.
        dims: the size of every dim.
        lists: the lists that the call gives; those with a default may be missing or empty.
    """

    attrs: Mapping[str, AttrValue]
    dims: Mapping[str, int]
    lists: Mapping[str, Array]


@dataclass(frozen=True)
class Drawing:
    """How the arguments of a case are drawn.

    Attributes:
        operator: the operator.
        column: the number of the dtype column.
        given: the inputs that a kernel gets.
        random: where lists come from.
        attributes: draws the attributes.
        sizes: draws the sizes that are no consequence of others, without the dims of its second argument.
        longest: how many elements a list has at most.
    """

    operator: OperatorOp
    column: int
    given: frozenset[str]
    random: np.random.Generator
    attributes: DrawAttributes
    sizes: DrawSizes
    longest: int

    def draw(self) -> Arguments:
        """Return arguments that hold the checks on lists and what relates sizes, and that have room for places.

        Raises:
            Diagnostic: OPW014, none are found.
        """
        determined = frozenset(each.dim for each in determined_dims(self.operator))
        for _ in range(ROUNDS):
            lengths, given = self._lengths(), self._given_lists()
            for _ in range(TRIES):
                attrs = self.attributes()
                dims = self.sizes(attrs, determined | frozenset(lengths)) | lengths
                drawn = Arguments(attrs, dims, self._lists(given, dims))
                found = _completed(self.operator, self.column, self.given, drawn)
                if found is not None and (self._keeps_empty() or all(found.dims[name] for name in determined)):
                    return found
        text = f"no sizes and lists were found that hold what {self.operator.sym_name.data} says of them"
        raise Diagnostic("OPW014", text, self.operator, "give some to 'opwright run' in an npz file")

    def _lengths(self) -> dict[str, int]:
        """Return the size of each dim that only lists name."""
        dims = list_dims(self.operator)
        return {name: draw_length(self.random, self.longest, may_be_empty=empty) for name, empty in dims.items()}

    def _given_lists(self) -> dict[str, bool]:
        """Return the lists that the call gives, and whether they are given as an empty list that means the default."""
        shares = {op.label.data: self.random.random() for op in input_lists(self.operator) if op.default is not None}
        names = [op.label.data for op in input_lists(self.operator) if op.label.data in self.given]
        return {
            name: shares.get(name, 1.0) < ABSENT_SHARE + EMPTY_SHARE
            for name in names
            if shares.get(name, 1.0) >= ABSENT_SHARE
        }

    def _lists(self, given: Mapping[str, bool], dims: Mapping[str, int]) -> dict[str, Array]:
        limits = bounds(self.operator, dims)
        return {
            op.label.data: draw_list(op, 0 if given[op.label.data] else _length(op, dims), limits, self.random)
            for op in input_lists(self.operator)
            if op.label.data in given
        }

    def _keeps_empty(self) -> bool:
        return self.random.random() < ZERO_SHARE


def _length(op: InputOp, dims: Mapping[str, int]) -> int:
    return shape_of(op.result.type, dims)[0]


def _completed(operator: OperatorOp, column: int, given: frozenset[str], drawn: Arguments) -> Arguments | None:
    """Return the arguments with all dims; None where they break what the spec says."""
    try:
        present = {op.label.data: drawn.lists[op.label.data] for op in _kept_lists(operator, drawn.lists)}
        arrays = present | default_lists(operator, drawn.dims, drawn.attrs, present)
        known = {**drawn.dims, **_lengths(operator, arrays)}
        dims = define_dims(operator, known, drawn.attrs)
        known |= determine(operator, column, dims, drawn.attrs, arrays)
        dims = define_dims(operator, known, drawn.attrs)
        check_sizes(operator, dims, drawn.attrs)
        check_lists(operator, binding_of(operator, column, dims, drawn.attrs, arrays), arrays)
    except Diagnostic:
        return None
    found = Arguments(drawn.attrs, dims, drawn.lists)
    return found if _is_possible(operator, given, found) else None


def _kept_lists(operator: OperatorOp, lists: Mapping[str, Array]) -> list[InputOp]:
    """Return the lists that are given and do not stand for their default."""
    ops = [op for op in input_lists(operator) if op.label.data in lists]
    return [op for op in ops if lists[op.label.data].size or op.default is None]


def _lengths(operator: OperatorOp, arrays: Mapping[str, Array]) -> dict[str, int]:
    return {
        label: arrays[op.label.data].size
        for op in input_lists(operator)
        if op.label.data in arrays
        for label in dim_labels(op.result.type)
    }


def _is_possible(operator: OperatorOp, given: frozenset[str], found: Arguments) -> bool:
    determined = [found.dims[each.dim] for each in determined_dims(operator)]
    if any(not 0 <= size <= ROWS for size in determined):
        return False
    return relations_hold(operator, found.dims, found.attrs, given) and _has_room(operator, given, found)


def _has_room(operator: OperatorOp, given: frozenset[str], found: Arguments) -> bool:
    """Return whether there are as many places as the elements need that name them."""
    types = {op.label.data: op.result.type for op in Signature.of(operator).inputs}
    for op, name, below in declared_places(operator, found.dims, found.attrs, given):
        count = int(np.prod(shape_of(types[name], found.dims)))
        if op.unused is None and count and (below < 1 or (op.distinct is not None and count > below)):
            return False
    return True
