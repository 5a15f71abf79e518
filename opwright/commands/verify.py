"""`opwright verify`: every backend against the reference, on random cases."""

from __future__ import annotations

import json
import os
from argparse import ArgumentParser, Namespace
from collections.abc import Sequence
from dataclasses import asdict
from math import isfinite
from typing import TYPE_CHECKING

from ..backends import COMPARED, Backend, Engine, targets_of
from ..dialect.diagnostics import Diagnostic
from ..interrupts import interrupts_held_back
from ..loading import list_operators, load
from ..passes.chips import CHIPS
from ..progress import Progress
from .arguments import OPERATOR_HELP, path

if TYPE_CHECKING:
    from ..verification.results import Report
    from ..verification.verifier import Verifier

MISMATCH = 1
"""The exit code when something does not hold."""


def add_arguments(parser: ArgumentParser) -> None:
    """Declare the command's arguments."""
    parser.description = (
        "Run random cases on every backend and target, and compare: with the reference in float64, and bit for bit "
        "between the backends of a target and between numbers of cores and threads. Prints a table; exit code 1 if "
        "anything does not hold. ascendc is emulated on this machine. Put operators before the options."
    )
    parser.add_argument("operators", metavar="OP", nargs="*", help=f"{OPERATOR_HELP} (default: the whole library)")
    for flag, metavar, choices in (("--backend", "B", COMPARED), ("--target", "T", tuple(CHIPS))):
        text = f"some of {', '.join(choices)} (default: all)"
        parser.add_argument(flag, metavar=metavar, nargs="+", action="extend", choices=choices, help=text)
    parser.add_argument("--cases", metavar="N", type=int, default=20, help="number of cases (default: 20)")
    parser.add_argument("--seed", metavar="S", type=int, default=0, help="what the cases are drawn from (default: 0)")
    parser.add_argument(
        "--strict",
        metavar="N",
        type=int,
        default=0,
        help="also run each emulated kernel with N seeds; each gives another legal order of its pipes and cores",
    )
    parser.add_argument("--case", metavar="K", type=int, help="run the case of this number alone")
    parser.add_argument(
        "--save-failing", metavar="DIR", type=path, help="write the inputs of failing cases there, as npz"
    )
    parser.add_argument("--json", action="store_true", help="print JSON, for programs")


def run(args: Namespace) -> int:
    """Verify, print the report, and tell whether all of it holds."""
    os.environ.setdefault("OMP_WAIT_POLICY", "passive")  # cases are short, and threads that wait would spin
    with interrupts_held_back():
        from ..verification.results import Report
        from ..verification.table import format_report
        from ..verification.verifier import Verifier

    engines, numbers, report = _engines(args), _numbers(args), Report()
    for spec in args.operators or list_operators():
        verifier = Verifier(load(spec), spec, engines, report)
        _verify(verifier, args.seed, numbers)
        _verify_strictly(verifier, args.strict)
        if args.save_failing is not None:
            _save(verifier, args)
    print(json.dumps(_plain(report), indent=2) if args.json else format_report(report))
    return MISMATCH if report.failures else 0


def _engines(args: Namespace) -> list[Engine]:
    """Return the engines asked for, the backends of each target side by side; all where nothing is asked for."""
    backends: Sequence[Backend] = args.backend or COMPARED
    targets: Sequence[str] = args.target or tuple(CHIPS)
    chosen = sorted(set(backends), key=COMPARED.index)
    engines = [Engine(b, t) for t in dict.fromkeys(targets) for b in chosen if t in targets_of(b)]
    if not engines:
        text = f"nothing to verify: {', '.join(backends)} does not run {', '.join(targets)}"
        raise Diagnostic("OPW011", text, hint=f"ascendc runs {', '.join(targets_of('ascendc'))}")
    return engines


def _numbers(args: Namespace) -> range:
    least = 0 if args.strict else 1
    if args.cases < least:
        raise Diagnostic("OPW013", f"the number of cases is {args.cases}, it must be at least {least}")
    if min(args.seed, args.case or 0, args.strict) < 0:
        raise Diagnostic("OPW013", "seed, case and strict must not be negative")
    return range(args.cases) if args.case is None else range(args.case, args.case + 1)


def _verify(verifier: Verifier, seed: int, numbers: range) -> None:
    verifier.prepare(seed, numbers, Progress("compiling"))
    for number in Progress(verifier.operator.name).over(numbers, len(numbers)):
        verifier.verify(seed, number)


def _verify_strictly(verifier: Verifier, seeds: int) -> None:
    from ..verification.strict import strict_engines, verify_strictly

    for engine in strict_engines(verifier.engines) if seeds else ():
        progress = Progress(f"{verifier.operator.name} strictly on {engine.target}")
        for _ in progress.over(verify_strictly(verifier, engine, range(seeds)), seeds):
            continue


def _save(verifier: Verifier, args: Namespace) -> None:
    from ..arrays import npz_bytes
    from ..writing import write_all

    folder = args.save_failing
    files = {
        folder / f"{verifier.operator.name}-seed{args.seed}-case{number}.npz": npz_bytes(arrays)
        for number, arrays in verifier.failing.items()
    }
    write_all(files)


def _plain(report: Report) -> dict[str, object]:
    """Return the report for JSON, which has no infinity: an error that is not finite is null."""
    rows = [
        {
            **asdict(row),
            "mean_error": row.mean_error if isfinite(row.mean_error) else None,
            "max_error": row.max_error if isfinite(row.max_error) else None,
            "emulated": row.backend == "ascendc",
            "passed": row.passed,
        }
        for row in report.rows
    ]
    return {
        "rows": rows,
        "repeated": dict(report.repeated),
        "reached": {name: {"variants": reached, "of": every} for name, (reached, every) in report.reached.items()},
        "failures": [asdict(failure) for failure in report.failures],
        "passed": not report.failures,
    }
