"""What an operator project consists of."""

import re
from dataclasses import replace
from pathlib import Path

import pytest

from opwright import project
from opwright.cli import main
from opwright.codegen.emulator.launch import EmulatedKernel
from opwright.dialect.diagnostics import Diagnostic
from opwright.loading import load
from opwright.passes.chips import CHIPS, Chip, get_chip
from opwright.progress import Progress

OPERATOR = "MaskedCausalConv1dBackward"
SNAKE = "masked_causal_conv1d_backward"
ALL = ("ascend910b", "ascend910_93", "ascend950")
KERNELS = ("f16", "f16_mask_optional", "bf16", "bf16_mask_optional")


@pytest.fixture(scope="module")
def files(root: Path) -> dict[str, str]:
    operators = [load(OPERATOR), load(root / "tests/specs/segment_bias.py")]
    return project.build_project(operators, ALL, Progress(""))


def test_layout(files: dict[str, str]) -> None:
    names = {name for name in files if "segment_bias" not in name}
    host = {
        f"op_host/{SNAKE}/{SNAKE}{end}"
        for end in ("_def.cpp", "_infershape.cpp", "_call.h", "_tiling.h", "_tiling.cpp")
    }
    for architecture in ("dav_2201", "dav_3510"):
        host |= {f"op_host/{SNAKE}/{architecture}/{SNAKE}_{kernel}_tiling.cpp" for kernel in KERNELS[:2]}
    kernel = {f"op_kernel/{SNAKE}/{SNAKE}{end}" for end in (".cpp", "_tiling_data.h")}
    kernel |= {f"op_kernel/{SNAKE}/{a}/{SNAKE}_{k}.h" for a in ("dav_2201", "dav_3510") for k in KERNELS}
    api = {
        f"op_api/{SNAKE}/{name}" for name in (f"aclnn_{SNAKE}.h", f"aclnn_{SNAKE}.cpp", f"{SNAKE}.h", f"{SNAKE}.cpp")
    }
    build = {
        "CMakeLists.txt",
        "CMakePresets.json",
        *(f"{f}/CMakeLists.txt" for f in ("op_host", "op_api", "op_kernel", "examples")),
    }
    checks = {name for name in names if name.startswith("op_api/checks/")}
    others = {"README.md", "op_host/call.h", f"examples/test_aclnn_{SNAKE}.cpp"}
    assert names == host | kernel | api | build | checks | others
    assert len(checks) == 13


def test_every_source_is_built(files: dict[str, str]) -> None:
    for folder in ("op_host", "op_api"):
        page = files[f"{folder}/CMakeLists.txt"]
        sources = [name for name in files if name.startswith(f"{folder}/") and name.endswith((".cpp", ".c"))]
        assert all(f"    {name.removeprefix(f'{folder}/')}\n" in page for name in sources)
    assert all(f"KERNEL_FILE {name}.cpp" in files["op_kernel/CMakeLists.txt"] for name in (SNAKE, "segment_bias"))


def test_keys_are_the_same_on_both_sides(files: dict[str, str]) -> None:
    header = files[f"op_kernel/{SNAKE}/{SNAKE}_tiling_data.h"]
    keys = re.findall(r"^#define (\w+) (\d+)$", header, re.MULTILINE)
    assert [int(number) for _, number in keys] == [1, 2, 3, 4]
    names = [name for name, _ in keys]
    assert re.findall(r"TILING_KEY_IS\((\w+)\)", files[f"op_kernel/{SNAKE}/{SNAKE}.cpp"]) == names
    table = files[f"op_host/{SNAKE}/{SNAKE}_call.h"]
    assert re.findall(r"^    \{(\w+), ", table, re.MULTILINE) == names


def test_one_architecture_needs_no_choice() -> None:
    files = project.build_project([load(OPERATOR)], ["ascend910b"], Progress(""))
    assert "__NPU_ARCH__" not in files[f"op_kernel/{SNAKE}/{SNAKE}.cpp"]
    assert "Compute_dav_2201" in files[f"op_host/{SNAKE}/{SNAKE}_tiling.cpp"]
    assert not any("dav_3510" in name for name in files)


def test_pages_say_which_target_serves_which_chips(files: dict[str, str]) -> None:
    launch = project.launch_files([load(OPERATOR)], ALL[1:2], Progress(""))
    for target in ALL:
        chip = get_chip(target)
        row = f"| {target} | {chip.products} | dav_{chip.npu_arch} | dav-{chip.npu_arch} |"
        assert row in files["README.md"]
        assert (row in launch["README.md"]) == (target == ALL[1])


def test_order_of_targets_changes_nothing(files: dict[str, str], root: Path) -> None:
    operators = [load(OPERATOR), load(root / "tests/specs/segment_bias.py")]
    assert project.build_project(operators, ALL[::-1], Progress("")).keys() == files.keys()


def test_too_many_kernels(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(project, "MOST_KERNELS", 3)
    with pytest.raises(Diagnostic, match="has 4 kernels, a project takes 3") as raised:
        project.build_project([load(OPERATOR)], ALL, Progress(""))
    assert raised.value.code == "OPW480"


def test_chips_that_one_compiler_cannot_tell_apart(monkeypatch: pytest.MonkeyPatch) -> None:
    other = replace(CHIPS["ascend910_93"], ub_bytes=100_000)

    def changed(name: str) -> Chip:
        return other if name == other.name else get_chip(name)

    monkeypatch.setattr(project, "get_chip", changed)
    with pytest.raises(Diagnostic, match="ascend910b and ascend910_93 have one architecture") as raised:
        project.build_project([load(OPERATOR)], ALL, Progress(""))
    assert raised.value.code == "OPW481"


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--target", "cpu,ascend950"], "argument --target: cpu stands alone"),
        (["--target", "cpu", "--layout", "launch"], "--layout launch is for chips"),
        ([OPERATOR, "--target", "cpu"], "--target cpu takes one operator"),
    ],
)
def test_refused_command_lines(
    arguments: list[str], message: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["build", OPERATOR, *arguments, "-o", str(tmp_path)]) == 2
    assert message in capsys.readouterr().err


@pytest.mark.parametrize("target", ALL[1:])
def test_launch_files_compile(target: str) -> None:
    """The kernel of a direct launch takes its tiling data by value."""
    files = project.launch_files([load(OPERATOR)], [target], Progress(""))
    assert [Path(name).stem for name in files] == [*(f"{SNAKE}_{kernel}" for kernel in KERNELS), "README"]
    assert f"`dav_{get_chip(target).npu_arch}/{SNAKE}_f16.asc` | T = f16; maskOptional absent |" in files["README.md"]
    declared = re.search(r"^    const char \*(\w+)\((.*)\);$", files["README.md"], re.MULTILINE)
    assert declared is not None
    text = next(iter(files.values()))
    assert " ".join(declared[0].removesuffix(";").split()) in " ".join(text.split())
    assert "<<<static_cast<uint32_t>(cores), nullptr, stream>>>(" in text
    kernel_only = text[: text.index("/// Computes the outputs on")].replace('#include "acl/acl.h"\n', "")
    names = ("gradY", "x", "weight", "gradXOut", "gradWeightOut", "workspace", "data")
    kernel = EmulatedKernel({"kernel.cpp": kernel_only}, f"{SNAKE}_f16", names, get_chip(target))
    assert kernel.parameter_bytes == (0,) * 6 + (11 * 8,)
