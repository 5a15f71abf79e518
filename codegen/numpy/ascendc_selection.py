"""ascendc: vector instructions that select lanes, on slices of flat tensors."""

from ...dialect.ascendc import CompareOp, GatherMaskOp, IndexOp
from . import support
from .ascendc_vector import run_text
from .indices import add_text
from .memory import place
from .writer import Table, Writer


def _index(w: Writer, op: IndexOp) -> None:
    w.line(f"{run_text(w, op, 0)} = {w.text(op.scalars[0])} + np.arange({w.once(op.lanes)})")


def _compare(w: Writer, op: CompareOp) -> None:
    start = w.once(op.starts[0])
    count = f"{w.once(op.lanes)} // 8"
    target = place(w.text(op.tensors[0]), (f"{start}:{add_text(start, count)}",))
    w.line(f"{target} = {w.helper(support.bits_of)}({run_text(w, op, 1)} - {w.text(op.scalars[0])})")


def _gather_mask(w: Writer, op: GatherMaskOp) -> None:
    start = w.once(op.starts[2])
    count = f"-(-{w.once(op.lanes)} // 8)"
    bits = place(w.text(op.tensors[2]), (f"{start}:{add_text(start, count)}",))
    w.line(f"{w.helper(support.compress)}({run_text(w, op, 0)}, {run_text(w, op, 1)}, {bits})")


EMITTERS: Table = {CompareOp: _compare, GatherMaskOp: _gather_mask, IndexOp: _index}
