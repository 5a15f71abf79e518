"""Integer and index operations of arith and math.

An `index` is a Python int, other integers are NumPy scalars of their width; along lanes both are arrays. i1 is a bool.
"""

from collections.abc import Callable

from xdsl.dialects import arith, math
from xdsl.dialects.builtin import IndexType, i1
from xdsl.ir import Operation, SSAValue

from ..dtypes import DTYPES
from . import support
from .expr import OPERATORS, Expr, Level
from .helpers import Helper
from .writer import Emit, Table, Writer


def infix(operator: str, on_bool: str = "") -> Emit:
    """Return what writes `a operator b`, with another operator for i1."""

    def emit(w: Writer, op: Operation) -> None:
        chosen = on_bool if on_bool and op.results[0].type == i1 else operator
        _infix(w, op, chosen)

    return emit


def _infix(w: Writer, op: Operation, operator: str) -> None:
    level = OPERATORS[operator]
    a, b = op.operands
    w.assign(op.results[0], f"{w.text(a, level)} {operator} {w.text(b, Level(level + 1))}", level)


def call(name: str) -> Emit:
    """Return what writes a call of a function with all operands."""

    def emit(w: Writer, op: Operation) -> None:
        w.assign(op.results[0], f"{name}({', '.join(w.arguments(op.operands))})")

    return emit


def helper(function: Helper) -> Emit:
    """Return what writes a call of a function of support.py with all operands."""

    def emit(w: Writer, op: Operation) -> None:
        call(w.helper(function))(w, op)

    return emit


def is_index(value: SSAValue) -> bool:
    """Return whether a value is an index."""
    return isinstance(value.type, IndexType)


def unsigned(w: Writer, value: SSAValue) -> str:
    """Return the expression of the same bits as an unsigned integer, which needs no parentheses."""
    if value.type == i1:
        return w.text(value)
    if is_index(value) and not w.is_lane(value):
        return f"({w.text(value)} & 0xFFFFFFFFFFFFFFFF)"
    return f"{w.text(value)}.view(np.u{DTYPES[value.type].name})"


def _assign_unsigned(w: Writer, op: Operation, text: str, level: Level) -> None:
    """Assign an unsigned result as the result type holds it."""
    result = op.results[0]
    if result.type == i1:
        w.assign(result, text, level)
    elif is_index(result) and not w.is_lane(result):
        w.assign(result, f"{w.helper(support.signed)}({text})")
    else:
        w.assign(result, f"{Expr(text, level).at(Level.ATOM)}.view(np.{DTYPES[result.type].name})")


def _unsigned(operator: str) -> Emit:
    def emit(w: Writer, op: Operation) -> None:
        a, b = (unsigned(w, value) for value in op.operands)
        _assign_unsigned(w, op, f"{a} {operator} {b}", OPERATORS[operator])

    return emit


def _ceildiv(w: Writer, op: arith.CeilDivSIOp) -> None:
    if not is_index(op.result):
        helper(support.ceil_quotient)(w, op)
        return
    w.assign(op.result, f"-(-{w.text(op.lhs)} // {w.text(op.rhs)})", Level.UNARY)


def _ceildiv_unsigned(w: Writer, op: arith.CeilDivUIOp) -> None:
    w.once(op.lhs)
    w.once(op.rhs)
    a, b = unsigned(w, op.lhs), unsigned(w, op.rhs)
    _assign_unsigned(w, op, f"{a} // {b} + ({a} % {b} != 0)", Level.ADD)


def _remain(w: Writer, op: arith.RemSIOp) -> None:
    (call("np.fmod") if w.is_lane(op.result) else helper(support.remainder))(w, op)


def extreme(name: str) -> Emit:
    """Return what writes the smaller or larger of two signed integers; true is -1, so the order of i1 is reversed."""

    def emit(w: Writer, op: Operation) -> None:
        if op.results[0].type == i1:
            _infix(w, op, "|" if name == "min" else "&")
        else:
            call(f"np.{name}imum" if w.is_lane(op.results[0]) else name)(w, op)

    return emit


def _unsigned_extreme(name: str) -> Emit:
    def emit(w: Writer, op: Operation) -> None:
        a, b = (unsigned(w, value) for value in op.operands)
        function = f"np.{name}imum" if w.is_lane(op.results[0]) else name
        _assign_unsigned(w, op, f"{function}({a}, {b})", Level.ATOM)

    return emit


SIGNED = ("==", "!=", "<", "<=", ">", ">=")
"""The comparisons of arith.cmpi by number of the predicate; four unsigned ones follow."""


def _compare(w: Writer, op: arith.CmpiOp) -> None:
    predicate = op.predicate.value.data
    operator = (SIGNED + SIGNED[2:])[predicate]
    if predicate >= len(SIGNED):
        a, b = unsigned(w, op.lhs), unsigned(w, op.rhs)
    else:
        operands = (op.rhs, op.lhs) if op.lhs.type == i1 and predicate > 1 else (op.lhs, op.rhs)
        a, b = (w.text(operand, Level.OR) for operand in operands)
    w.assign(op.result, f"{a} {operator} {b}", Level.COMPARE)


def _select(w: Writer, op: arith.SelectOp) -> None:
    if w.is_lane(op.result):
        call("np.where")(w, op)
        return
    condition, a, b = (w.text(operand, Level.COMPARE) for operand in op.operands)
    w.assign(op.result, f"{a} if {condition} else {b}", Level.TERNARY)


def _count(template: Callable[[Writer, str], str]) -> Emit:
    """Return what writes a count of bits, in the type of the operand."""

    def emit(w: Writer, op: Operation) -> None:
        source = op.operands[0]
        bits = f"np.int64({w.argument(source)}).view(np.uint64)" if is_index(source) else unsigned(w, source)
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
    arith.ShRUIOp: _unsigned(">>"),
    arith.DivSIOp: helper(support.quotient),
    arith.RemSIOp: _remain,
    arith.FloorDivSIOp: infix("//"),
    arith.CeilDivSIOp: _ceildiv,
    arith.DivUIOp: _unsigned("//"),
    arith.RemUIOp: _unsigned("%"),
    arith.CeilDivUIOp: _ceildiv_unsigned,
    arith.MinSIOp: extreme("min"),
    arith.MaxSIOp: extreme("max"),
    arith.MinUIOp: _unsigned_extreme("min"),
    arith.MaxUIOp: _unsigned_extreme("max"),
    arith.CmpiOp: _compare,
    arith.SelectOp: _select,
    math.AbsIOp: call("abs"),
    math.CtPopOp: _count(lambda w, bits: f"np.bitwise_count({bits})"),
    math.CountLeadingZerosOp: _count(lambda w, bits: f"{w.helper(support.leading_zeros)}({bits})"),
    math.CountTrailingZerosOp: _count(lambda w, bits: f"{w.helper(support.trailing_zeros)}({bits})"),
}
