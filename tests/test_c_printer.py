"""Expressions, names and literals of the C family."""

import math
import struct

import pytest
from hypothesis import given
from hypothesis import strategies as st

from opwright.codegen.cfamily import Expr, Level, Names, call, infix, member, prefix, subscript, ternary
from opwright.codegen.cfamily.language import double_literal, float_literal
from opwright.codegen.cfamily.names import identifier

A, B, C = Expr("a"), Expr("b"), Expr("c")
SUM = infix("+", Level.ADD, A, B)
OPERATORS = {
    "+": Level.ADD,
    "-": Level.ADD,
    "*": Level.MULTIPLY,
    "//": Level.MULTIPLY,
    "<<": Level.SHIFT,
    "&": Level.BIT_AND,
}


@pytest.mark.parametrize(
    ("expr", "text"),
    [
        (infix("*", Level.MULTIPLY, SUM, C), "(a + b) * c"),
        (infix("-", Level.ADD, SUM, C), "a + b - c"),
        (infix("-", Level.ADD, C, SUM), "c - (a + b)"),
        (prefix("-", prefix("-", A)), "-(-a)"),
        (prefix("!", infix("<", Level.COMPARE, A, B)), "!(a < b)"),
        (infix("||", Level.OR, infix("&&", Level.AND, A, B), C), "(a && b) || c"),
        (infix("<<", Level.SHIFT, SUM, C), "(a + b) << c"),
        (ternary(infix("<", Level.COMPARE, A, B), A, ternary(C, A, B)), "a < b ? a : c ? a : b"),
        (ternary(ternary(A, B, C), A, B), "(a ? b : c) ? a : b"),
        (call("f", [SUM, A]), "f(a + b, a)"),
        (subscript(A, SUM), "a[a + b]"),
        (member(prefix("*", A), "x"), "(*a).x"),
    ],
)
def test_parentheses(expr: Expr, text: str) -> None:
    assert expr.text == text


trees = st.recursive(
    st.integers(1, 9).map(lambda n: Expr(str(n), literal=True)),
    lambda inner: st.tuples(st.sampled_from(sorted(OPERATORS)), inner, inner).map(
        lambda t: infix(t[0], OPERATORS[t[0]], t[1], t[2])
    ),
    max_leaves=6,
)


@given(trees, trees, st.sampled_from(["+", "-", "*"]))
def test_operands_keep_their_value(lhs: Expr, rhs: Expr, operator: str) -> None:
    """Python and C agree on these levels, so the text can be evaluated here."""

    def value(text: str) -> int | None:
        try:
            return eval(text)
        except (ZeroDivisionError, ValueError, OverflowError, MemoryError):
            return None

    left, right = value(lhs.text), value(rhs.text)
    if left is not None and right is not None and max(abs(left), abs(right)) < 1 << 64:
        expected = {"+": left + right, "-": left - right, "*": left * right}[operator]
        assert value(infix(operator, OPERATORS[operator], lhs, rhs).text) == expected


def test_names() -> None:
    names = Names({"taken"})
    names.reserve("kernel")
    assert [names.fresh(hint) for hint in ("rows", "rows", "taken", "double", "kernel", "EOF", "M_PI")] == [
        "rows",
        "rows_1",
        "taken_",
        "double_",
        "kernel_1",
        "EOF_",
        "M_PI_",
    ]
    with names.scope():
        assert names.fresh("rows") == "rows_2"
        assert names.fresh("inner") == "inner"
    assert names.fresh("inner") == "inner"
    assert names.fresh("rows") == "rows_2"


@pytest.mark.parametrize(
    ("hint", "name"),
    [("a.b-c", "a_b_c"), ("__x__", "x"), ("2d", "v2d"), ("größe", "gr_e"), ("$", "v"), ("a__b", "a_b")],
)
def test_identifier(hint: str, name: str) -> None:
    assert identifier(hint) == name


def float32(text: str) -> float:
    return struct.unpack("f", struct.pack("f", float(text)))[0]


@given(st.floats(width=32, allow_nan=False, allow_infinity=False))
def test_float_literal_is_exact(value: float) -> None:
    text = float_literal(value).text
    assert text.endswith("f")
    assert struct.pack("f", float32(text[:-1])) == struct.pack("f", value)
    assert "." in text or "e" in text


@given(st.floats(allow_nan=False, allow_infinity=False))
def test_double_literal_is_exact(value: float) -> None:
    assert struct.pack("d", float(double_literal(value).text)) == struct.pack("d", value)


def test_special_literals() -> None:
    assert [float_literal(v).text for v in (0.1, 0.0, -0.0, 1e10, math.inf, -math.inf, math.nan)] == [
        "0.1f",
        "0.0f",
        "-0.0f",
        "1e+10f",
        "INFINITY",
        "-INFINITY",
        "NAN",
    ]
    assert prefix("-", float_literal(-1.0)).text == "-(-1.0f)"
