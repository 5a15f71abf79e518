"""Faults in a spec file: each is told at its line, with its code, as soon as it is traced."""

from collections.abc import Callable
from pathlib import Path

import pytest

from opwright.dialect.diagnostics import Diagnostic
from opwright.loading import load

HEAD = """\
from opwright.dialect.frontend import *

@operator("Faulty")
def faulty(spec):
    N, M = spec.dims("N", "M")
    P = spec.attr("P")
    T = spec.dtype("T", f16, bf16)
    x = spec.input("x", T[N, M])
    flags = spec.input("flags", boolean[N], optional=True)
    ids = spec.input("ids", i32[N])
    y = spec.output("y", T[N])
    i, j = indices(i=N, j=M)
"""
FIRST = HEAD.count("\n") + 1

CASES = [
    ("y[i] = x[i]", 12, "OPW104", "'x' has rank 2, here it has 1 indices"),
    ("y[i, j] = x[i, j]", 5, "OPW104", "'y' has rank 1, here it has 2 indices"),
    ("y[i] = sum_(j, x[j, i])", 20, "OPW105", "index 0 of '%x' runs to M, its dim is N"),
    ("y[j] = sum_(i, x[i, j])", 5, "OPW105", "index 0 of result 0 runs to M, its dim is N"),
    ("y[i] = sum_(j, x[i, x[i, j]])", 20, "OPW106", "an index of 'x' is of type f32, not an integer"),
    ("y[i] = x[i, cast(x[i, 0], i32)]", 12, "OPW106", "cannot place elements: it is the result of 'arith.index_cast'"),
    ("y[i] = sum_(j, x[i * j, j].outside(0))", 20, "OPW107", "multiplies two values that vary"),
    ("y[i] = sum_(j, x[i // (j + 1), j])", 20, "OPW108", "floordiv by a value that varies"),
    ("y[i] = x[i // P, 0]", 12, "OPW109", "floordiv by %P, which may be 0 or less"),
    ("y[i] = x[i, j]", 12, "OPW151", "index 'j' is free"),
    ("y[i] = x[i, 0] + sum_(j, x[i, j])", 22, "OPW152", "a sum must be the whole right side"),
    ("y[i] = where(flags[i], x[i, 0], 0)", 18, "OPW132", "an optional tensor is read without a value for its absence"),
    ("y[i] = x[i, 0].absent(0)", 12, "OPW133", "'absent' stands at a tensor that is always there"),
    ("y[i] = x[i, 0] + ids[i]", 12, "OPW150", "types do not meet: f32 and i32"),
    ("y[i] = x[i, 0] / M", 12, "OPW150", "types do not meet: f32 and index"),
    ("y[i] = where(x[i, 0] > 0, 1, 0)", 12, "OPW150", "two Python numbers make no expression"),
    ("y[i] = x[i, 0] & True", 12, "OPW150", "True is not a value of type f32"),
    ("y[i] = where(x[i, 0], 1.0, x[i, 0])", 12, "OPW150", "where takes a boolean condition, not f32"),
    ("y[i] = ids[i]", 5, "OPW125", "a value of type i32 defines elements of f32"),
    ("y[i] = exp(ids[i])", 12, "OPW150", "exp takes a float, not i32"),
    ("y[i] = x[i, 0] if x[i, 0] > 0 else x[i, 1]", 23, "OPW150", "neither true nor false"),
    ("y[i] = x[i, 0] // 2.0", 12, "OPW150", "'//' has no meaning on f32"),
    ("y[i] = y[i]", 12, "OPW153", "'y' is read before it is defined"),
    ("y[i] = x[i, 0]; y[i] = x[i, 1]", 21, "OPW153", "'y' is defined twice"),
    ("pass", 9, "OPW153", "output 'y' is never defined"),
    ("y[ids[i]] = x[i, 0]", 5, "OPW121", "points that differ in %i write the same element"),
    ("spec.require(P <= ids[0], code=1)", 23, "OPW106", "a size or constraint cannot depend on elements"),
    ("spec.dim('N', 4)", 5, "OPW102", "dim N is declared twice"),
    ("spec.dtypes(('U', 'V'), (f16,))", 5, "OPW102", "dtype variables are declared in two places"),
    ("spec.input('x', f32[N])", 5, "OPW102", "parameter 'x' is declared twice"),
    ("spec.tensor(integer[N])[i] = i", 5, "OPW119", "tensors cannot hold index"),
    ("spec.attr('Q', i32, default=0.5)", 5, "OPW150", "0.5 is not a value of type i32"),
    ("spec.require(P >= 1, code=1, when=(P >= 2,))", 40, "OPW154", "a constraint cannot depend on this condition"),
    ("spec.require_given(y, code=1)", 5, "OPW154", "only inputs can be required"),
    ("spec.check(P, '!=', 1, code=1)", 5, "OPW154", "'!=' is no comparison"),
    (
        "spec.check(index('k', 1, P), '<=', P, code=1)",
        16,
        "OPW154",
        "index k of a constraint does not run over a whole",
    ),
    ("y[i] = undefined_name", 12, "OPW162", "NameError: name 'undefined_name' is not defined"),
    ("y[i] = x[", 13, "OPW162", "SyntaxError: '[' was never closed"),
]


@pytest.fixture
def fails(tmp_path: Path) -> Callable[[str], Diagnostic]:
    def fail(statement: str) -> Diagnostic:
        path = tmp_path / "faulty.py"
        path.write_text(f"{HEAD}    {statement}\n", encoding="utf-8")
        with pytest.raises(Diagnostic) as caught:
            load(path)
        return caught.value

    return fail


@pytest.mark.parametrize(("statement", "column", "code", "text"), CASES)
def test_fault(fails: Callable[[str], Diagnostic], statement: str, column: int, code: str, text: str) -> None:
    error = fails(statement)
    assert error.code == code
    assert text in error.message
    assert error.location is not None
    assert error.location.file.endswith("faulty.py")
    expected = HEAD.splitlines().index('    y = spec.output("y", T[N])') + 1 if statement == "pass" else FIRST
    assert (error.location.line, error.location.column) == (expected, column)


def test_the_line_is_shown_with_a_caret(fails: Callable[[str], Diagnostic]) -> None:
    shown = str(fails("y[i] = x[i]")).splitlines()
    assert shown[0].endswith(f"faulty.py:{FIRST}:12: error[OPW104]: 'x' has rank 2, here it has 1 indices")
    assert shown[1:3] == ["        y[i] = x[i]", " " * 15 + "^"]
    assert shown[3] == "hint: give one index for each of its dims [N, M]"


@pytest.mark.parametrize(
    ("statement", "hint"),
    [
        ("y[i] = x[i % (P + M), 0]", "add spec.require(P >= 1, M >= 1, code=...)"),
        ("y[i] = sum_(j, x[j, i])", "a read may say what stands beyond the tensor: .outside(value)"),
        ("y[i] = where(flags[i], x[i, 0], 0)", "say what stands for it: .absent(value)"),
        ("y[i] = max(x[i, 0], 0.0)", "maximum(a, b) and minimum(a, b) for max and min"),
    ],
)
def test_hints_are_python(fails: Callable[[str], Diagnostic], statement: str, hint: str) -> None:
    assert hint in fails(statement).hint


def test_the_hint_on_divisors_helps(fails: Callable[[str], Diagnostic]) -> None:
    """With the constraint that OPW109 asks for, the next fault is another one."""
    assert fails("y[i] = x[i // P, 0]").hint == "add spec.require(P >= 1, code=...)"
    assert fails("spec.require(P >= 1, code=1); y[i] = x[i // P, i]").code == "OPW105"
