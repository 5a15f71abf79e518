"""The report of a verification, as a person reads it."""

from collections.abc import Sequence

from ..tables import format_table
from .results import Failure, Report, Row

HEADER = (
    "operator",
    "dtypes",
    "target",
    "backend",
    "cases",
    "mean err",
    "max err",
    "bit-equal",
    "cores",
    "threads",
    "strict",
    "result",
)
RIGHT = ("cases", "mean err", "max err", "bit-equal", "strict")
SHOWN_FAILURES = 10
REPEATED = "In {} of the cases of {}, several points name one place of an output: the last counts, on every backend."
REACHED = "The cases of {} are for {} of its {} variants; with more --cases there are more."
EXCEPTED = (
    "Not in max err: up to {} elements a row, so close to 0 that rounding alone exceeds the limit. Each has exactly "
    "the bits of the definition, in f32 or rounded once from float64."
)


def format_report(report: Report) -> str:
    """Return the table, and the first failures with the commands that show them again."""
    parts = [format_table(HEADER, [_row(row) for row in report.rows], RIGHT)]
    if (excepted := max((row.excepted for row in report.rows), default=0)) > 0:
        parts.append(EXCEPTED.format(excepted))
    parts += [REPEATED.format(count, operator) for operator, count in report.repeated.items()]
    parts += [
        REACHED.format(operator, reached, every)
        for operator, (reached, every) in report.reached.items()
        if reached < every and not report.failures
    ]
    if report.failures:
        parts.append("\n\n".join(_failure(failure) for failure in report.failures[:SHOWN_FAILURES]))
    if len(report.failures) > SHOWN_FAILURES:
        parts.append(f"... and {len(report.failures) - SHOWN_FAILURES} more; --json lists all")
    return "\n\n".join(parts)


def _row(row: Row) -> tuple[str, ...]:
    emulated = " (emulated)" if row.backend == "ascendc" else ""
    return (
        row.operator,
        row.dtypes,
        row.target,
        row.backend + emulated,
        str(row.cases),
        f"{row.mean_error:.1e}",
        f"{row.max_error:.1e}",
        f"{row.bit_equal}/{row.cases}",
        _numbers(row.cores),
        _numbers(row.threads),
        str(row.strict or "-"),
        "ok" if row.passed else f"{row.failures} FAILED",
    )


def _numbers(values: Sequence[int]) -> str:
    return ",".join(map(str, values)) or "-"


def _failure(failure: Failure) -> str:
    place = f"{failure.operator}, {failure.backend} on {failure.target}, case {failure.case}"
    return f"{place}: {failure.text}\n    {failure.command}"
