"""The loop nest of one equation: which indices, in which order, in how many headers."""

from collections.abc import Iterator, Sequence

from ..diagnostics import Diagnostic, Location
from .exprs import Constant, Expr, Index, IndexArith, Reduction, Symbol, When


def leaves(expr: Expr) -> Iterator[Index]:
    """Yield the loop indices in an expression."""
    if isinstance(expr, Index):
        yield expr
    for operand in expr.operands:
        yield from leaves(operand)


def bounds(index: Index) -> tuple[Expr, ...]:
    """Return the expressions that limit an index."""
    return index.lower + index.upper


def order(wanted: Sequence[Index]) -> list[Index]:
    """Return the indices in their order, each behind those that its range depends on."""
    ordered: list[Index] = []
    for index in wanted:
        needed = [leaf for bound in bounds(index) for leaf in leaves(bound)]
        ordered += [n for n in [*order(needed), index] if n not in ordered]
    return ordered


def check_free(expr: Expr, known: Sequence[Index]) -> None:
    """Refuse an index that neither the left side nor a sum names (OPW151), and a sum within an expression (OPW152)."""
    if isinstance(expr, Reduction | When):
        what = "when(...)" if isinstance(expr, When) else "a sum"
        hint = "define it as a tensor of its own, and read that here"
        raise Diagnostic("OPW152", f"{what} must be the whole right side of an equation", expr.at, hint)
    if isinstance(expr, Index) and expr not in known:
        raise Diagnostic("OPW151", f"index '{expr.name}' is free", expr.at)
    for operand in expr.operands:
        try:
            check_free(operand, known)
        except Diagnostic as error:
            raise _placed(error, operand, expr) from error


def _placed(error: Diagnostic, operand: Expr, user: Expr) -> Diagnostic:
    """Point at the use of a free index, not at its definition."""
    if error.code != "OPW151" or not isinstance(operand, Index):
        return error
    hint = "name it on the left, or sum over it"
    return Diagnostic("OPW151", error.message, user.at, hint)


def check_all_named(ordered: Sequence[Index], named: Sequence[Index], at: Location) -> None:
    """Refuse an index that only the range of another one needs (OPW151)."""
    for index in ordered:
        if index not in named:
            hint = f"name it on the left, or sum over it: sum_(({index.name}, ...), ...)"
            raise Diagnostic("OPW151", f"index '{index.name}' is free: the range of another one needs it", at, hint)


def headers(ordered: Sequence[Index]) -> list[list[Index]]:
    """Cut the nest where a range needs a value that is computed at an index of the same header."""
    groups: list[list[Index]] = [[]]
    for index in ordered:
        computed = [expr for bound in bounds(index) for expr in _computed(bound)]
        needed = {leaf for expr in computed for leaf in leaves(expr)}
        if needed & set(groups[-1]) or (computed and len(groups) == 1):
            groups.append([])
        groups[-1].append(index)
    return groups


def _computed(expr: Expr) -> Iterator[Expr]:
    """Yield the parts of a bound that a header cannot hold: elements of tensors, results of operations."""
    if isinstance(expr, IndexArith):
        for operand in expr.operands:
            yield from _computed(operand)
    elif not isinstance(expr, Index | Symbol | Constant):
        yield expr
