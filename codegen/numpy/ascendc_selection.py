"""ascendc: vector instructions that select lanes or choose between them, on slices of flat tensors."""

from ...dialect.ascendc import CompareOp, GatherMaskOp, IndexOp, SelectOp
from . import support
from .ascendc_vector import run_text
from .indices import add_text
from .memory import place
from .row_instructions import choice_text
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


def _select(w: Writer, op: SelectOp) -> None:
    target, *sources = [run_text(w, op, number) for number in range(op.SOURCES + 1)]
    w.line(f"{target} = {choice_text(op.api.data.lower(), sources)}")


EMITTERS: Table = {CompareOp: _compare, GatherMaskOp: _gather_mask, IndexOp: _index, SelectOp: _select}
