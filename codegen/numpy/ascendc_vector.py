"""ascendc: vector instructions, on slices of flat tensors (count form) or on strided views (repeat form)."""

from collections.abc import Callable

from xdsl.dialects.arith import ConstantOp
from xdsl.dialects.builtin import AnyFloat, IntegerAttr

from ...dialect.ascendc import BinaryOp, ByRowOp, CastOp, FillOp, ReduceOp, ScalarOp, SpreadOp, UnaryOp, VectorOp
from . import support
from .ascendc_memory import block_elements
from .indices import add_text
from .lane_rows import two_argument
from .memory import element_type, place
from .row_instructions import combine_text
from .writer import Table, Writer

KINDS = {
    "Add": "add",
    "Sub": "sub",
    "Mul": "mul",
    "Div": "div",
    "Max": "max",
    "Min": "min",
    "Adds": "add",
    "Muls": "mul",
    "Maxs": "max",
    "Mins": "min",
}
"""What the arithmetic instructions compute, in the words of `combine_text`."""

ROUNDING = {"CAST_FLOOR": "np.floor", "CAST_CEIL": "np.ceil", "CAST_TRUNC": "np.trunc"}
"""What conversions do besides converting."""

Value = Callable[[list[str]], str]
"""Gives the expression of the result for the expressions of the sources."""


def _write(w: Writer, op: VectorOp, value: Value) -> None:
    if op.repeat is None:
        target, *sources = [_run(w, op, number, w.once(op.starts[number])) for number in range(len(op.tensors))]
        w.line(f"{target} = {value(sources)}")
    elif _is_zero(op, 0):
        _one_by_one(w, op, value)
    else:
        target, *sources = [_rows(w, op, number) for number in range(len(op.tensors))]
        w.line(f"{target}[...] = {value(sources)}")


def _is_zero(op: VectorOp, number: int) -> bool:
    owner = op.strides[number].owner
    return isinstance(owner, ConstantOp) and isinstance(owner.value, IntegerAttr) and owner.value.value.data == 0


def _run(w: Writer, op: VectorOp, number: int, start: str) -> str:
    """Return contiguous lanes of a tensor."""
    lanes = _lanes(w, op, number)
    bounds = f":{lanes}" if start == "0" else f"{start}:{add_text(start, lanes)}"
    return place(w.text(op.tensors[number]), (bounds,)) + _repeated_block(w, op, number, "")


def run_text(w: Writer, op: VectorOp, number: int) -> str:
    """Return the lanes of a tensor in the count form."""
    return _run(w, op, number, w.once(op.starts[number]))


def _rows(w: Writer, op: VectorOp, number: int) -> str:
    """Return a view of the lanes of all repeats."""
    tensor = op.tensors[number]
    step = f"{w.text(op.strides[number])} * {block_elements(tensor)}"
    rows = _strided(w, op, number, step, _lanes(w, op, number))
    return rows + _repeated_block(w, op, number, ":, ")


def _strided(w: Writer, op: VectorOp, number: int, step: str, lanes: str) -> str:
    assert op.repeat is not None
    arguments = (w.text(op.tensors[number]), w.argument(op.starts[number]), w.argument(op.repeat), step, lanes)
    return f"{w.helper(support.strided)}({', '.join(arguments)})"


def _is_block(op: VectorOp, number: int) -> bool:
    """Return whether a repeat uses one block of a tensor again and again."""
    return isinstance(op, ByRowOp) and number == 2


def _lanes(w: Writer, op: VectorOp, number: int) -> str:
    return str(block_elements(op.tensors[number])) if _is_block(op, number) else w.once(op.lanes)


def _repeated_block(w: Writer, op: VectorOp, number: int, rows: str) -> str:
    """Return the index that repeats a block along the lanes, or nothing."""
    if not _is_block(op, number):
        return ""
    return f"[{rows}np.arange({w.once(op.lanes)}) % {block_elements(op.tensors[number])}]"


