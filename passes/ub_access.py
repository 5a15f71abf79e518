"""Which on-chip rows each operation reads and writes, and in which pipe."""

from collections.abc import Iterator
from dataclasses import dataclass

from xdsl.dialects import memref
from xdsl.dialects.builtin import MemRefType, StringAttr
from xdsl.ir import Attribute, Operation, SSAValue
from xdsl.utils.hints import isa

from ..dialect.tile.buffers import LoadRowsOp, StoreRowsOp
from ..dialect.tile.lane_rows import FoldOp, SplatOp, TreeOp
from ..dialect.tile.rows import AccumulateOp, RowsOp


@dataclass(frozen=True)
class Access:
    """One use of an on-chip tensor.

    Attributes:
        op: the operation.
        tensor: the tensor.
        pipe: MTE2 (copies in), MTE3 (copies out), V (vector) or S (scalar).
        writes: whether it changes the tensor.
        row: the first row used.
        rows: the number of rows; None for a single one.
        more: whether rows behind those may be used, too.
    """

    op: Operation
    tensor: SSAValue
    pipe: str
    writes: bool
    row: SSAValue
    rows: SSAValue | None = None
    more: bool = False


def is_on_chip(value: SSAValue) -> bool:
    """Return whether a value is an on-chip tensor."""
    return isa(value.type, MemRefType[Attribute]) and value.type.memory_space == StringAttr("ub")


def accesses(op: Operation) -> Iterator[Access]:
    """Yield what an operation itself, without its regions, does to on-chip tensors; reads come first."""
    match op:
        case LoadRowsOp():
            yield Access(op, op.target, "MTE2", True, op.row, op.rows)
        case StoreRowsOp():
            yield Access(op, op.source, "MTE3", False, op.row, op.rows)
        case RowsOp():
            yield from _row_accesses(op)
        case memref.LoadOp() if is_on_chip(op.memref):
            yield Access(op, op.memref, "S", False, op.indices[0])
        case memref.StoreOp() if is_on_chip(op.memref):
            yield Access(op, op.memref, "S", True, op.indices[0])
        case _:
            pass


def _row_accesses(op: RowsOp) -> Iterator[Access]:
    """Yield what a row instruction does; a splat works on whole groups of rows, so it may write more than it says."""
    for tensor, row, step in op.source_list:
        yield Access(op, tensor, "V", False, row, op.rows if step and not isinstance(op, SplatOp) else None)
    rows = None if isinstance(op, AccumulateOp | TreeOp) else op.rows
    if isinstance(op, AccumulateOp | FoldOp):
        yield Access(op, op.target, "V", False, op.row, rows)
    yield Access(op, op.target, "V", True, op.row, rows, more=isinstance(op, SplatOp))


def all_accesses(op: Operation) -> Iterator[Access]:
    """Yield what an operation and all operations in its regions do, in order."""
    for inner in op.walk():
        yield from accesses(inner)
