"""Tables of places: small integer tensors that only say where other elements lie, computed in order by one core."""

from collections.abc import Sequence
from dataclasses import dataclass

from xdsl.dialects.builtin import IndexType
from xdsl.ir import Operation, SSAValue

from ..dialect.diagnostics import Diagnostic
from ..dialect.spec import ComputeOp, EachOp, ReadOp, ScanOp, SearchOp, TensorType
from ..dialect.spec.attrs import is_integer
from .spec_rewrite import nest_writes

Serial = ComputeOp | ScanOp


@dataclass(frozen=True)
class SerialPlan:
    """A stage of one core: plain computes and prefix sums of integers, in order.

    Attributes:
        ops: the computes and scans.
        label: the stage's name.
    """

    ops: tuple[Serial, ...]
    label: str

    @property
    def results(self) -> tuple[SSAValue, ...]:
        """Return the tensors that the stage computes."""
        return tuple(result for op in self.ops for result in op.results)

    @property
    def tile_names(self) -> tuple[str, ...]:
        """Return no name: nothing is tiled."""
        return ()

    @staticmethod
    def analyze(ops: Sequence[Serial], label: str) -> "SerialPlan":
        """Return the plan.

        Raises:
            Diagnostic: OPW330 for a scan along one dim of several.
        """
        for op in ops:
            if isinstance(op, ScanOp) and op.result.type.rank != 1:
                raise Diagnostic("OPW330", "a prefix sum of several dims cannot be tiled yet", op)
        return SerialPlan(tuple(ops), label)


def is_serial(op: Operation) -> bool:
    """Return whether an operation computes tables of places: integers of rank 1 that other places are read from."""
    if isinstance(op, ScanOp):
        return True
    if not isinstance(op, ComputeOp) or any(isinstance(inner, EachOp) for inner in op.body.block.ops):
        return False
    plain = all(not write.combine for write in nest_writes(op))
    return plain and all(_is_table(result) for result in op.results_)


def _is_table(result: SSAValue) -> bool:
    kind = result.type
    if not isinstance(kind, TensorType) or kind.rank != 1 or not is_integer(kind.element_type):
        return False
    users = [use.operation for use in result.uses]
    return bool(users) and all(_places(user) for user in users)


def _places(user: Operation) -> bool:
    return isinstance(user, ScanOp | SearchOp) or (isinstance(user, ReadOp) and isinstance(user.result.type, IndexType))
