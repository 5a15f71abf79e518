"""What the laptop's ACL refuses before it compiles a library, and what the compiler refuses."""

from collections.abc import Callable, Sequence
from pathlib import Path

import pytest

from opwright.acl import acl_files, operators_of_program
from opwright.cli import main
from opwright.codegen.aclnn.derive import derive_interface
from opwright.codegen.aclnn.interface import snake_case
from opwright.dialect.diagnostics import Diagnostic
from opwright.loading import Operator, load, load_all
from opwright.progress import Progress
from opwright.project import build_project, launch_files

pytestmark = pytest.mark.xdist_group("acl")

COPIES = """
from opwright.dialect.frontend import *

def copy(spec):
    N = spec.dim("N", 4)
    x = spec.input("x", f32[N])
    y = spec.output("y", f32[N])
    (i,) = indices(i=N)
    y[i] = x[i]

first = operator("CopyRows")(copy)
second = operator("copyRows")(copy)
"""

SQUARE = """
spec.operator @Square {
  %N = spec.dim "N"
  %flag = spec.attr "flag" : i1
  %x = spec.input "x" : !spec.tensor<[N], f32>
  %n = arith.extui %flag : i1 to i64
  %size = arith.index_cast %n : i64 to index
  spec.require [%size] <= [%N] code 561002
  %y = spec.compute (%i: 0 to %N) -> !spec.tensor<[N], f32> {
    %a = spec.read %x[%i] : f32
    spec.write %a to 0[%i]
  }
  spec.output "y" %y : !spec.tensor<[N], f32>
}
"""


@pytest.mark.parametrize(
    "name", ["EOF", "errno", "uint64_t", "std", "INT_MAX", "stdout", "linux", "check", "made", "if"]
)
def test_a_name_that_means_something_else_in_c_is_refused(name: str, tmp_path: Path) -> None:
    path = tmp_path / "spec.mlir"
    path.write_text(SQUARE.replace('"x"', f'"{name}"'))
    with pytest.raises(Diagnostic, match=rf"OPW460.*'{name}' cannot have this name in C"):
        derive_interface(load(str(path)).op)


def refusal(code: str, text: str, error: pytest.ExceptionInfo[Diagnostic]) -> None:
    assert error.value.code == code
    assert text in error.value.render()


def test_two_operators_of_one_header(tmp_path: Path) -> None:
    path = tmp_path / "copies.py"
    path.write_text(COPIES)
    with pytest.raises(Diagnostic) as error:
        acl_files(load_all(path), emulate=False)
    refusal("OPW462", "operators CopyRows and copyRows have one header, aclnnop/aclnn_copy_rows.h", error)


@pytest.mark.parametrize("build", [build_project, launch_files])
def test_two_operators_of_one_name_in_a_project(
    build: Callable[[Sequence[Operator], Sequence[str], Progress], dict[str, str]], tmp_path: Path
) -> None:
    path = tmp_path / "copies.py"
    path.write_text(COPIES)
    with pytest.raises(Diagnostic) as error:
        build(load_all(path), ["ascend950"], Progress(""))
    refusal("OPW462", "operators CopyRows and copyRows have one header, aclnnop/aclnn_copy_rows.h", error)


def test_a_constraint_that_the_interface_cannot_compute(tmp_path: Path) -> None:
    path = tmp_path / "square.mlir"
    path.write_text(SQUARE)
    with pytest.raises(Diagnostic) as error:
        derive_interface(load(path).op)
    refusal("OPW461", "the aclnn interface cannot compute what this is made of", error)


def test_a_header_of_no_operator() -> None:
    known = [load("MaskedCausalConv1dBackward")]
    text = b'#include "aclnn/aclnn_base.h"\n#include "aclnnop/aclnn_masked_causal_conv1d_backward.h"\n'
    assert operators_of_program(text, known) == known
    with pytest.raises(Diagnostic) as error:
        operators_of_program(text + b'  #include <aclnn_blur.h>\n// #include "aclnn_x.h"\n', known)
    refusal("OPW464", "the program includes aclnn_blur.h, which is no operator's header", error)


def test_a_program_that_does_not_compile(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    source = tmp_path / "wrong.cpp"
    source.write_text('#include "acl/acl.h"\nint main() { return aclInit(); }\n')
    assert main(["run-example", str(source)]) == 2
    message = capsys.readouterr().err
    assert message.startswith("error[OPW465]: wrong.cpp does not compile:\n")
    assert "wrong.cpp:2:28: error: too few arguments" in message


@pytest.mark.parametrize(
    ("name", "snake"),
    [
        ("AddCustom", "add_custom"),
        ("Conv2D", "conv2_d"),
        ("GRUCell", "gru_cell"),
        ("MaskedCausalConv1dBackward", "masked_causal_conv1d_backward"),
        ("GatherV2", "gather_v2"),
        ("Windows_Gradient", "windows_gradient"),
    ],
)
def test_names_of_files(name: str, snake: str) -> None:
    assert snake_case(name) == snake
