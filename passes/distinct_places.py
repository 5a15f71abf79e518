"""Proof that the points of a scattered write name no place twice: then no stage has to find out who owns a place.

    %e = spec.positions %mask : !spec.tensor<[T, K], i32>
    %p = spec.read %e[%i floordiv %K, %i mod %K] : index
    spec.write add %v to 0[%i floordiv %K, %p] unique

The places of one row of spec.positions differ, but for -1, which lies outside of every tensor. So two points whose
places are the same have the same row and, as one of the row's elements is theirs alone, are one point.
"""

from collections.abc import Iterable, Sequence
from typing import TypeAlias

from xdsl.ir import SSAValue

from ..dialect.index_expr import Binary, Const, IndexExpr, Ref
from ..dialect.spec import IndexOp, PositionsOp, ReadOp, WriteOp

Form: TypeAlias = tuple[object, ...]
"""An index expression down to values that no spec.index computes; equal forms are equal indices."""


def are_distinct(write: WriteOp, points: Sequence[SSAValue]) -> bool:
    """Return whether each value of the points' loop indices names a place of its own, or none.

    Args:
        write: a write at computed places.
        points: the loop indices that number its points.
    """
    told = {_form(expr, write.operands_) for expr in write.indices.data}
    rows = (_row(expr, write.operands_) for expr in write.indices.data)
    return any(row is not None and told.issuperset(row[:-1]) and _is_injective(row, points) for row in rows)


def _row(expr: IndexExpr, operands: Sequence[SSAValue]) -> list[Form] | None:
    """Return the indices of the element of a spec.positions that an index is, if it is one."""
    value = operands[expr.position] if isinstance(expr, Ref) else None
    read = value.owner if value is not None else None
    if not isinstance(read, ReadOp) or not isinstance(read.tensor.owner, PositionsOp):
        return None
    return [_form(e, read.operands_) for e in read.indices.data]


def _form(expr: IndexExpr, operands: Sequence[SSAValue]) -> Form:
    match expr:
        case Const(value):
            return ("constant", value)
        case Ref(position):
            return _form_of(operands[position])
        case Binary(kind, lhs, rhs):
            return (kind, _form(lhs, operands), _form(rhs, operands))
        case _:
            raise TypeError(f"not an index expression: {expr}")


def _form_of(value: SSAValue) -> Form:
    owner = value.owner
    return _form(owner.indices.data[0], owner.operands_) if isinstance(owner, IndexOp) else ("value", value)


def _is_injective(indices: Iterable[Form], points: Sequence[SSAValue]) -> bool:
    """Return whether some indices tell the loop indices: each stands alone, or as a quotient with its remainder."""
    found = set(indices)

    def is_told(point: SSAValue) -> bool:
        own: Form = ("value", point)
        quotients = (f for f in found if f[0] == "floordiv" and f[1] == own)
        return own in found or any(("mod", own, divisor) in found for _, _, divisor in quotients)

    return all(map(is_told, points))
