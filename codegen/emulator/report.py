"""What an emulated run found."""

from dataclasses import dataclass

_FIELD = "\x1f"
_RECORD = "\x1e"


@dataclass(frozen=True)
class Finding:
    """One fault of a kernel.

    Attributes:
        code: the rule, e.g. "ub-race"; see docs/emulator.md.
        api: the API call that showed it (the argument's name for "gm-unwritten").
        file, line: the call's place in the kernel source; ("?", 0) where there is none.
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

    def __str__(self) -> str:
        """Return `file:line: code: api: message (core c, n times)`."""
        times = f", {self.count} times" if self.count > 1 else ""
        return f"{self.file}:{self.line}: {self.code}: {self.api}: {self.message} (core {self.core}{times})"


@dataclass(frozen=True)
class EmulationReport:
    """The findings of one launch, in order of first appearance."""

    findings: tuple[Finding, ...]

    @property
    def clean(self) -> bool:
        """Whether nothing was found."""
        return not self.findings

    @property
    def codes(self) -> frozenset[str]:
        """The codes of all findings."""
        return frozenset(finding.code for finding in self.findings)

    def __str__(self) -> str:
        """Return one finding a line."""
        return "\n".join(map(str, self.findings)) or "no findings"


def parse_report(text: str) -> EmulationReport:
    """Read the launcher's answer: records of separated fields."""
    return EmulationReport(tuple(_finding(record) for record in text.split(_RECORD) if record))


def _finding(record: str) -> Finding:
    code, api, file, line, core, count, message = record.split(_FIELD)
    return Finding(code, api, file, int(line), int(core), int(count), message)
