"""tile, buffer level: cores, on-chip buffers and row copies."""

from xdsl.ir import SSAValue

from ...dialect.ascendc import StageOp
from ...dialect.tile.buffers import AllocOp, Border, LoadRowsOp, StoreRowsOp
from ...dialect.tile.lane_rows import FOLD
from ...dialect.tile.ops import CoresOp
from ...dialect.tile.tiling import FitLanesOp, FitRowsOp, FitsOp
from .indices import add_text, as_exprs, index_text, slice_text
from .memory import element_type, new_array, place
from .writer import Table, Writer


def span(w: Writer, start: SSAValue, count: SSAValue, shift: str = "0") -> str:
    """Return the slice of `count` elements from `start` + `shift`, in its shortest form."""
    texts = (w.once(start), shift, w.once(count))
    first, later, length = as_exprs(texts)
    return slice_text(first + later, first + later + length, texts)


def rows_text(w: Writer, buffer: SSAValue, row: SSAValue, rows: SSAValue, width: str) -> str:
    """Return rows of a buffer: `g[row:row + rows, :width]`, or `g[row, :width]` where `rows` is 1."""
    return place(w.text(buffer), (w.once(row) if w.once(rows) == "1" else span(w, row, rows), f":{width}"))


def emit_cores(w: Writer, op: CoresOp | StageOp) -> None:
    """Write the loop over the cores of a stage; there are none where its condition is 0."""
    count = w.argument(op.cores)
    cores = f"range({count})" if op.condition is None else f"range({count} if {w.argument(op.condition)} else 0)"
    with w.loop(op.body.block.args[0], f"reversed({cores})" if w.options.reverse_cores else cores):
        w.emit_block(op.body.block)


def _cores(w: Writer, op: CoresOp) -> None:
    w.line(f"# {op.label.data}")
    emit_cores(w, op)


def _alloc(w: Writer, op: AllocOp) -> None:
    names = w.texts(op.operands_)
    sizes = [index_text(expr, names) for expr in op.sizes.data]
    w.assign_name(op.result, new_array(w, op, sizes, element_type(op.result)))


def _fit_rows(w: Writer, op: FitRowsOp) -> None:
    w.assign(op.result, f"max(1, min({w.argument(op.cap)}, {w.options.fit_rows}))")


def _fit_lanes(w: Writer, op: FitLanesOp) -> None:
    w.assign(op.result, f"max(1, min(-({w.argument(op.cap)}) // -{FOLD}, {w.options.fit_rows})) * {FOLD}")


def _fits(w: Writer, op: FitsOp) -> None:
    w.assign(op.result, str(int(w.options.fit_rows > 1)))


def _global_rows(w: Writer, op: LoadRowsOp | StoreRowsOp, memref: SSAValue, shift: str = "0") -> str:
    """Return the rows in global memory; a single row, which starts `shift` elements later, has one dim."""
    along, last = op.along.data, len(op.start) - 1
    indices = w.texts(op.start)
    indices[last] = span(w, op.start[last], op.width, shift)
    if along != last and w.once(op.rows) != "1":
        indices[along] = span(w, op.start[along], op.rows)
    return place(w.text(memref), indices)


def _copy(w: Writer, op: LoadRowsOp | StoreRowsOp, buffer: SSAValue, memref: SSAValue) -> None:
    """Write a copy; rows along the last dim overlap, so they are copied one by one."""
    w.texts(op.operands)
    if isinstance(op, LoadRowsOp) and op.border is not None:
        _copy_within(w, op, op.border)
        return
    if op.along.data == len(op.start) - 1 and w.once(op.rows) != "1":
        with w.counting("r", w.once(op.rows)) as r:
            row = add_text(w.once(op.row), r)
            _assign(w, op, place(w.text(buffer), (row, f":{w.once(op.width)}")), _global_rows(w, op, memref, r))
        return
    _assign(w, op, rows_text(w, buffer, op.row, op.rows, w.once(op.width)), _global_rows(w, op, memref))


def _copy_within(w: Writer, op: LoadRowsOp, border: Border) -> None:
    """Write a copy whose rows get lanes of one value in front and behind."""
    left, right, beyond = border
    first, count = w.once(left), w.once(op.width)
    last = add_text(first, count)
    parts = [(f":{first}", w.text(beyond)), (f"{last}:{add_text(last, w.once(right))}", w.text(beyond))]
    for lanes, value in [*parts, (f"{first}:{last}", _global_rows(w, op, op.source))]:
        rows = w.once(op.row) if w.once(op.rows) == "1" else span(w, op.row, op.rows)
        w.line(f"{place(w.text(op.target), (rows, lanes))} = {value}")


def _assign(w: Writer, op: LoadRowsOp | StoreRowsOp, buffer: str, memref: str) -> None:
    w.line(f"{buffer} = {memref}" if isinstance(op, LoadRowsOp) else f"{memref} = {buffer}")


EMITTERS: Table = {
    CoresOp: _cores,
    AllocOp: _alloc,
    FitLanesOp: _fit_lanes,
    FitRowsOp: _fit_rows,
    FitsOp: _fits,
    LoadRowsOp: lambda w, op: _copy(w, op, op.target, op.source),
    StoreRowsOp: lambda w, op: _copy(w, op, op.source, op.target),
}
