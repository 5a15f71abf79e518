"""What the pass tile decides about running sums, before it changes anything.

A sum of the terms in front of a place, or up to it, is the sum at the place before and one term more:

    %y = spec.compute (%t: 0 to %T, %h: 0 to %H, %k: 0 to %h) -> !spec.tensor<[T, H], f32> {
      %a = spec.read %x[%t, %k] : f32
      spec.write add %a to 0[%t, %h]
    }

That is the order in which the definition adds, so the bits are those of the definition.
"""

from dataclasses import dataclass

from xdsl.ir import Attribute, SSAValue

from ..dialect.index_expr import Const, Ref, refs
from ..dialect.spec import ComputeOp, EachOp, WriteOp
from ..dialect.spec.attrs import compute_type
from .spec_rewrite import nest_writes


@dataclass(frozen=True)
class RunningPlan:
    """How a running sum becomes a stage: cores share the rows, and each row is summed a tile of lanes at a time.

    Attributes:
        compute: the compute.
        label: the stage's name.
        write: its write.
        place: position of the dim that counts places, the contiguous one.
        term: position of the dim that counts terms, whose range grows with the place.
        outer: positions of the other dims.
        inclusive: whether the term at a place belongs to the sum there.
    """

    compute: ComputeOp
    label: str
    write: WriteOp
    place: int
    term: int
    outer: tuple[int, ...]
    inclusive: bool

    @property
    def results(self) -> tuple[SSAValue, ...]:
        """Return the tensor that the stage computes."""
        return tuple(self.compute.results_)

    @property
    def tile_names(self) -> tuple[str, ...]:
        """Return the name of the lane tile."""
        return (f"{self.label}_{self.compute.dims[self.place].name_hint or 'lane'}_tile",)

    @property
    def kind(self) -> Attribute:
        """Return the type that sums are computed in."""
        return compute_type(self.compute.results_[0].type.element_type)

    @staticmethod
    def analyze(compute: ComputeOp, label: str) -> "RunningPlan | None":
        """Return the plan, or None for anything else than a running sum along the contiguous dim of its result."""
        writes = nest_writes(compute)
        if len(writes) != 1 or any(isinstance(op, EachOp) for op in compute.body.block.ops):
            return None
        write = writes[0]
        if write.combine != "add" or write.guard is not None or write.unique is not None:
            return None
        named = _named_dims(compute, write)
        if named is None or len(named) != len(compute.dims) - 1:
            return None
        place = named[-1]
        term = next(n for n in range(len(compute.dims)) if n not in named)
        inclusive = _grows(compute, term, place)
        if inclusive is None or not all(_is_plain(compute, n) for n in named):
            return None
        if any(use.operation is not write for use in compute.dims[place].uses):
            return None
        outer = tuple(n for n in range(len(compute.dims)) if n not in (place, term))
        return RunningPlan(compute, label, write, place, term, outer, inclusive)


def _named_dims(compute: ComputeOp, write: WriteOp) -> list[int] | None:
    """Return the positions of the dims that are the indices of a write; None where an index is anything else."""
    found: list[int] = []
    for expr in write.indices.data:
        value = write.operands_[expr.position] if isinstance(expr, Ref) else None
        position = next((n for n, dim in enumerate(compute.dims) if dim is value), None)
        if position is None or position in found:
            return None
        found.append(position)
    return found or None


def _grows(compute: ComputeOp, term: int, place: int) -> bool | None:
    """Return whether the range of the terms includes the place, or None where it does not grow with it."""
    upper = compute.upper.data[term].data
    if compute.lower.data[term].data != (Const(0),):
        return None
    match upper:
        case (Ref(position),) if position == place:
            return False
        case (expr,) if expr == Ref(place) + 1:
            return True
        case _:
            return None


def _is_plain(compute: ComputeOp, position: int) -> bool:
    upper = compute.upper.data[position].data
    depends = any(n < len(compute.dims) for e in upper for n in refs(e))
    return compute.lower.data[position].data == (Const(0),) and not depends
