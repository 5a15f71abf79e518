"""Integer and index operations of arith and math.

An `index` is a Python int, other integers are NumPy scalars of their width; along lanes both are arrays. i1 is a bool.
"""

from collections.abc import Callable

from xdsl.dialects import arith, math
from xdsl.dialects.builtin import IndexType, i1
from xdsl.ir import Operation, SSAValue

from ..dtypes import DTYPES
from . import support
from .writer import Emit, Table, Writer


def infix(operator: str, on_bool: str = "") -> Emit:
    """Return what writes `a operator b`, with another operator for i1."""

    def emit(w: Writer, op: Operation) -> None:
        a, b = w.texts(op.operands)
        chosen = on_bool if on_bool and op.results[0].type == i1 else operator
        w.assign(op.results[0], f"{a} {chosen} {b}")

    return emit


def is_index(value: SSAValue) -> bool:
    """Return whether a value is an index."""
    return isinstance(value.type, IndexType)


def unsigned(w: Writer, value: SSAValue) -> str:
    """Return the expression of the same bits as an unsigned integer."""
    text = w.text(value)
    if value.type == i1:
        return text
    if is_index(value) and not w.is_lane(value):
        return f"({text} & 0xFFFFFFFFFFFFFFFF)"
    return f"{text}.view(np.u{DTYPES[value.type].name})"


def signed_again(w: Writer, op: Operation, text: str) -> str:
    """Return the expression of an unsigned result as the result type holds it."""
    result = op.results[0]
    if result.type == i1 or (is_index(result) and not w.is_lane(result)):
        return text
    return f"({text}).view(np.{DTYPES[result.type].name})"


def _unsigned(template: str) -> Emit:
    def emit(w: Writer, op: Operation) -> None:
        a, b = (unsigned(w, value) for value in op.operands)
        w.assign(op.results[0], signed_again(w, op, template.format(a=a, b=b)))

    return emit


def _template(template: str) -> Emit:
    def emit(w: Writer, op: Operation) -> None:
        a, b = w.texts(op.operands)
        w.assign(op.results[0], template.format(a=a, b=b))

    return emit


def _shift_right(w: Writer, op: arith.ShRUIOp) -> None:
    a, b = unsigned(w, op.lhs), unsigned(w, op.rhs)
    w.assign(op.result, signed_again(w, op, f"{a} >> {b}"))


def _divide(w: Writer, op: arith.DivSIOp) -> None:
    function = support.quotients if w.is_lane(op.result) else support.quotient
    w.assign(op.result, f"{w.helper(function)}({w.text(op.lhs)}, {w.text(op.rhs)})")


def _remain(w: Writer, op: arith.RemSIOp) -> None:
    function = "np.fmod" if w.is_lane(op.result) else w.helper(support.remainder)
    w.assign(op.result, f"{function}({w.text(op.lhs)}, {w.text(op.rhs)})")


def extreme(name: str) -> Emit:
    """Return what writes the smaller or larger of two signed integers; true is -1, so the order of i1 is reversed."""

    def emit(w: Writer, op: Operation) -> None:
        a, b = w.texts(op.operands)
        if op.results[0].type == i1:
            w.assign(op.results[0], f"{a} {'|' if name == 'min' else '&'} {b}")
        else:
            function = f"np.{name}imum" if w.is_lane(op.results[0]) else name
            w.assign(op.results[0], f"{function}({a}, {b})")

    return emit


def _unsigned_extreme(name: str) -> Emit:
    def emit(w: Writer, op: Operation) -> None:
        a, b = (unsigned(w, value) for value in op.operands)
        function = f"np.{name}imum" if w.is_lane(op.results[0]) else name
        w.assign(op.results[0], signed_again(w, op, f"{function}({a}, {b})"))

    return emit


SIGNED = ("==", "!=", "<", "<=", ">", ">=")
"""The comparisons of arith.cmpi by number of the predicate; four unsigned ones follow."""


def _compare(w: Writer, op: arith.CmpiOp) -> None:
    predicate = op.predicate.value.data
    if predicate < len(SIGNED):
        operands = (op.rhs, op.lhs) if op.lhs.type == i1 and predicate > 1 else (op.lhs, op.rhs)
        a, b = w.texts(operands)
    else:
        a, b = unsigned(w, op.lhs), unsigned(w, op.rhs)
    w.assign(op.result, f"{a} {(SIGNED + SIGNED[2:])[predicate]} {b}")


def _select(w: Writer, op: arith.SelectOp) -> None:
    condition, a, b = w.texts((op.cond, op.lhs, op.rhs))
    lane = w.is_lane(op.result)
    w.assign(op.result, f"np.where({condition}, {a}, {b})" if lane else f"{a} if {condition} else {b}")


def _absolute(w: Writer, op: math.AbsIOp) -> None:
    w.assign(op.result, f"abs({w.text(op.operand)})")


def _count(template: Callable[[Writer, str], str]) -> Emit:
    """Return what writes a count of bits, in the type of the operand."""

    def emit(w: Writer, op: Operation) -> None:
        source = op.operands[0]
        bits = f"np.int64({w.text(source)}).view(np.uint64)" if is_index(source) else unsigned(w, source)
        count = template(w, bits)
        kind = "int" if is_index(source) else w.dtype(source.type, op)
        lane = w.is_lane(source)
        w.assign(op.results[0], f"{count}.astype({w.dtype(source.type, op)})" if lane else f"{kind}({count})")

    return emit


EMITTERS: Table = {
    arith.AddiOp: infix("+", on_bool="^"),
    arith.SubiOp: infix("-", on_bool="^"),
    arith.MuliOp: infix("*", on_bool="&"),
    arith.AndIOp: infix("&"),
    arith.OrIOp: infix("|"),
    arith.XOrIOp: infix("^"),
    arith.ShLIOp: infix("<<"),
    arith.ShRSIOp: infix(">>"),
    arith.ShRUIOp: _shift_right,
    arith.DivSIOp: _divide,
    arith.RemSIOp: _remain,
    arith.FloorDivSIOp: infix("//"),
    arith.CeilDivSIOp: _template("-(-{a} // {b})"),
    arith.DivUIOp: _unsigned("{a} // {b}"),
    arith.RemUIOp: _unsigned("{a} % {b}"),
    arith.CeilDivUIOp: _unsigned("{a} // {b} + ({a} % {b} != 0)"),
    arith.MinSIOp: extreme("min"),
    arith.MaxSIOp: extreme("max"),
    arith.MinUIOp: _unsigned_extreme("min"),
    arith.MaxUIOp: _unsigned_extreme("max"),
    arith.CmpiOp: _compare,
    arith.SelectOp: _select,
    math.AbsIOp: _absolute,
    math.CtPopOp: _count(lambda w, bits: f"np.bitwise_count({bits})"),
    math.CountLeadingZerosOp: _count(lambda w, bits: f"{w.helper(support.leading_zeros)}({bits})"),
    math.CountTrailingZerosOp: _count(lambda w, bits: f"{w.helper(support.trailing_zeros)}({bits})"),
}
