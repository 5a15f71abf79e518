"""Functions that the host alone has, and what chips refuse along lanes."""

from pathlib import Path

import pytest

from opwright.cli import main
from opwright.dialect.diagnostics import Diagnostic
from opwright.loading import load
from opwright.passes.pipelines import pipeline, run_pipeline

SPECS = Path(__file__).parent / "specs"


def test_functions_of_cpu(capsys: pytest.CaptureFixture[str]) -> None:
    status = main(["verify", str(SPECS / "functions.py"), "--backend", "numpy", "c", "--target", "cpu", "--cases", "2"])
    rows = capsys.readouterr().out.splitlines()[2:]
    assert status == 0
    assert len(rows) == 2


REFUSED = {
    "sin(x[i, j])": "'sin' has no row instruction",
    "x[i, j] * cast(j, f32)": "the index that runs over lanes is computed with",
    "where(j < 3, x[i, j], 0)": "the index that runs over lanes is computed with",
    "where(cast(x[i, j], i32) > 3, x[i, j], 0)": "'x > y' of lanes of i32 has no row instruction",
}
"""Right sides that no chip takes, and what is said of them."""

REFUSING = """\
from opwright.dialect.frontend import Spec, cast, f32, i32, indices, operator, sin, where


@operator("Refused")
def refused(spec: Spec) -> None:
    N, M = spec.dims("N", "M")
    x = spec.input("x", f32[N, M])
    y = spec.output("y", f32[N, M])
    i, j = indices(i=N, j=M)
    y[i, j] = {value}
"""


@pytest.mark.parametrize("value", REFUSED)
def test_refusals_name_what_is_written(value: str, tmp_path: Path) -> None:
    path = tmp_path / "refused.py"
    path.write_text(REFUSING.format(value=value), encoding="utf-8")
    module = load(path).module
    with pytest.raises(Diagnostic, match="OPW345") as refusal:
        run_pipeline(module, pipeline("ascend910b", "numpy"))
    assert REFUSED[value] in str(refusal.value)
