"""Scattered results: writes at places that follow from data, each meant to be named once.

What the caller's data name twice belongs to the last point in the order of the nest; what they do not name is 0. A
stage of its own finds the owner of each place first, so that no two cores write one place, and no place is written
twice. The owner of a place is the number of the point that writes it, or -1.
"""

from dataclasses import dataclass

from xdsl.dialects.builtin import IntegerType, i32
from xdsl.ir import SSAValue

from ..dialect.diagnostics import Diagnostic
from ..dialect.index_expr import Const, IndexExpr, Ref, refs
from ..dialect.index_map import pack
from ..dialect.spec import ComputeOp, DimOp, EachOp, WriteOp
from .distinct_places import are_distinct
from .ragged_sums import is_inner
from .spec_rewrite import nest_writes, tensor_dims


@dataclass(frozen=True)
class Workspace:
    """A tensor that stages share, by name: dims and element type."""

    name: str
    dims: tuple[str | int, ...]
    element_type: IntegerType


@dataclass(frozen=True)
class Scatter:
    """One write at a computed place.

    Attributes:
        compute: the compute.
        write: the write.
        computed: positions of the indices that follow from data.
        places: the workspace with the owner of each place: the computed indices flattened.
        distinct: no two points name one place, whatever the data.
    """

    compute: ComputeOp
    write: WriteOp
    computed: tuple[int, ...]
    places: Workspace
    distinct: bool

    @property
    def result(self) -> SSAValue:
        """Return the scattered tensor."""
        return self.compute.results_[self.write.number.data]

    @property
    def is_point(self) -> bool:
        """Return whether a point writes a single element, combined over its lanes."""
        return bool(self.write.combine)

    @property
    def has_owners(self) -> bool:
        """Return whether a stage finds the owners of places: for who writes one, or for which rows nobody writes."""
        return not (self.is_point and self.distinct)


def scatters_of(compute: ComputeOp, lane: int, label: str) -> tuple[Scatter, ...]:
    """Return the scattered results of a compute, whose points are numbered by all dims but the lane.

    Raises:
        Diagnostic: OPW325 for a scattered write in an inner nest, or several into one result.
    """
    found: list[Scatter] = []
    for number, result in enumerate(compute.results_):
        writes = [w for w in nest_writes(compute) if w.number.data == number]
        scattered = [w for w in writes if w.unique is not None and _computed(compute, w)]
        if not scattered:
            continue
        write = scattered[0]
        if len(writes) > 1 or isinstance(write.parent_op(), EachOp):
            text = "a tensor with computed places must be written once, outside of inner nests"
            raise Diagnostic("OPW325", text, write)
        name = f"{result.name_hint or label}_owner"
        computed = _computed(compute, write)
        dims = [tensor_dims(write)[n] for n in computed]
        places = Workspace(name, (dims[0] if len(dims) == 1 else f"{name}s",), i32)
        points = [dim for n, dim in enumerate(compute.dims) if n != lane]
        found.append(Scatter(compute, write, computed, places, are_distinct(write, points)))
    return tuple(found)


def _computed(compute: ComputeOp, write: WriteOp) -> tuple[int, ...]:
    return tuple(
        n for n, e in enumerate(write.indices.data) if any(is_inner(compute, write.operands_[p]) for p in refs(e))
    )


def declare_places(scatter: Scatter) -> None:
    """Add a dim for the number of places where those are flattened from several indices."""
    dims = [tensor_dims(scatter.write)[n] for n in scatter.computed]
    if len(dims) == 1:
        return
    compute = scatter.compute
    block = compute.parent_block()
    assert block is not None
    known = {op.label.data: op.result for op in block.ops if isinstance(op, DimOp)}
    operands = [known[d] for d in dims if isinstance(d, str)]
    product: IndexExpr = Const(1)
    for dim in dims:
        product = product * (Const(dim) if isinstance(dim, int) else Ref(operands.index(known[dim])))
    label = scatter.places.dims[0]
    assert isinstance(label, str)
    op = DimOp(label, *pack([product], operands))
    op.location = compute.location
    op.result.name_hint = label
    block.insert_op_before(op, compute)


@dataclass(frozen=True)
class OwnerPlan:
    """The stage that finds the owner of each place.

    Attributes:
        scatter: the write.
        dims: positions of the compute's dims that number its points, outermost first.
        label: the stage's name.
    """

    scatter: Scatter
    dims: tuple[int, ...]
    label: str

    @property
    def results(self) -> tuple[SSAValue, ...]:
        """Return no tensor of the spec."""
        return ()

    @property
    def tile_names(self) -> tuple[str, ...]:
        """Return the name of the number of places that a core finds the owners of at once."""
        return (f"{self.label}_tile",)


@dataclass(frozen=True)
class ZeroPlan:
    """A stage that writes 0 to rows of a scattered tensor: to all, or to those without an owner.

    Attributes:
        scatter: the write.
        label: the stage's name.
    """

    scatter: Scatter
    label: str

    @property
    def results(self) -> tuple[SSAValue, ...]:
        """Return no tensor of the spec: the scatter's stage defines it."""
        return ()

    @property
    def tile_names(self) -> tuple[str, ...]:
        """Return the name of the lane tile."""
        return (f"{self.label}_tile",)
