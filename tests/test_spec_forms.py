"""A spec in Python and the same spec as text are equal in standing: they build to the same bytes."""

import re
from pathlib import Path

import pytest

from opwright.loading import Operator, load
from opwright.package import package
from opwright.progress import Progress
from opwright.project import build_project

OPERATOR = "MaskedCausalConv1dBackward"


def built(operator: Operator, target: str) -> dict[str, str]:
    if target == "cpu":
        return package(operator, Progress(""))
    return build_project([operator], [target], Progress(""))


@pytest.mark.parametrize("target", ["cpu", "ascend910b", "ascend950"])
def test_text_and_python_build_the_same_bytes(root: Path, target: str) -> None:
    text = load(str(root / "tests/specs/masked_causal_conv1d_backward.mlir"))
    python = load(OPERATOR)
    files = built(python, target)
    assert built(text, target) == files
    assert len(files) > 8


def test_names_of_scalars_do_not_reach_the_output(root: Path, tmp_path: Path) -> None:
    text = (root / "tests/specs/masked_causal_conv1d_backward.mlir").read_text(encoding="utf-8")
    renamed = tmp_path / "renamed.mlir"
    renamed.write_text(re.sub(r"%(keep|y|v|a|b|p)\b", r"%other_\1", text), encoding="utf-8")
    assert renamed.read_text(encoding="utf-8") != text
    assert built(load(str(renamed)), "cpu") == built(load(OPERATOR), "cpu")


def test_the_spec_is_short(root: Path) -> None:
    lines = (root / "ops/masked_causal_conv1d_backward.py").read_text(encoding="utf-8").splitlines()
    assert len([line for line in lines if line.strip() and not line.strip().startswith("#")]) <= 40
