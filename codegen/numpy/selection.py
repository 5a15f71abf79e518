"""tile: row instructions that select lanes, and the places of true elements."""

from ...dialect.tile.positions import PositionsOp
from ...dialect.tile.selection import CompressOp, IotaOp, NonzeroOp
from . import support
from .memory import place
from .row_instructions import source_text, write_rows
from .rows import rows_text, span
from .writer import Table, Writer


def _iota(w: Writer, op: IotaOp) -> None:
    write_rows(w, op, f"np.arange({w.once(op.width)})")


def _nonzero(w: Writer, op: NonzeroOp) -> None:
    w.texts(op.operands)
    target = rows_text(w, op.target, op.row, op.rows, f"{w.once(op.width)} // 8")
    w.line(f"{target} = {w.helper(support.bits_of)}({source_text(w, op, 0)})")


def _compress(w: Writer, op: CompressOp) -> None:
    w.texts(op.operands)
    width = w.once(op.width)
    bits = source_text(w, op, 1, f"-(-{width} // 8)")
    target = rows_text(w, op.target, op.row, op.rows, width)
    w.line(f"{w.helper(support.compress)}({target}, {source_text(w, op, 0)}, {bits})")


def _positions(w: Writer, op: PositionsOp) -> None:
    w.texts(op.operands)
    indices = w.texts(op.start)
    if indices:
        indices[-1] = span(w, op.start[-1], op.rows)
    mask, target = (
        place(w.text(array), (*indices, f":{w.once(size)}"))
        for array, size in ((op.source, op.width), (op.target, op.count))
    )
    w.line(f"{w.helper(support.list_places)}({target}, {mask})")


EMITTERS: Table = {CompressOp: _compress, IotaOp: _iota, NonzeroOp: _nonzero, PositionsOp: _positions}
