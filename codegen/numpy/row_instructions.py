"""tile: row instructions, on two-dimensional slices of buffers.

A source with step 0 is one row, `w[row, :width]`, which NumPy repeats for every row of the target.
"""

from collections.abc import Callable, Sequence

from xdsl.dialects.builtin import AnyFloat

from ...dialect.tile.choices import CHOICES, SelectOp
from ...dialect.tile.rows import AccumulateOp, BinaryOp, CastOp, FillOp, RowsOp, ScalarOp, UnaryOp
from . import support
from .indices import add_text
from .memory import element_type, place
from .rows import rows_text
from .writer import Table, Writer


def source_text(w: Writer, op: RowsOp, number: int, width: str = "") -> str:
    """Return the rows of a source, or its one row where the step is 0; `width` stands for another one."""
    buffer, row, step = op.source_list[number]
    width = width or w.once(op.width)
    if step == 0:
        return place(w.text(buffer), (w.once(row), f":{width}"))
    return rows_text(w, buffer, row, op.rows, width)


def write_rows(w: Writer, op: RowsOp, value: str) -> None:
    """Write a value into the rows of the target."""
    w.line(f"{rows_text(w, op.target, op.row, op.rows, w.once(op.width))} = {value}")


INFIX = {"add": "+", "sub": "-", "mul": "*", "div": "/"}
EXTREMES = {"max": support.maximum, "min": support.minimum}


def combine_text(w: Writer, kind: str, a: str, b: str, *, floats: bool) -> str:
    """Return the expression that combines two values: add, sub, mul, div, max or min."""
    if kind in INFIX:
        return f"{a} {INFIX[kind]} {b}"
    function = w.helper(EXTREMES[kind]) if floats else f"np.{kind}imum"
    return f"{function}({a}, {b})"


def choice_text(kind: str, sources: Sequence[str]) -> str:
    """Return the expression that chooses one of two values by how two others compare."""
    a, b, chosen, other = sources
    return f"np.where({a} {CHOICES[kind]} {b}, {chosen}, {other})"


def _on_floats(op: RowsOp) -> bool:
    return isinstance(element_type(op.target), AnyFloat)


def _fill(w: Writer, op: FillOp) -> None:
    write_rows(w, op, w.once(op.scalars[0]))


def _cast(w: Writer, op: CastOp) -> None:
    write_rows(w, op, source_text(w, op, 0))


def _binary(w: Writer, op: BinaryOp) -> None:
    a, b = source_text(w, op, 0), source_text(w, op, 1)
    write_rows(w, op, combine_text(w, op.kind.data, a, b, floats=_on_floats(op)))


def _scalar(w: Writer, op: ScalarOp) -> None:
    a, b = source_text(w, op, 0), w.once(op.scalars[0])
    write_rows(w, op, combine_text(w, op.kind.data, a, b, floats=_on_floats(op)))


def _select(w: Writer, op: SelectOp) -> None:
    write_rows(w, op, choice_text(op.kind.data, [source_text(w, op, number) for number in range(op.SOURCES)]))


def _relu(w: Writer, op: UnaryOp, a: str) -> str:
    if not _on_floats(op):
        return f"np.maximum({a}, 0)"
    return f"{w.helper(support.maximum)}({a}, {w.dtype(element_type(op.target), op)}(0))"


def _called(name: str) -> Callable[[Writer, UnaryOp, str], str]:
    return lambda w, op, a: f"{name}({a})"


UNARY: dict[str, Callable[[Writer, UnaryOp, str], str]] = {
    "exp": lambda w, op, a: f"{w.helper(support.in_double)}(np.exp, {a})",
    "log": lambda w, op, a: f"{w.helper(support.in_double)}(np.log, {a})",
    "sqrt": lambda w, op, a: f"np.sqrt({a})",
    "rsqrt": lambda w, op, a: f"{w.helper(support.in_double)}({w.helper(support.rsqrt)}, {a})",
    "abs": lambda w, op, a: f"np.abs({a})",
    "neg": lambda w, op, a: f"-{a}",
    "relu": _relu,
    "recip": lambda w, op, a: f"{w.dtype(element_type(op.target), op)}(1) / {a}",
    "copy": lambda w, op, a: a,
    **{kind: _called(f"np.{kind}") for kind in ("floor", "ceil", "rint", "trunc")},
}
"""The value of each function of tile.unary."""


def _unary(w: Writer, op: UnaryOp) -> None:
    write_rows(w, op, UNARY[op.kind.data](w, op, source_text(w, op, 0)))


def _accumulate(w: Writer, op: AccumulateOp) -> None:
    """Write a loop over the rows: they combine one by one."""
    w.texts(op.operands)
    if w.once(op.rows) == "1":
        _combine_row(w, op, "0")
        return
    with w.counting("r", w.once(op.rows)) as r:
        _combine_row(w, op, r)


def _combine_row(w: Writer, op: AccumulateOp, r: str) -> None:
    buffer, first, step = op.source_list[0]
    width = f":{w.once(op.width)}"
    row = add_text(w.once(first), r) if step else w.once(first)
    source, target = place(w.text(buffer), (row, width)), place(w.text(op.target), (w.once(op.row), width))
    if op.kind.data == "add":
        w.line(f"{target} += {source}")
    else:
        w.line(f"{target} = {combine_text(w, op.kind.data, target, source, floats=_on_floats(op))}")


EMITTERS: Table = {
    FillOp: _fill,
    CastOp: _cast,
    UnaryOp: _unary,
    BinaryOp: _binary,
    ScalarOp: _scalar,
    SelectOp: _select,
    AccumulateOp: _accumulate,
}
