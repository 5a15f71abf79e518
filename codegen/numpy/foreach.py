"""tile, loop level: point loops and element access.

The last dim of a `tile.foreach` runs as array operations, `p = g[i + r, h0:h0 + width] * w`, and the others as loops.
What lanes combine into one element is summed in ascending order. Where array operations would change the order in which
an element sees its writes, the last dim is a loop too.
"""

from collections.abc import Callable, Sequence
from contextlib import ExitStack

from xdsl.dialects.builtin import AnyFloat, IndexType
from xdsl.ir import SSAValue

from ...dialect.index_expr import IndexExpr, refs, substitute
from ...dialect.index_map import IndexMapAttr
from ...dialect.tile.choices import ChooseOp
from ...dialect.tile.ops import ForeachOp, ReadOp, WriteOp
from . import support
from .access import Access, Form, Lanes, Place, lane_values, memref_of, place_of, root, runs_in_lanes
from .control import range_text
from .expr import Level
from .indices import as_exprs, index_text, slice_text
from .lane_rows import reduction, two_argument
from .memory import place
from .row_instructions import choice_text, combine_text
from .writer import Table, Writer


def _foreach(w: Writer, op: ForeachOp) -> None:
    lanes = lane_values(op) if op.dims and w.options.lanes else frozenset[SSAValue]()
    vector = bool(lanes) and runs_in_lanes(op, lanes)
    outer = w.lanes
    w.texts(op.bounds)
    with ExitStack() as stack:
        hoisted = vector and _bounds_are_fixed(op)
        if hoisted:
            _open_lanes(w, op, lanes, stack)
        for n in range(len(op.dims) - vector):
            stack.enter_context(w.loop(op.dims[n], range_text(*_bounds(w, op, n))))
        if vector and not hoisted:
            _open_lanes(w, op, lanes, stack)
        w.emit_block(op.body.block)
    w.lanes = outer


def _bounds_are_fixed(op: ForeachOp) -> bool:
    """Return whether the range of the last dim is the same for all points of the outer dims."""
    exprs = (*op.lower.data[-1].data, *op.upper.data[-1].data)
    return all(position >= len(op.dims) for expr in exprs for position in refs(expr))


def _bounds(w: Writer, op: ForeachOp, dim: int) -> tuple[str, str]:
    """Return the range of a dim, as text."""
    used = {n for expr in (*op.lower.data[dim].data, *op.upper.data[dim].data) for n in refs(expr)}
    names = [w.once(value) if n in used else "" for n, value in enumerate(op.bound_values)]
    return _extreme("max", op.lower.data[dim], names), _extreme("min", op.upper.data[dim], names)


def _extreme(several: str, exprs: IndexMapAttr, names: Sequence[str]) -> str:
    texts = [index_text(expr, names) for expr in exprs.data]
    return texts[0] if len(texts) == 1 else f"{several}({', '.join(texts)})"


def _open_lanes(w: Writer, op: ForeachOp, values: frozenset[SSAValue], stack: ExitStack) -> None:
    """Write what precedes array operations over the last dim: its range, a guard, its values where they are used."""
    variable = op.dims[-1]
    hint = variable.name_hint or "lane"
    texts = _bounds(w, op, len(op.dims) - 1)
    start, stop = (_named(w, text, f"{hint}_{end}") for text, end in zip(texts, ("start", "stop"), strict=True))
    w.lanes = Lanes(values, variable, start, stop)
    if not (isinstance(low := _literal(start), int) and isinstance(high := _literal(stop), int) and low < high):
        stack.enter_context(w.block(f"if {stop} > {start}"))
    if any(not _is_sliced(w, use.operation) for use in variable.uses):
        w.assign_name(variable, f"np.arange({start}, {stop})" if start != "0" else f"np.arange({stop})")


def _literal(text: str) -> int | None:
    return int(text) if text.lstrip("-").isdigit() else None


def _named(w: Writer, text: str, hint: str) -> str:
    """Return a name for an expression that is more than a name or literal."""
    if text.isidentifier() or _literal(text) is not None:
        return text
    name = w.temporary(hint)
    w.line(f"{name} = {text}")
    return name


def _is_sliced(w: Writer, op: object) -> bool:
    return isinstance(op, ReadOp | WriteOp) and _place(w, op).form in (Form.SLICE, Form.FOLD)


def _place(w: Writer, op: Access) -> Place:
    found = place_of(op, w.lanes.values, w.lanes.variable)
    if found.form is Form.FOLD and not _folds(w, op):
        return Place(Form.GATHER)
    if isinstance(op, ReadOp) and op.outside in w.lanes.values and found.step <= 0:
        return Place(Form.GATHER)
    return found


