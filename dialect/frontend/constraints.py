"""Constraints of a spec file: their conditions, and the loop indices of those on elements."""

from collections.abc import Sequence

from xdsl.dialects import arith
from xdsl.dialects.builtin import i1
from xdsl.ir import SSAValue

from ..diagnostics import Diagnostic
from .exprs import Apply, Constant, Expr, Index, Reduction, Symbol
from .types import Size

COMPARISONS = ("<=", "<", ">=", ">", "==")


def guard(condition: Expr) -> tuple[SSAValue, bool]:
    """Return the value of a condition of a constraint, and whether it must hold: a boolean symbol, or ~ of one.

    Raises:
        Diagnostic: OPW154 for anything else.
    """
    match condition:
        case Symbol(type=kind, value=value) if kind == i1:
            return value, True
        case Apply(arguments=(Symbol(type=kind, value=value), Constant(value=True))) if kind == i1:
            if _is_not(condition, value):
                return value, False
        case _:
            pass
    hint = "use boolean attributes, spec.given(tensor), and ~ of one; several stand side by side in `when`"
    raise Diagnostic("OPW154", "a constraint cannot depend on this condition", condition.at, hint)


def _is_not(condition: Apply, value: SSAValue) -> bool:
    trial = condition.build([value, value])
    negates = isinstance(trial, arith.XOrIOp)
    trial.erase()
    return negates


def free_indices(sides: Sequence[Expr]) -> list[Index]:
    """Return the loop indices that the sides of a constraint name, without those that a sum runs over."""
    found: dict[Index, None] = {}
    for side in sides:
        for index in _indices(side, frozenset()):
            found[index] = None
    return list(found)


def _indices(expr: Expr, bound: frozenset[Index]) -> list[Index]:
    if isinstance(expr, Index):
        return [] if expr in bound else [expr]
    inner = bound | frozenset(expr.indices) if isinstance(expr, Reduction) else bound
    return [index for operand in expr.operands for index in _indices(operand, inner)]


def sizes(indices: Sequence[Index]) -> tuple[Size, ...]:
    """Return the dims that loop indices run over.

    Raises:
        Diagnostic: OPW154 for an index that does not run from 0 to a dim.
    """
    return tuple(_size(index) for index in indices)


def _size(index: Index) -> Size:
    match index.lower, index.upper:
        case (Constant(value=0),), (Symbol() as size,):
            return size
        case _:
            text = f"index {index.name} of a constraint does not run over a whole dim"
            raise Diagnostic("OPW154", text, index.at, "declare it with indices(i=N)")
