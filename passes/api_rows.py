"""Rows of the tables of APIs: which element types operands may have together, and one value for several APIs."""

from typing import TypeVar

T = TypeVar("T")

DTypes = frozenset[tuple[str, ...]]
"""Legal operand dtypes of one vector API: (dst, src0[, src1]) in the short names h, bf, f, i8, u8, i16, ...

A table lists the dtypes of every form of an API under its name, those of the count form alone under "name/count", and
conversions that also scale under "Cast/scaled"."""


def same(arity: int, names: str) -> DTypes:
    """Return the rows of an API whose operands all have one type."""
    return frozenset((name,) * arity for name in names.split())


def rows(text: str) -> DTypes:
    """Return rows written "dst/src0/src1 ..."."""
    return frozenset(tuple(row.split("/")) for row in text.split())


def each(apis: str, value: T) -> dict[str, T]:
    """Give several APIs, named in one text, the same value."""
    return dict.fromkeys(apis.split(), value)
