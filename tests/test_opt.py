import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest
from xdsl.context import Context
from xdsl.dialects import arith, builtin
from xdsl.passes import ModulePass
from xdsl.utils.exceptions import PassFailedException

from opwright.opt import OptMain, main

GOOD = "func.func @f() {\n  func.return\n}\n"
BAD = "func.func @f() -> i32 {\n  func.return\n}\n"


@dataclass(frozen=True)
class GiveUpPass(ModulePass):
    name = "give-up"

    def apply(self, ctx: Context, op: builtin.ModuleOp) -> None:
        raise PassFailedException("no way to tile this")


@dataclass(frozen=True)
class CrashPass(ModulePass):
    name = "crash"

    def apply(self, ctx: Context, op: builtin.ModuleOp) -> None:
        raise KeyError("missing")


@dataclass(frozen=True)
class BreakPass(ModulePass):
    name = "break"

    def apply(self, ctx: Context, op: builtin.ModuleOp) -> None:
        constant = arith.ConstantOp.from_int_and_width(1, 32)
        constant.properties["value"] = builtin.StringAttr("one")
        op.body.block.add_op(constant)


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., int]:
    register = OptMain.register_all_passes

    def register_all_passes(tool: OptMain) -> None:
        register(tool)
        for cls in (GiveUpPass, CrashPass, BreakPass):
            tool.register_pass(cls.name, lambda cls=cls: cls)

    monkeypatch.setattr(OptMain, "register_all_passes", register_all_passes)
    monkeypatch.chdir(tmp_path)

    def run(text: str, *args: str) -> int:
        Path("in.mlir").write_text(text)
        return main(["in.mlir", *args])

    return run


def test_output_file(run: Callable[..., int], capsys: pytest.CaptureFixture[str]) -> None:
    assert run(GOOD, "-o", "out.mlir") == 0
    assert "func.func @f()" in Path("out.mlir").read_text()
    assert capsys.readouterr() == ("", "")


def test_refusal_leaves_output_file_alone(run: Callable[..., int]) -> None:
    Path("out.mlir").write_text("kept")
    assert run(BAD, "-o", "out.mlir") == 2
    assert run(GOOD + "// -----\n" + BAD, "-o", "out.mlir", "--split-input-file") == 2
    assert Path("out.mlir").read_text() == "kept"


def test_refusal_prints_nothing_on_stdout(run: Callable[..., int], capsys: pytest.CaptureFixture[str]) -> None:
    assert run(GOOD + "// -----\n" + BAD, "--split-input-file") == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert err.startswith("in.mlir:6:3: error[OPW002]: 'func.return': ")


def test_output_folder_is_missing(run: Callable[..., int], capsys: pytest.CaptureFixture[str]) -> None:
    assert run(GOOD, "-o", "none/out.mlir") == 2
    assert capsys.readouterr().err == "error[OPW004]: cannot open 'none/out.mlir': No such file or directory\n"


def test_failed_pass(run: Callable[..., int], capsys: pytest.CaptureFixture[str]) -> None:
    assert run(GOOD, "-p", "cse,give-up") == 2
    assert capsys.readouterr().err == (
        "in.mlir:1:1: error[OPW005]: no way to tile this\n    func.func @f() {\n    ^\nhint: found in pass 'give-up'\n"
    )


def test_pass_that_breaks_the_module(run: Callable[..., int], capsys: pytest.CaptureFixture[str]) -> None:
    assert run(GOOD, "-p", "break,cse") == 2
    err = capsys.readouterr().err
    assert "error[OPW002]: 'arith.constant': " in err
    assert err.endswith("hint: found after pass 'break'\n")


def test_internal_error(
    run: Callable[..., int], capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    assert run(GOOD, "-p", "crash") == 2
    err = capsys.readouterr().err
    assert err.startswith("error[OPW006]: internal error at tests/test_opt.py:")
    assert "KeyError: 'missing'" in err
    assert "Traceback" not in err
    monkeypatch.setenv("OPWRIGHT_TRACEBACK", "1")
    with pytest.raises(KeyError, match="missing"):
        run(GOOD, "-p", "crash")


def test_text_is_not_utf8(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "latin.mlir"
    path.write_bytes(b"// caf\xe9\n")
    assert main([str(path)]) == 2
    assert "is not UTF-8 text: invalid continuation byte at byte 6" in capsys.readouterr().err


def test_help_and_version(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--version"]) == 0
    assert capsys.readouterr().out == "opwright-opt on xDSL 0.75.0\n"
    assert main(["--help"]) == 0
    assert "canonicalize" in capsys.readouterr().out


def test_starts_without_numpy() -> None:
    """NumPy takes a third of the start of a tool that a lit suite starts hundreds of times."""
    code = (
        "import sys\n"
        "from opwright.opt import OptMain\n"
        "tool = OptMain(['-p', 'cse'])\n"
        "for name in ('spec', 'tile'):\n"
        "    tool.ctx.load_registered_dialect(name)\n"
        "sys.exit('numpy' in sys.modules)\n"
    )
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


def test_reader_that_stops_early(tmp_path: Path) -> None:
    path = tmp_path / "long.mlir"
    path.write_text("".join(f"func.func private @f{i}()\n" for i in range(4000)))
    tool = subprocess.Popen(
        [Path(sys.executable).with_name("opwright-opt"), path], stdout=subprocess.PIPE, stderr=subprocess.PIPE
    )
    assert tool.stdout is not None
    assert tool.stderr is not None
    assert tool.stdout.readline() == b"builtin.module {\n"
    tool.stdout.close()
    assert tool.stderr.read() == b""
    assert tool.wait() == 0
    tool.stderr.close()
