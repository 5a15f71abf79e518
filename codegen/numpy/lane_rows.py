"""tile: row instructions that combine the lanes of a row, or spread one lane over a row, and the search of a list."""

from xdsl.dialects.builtin import AnyFloat
from xdsl.ir import Attribute

from ...dialect.tile.lane_rows import FOLD, ByRowOp, FoldOp, SplatOp, TreeOp
from ...dialect.tile.search import SearchOp
from . import support
from .memory import element_type, place
from .row_instructions import combine_text, source_text, write_rows
from .rows import rows_text
from .writer import Table, Writer


def two_argument(w: Writer, kind: str, value_type: Attribute) -> str:
    """Return the function that combines two arrays: add, max or min."""
    if kind == "add":
        return "np.add"
    floats = {"max": support.maximum, "min": support.minimum}
    return w.helper(floats[kind]) if isinstance(value_type, AnyFloat) else f"np.{kind}imum"


def reduction(w: Writer, kind: str, value_type: Attribute) -> str:
    """Return the function that combines an array with the items of another one, in order: add, max or min."""
    if kind == "add":
        return w.helper(support.add_in_order)
    pairs, function = w.helper(support.reduce_pairs), two_argument(w, kind, value_type)
    return f"lambda start, values: {pairs}({function}, start, values)"


def _fold(w: Writer, op: FoldOp) -> None:
    w.texts(op.operands)
    target = rows_text(w, op.target, op.row, op.rows, str(FOLD))
    function = reduction(w, op.kind.data, element_type(op.target))
    w.line(f"{w.helper(support.fold)}({function}, {target}, {source_text(w, op, 0)})")


def _tree(w: Writer, op: TreeOp) -> None:
    w.texts(op.operands)
    function = two_argument(w, op.kind.data, element_type(op.target))
    target = place(w.text(op.target), (w.once(op.row), f":{w.once(op.rows)}"))
    w.line(f"{target} = {w.helper(support.tree)}({function}, {source_text(w, op, 0)})")


def _splat(w: Writer, op: SplatOp) -> None:
    buffer, row, _ = op.source_list[0]
    rows = w.once(op.rows)
    values = place(w.text(buffer), (w.once(row), f":{rows}"))
    write_rows(w, op, values if rows == "1" else f"{values}[:, None]")


def _by_row(w: Writer, op: ByRowOp) -> None:
    x, s = source_text(w, op, 0), source_text(w, op, 1, "1")
    floats = isinstance(element_type(op.target), AnyFloat)
    write_rows(w, op, combine_text(w, op.kind.data, x, s, floats=floats))


def _search(w: Writer, op: SearchOp) -> None:
    found = f'np.searchsorted({w.text(op.source)}, {w.argument(op.value)}, side="right")'
    w.assign(op.result, found if w.is_lane(op.result) else f"int({found})")


EMITTERS: Table = {FoldOp: _fold, TreeOp: _tree, SplatOp: _splat, ByRowOp: _by_row, SearchOp: _search}
