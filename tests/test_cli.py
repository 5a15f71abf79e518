"""The command line as a whole: exit codes, help, and quiet ends."""

import json
import os
import re
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from io import StringIO
from pathlib import Path

import pytest

from opwright import cli
from opwright.cli import main
from opwright.interrupts import interrupts_held_back
from opwright.parallel import in_processes
from opwright.progress import Progress

OPERATOR = "MaskedCausalConv1dBackward"


def process(*args: str) -> list[str]:
    return [sys.executable, "-c", "import sys; from opwright.cli import main; sys.exit(main())", *args]


@pytest.fixture
def interruptible() -> Iterator[None]:
    """Have interrupts count: a shell that starts something in the background has it ignore them."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


def test_list_and_show_as_json(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["list", "--json"]) == 0
    listed = json.loads(capsys.readouterr().out)
    assert main(["show", OPERATOR, "--json"]) == 0
    shown = json.loads(capsys.readouterr().out)
    assert shown in listed
    assert [p["name"] for p in shown["inputs"] if p["optional"]] == ["maskOptional"]
    assert shown["dtype_columns"] == [{"T": "f16"}, {"T": "bf16"}]
    assert {"condition": "B <= 32", "code": 561002} in shown["constraints"]


@pytest.mark.parametrize("command", cli.COMMANDS)
def test_help(command: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main([command, "--help"]) == 0
    assert capsys.readouterr().out.startswith(f"usage: opwright {command}")
    assert main(["--help"]) == 0
    assert command in capsys.readouterr().out


def test_version(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--version"]) == 0
    assert capsys.readouterr().out.startswith("opwright ")


def test_refusal_is_one_message_on_stderr(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["show", "Blur"]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert err.startswith("error[OPW160]: the library has no operator 'Blur'\nhint: ")


def raising(error: BaseException) -> Callable[[object], int]:
    def run(args: object) -> int:
        raise error

    return run


def test_interrupt_is_quiet(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr("opwright.commands.list.run", raising(KeyboardInterrupt()))
    assert main(["list"]) == 130
    assert capsys.readouterr() == ("", "")


def test_fault_of_the_tool_is_no_traceback(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr("opwright.commands.list.run", raising(RuntimeError("odd")))
    assert main(["list"]) == 2
    assert capsys.readouterr().err.startswith("error[OPW006]: internal error at ")


def test_broken_pipe_is_quiet() -> None:
    reader, writer = os.pipe()
    os.close(reader)
    try:
        done = subprocess.run(process("list"), stdout=writer, stderr=subprocess.PIPE, check=False, text=True)
    finally:
        os.close(writer)
    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.usefixtures("interruptible")
def test_interrupts_wait_where_they_would_do_harm() -> None:
    seen: list[str] = []

    def interrupted() -> None:
        with interrupts_held_back():
            signal.raise_signal(signal.SIGINT)
            seen.append("after the signal")

    with pytest.raises(KeyboardInterrupt):
        interrupted()
    assert seen == ["after the signal"]


def test_interrupts_do_not_reach_the_processes_of_a_pool() -> None:
    def work(item: int) -> int:
        if os.getpid() != parent:
            os.kill(os.getpid(), signal.SIGINT)
        return item * item

    parent = os.getpid()
    assert list(in_processes(work, range(5))) == [0, 1, 4, 9, 16]


POOL = """
import os, time
from opwright.parallel import in_processes
def work(item):
    os.write(1, f"{os.getpid()}\\n".encode())
    time.sleep(60)
list(in_processes(work, range(4)))
"""


def test_a_pool_ends_quietly_with_its_process() -> None:
    with subprocess.Popen([sys.executable, "-c", POOL], stdout=subprocess.PIPE, stderr=subprocess.PIPE) as running:
        assert running.stdout is not None
        assert running.stderr is not None
        running.stdout.readline()
        running.kill()
        # The pipes end when nobody holds them any more.
        running.stdout.read()
        assert running.stderr.read() == b""


FOREVER = """#include "kernel_operator.h"
extern "C" __global__ __aicore__ void k(GM_ADDR x) {
    puts("runs");
    fflush(stdout);
    volatile int on = 1;
    while (on) {}
}
"""


@pytest.mark.usefixtures("interruptible")
def test_an_interrupt_ends_a_kernel_that_never_does(tmp_path: Path) -> None:
    source = tmp_path / "k.cpp"
    source.write_text(FOREVER)
    command = process("emulate", str(source), "--target", "ascend910b", "--cores", "1", "-a", "x=null")
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as running:
        assert running.stdout is not None
        assert running.stdout.readline() == b"runs\n"
        running.send_signal(signal.SIGINT)
        try:
            assert running.wait(30) == cli.INTERRUPTED
        finally:
            running.kill()


@pytest.mark.parametrize(
    "words",
    [
        "build Blur --target cpu -o",
        "acl Blur -o",
        "emulate k.cpp --target ascend910b -o",
        "run Blur --in x --out",
    ],
)
def test_an_empty_path_is_refused(words: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main([*words.split(), ""]) == cli.REFUSED
    assert "OPW003" in (error := capsys.readouterr().err)
    assert "a path is not empty" in error


class Terminal(StringIO):
    def isatty(self) -> bool:
        return True

    def fileno(self) -> int:
        return 2


def size(handle: int) -> os.terminal_size:
    return os.terminal_size((20, 24))


def test_progress_is_one_line_that_goes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stderr", terminal := Terminal())
    monkeypatch.setattr("os.get_terminal_size", size)
    monkeypatch.setattr("opwright.progress.INTERVAL", 0.0)
    assert list(Progress("building").over(["one", "the second of two"], 2)) == ["one", "the second of two"]
    assert terminal.getvalue().split("\r\x1b[K") == ["", "building 0/2 one", "building 1/2 the se", ""]


def test_no_progress_without_a_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stderr", stream := StringIO())
    with Progress("running", "it"):
        assert list(Progress("building").over([1, 2], 2)) == [1, 2]
    assert stream.getvalue() == ""


def test_every_code_of_the_command_line_is_listed(root: Path) -> None:
    """Those of specs and calls are looked for in tests/test_spec_diagnostics.py."""
    listed = re.findall(r"^\| (OPW(?:0\d\d|45\d)) \|", (root / "docs" / "diagnostics.md").read_text(), re.MULTILINE)
    sources = "".join(path.read_text() for area in ("dialect", "opwright") for path in (root / area).rglob("*.py"))
    assert sorted(listed) == sorted(set(re.findall(r'"(OPW(?:0\d\d|45\d))"', sources)))


def test_show_lists_every_kind_of_constraint(capsys: pytest.CaptureFixture[str]) -> None:
    expected = {
        "MoeTokenUnpermuteWithRoutingMapGrad": [
            "elements of outIndex from 0 to M - 1, or negative for nothing; no two the same",
            "routingMapOptional is given, where given(probsOptional)    (else 561002)",
            "K <= E, where not paddedMode and given(probsOptional)    (else 561002)",
        ],
        "NsaCompressGrad": ["sum(b < R) count[b] == C    (else 561002)"],
    }
    for name, lines in expected.items():
        assert main(["show", name]) == 0
        shown = capsys.readouterr().out.splitlines()
        assert [line for line in lines if f"  {line}" not in shown] == []
        assert not any(line.startswith("  t18") for line in shown)