def _folds(w: Writer, op: Access) -> bool:
    """Return whether an access can take all lanes at once; lanes without a part in a sum add nothing to it."""
    return isinstance(op, WriteOp) and (op.combine == "add" or (op.combine != "" and not w.is_lane(op.guard)))


def _index_texts(w: Writer, op: Access) -> list[str]:
    """Return each index of an access; the lane variable stands for itself."""
    names = w.texts(op.operands_)
    return [index_text(expr, names) for expr in op.indices.data]


def _slice_texts(w: Writer, op: Access, at: Place) -> tuple[list[str], str]:
    """Return the indices with a rising slice over the lanes, and `[::-1]` where the lanes fall."""
    lanes = w.lanes
    moving = next(n for n, operand in enumerate(op.operands_) if operand is lanes.variable)
    names = ["" if n == moving else w.once(v) for n, v in enumerate(op.operands_)]
    texts = [*names, lanes.start, lanes.stop]
    exprs = as_exprs(texts)

    def at_lane(expr: IndexExpr, lane: IndexExpr) -> IndexExpr:
        return substitute(expr, [*exprs[:moving], lane, *exprs[moving + 1 :]])

    moved = op.indices.data[at.position]
    start, stop = exprs[-2], exprs[-1]
    indices = [index_text(substitute(e, exprs), texts) for e in op.indices.data]
    if at.step > 0:
        indices[at.position] = slice_text(at_lane(moved, start), at_lane(moved, stop), texts, at.step)
        return indices, ""
    first, last = at_lane(moved, stop - 1), at_lane(moved, start) + 1
    indices[at.position] = slice_text(first, last, texts, -at.step)
    return indices, "[::-1]"


def _tuple(indices: Sequence[str]) -> str:
    return f"({', '.join(indices)}{',' if len(indices) == 1 else ''})"


def _read(w: Writer, op: ReadOp) -> None:
    array, at = w.text(op.source), _place(w, op)
    if at.form is Form.UNIFORM:
        _read_one(w, op)
    elif at.form is Form.SLICE:
        indices, order = _slice_texts(w, op, at)
        if op.outside is not None:
            value = f"{w.helper(support.padded)}({array}, np.s_[{', '.join(indices)}], {w.argument(op.outside)}){order}"
        else:
            value = f"{place(array, indices)}{order}{'.copy()' if _is_written(op) else ''}"
        w.assign(op.result, value)
    elif op.outside is not None:
        indices = _tuple(_index_texts(w, op))
        w.assign(op.result, f"{w.helper(support.gathered)}({array}, {indices}, {w.argument(op.outside)})")
    else:
        w.assign(op.result, place(array, _index_texts(w, op)))


def _read_one(w: Writer, op: ReadOp) -> None:
    """Write the read of an element that all lanes share."""
    array, indices = w.text(op.source), _index_texts(w, op)
    element = place(array, indices)
    value = f"int({element})" if isinstance(op.result.type, IndexType) else element
    if op.outside is None:
        w.assign(op.result, value)
        return
    inside = [f"0 <= {index} < {array}.shape[{n}]" for n, index in enumerate(indices)]
    condition = " and ".join(inside) or "True"
    w.assign(op.result, f"{value} if {condition} else {w.text(op.outside, Level.COMPARE)}", Level.TERNARY)


def _is_written(op: ReadOp) -> bool:
    """Return whether the foreach around a read writes the same memory, so that a view could change under it."""
    around = op.parent_op()
    while around is not None and not isinstance(around, ForeachOp):
        around = around.parent_op()
    if around is None:
        return False
    return any(isinstance(o, WriteOp) and root(o.target) is root(op.source) for o in around.body.walk())


def _write(w: Writer, op: WriteOp) -> None:
    if op.guard is not None and not w.is_lane(op.guard):
        with w.block(f"if {w.argument(op.guard)}"):
            _write_at(w, op, "")
    else:
        _write_at(w, op, w.once(op.guard) if op.guard is not None else "")


def _write_at(w: Writer, op: WriteOp, guard: str) -> None:
    """Write with an array of guards, or without any where `guard` is empty."""
    at = _place(w, op)
    if at.form is Form.GATHER:
        _scatter(w, op, guard)
    elif at.form is Form.SLICE:
        indices, order = _slice_texts(w, op, at)
        _write_lanes(w, op, f"{place(w.text(op.target), indices)}{order}", guard)
    elif at.form is Form.FOLD:
        _fold(w, op, at, guard)
    elif w.lanes.variable is None:
        cell = place(w.text(op.target), _index_texts(w, op))
        _set(w, op, cell, op.value)
    else:
        _write_one(w, op, place(w.text(op.target), _index_texts(w, op)), guard)


