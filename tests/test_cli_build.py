"""opwright build: all files or none, the same bytes each time, and fast."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from opwright import emission, package
from opwright.cli import main
from opwright.dialect.diagnostics import Diagnostic
from opwright.passes.chips import CHIPS

OPERATOR = "MaskedCausalConv1dBackward"
CHIP = "ascend910b"
VARIANTS = ("f16", "f16_maskOptional", "bf16", "bf16_maskOptional")


def contents(folder: Path) -> dict[str, bytes]:
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def test_every_variant_has_its_files(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["build", OPERATOR, "--target", "cpu", "-o", str(tmp_path)]) == 0
    files = contents(tmp_path)
    assert sorted(capsys.readouterr().out.split()) == sorted(str(tmp_path / name) for name in files)
    for variant in VARIANTS:
        names = [name.partition("/")[2] for name in files if name.startswith(f"{variant}/")]
        kernel = min(names, key=len).partition(".")[0]
        assert {name.removeprefix(kernel) for name in names} == {".c", ".py"}
    page = files["README.md"].decode()
    assert all(f"`{name}`: " in page for name in files if name != "README.md")


def test_same_bytes_again(tmp_path: Path) -> None:
    for folder in ("one", "two", "one"):
        assert main(["build", OPERATOR, "--target", CHIP, "-o", str(tmp_path / folder)]) == 0
    assert contents(tmp_path / "one") == contents(tmp_path / "two")


@pytest.mark.parametrize("target", ["cpu", CHIP])
def test_same_bytes_from_mlir(target: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["show", OPERATOR, "--mlir"]) == 0
    (tmp_path / "spec.mlir").write_text(capsys.readouterr().out)
    for spec, folder in ((OPERATOR, "python"), (str(tmp_path / "spec.mlir"), "mlir")):
        assert main(["build", spec, "--target", target, "-o", str(tmp_path / folder)]) == 0
    assert contents(tmp_path / "python") == contents(tmp_path / "mlir")


def test_refusal_leaves_everything_as_it_was(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    calls: list[object] = []

    def emit_twice(*args: object) -> dict[str, str]:
        calls.append(args)
        if len(calls) == 3:
            raise Diagnostic("OPW410", "no form for this")
        return {"kernel.c": "new"}

    kept = tmp_path / "out" / "f16" / "kernel.c"
    kept.parent.mkdir(parents=True)
    kept.write_text("old")
    monkeypatch.setattr(package, "emit", emit_twice)
    assert main(["build", OPERATOR, "--target", "cpu", "-o", str(tmp_path / "out")]) == 2
    assert contents(tmp_path) == {"out/f16/kernel.c": b"old"}
    assert capsys.readouterr() == ("", "error[OPW410]: no form for this\n")
    monkeypatch.setattr(package, "emit", emission.emit)


TIMED = """
import json, os, resource, sys
from opwright.cli import main
code = main(sys.argv[1:])
used = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
print(json.dumps([code, "numpy" in sys.modules, *(one.ru_utime + one.ru_stime for one in used)]))
"""


@pytest.mark.parametrize("target", [name for name, chip in CHIPS.items() if chip.staged])
def test_build_for_a_chip_is_fast_and_light(target: str, tmp_path: Path) -> None:
    """Told by processor time on two processors, so that other work changes little; 2 s leaves room for what it does.

    NumPy is not needed, and not loaded.
    """
    command = [sys.executable, "-c", TIMED, "build", OPERATOR, "--target", target, "-o", str(tmp_path)]
    done = subprocess.run(command, capture_output=True, check=True, text=True)
    code, has_numpy, own, children = json.loads(done.stdout.splitlines()[-1])
    assert (code, has_numpy, done.stderr) == (0, False, "")
    assert own + children / 2 < 2
