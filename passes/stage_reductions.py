"""The results of a compute that a stage sums in accumulators."""

from collections.abc import Sequence
from dataclasses import dataclass

from xdsl.ir import Attribute, BlockArgument, SSAValue

from ..dialect.diagnostics import Diagnostic
from ..dialect.index_expr import Const
from ..dialect.index_map import IndexMapAttr
from ..dialect.spec import ComputeOp, WriteOp
from ..dialect.spec.attrs import compute_type
from .reduction_plan import reduced_dims
from .spec_rewrite import nest_writes


@dataclass(frozen=True)
class Reduction:
    """One result that is summed over the stream dim.

    Attributes:
        number: the result's number.
        places: the distinct index lists of its writes, without the lanes; each is a row of the accumulator.
        combiner: add, max or min.
        element_type: type in which it is combined.
        write: its first write.
    """

    number: int
    places: tuple[tuple[IndexMapAttr, tuple[SSAValue, ...]], ...]
    combiner: str
    element_type: Attribute
    write: WriteOp

    def row(self, write: WriteOp) -> int:
        """Return the accumulator row of one write."""
        return self.places.index(place_of(write))


def place_of(write: WriteOp) -> tuple[IndexMapAttr, tuple[SSAValue, ...]]:
    """Return the indices of a write without the lane."""
    return IndexMapAttr(write.indices.data[:-1]), tuple(write.operands_)


def reductions_of(compute: ComputeOp) -> list[Reduction]:
    """Return the results that the compute combines over dims; raise where a place moves with those."""
    found: list[Reduction] = []
    for number, result in enumerate(compute.results_):
        writes = [w for w in nest_writes(compute) if w.number.data == number and w.combine]
        for write in writes:
            _check_place(compute, write)
        if writes:
            places = tuple(dict.fromkeys(place_of(w) for w in writes))
            kind = compute_type(result.type.element_type)
            found.append(Reduction(number, places, writes[0].combine, kind, writes[0]))
    return found


def _check_place(compute: ComputeOp, write: WriteOp) -> None:
    """Refuse to combine at places that change from point to point of what is combined over."""
    computed = any(not isinstance(v, BlockArgument) and v.owner.parent is compute.body.block for v in write.operands_)
    if computed or not reduced_dims(compute, write.number.data):
        text = f"'{write.combine}' at a place that moves with every loop variable cannot be tiled yet"
        raise Diagnostic(
            "OPW327", text, write, "let the place name some loop variables only, and combine over the others"
        )


def consecutive_rows(places: Sequence[tuple[IndexMapAttr, tuple[SSAValue, ...]]]) -> tuple[int, int] | None:
    """Return (index position, first number) if the places differ in one index only, which counts up by 1."""
    first_map, first_operands = places[0]
    if len(places) == 1 or any(len(m.data) != len(first_map.data) for m, _ in places):
        return None
    varying = [n for n in range(len(first_map.data)) if len({m.data[n] for m, _ in places}) > 1]
    if len(varying) != 1:
        return None
    numbers = [m.data[varying[0]] for m, _ in places]
    values = [n.value for n in numbers if isinstance(n, Const)]
    counts = len(values) == len(places) and values == list(range(values[0], values[0] + len(values)))
    same = all(set(operands) == set(first_operands) for _, operands in places)
    return (varying[0], values[0]) if counts and same else None