def _set(w: Writer, op: WriteOp, cell: str, value: SSAValue) -> None:
    """Write or combine a value into a cell or slice."""
    if op.combine == "add":
        w.line(f"{cell} += {w.argument(value)}")
    else:
        w.line(f"{cell} = {_combined(w, op, cell, value)}")


def _combined(w: Writer, op: WriteOp, cell: str, value: SSAValue) -> str:
    if not op.combine:
        return w.argument(value)
    text = w.text(value, Level.MULTIPLY if op.combine == "add" else Level.TERNARY)
    return combine_text(w, op.combine, cell, text, floats=isinstance(op.value.type, AnyFloat))


def _write_lanes(w: Writer, op: WriteOp, cells: str, guard: str) -> None:
    """Write each lane to an element of its own."""
    if not guard:
        _set(w, op, cells, op.value)
        return
    if op.combine:
        name = w.temporary("cells")
        w.line(f"{name} = {cells}")
        cells = name
    w.line(f"np.copyto({cells}, {_combined(w, op, cells, op.value)}, where={guard})")


def _fold(w: Writer, op: WriteOp, at: Place, guard: str) -> None:
    """Combine the lanes into a few elements, each by the remainder of its number."""
    names = ["" if operand is w.lanes.variable else w.once(operand) for operand in op.operands_]
    indices = [f":{at.step}" if n == at.position else index_text(e, names) for n, e in enumerate(op.indices.data)]
    values = _per_lane(w, op.value)
    if guard:
        nothing = "-0.0" if isinstance(op.value.type, AnyFloat) else "0"
        values = f"np.where({guard}, {values}, {w.dtype(op.value.type, op)}({nothing}))"
    function = reduction(w, op.combine, op.value.type)
    start = "" if w.lanes.start == "0" else f", {w.lanes.start}"
    w.line(f"{w.helper(support.fold)}({function}, {place(w.text(op.target), indices)}, {values}{start})")


def _write_one(w: Writer, op: WriteOp, cell: str, guard: str) -> None:
    """Write all lanes to one element: they combine in ascending order, or the last one wins."""
    if op.combine:
        values = _per_lane(w, op.value)
        w.line(f"{cell} = {_reduced(w, op, cell, f'{values}[{guard}]' if guard else values)}")
    elif guard:
        with w.block(f"if {guard}.any()"):
            w.line(f"{cell} = {w.once(op.value)}" + (f"[{guard}][-1]" if w.is_lane(op.value) else ""))
    else:
        w.line(f"{cell} = {w.once(op.value)}" + ("[-1]" if w.is_lane(op.value) else ""))


def _per_lane(w: Writer, value: SSAValue) -> str:
    return w.once(value) if w.is_lane(value) else w.repeated(value)


REDUCE: dict[str, Callable[[Writer, str, str], str]] = {
    "add": lambda w, cell, values: f"{w.helper(support.add_in_order)}({cell}, {values})",
    "max": lambda w, cell, values: f"{w.helper(support.reduce_pairs)}({w.helper(support.maximum)}, {cell}, {values})",
    "min": lambda w, cell, values: f"{w.helper(support.reduce_pairs)}({w.helper(support.minimum)}, {cell}, {values})",
}
"""How an element and the values of all lanes combine, by combiner."""


def _reduced(w: Writer, op: WriteOp, cell: str, values: str) -> str:
    if op.combine != "add" and not isinstance(op.value.type, AnyFloat):
        return f"np.{op.combine}({values}, initial={cell})"
    return REDUCE[op.combine](w, cell, values)


def _scatter(w: Writer, op: WriteOp, guard: str) -> None:
    """Write to computed elements, which lanes may share."""
    array, indices, value = w.text(memref_of(op)), _index_texts(w, op), w.argument(op.value)
    if not op.combine and not guard:
        w.line(f"{place(array, indices)} = {value}")
        return
    rest = f"{array}, {_tuple(indices)}, {value}{f', {guard}' if guard else ''}"
    if op.combine in ("", "add"):
        w.line(f"{w.helper(support.scatter_add if op.combine else support.scatter)}({rest})")
    else:
        w.line(f"{w.helper(support.scatter_with)}({two_argument(w, op.combine, op.value.type)}, {rest})")


def _choose(w: Writer, op: ChooseOp) -> None:
    w.assign(op.result, choice_text(op.kind.data, w.texts(op.operands)))


EMITTERS: Table = {ChooseOp: _choose, ForeachOp: _foreach, ReadOp: _read, WriteOp: _write}
