"""The arguments of the kernel and of its tiling function, from the operator."""

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass

from xdsl.dialects.builtin import DYNAMIC_INDEX, IndexType, MemRefType
from xdsl.ir import Attribute, Operation, SSAValue

from ..dialect.diagnostics import Diagnostic
from ..dialect.spec import AttrOp, DimOp, InputOp, OperatorOp, OutputOp, TensorType
from ..dialect.tile.kernel import CORES, DIM, INPUT, OUTPUT, TILING, WORKSPACE
from .naming import unique
from .plans import Plan
from .scatter_plan import OwnerPlan, Workspace


@dataclass(frozen=True)
class Argument:
    """One argument of the kernel: its name, role, type, the extents of a memref, and the spec value it stands for."""

    name: str
    role: str
    type: Attribute
    dims: tuple[str | int, ...] | None = None
    value: SSAValue | None = None


@dataclass(frozen=True)
class KernelSignature:
    """The arguments in order; see dialect/tile/kernel.py."""

    arguments: tuple[Argument, ...]

    @staticmethod
    def of(operator: OperatorOp, plans: Sequence[Plan]) -> "KernelSignature":
        """Collect tensors, free dims, computed dims and tile sizes."""
        ops = list(operator.body.block.ops)
        inputs = [_tensor(op.label.data, INPUT, op.result) for op in ops if isinstance(op, InputOp)]
        outputs = [_tensor(op.label.data, OUTPUT, op.tensor) for op in ops if isinstance(op, OutputOp)]
        written = {a.value for a in outputs}
        spaces = [r for r in dict.fromkeys(r for p in plans for r in p.results) if r not in written]
        numbers = (*_sizes(ops), *_tiles(plans), _index("cores", CORES))
        taken = {a.name for a in (*inputs, *outputs, *numbers)}
        owners = [_owner(plan.scatter.places) for plan in plans if isinstance(plan, OwnerPlan)]
        taken |= {a.name for a in owners}
        return KernelSignature((*inputs, *outputs, *_workspaces(spaces, taken), *owners, *numbers))

    def role(self, *roles: str) -> list[Argument]:
        """Return the arguments of some roles, in order."""
        return [a for a in self.arguments if a.role in roles]


def _workspaces(results: Iterable[SSAValue], taken: Collection[str]) -> list[Argument]:
    """Describe results that stay in the kernel, under names that nothing else has."""
    found: list[Argument] = []
    for result in results:
        name = unique(result.name_hint or "workspace", {*taken, *(a.name for a in found)})
        found.append(_tensor(name, WORKSPACE, result))
    return found


def _owner(places: Workspace) -> Argument:
    shape = [DYNAMIC_INDEX if isinstance(d, str) else d for d in places.dims]
    return Argument(places.name, WORKSPACE, MemRefType(places.element_type, shape), places.dims)


def _tensor(name: str, role: str, value: SSAValue) -> Argument:
    tensor_type = value.type
    assert isinstance(tensor_type, TensorType)
    shape = [DYNAMIC_INDEX if isinstance(d, str) else d for d in tensor_type.dims]
    return Argument(name, role, MemRefType(tensor_type.element_type, shape), tensor_type.dims, value)


def _index(name: str, role: str, value: SSAValue | None = None) -> Argument:
    return Argument(name, role, IndexType(), None, value)


def _sizes(ops: Iterable[Operation]) -> list[Argument]:
    free: list[Argument] = []
    computed: list[Argument] = []
    for op in ops:
        if isinstance(op, AttrOp):
            if isinstance(op.result.type, IndexType):
                free.append(_index(op.label.data, DIM, op.result))
            elif op.result.uses:
                raise Diagnostic("OPW336", f"attribute '{op.label.data}': only index attributes reach a kernel yet", op)
        elif isinstance(op, DimOp):
            role = DIM if op.definition is None else TILING
            (free if role == DIM else computed).append(_index(op.label.data, role, op.result))
    return [*free, *computed]


def _tiles(plans: Sequence[Plan]) -> list[Argument]:
    return [_index(name, TILING) for plan in plans for name in plan.tile_names]
