"""What an emulated run found."""

from dataclasses import asdict, dataclass, field
from typing import Any

from ...passes.chips import Chip
from .figures import Figures, parse_figures

_FIELD = "\x1f"
_RECORD = "\x1e"
_GROUP = "\x1d"

NO_FILE = "?"
"""The file of a finding that has no place."""

WARNINGS = frozenset({"atomic-order"})
"""Codes of findings that break no rule: the result is legal, and may differ from one run to the next."""


@dataclass(frozen=True)
class Finding:
    """One fault of a kernel.

    Attributes:
        code: the rule, e.g. "ub-race"; see docs/emulator.md.
        api: the API call that showed it (the argument's name for "gm-unwritten").
        file, line: the call's place in the kernel source; for a fault of the whole launch that of the kernel function;
            ("?", 0) where there is none.
        core: index of the first core it happened on, -1 for the whole launch.
        count: how many times it happened at this place, over all cores.
        message: the facts, with numbers.
    """

    code: str
    api: str
    file: str
    line: int
    core: int
    count: int
    message: str

    @property
    def is_warning(self) -> bool:
        """Whether the finding breaks no rule."""
        return self.code in WARNINGS

    def __str__(self) -> str:
        """Return `file:line: code: api: message (core c, n times)`, without what does not exist."""
        place = f"{self.file}:{self.line}: " if self.line else "" if self.file == NO_FILE else f"{self.file}: "
        times = f"{self.count} times" if self.count > 1 else ""
        facts = ", ".join(filter(None, (f"core {self.core}" if self.core >= 0 else "", times)))
        return f"{place}{self.code}: {self.api}: {self.message}" + (f" ({facts})" if facts else "")

    def plain(self) -> dict[str, Any]:
        """Return the attributes for JSON; what does not exist (a place, one core) is None."""
        file = None if self.file == NO_FILE else self.file
        core = self.core if self.core >= 0 else None
        return {**asdict(self), "file": file, "line": self.line or None, "core": core}


@dataclass(frozen=True)
class EmulationReport:
    """The findings of one launch, in order of first appearance.

    Attributes:
        findings: one a rule, API and place.
        output: what the kernel has printed, core after core.
        figures: instructions, bytes, and estimated times.
    """

    findings: tuple[Finding, ...]
    output: str = ""
    figures: Figures = field(default_factory=Figures)

    @property
    def clean(self) -> bool:
        """Whether nothing was found but warnings."""
        return all(finding.is_warning for finding in self.findings)

    @property
    def codes(self) -> frozenset[str]:
        """The codes of all findings."""
        return frozenset(finding.code for finding in self.findings)

    def __str__(self) -> str:
        """Return one finding a line."""
        return "\n".join(map(str, self.findings)) or "no findings"


def parse_report(text: str, chip: Chip) -> EmulationReport:
    """Read the launcher's answer: records of separated fields, then what was printed, then records of figures."""
    findings, _, rest = text.partition(_GROUP)
    output, _, figures = rest.rpartition(_GROUP)
    counted = parse_figures((record.split(_FIELD) for record in figures.split(_RECORD) if record), chip)
    return EmulationReport(tuple(_finding(record) for record in findings.split(_RECORD) if record), output, counted)


def _finding(record: str) -> Finding:
    code, api, file, line, core, count, message = record.split(_FIELD)
    return Finding(code, api, file, int(line), int(core), int(count), message)
