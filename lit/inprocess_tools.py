"""Pipelines of Python tools, run inside one process."""

import importlib
import os
import runpy
import sys
import traceback
from collections.abc import Callable, Generator, Sequence
from contextlib import contextmanager, redirect_stderr, redirect_stdout
from dataclasses import dataclass
from io import BytesIO, StringIO, TextIOWrapper

Main = Callable[[list[str]], object]
"""A tool: takes its arguments, reads sys.stdin, prints, and returns or exits with its code."""

PROCESS_GLOBAL = ("--disable-verify", "--syntax-highlight")
"""Switches that change xDSL for the rest of the process."""


@dataclass(frozen=True)
class Stage:
    """One command of a pipeline; `fails` says that the test expects a non-zero exit code."""

    tool: str
    args: tuple[str, ...]
    fails: bool
    merges_stderr: bool


@dataclass(frozen=True)
class Outcome:
    """What a pipeline left: whether every stage ended as expected, the last output, and the log of the rest."""

    passed: bool
    out: str
    err: str


def stage_of(words: Sequence[str], merges_stderr: bool) -> Stage | None:
    """Return the stage of a command, or None where a shell has to run it."""
    fails = words[0] == "not"
    tool, *args = words[fails:] or [""]
    if tool == sys.executable:
        known = len(args) == 1 and args[0].endswith(".py")
        tool = "python"
    else:
        known = tool in TOOLS
    if not known or any(switch in args for switch in PROCESS_GLOBAL):
        return None
    return Stage(tool, tuple(args), fails, merges_stderr)


def run_pipeline(stages: Sequence[Stage]) -> Outcome:
    """Run the stages one after the other, each reading what the one before printed."""
    text, log, passed = "", "", True
    for stage in stages:
        code, text, err = _run_stage(stage, text)
        log += err
        if (code != 0) != stage.fails:
            passed = False
            log += f"{stage.tool} ended with exit code {code}\n"
    return Outcome(passed, text, log)


def _run_stage(stage: Stage, stdin: str) -> tuple[int, str, str]:
    out = StringIO()
    err = out if stage.merges_stderr else StringIO()
    with _stdin(stdin), redirect_stdout(out), redirect_stderr(err):
        code = _exit_code(TOOLS[stage.tool], list(stage.args))
    return code, out.getvalue(), "" if stage.merges_stderr else err.getvalue()


def _exit_code(main: Main, args: list[str]) -> int:
    try:
        result = main(args)
    except SystemExit as end:
        result = end.code
    except Exception:  # noqa: BLE001 - as at a process's boundary
        traceback.print_exc()
        return 1
    return result if isinstance(result, int) else int(result is not None)


@contextmanager
def _stdin(text: str) -> Generator[None]:
    kept = sys.stdin
    sys.stdin = TextIOWrapper(BytesIO(text.encode()), encoding="utf-8")
    try:
        yield
    finally:
        sys.stdin = kept


@contextmanager
def working_folder(path: str) -> Generator[None]:
    """Run in a folder, made where it is missing."""
    kept = os.getcwd()
    os.makedirs(path, exist_ok=True)
    os.chdir(path)
    try:
        yield
    finally:
        os.chdir(kept)


def _opwright(module: str) -> Main:
    def main(args: list[str]) -> object:
        return importlib.import_module(module).main(args)

    return main


def _filecheck(args: list[str]) -> object:
    return importlib.import_module("filecheck.main").main(["filecheck", *args])


def _python(args: list[str]) -> object:
    runpy.run_path(args[0], run_name="__main__")


TOOLS: dict[str, Main] = {
    "filecheck": _filecheck,
    "opwright": _opwright("opwright.cli"),
    "opwright-opt": _opwright("opwright.opt"),
    "python": _python,
}
