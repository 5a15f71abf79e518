import json
import os
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest

LIT = Path(__file__).resolve().parents[1] / "lit"
CONFIG = {"lit.cfg.py", "inprocess_format.py", "inprocess_tools.py"}
FILES = sorted(
    str(path.relative_to(LIT))
    for path in LIT.rglob("*")
    if path.suffix in {".mlir", ".py"} and path.name not in CONFIG and "Inputs" not in path.parts
)

pytestmark = pytest.mark.xdist_group("lit")


@dataclass(frozen=True)
class Verdict:
    code: str
    output: str


Suite = Callable[..., dict[str, Verdict]]


@pytest.fixture(scope="module")
def run_lit(tmp_path_factory: pytest.TempPathFactory) -> Suite:
    def run(*args: str) -> dict[str, Verdict]:
        folder = tmp_path_factory.mktemp("lit")
        report = folder / "report.json"
        lit = str(Path(sys.executable).with_name("lit"))
        command = [lit, "-q", f"-j{os.cpu_count()}", f"--output={report}"]
        process = subprocess.run(
            [*command, f"--param=exec_root={folder}", *args], capture_output=True, text=True, check=False
        )
        if not report.exists():
            pytest.fail(f"lit did not run\n{process.stdout}\n{process.stderr}")
        results = json.loads(report.read_text())["tests"]
        return {result["name"].partition(" :: ")[2]: Verdict(result["code"], result["output"]) for result in results}

    return run


@pytest.fixture(scope="module")
def verdicts(run_lit: Suite) -> dict[str, Verdict]:
    return run_lit(str(LIT))


@pytest.mark.parametrize("name", FILES)
def test_lit(name: str, verdicts: dict[str, Verdict]) -> None:
    verdict = verdicts[name]
    assert verdict.code == "PASS", verdict.output


def test_every_lit_file_is_reported(verdicts: dict[str, Verdict]) -> None:
    assert sorted(verdicts) == FILES


@pytest.mark.parametrize("external", ["", "--param=external=1"])
def test_failures_are_seen(run_lit: Suite, tmp_path: Path, external: str) -> None:
    lines = {
        "check.mlir": "// RUN: opwright-opt %s | filecheck %s\n// CHECK: func.func @g\nfunc.func private @f()\n",
        "tool.mlir": "// RUN: opwright-opt %s --no-such-option\nfunc.func private @f()\n",
        "not.mlir": "// RUN: not opwright-opt %s\nfunc.func private @f()\n",
        "first.mlir": "// RUN: not opwright-opt %s | filecheck %s\n// CHECK: @f\nfunc.func private @f()\n",
        "script.py": "# RUN: %python %s\nraise SystemExit(3)\n",
        "good.mlir": "// RUN: opwright-opt %s | filecheck %s\n// CHECK: @f\nfunc.func private @f()\n",
        "good.py": "# RUN: %python %s | filecheck %s\n# CHECK: {{^}}7{{$}}\nprint(3 + 4)\n",
        "shell.mlir": "// RUN: echo a > %t && cat %t | filecheck %s\n// CHECK: a\n",
    }
    for name, text in lines.items():
        (tmp_path / name).write_text(text)
    (tmp_path / "lit.cfg.py").write_text(
        f"import os\nlit_config.load_config(config, {str(LIT / 'lit.cfg.py')!r})\n"
        "config.test_source_root = os.path.dirname(__file__)\n"
    )
    codes = {name: verdict.code for name, verdict in run_lit(*filter(None, [external]), str(tmp_path)).items()}
    assert codes == {
        "check.mlir": "FAIL",
        "tool.mlir": "FAIL",
        "not.mlir": "FAIL",
        "first.mlir": "FAIL",
        "script.py": "FAIL",
        "good.mlir": "PASS",
        "good.py": "PASS",
        "shell.mlir": "PASS",
    }
