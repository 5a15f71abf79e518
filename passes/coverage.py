"""Whether the writes of a compute certainly name every element of a result.

An element that no write names holds 0 or the identity of the combiner. Loops write what their points name and nothing
else, so the passes below the spec take results only whose elements are all named.
"""

from collections.abc import Sequence
from itertools import product
from math import prod
from typing import Literal

from xdsl.dialects.arith import ConstantOp
from xdsl.dialects.builtin import IntegerAttr
from xdsl.ir import BlockArgument, SSAValue

from ..dialect.diagnostics import Diagnostic
from ..dialect.index_expr import Const, IndexExpr, Ref
from ..dialect.index_map import IndexMapAttr, pack
from ..dialect.spec import ComputeOp, DimOp, IndexOp, WriteOp
from .ragged_sums import is_ragged
from .spec_rewrite import nest_writes
from .spec_scope import IndexValue, resolve

Place = tuple[int | Literal["all"], ...]
"""The elements a write names: for each dim of the result a number, or all."""


def verify_covered(compute: ComputeOp) -> None:
    """Raise where an element of a result may stay unwritten."""
    for number in range(len(compute.results_)):
        if not covers(compute, number):
            at = next((w for w in nest_writes(compute) if w.number.data == number), compute)
            text = f"elements of result {number} may stay unwritten, to hold 0; loops cannot leave them out yet"
            raise Diagnostic("OPW325", text, at, "let every element be written, with a select where a guard stood")


def covers(compute: ComputeOp, number: int) -> bool:
    """Return whether the writes certainly name every element of a result."""
    dims = compute.results_[number].type.dims
    found = (_place(w, dims) for w in nest_writes(compute) if w.number.data == number)
    places = {place for place in found if place is not None}
    choices = [_choices(places, position, dim) for position, dim in enumerate(dims)]
    if not places or prod(len(c) for c in choices) > len(places):
        return False
    return all(any(_holds(place, wanted) for place in places) for wanted in product(*choices))


def _choices(places: set[Place], position: int, dim: str | int) -> Sequence[int | Literal["all"]]:
    numbered = any(place[position] != "all" for place in places)
    return range(dim) if numbered and isinstance(dim, int) else ("all",)


def _holds(place: Place, wanted: Sequence[int | Literal["all"]]) -> bool:
    return all(here in ("all", element) for here, element in zip(place, wanted, strict=True))


def _place(write: WriteOp, dims: Sequence[str | int]) -> Place | None:
    """Return what a write certainly names, or None where that is not known.

    A sum defines all elements along an index that is computed, or that not all points reach: those hold the identity.
    What a scattered write does not name is written, too.
    """
    scattered = write.unique is not None and is_ragged(write.compute)
    if (
        not write.combine
        and not scattered
        and (write.guard is not None or not isinstance(write.parent_op(), ComputeOp))
    ):
        return None
    place: list[int | Literal["all"]] = []
    variables: set[SSAValue] = set()
    computed = 0
    for expr, dim in zip(write.indices.data, dims, strict=True):
        match expr:
            case Const(value):
                place.append(value)
            case Ref(position) if runs_over(write.operands_[position], dim):
                variables.add(write.operands_[position])
                place.append("all")
            case _ if scattered or (write.combine and is_ragged(write.compute)):
                place.append("all")
                computed += 1
            case _:
                return None
    return tuple(place) if len(variables) + computed == place.count("all") else None


def runs_over(variable: SSAValue, dim: str | int) -> bool:
    """Return whether a value is a loop variable of a compute that takes each index of a dim once."""
    nest = variable.owner.parent_op() if isinstance(variable, BlockArgument) else None
    if not isinstance(nest, ComputeOp) or not isinstance(variable, BlockArgument):
        return False
    lower, upper = nest.lower.data[variable.index].data, nest.upper.data[variable.index].data
    if lower != (Const(0),) or len(upper) != 1:
        return False
    return _form(*_expanded(upper[0], nest.bound_values)) == _form(*_dim(nest, dim))


def _form(expr: IndexExpr, operands: Sequence[SSAValue]) -> tuple[IndexMapAttr, tuple[SSAValue, ...]]:
    index_map, values = pack([expr], operands)
    return index_map, tuple(values)


def _dim(nest: ComputeOp, dim: str | int) -> tuple[IndexExpr, Sequence[SSAValue]]:
    if isinstance(dim, int):
        return Const(dim), ()
    block = nest.parent_block()
    assert block is not None
    owner = next(op for op in block.ops if isinstance(op, DimOp) and op.label.data == dim)
    return _expanded(Ref(0), [owner.result])


def _expanded(expr: IndexExpr, operands: Sequence[SSAValue]) -> tuple[IndexExpr, Sequence[SSAValue]]:
    """Replace defined dims and other symbols by their definitions."""
    exprs, values = resolve([expr], [_symbol(value) for value in operands])
    return exprs[0], values


def _symbol(value: SSAValue) -> IndexValue:
    match value.owner:
        case ConstantOp(value=IntegerAttr(value=number)):
            return IndexValue.of(number.data)
        case (
            DimOp(definition=IndexMapAttr() as indices, operands_=operands)
            | IndexOp(indices=indices, operands_=operands)
        ):
            expr, values = _expanded(indices.data[0], operands)
            return IndexValue(expr, tuple(values))
        case _:
            return IndexValue.of(value)
