"""Finding operators by name and by file."""

from pathlib import Path

import pytest

from opwright.dialect.diagnostics import Diagnostic
from opwright.loading import list_operators, load, load_all

COPY = """
@operator("{name}")
def {name}(spec):
    (N,) = spec.dims("N")
    x, y = spec.input("x", f32[N]), spec.output("y", f32[N])
    (i,) = indices(i=N)
    y[i] = x[i]
"""
IMPORT = "from opwright.dialect.frontend import *\n"


def fault(name: str | Path) -> Diagnostic:
    with pytest.raises(Diagnostic) as caught:
        load(name)
    return caught.value


def write(path: Path, text: str) -> Path:
    path.write_text(text, encoding="utf-8")
    return path


def test_library() -> None:
    names = list_operators()
    assert names == sorted(names)
    assert "MaskedCausalConv1dBackward" in names
    for name in names:
        operator = load(name)
        assert (operator.name, operator.op.sym_name.data) == (name, name)
        assert operator.module.body.block.first_op is operator.op


def test_by_module_name() -> None:
    assert load("masked_causal_conv1d_backward").name == "MaskedCausalConv1dBackward"


def test_by_path_is_the_same_operator(root: Path) -> None:
    path = root / "ops" / "masked_causal_conv1d_backward.py"
    assert str(load(path).module) == str(load("MaskedCausalConv1dBackward").module)
    assert load(path).source == path


def test_each_load_is_fresh(root: Path) -> None:
    for name in ("MaskedCausalConv1dBackward", root / "tests" / "specs" / "reductions.mlir"):
        first = load(name)
        first.op.detach()
        assert load(name).module.body.block.first_op is not None


def test_unknown_name() -> None:
    error = fault("MaskedCausalConv1dBackwards")
    assert (error.code, error.hint.partition(";")[0]) == ("OPW160", "did you mean MaskedCausalConv1dBackward?")
    assert "it has: " in fault("Nothing").hint


def test_other_kinds_of_files(tmp_path: Path) -> None:
    with pytest.raises(Diagnostic, match="is not a spec file") as caught:
        load_all(write(tmp_path / "spec.txt", ""))
    assert caught.value.code == "OPW161"


def test_missing_file(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError):
        load(tmp_path / "none.py")


def test_several_operators_in_a_file(tmp_path: Path) -> None:
    path = write(tmp_path / "two.py", IMPORT + COPY.format(name="first") + COPY.format(name="second"))
    assert [op.name for op in load_all(path)] == ["first", "second"]
    assert load(f"{path}:second").name == "second"
    error = fault(path)
    assert (error.code, error.hint) == ("OPW163", f"choose one, as in {path}:first")
    assert fault(f"{path}:third").code == "OPW160"


@pytest.mark.parametrize(("name", "text"), [("empty.py", "x = 1\n"), ("empty.mlir", "builtin.module {}\n")])
def test_no_operator_in_a_file(tmp_path: Path, name: str, text: str) -> None:
    assert fault(write(tmp_path / name, text)).code == "OPW163"


def test_python_errors_stand_at_their_lines(tmp_path: Path) -> None:
    error = fault(write(tmp_path / "broken.py", IMPORT + "\n\ndef helper():\n    return 1 / 0\n\nhelper()\n"))
    assert (error.code, error.message) == ("OPW162", "ZeroDivisionError: division by zero")
    assert error.location is not None
    assert (error.location.line, error.location.column) == (5, 12)


def test_a_verifier_error_of_a_file_stands_at_its_line(tmp_path: Path) -> None:
    error = fault(write(tmp_path / "bad.mlir", 'spec.operator @Empty {\n  %N = spec.dim "N"\n}\n'))
    assert (error.code, str(error.location)) == ("OPW116", f"{tmp_path / 'bad.mlir'}:1:1")


def test_a_file_is_found_from_a_function_of_its_own(tmp_path: Path) -> None:
    """Errors within a helper of the spec file point into the helper."""
    text = IMPORT + COPY.format(name="helped").replace("x[i]", "helper(x, i)") + "\n"
    text = text.replace("@operator", "def helper(t, i):\n    return t[i, i]\n\n@operator")
    error = fault(write(tmp_path / "helper.py", text))
    assert error.code == "OPW104"
    assert error.location is not None
    assert error.location.line == 4


@pytest.mark.parametrize("statement", ["raise SystemExit", "import sys; sys.exit(3)", "raise GeneratorExit"])
def test_a_spec_file_cannot_end_the_program(tmp_path: Path, statement: str) -> None:
    path = tmp_path / "leaves.py"
    path.write_text(f"x = 1\n{statement}\n", encoding="utf-8")
    with pytest.raises(Diagnostic) as refused:
        load(str(path))
    assert refused.value.code == "OPW162"
    assert refused.value.location is not None
    assert refused.value.location.line == 2
