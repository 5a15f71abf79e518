"""The values in scope of a compute, and index expressions over them."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import cast

import numpy as np
from xdsl.ir import SSAValue

from ...dialect.index_expr import Binary, Const, IndexExpr, Ref, evaluate, linear, refs, substitute
from ...dialect.index_map import IndexMapAttr
from ..dtypes import Array
from .windows import Index, Span


@dataclass
class Scope:
    """Values by kind: integers (symbols and loops in Python), spans (lane dims), arrays (results of operations).

    Every array has `rank` axes, or none.
    """

    rank: int
    integers: dict[SSAValue, int]
    arrays: dict[SSAValue, Array]
    spans: dict[SSAValue, Span] = field(default_factory=dict[SSAValue, Span])

    def array(self, value: SSAValue) -> Array:
        """Return a value as an array."""
        if value in self.arrays:
            return self.arrays[value]
        if value in self.spans:
            return self.spans[value].array(self.rank)
        return np.asarray(self.integers[value], np.int64)

    def integer(self, value: SSAValue) -> int | None:
        """Return a value that is one integer; None for one that varies over the lanes.

        Raises:
            KeyError: the value is not known yet.
        """
        if value in self.spans:
            return None
        if value in self.integers:
            return self.integers[value]
        found = self.arrays[value]
        return int(found.reshape(())) if found.size == 1 else None

    def fixed(self, expr: IndexExpr, operands: Sequence[SSAValue]) -> int:
        """Return the value of an expression that does not vary over the lanes.

        Raises:
            KeyError: an operand is not known yet.
            ZeroDivisionError: a divisor is 0.
        """
        known = self._with_integers(expr, operands)
        return evaluate(known, ())

    def indices(self, index_map: IndexMapAttr, operands: Sequence[SSAValue]) -> tuple[Index, ...]:
        """Return the value of each expression of a map.

        Raises:
            ZeroDivisionError: a divisor is 0.
        """
        return tuple(self._index(expr, operands) for expr in index_map.data)

    def _with_integers(self, expr: IndexExpr, operands: Sequence[SSAValue]) -> IndexExpr:
        used = refs(expr)
        known = [self.integer(v) if p in used else None for p, v in enumerate(operands)]
        return substitute(expr, [Ref(p) if n is None else Const(n) for p, n in enumerate(known)])

    def _index(self, expr: IndexExpr, operands: Sequence[SSAValue]) -> Index:
        known = self._with_integers(expr, operands)
        _refuse_zero_divisor(known)
        form = linear(known)
        if form is not None and not form[0]:
            return form[1]
        if form is not None and (span := self._moved_span(form, operands)) is not None:
            return span
        used = refs(known)
        arrays = [self.array(v) if p in used else 0 for p, v in enumerate(operands)]
        return cast("Array", evaluate(known, cast("Sequence[int]", arrays)))

    def _moved_span(self, form: tuple[dict[int, int], int], operands: Sequence[SSAValue]) -> Span | None:
        terms, constant = form
        if list(terms.values()) != [1]:
            return None
        span = self.spans.get(operands[next(iter(terms))])
        return Span(span.axis, span.start + constant, span.count) if span is not None else None


def _refuse_zero_divisor(expr: IndexExpr) -> None:
    """NumPy only warns of a division by 0."""
    match expr:
        case Binary("floordiv" | "ceildiv" | "mod", _, Const(0)):
            raise ZeroDivisionError
        case Binary(_, lhs, rhs):
            _refuse_zero_divisor(lhs)
            _refuse_zero_divisor(rhs)
        case _:
            pass
