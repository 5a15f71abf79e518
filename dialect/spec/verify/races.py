"""Plain writes name each element at most once.

A write lands at a place of its own for each point of the nest if every loop variable stands alone in one of its
indices. A variable may be left out if another one determines it: in
`(%c: 0 to %C, %i: %c * %R to min(%c * %R + %R, %N))` the value of %i tells that of %c.
"""

from collections.abc import Sequence

from xdsl.ir import BlockArgument, Operation, SSAValue

from ...diagnostics import Diagnostic
from ...index_expr import Binary, Const, IndexExpr, Ref, linear
from ..nests import Nest
from ..ops import ComputeOp, WriteOp

Polynomial = dict[tuple[SSAValue, ...], int]
"""Coefficient of each product of values; the empty product is the constant."""


def verify(compute: ComputeOp) -> None:
    """Refuse plain writes, not said to be unique, that may name an element twice (OPW121)."""
    plain: list[WriteOp] = []
    for op in compute.walk():
        if isinstance(op, WriteOp) and not op.combine and op.unique is None:
            _verify_points(op)
            for other in plain:
                _verify_pair(other, op)
            plain.append(op)


def _verify_points(op: WriteOp) -> None:
    named = _named(op)
    for nest in _enclosing(op):
        for dim in nest.dims:
            if dim not in named and not any(determines(variable, dim) for variable in named):
                name = f"%{dim.name_hint}" if dim.name_hint else "a loop variable"
                text = f"points that differ in {name} write the same element"
                hint = f"name {name} alone in one index, combine (add, max, min), or promise unique"
                raise Diagnostic("OPW121", text, op, hint)


def _named(op: WriteOp) -> list[BlockArgument]:
    """Return the loop variables that stand alone, with factor 1 or -1, in an index of the write."""
    named: list[BlockArgument] = []
    for expr in op.indices.data:
        form = linear(expr)
        if form is None:
            continue
        varying = [(op.operands_[p], c) for p, c in form[0].items() if not _is_symbol(op.operands_[p])]
        match varying:
            case [(BlockArgument() as variable, 1 | -1)]:
                named.append(variable)
            case _:
                pass
    return named


def _is_symbol(value: SSAValue) -> bool:
    return isinstance(value.owner, Operation) and not isinstance(value.owner.parent_op(), Nest)


def _enclosing(op: Operation) -> list[Nest]:
    nests: list[Nest] = []
    place = op.parent_op()
    while isinstance(place, Nest):
        nests.append(place)
        place = place.parent_op()
    return nests


def determines(variable: BlockArgument, other: SSAValue) -> bool:
    """Return whether the value of one loop variable tells the value of another.

    True where the variable's range is [c * R, min(c * R + R, ...)) for the other variable c and a symbol or number R.
    """
    nest = variable.owner.parent_op()
    if not isinstance(nest, Nest):
        return False
    lowers, uppers = (side.data[variable.index].data for side in (nest.lower, nest.upper))
    low = _polynomial(lowers[0], nest.bound_values) if len(lowers) == 1 else None
    if low is None:
        return False
    for upper in uppers:
        high = _polynomial(upper, nest.bound_values)
        step = None if high is None else _sum(high, low, -1)
        if step and all(_is_size(product) for product in step) and low == _product({(other,): 1}, step):
            return True
    return False


def _is_size(product: tuple[SSAValue, ...]) -> bool:
    return all(_is_symbol(value) for value in product)


def _polynomial(expr: IndexExpr, values: Sequence[SSAValue]) -> Polynomial | None:
    match expr:
        case Const(value):
            return {(): value} if value else {}
        case Ref(position):
            return {(values[position],): 1}
        case Binary("+" | "-" | "*" as kind, lhs, rhs):
            a, b = _polynomial(lhs, values), _polynomial(rhs, values)
            if a is None or b is None:
                return None
            return _product(a, b) if kind == "*" else _sum(a, b, 1 if kind == "+" else -1)
        case _:
            return None


def _sum(a: Polynomial, b: Polynomial, scale: int) -> Polynomial:
    terms = dict(a)
    for product, coefficient in b.items():
        terms[product] = terms.get(product, 0) + scale * coefficient
    return {product: c for product, c in terms.items() if c}


def _product(a: Polynomial, b: Polynomial) -> Polynomial:
    terms: Polynomial = {}
    for x, c in a.items():
        for y, d in b.items():
            product = tuple(sorted((*x, *y), key=id))
            terms[product] = terms.get(product, 0) + c * d
    return {product: c for product, c in terms.items() if c}


def _verify_pair(first: WriteOp, second: WriteOp) -> None:
    """Refuse two plain writes to one result unless they differ in an index that is a number."""
    if first.number != second.number:
        return
    pairs = zip(first.indices.data, second.indices.data, strict=True)
    if not any(isinstance(a, Const) and isinstance(b, Const) and a != b for a, b in pairs):
        text = f"two writes may name the same element of result {first.number.data}"
        raise Diagnostic("OPW121", text, second, "let a constant index tell them apart, or promise unique")