def _one_by_one(w: Writer, op: VectorOp, value: Value) -> None:
    """Write a loop over the repeats: each works on what the one before left in the target."""
    assert op.repeat is not None
    with w.counting("r", w.argument(op.repeat)) as r:
        runs: list[str] = []
        for number, tensor in enumerate(op.tensors):
            start = w.once(op.starts[number])
            if not _is_zero(op, number):
                shift = f"{r} * {w.text(op.strides[number])} * {block_elements(tensor)}"
                start = shift if start == "0" else f"{start} + {shift}"
            runs.append(_run(w, op, number, start))
        w.line(f"{runs[0]} = {value(runs[1:])}")


def _on_floats(op: VectorOp) -> bool:
    return isinstance(element_type(op.tensors[0]), AnyFloat)


def _fill(w: Writer, op: FillOp) -> None:
    _write(w, op, lambda _: w.text(op.scalars[0]))


def _cast(w: Writer, op: CastOp) -> None:
    function = ROUNDING.get(op.api.data)
    _write(w, op, lambda sources: f"{function}({sources[0]})" if function else sources[0])


def _binary(w: Writer, op: BinaryOp | ByRowOp) -> None:
    _write(w, op, lambda s: combine_text(w, KINDS[op.api.data], s[0], s[1], floats=_on_floats(op)))


def _scalar(w: Writer, op: ScalarOp) -> None:
    _write(w, op, lambda s: combine_text(w, KINDS[op.api.data], s[0], w.text(op.scalars[0]), floats=_on_floats(op)))


def _relu(w: Writer, op: UnaryOp, a: str) -> str:
    if not _on_floats(op):
        return f"np.maximum({a}, 0)"
    return f"{w.helper(support.maximum)}({a}, {w.dtype(element_type(op.tensors[0]), op)}(0))"


UNARY: dict[str, Callable[[Writer, UnaryOp, str], str]] = {
    "Exp": lambda w, op, a: f"{w.helper(support.in_double)}(np.exp, {a})",
    "Ln": lambda w, op, a: f"{w.helper(support.in_double)}(np.log, {a})",
    "Sqrt": lambda w, op, a: f"np.sqrt({a})",
    "Rsqrt": lambda w, op, a: f"{w.helper(support.in_double)}({w.helper(support.rsqrt)}, {a})",
    "Abs": lambda w, op, a: f"np.abs({a})",
    "Relu": _relu,
    "Reciprocal": lambda w, op, a: f"{w.dtype(element_type(op.tensors[0]), op)}(1) / {a}",
    "Copy": lambda w, op, a: a,
}
"""The value of each function."""


def _unary(w: Writer, op: UnaryOp) -> None:
    _write(w, op, lambda sources: UNARY[op.api.data](w, op, sources[0]))


def _reduce(w: Writer, op: ReduceOp) -> None:
    """Write the results of all repeats, a stride of elements apart."""
    kind = op.api.data.removeprefix("WholeReduce").replace("Sum", "Add").lower()
    function = two_argument(w, kind, element_type(op.tensors[0]))
    target = _strided(w, op, 0, w.argument(op.strides[0]), "1")
    w.line(f"{target}[:, 0] = {w.helper(support.tree)}({function}, {_rows(w, op, 1)})")


def _spread(w: Writer, op: SpreadOp) -> None:
    """Write a block for each element: `lanes` elements a repeat."""
    assert op.repeat is not None
    lanes, elements = w.once(op.lanes), block_elements(op.tensors[0])
    values = _strided(w, op, 1, lanes, lanes)
    arguments = (w.text(op.tensors[0]), w.argument(op.starts[0]), *(w.argument(stride) for stride in op.strides))
    w.line(f"{w.helper(support.spread)}({', '.join(arguments)}, {elements}, {values})")


EMITTERS: Table = {
    BinaryOp: _binary,
    ByRowOp: _binary,
    CastOp: _cast,
    FillOp: _fill,
    ReduceOp: _reduce,
    ScalarOp: _scalar,
    SpreadOp: _spread,
    UnaryOp: _unary,
}
