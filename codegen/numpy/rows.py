"""tile, buffer level: cores, on-chip buffers, row copies and row instructions.

Rows are two-dimensional slices of a buffer, `g[row : row + rows, :width]`; a source with step 0 is one row,
`w[row, :width]`, which NumPy repeats.
"""

from collections.abc import Callable, Sequence

from xdsl.dialects.builtin import IndexType, IntegerType
from xdsl.ir import SSAValue

from ...dialect.index_expr import Const, IndexExpr, Ref
from ...dialect.tile.buffers import AllocOp, LoadRowsOp, StoreRowsOp
from ...dialect.tile.ops import CoresOp
from ...dialect.tile.rows import AccumulateOp, BinaryOp, CastOp, FillOp, RowsOp, ScalarOp, UnaryOp
from ...dialect.tile.tiling import FitRowsOp
from . import support
from .indices import index_text, slice_text
from .memory import element_type, new_array, place
from .writer import Table, Writer


def _cores(w: Writer, op: CoresOp) -> None:
    cores = f"range({w.text(op.cores)})"
    w.line(f"# {op.label.data}")
    with w.loop(op.body.block.args[0], f"reversed({cores})" if w.options.reverse_cores else cores):
        w.emit_block(op.body.block)


def _alloc(w: Writer, op: AllocOp) -> None:
    names = w.texts(op.operands_)
    sizes = [index_text(expr, names) for expr in op.sizes.data]
    w.assign(op.result, new_array(w, op, sizes, element_type(op.result)))


def _fit_rows(w: Writer, op: FitRowsOp) -> None:
    w.assign(op.result, f"max(1, min({w.text(op.cap)}, {w.options.fit_rows}))")


class Spans:
    """Sums of values as index expressions, in which literals fold."""

    def __init__(self, w: Writer) -> None:
        self._w = w
        self.names: list[str] = []

    def expr(self, value: SSAValue) -> IndexExpr:
        """Return a value as an expression."""
        text = self._w.text(value)
        if text.lstrip("-").isdigit():
            return Const(int(text))
        self.names.append(text)
        return Ref(len(self.names) - 1)

    def span(self, start: SSAValue, count: SSAValue) -> str:
        """Return the slice of `count` elements from `start`."""
        first = self.expr(start)
        return slice_text(first, first + self.expr(count), self.names)


def span(w: Writer, start: SSAValue, count: SSAValue) -> str:
    """Return the slice of `count` elements from `start`, `:count` where start is 0."""
    return Spans(w).span(start, count)


def rows_of(w: Writer, buffer: SSAValue, row: SSAValue, rows: SSAValue, width: SSAValue) -> str:
    """Return rows of a buffer, `g[row:row + rows, :width]`."""
    return place(w.text(buffer), (span(w, row, rows), f":{w.text(width)}"))


def _source(w: Writer, op: RowsOp, number: int) -> str:
    buffer, row, step = op.source_list[number]
    if step == 0:
        return place(w.text(buffer), (w.text(row), f":{w.text(op.width)}"))
    return rows_of(w, buffer, row, op.rows, op.width)


def _target(w: Writer, op: RowsOp) -> str:
    return rows_of(w, op.target, op.row, op.rows, op.width)


def _global_rows(w: Writer, memref: SSAValue, start: Sequence[SSAValue], op: LoadRowsOp | StoreRowsOp) -> str:
    """Return the rows in global memory: two dims, or one where the rows are one."""
    along, last = op.along.data, len(start) - 1
    indices = w.texts(start)
    indices[last] = span(w, start[last], op.width)
    if along != last:
        indices[along] = span(w, start[along], op.rows)
    return place(w.text(memref), indices)


def _overlapping_rows(w: Writer, op: LoadRowsOp | StoreRowsOp, memref: SSAValue, start: Sequence[SSAValue]) -> str:
    """Return row r in global memory, where row r starts r elements after the first row."""
    names = [*w.texts(start), "r", w.text(op.width)]
    first = Ref(len(start) - 1) + Ref(len(start))
    return place(w.text(memref), [*names[: len(start) - 1], slice_text(first, first + Ref(len(start) + 1), names)])


def _load_rows(w: Writer, op: LoadRowsOp) -> None:
    if op.along.data == len(op.start) - 1 and w.text(op.rows) != "1":
        with w.block(f"for r in range({w.text(op.rows)})"):
            target = place(w.text(op.target), (f"{w.text(op.row)} + r", f":{w.text(op.width)}"))
            w.line(f"{target} = {_overlapping_rows(w, op, op.source, op.start)}")
        return
    target = rows_of(w, op.target, op.row, op.rows, op.width)
    w.line(f"{target} = {_global_rows(w, op.source, op.start, op)}")


def _store_rows(w: Writer, op: StoreRowsOp) -> None:
    if op.along.data == len(op.start) - 1 and w.text(op.rows) != "1":
        with w.block(f"for r in range({w.text(op.rows)})"):
            source = place(w.text(op.source), (f"{w.text(op.row)} + r", f":{w.text(op.width)}"))
            w.line(f"{_overlapping_rows(w, op, op.target, op.start)} = {source}")
        return
    source = rows_of(w, op.source, op.row, op.rows, op.width)
    if op.along.data == len(op.start) - 1:
        source = place(w.text(op.source), (w.text(op.row), f":{w.text(op.width)}"))
    w.line(f"{_global_rows(w, op.target, op.start, op)} = {source}")


def _fill(w: Writer, op: FillOp) -> None:
    w.line(f"{_target(w, op)} = {w.text(op.scalars[0])}")


def _cast(w: Writer, op: CastOp) -> None:
    w.line(f"{_target(w, op)} = {_source(w, op, 0)}")
