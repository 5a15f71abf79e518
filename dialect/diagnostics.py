"""Located diagnostics: the one way in which Opwright refuses.

ops/bad.py:12:9: error[OPW104]: 'gradY' has rank 3, read with 2 indices
    y = gradY[i, j]
        ^
hint: give one index for each of its dims [S, B, H]
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from xdsl.dialects.builtin import FileLineColLoc, LocationAttr, NameLoc, StringAttr
from xdsl.ir import Attribute, Operation
from xdsl.utils.exceptions import PassFailedException, VerifyException


@dataclass(frozen=True)
class Location:
    """A place in a file; lines and columns count from 1."""

    file: str
    line: int
    column: int

    def __str__(self) -> str:
        return f"{self.file}:{self.line}:{self.column}"

    @property
    def is_python(self) -> bool:
        """Return whether the file is a spec in Python."""
        return self.file.endswith(".py")

    @staticmethod
    def of(op: Operation) -> "Location | None":
        """Return where the operation was written, or the nearest enclosing operation with a place."""
        place: Operation | None = op
        while place is not None:
            loc: Attribute = place.location
            while isinstance(loc, NameLoc):
                loc = loc.location
            if isinstance(loc, FileLineColLoc):
                return Location(loc.filename.data, loc.line.data, loc.column.data)
            place = place.parent_op()
        return None


def in_source(op: Operation, *, python: str, mlir: str) -> str:
    """Return the advice in the notation of the file in which an operation was written."""
    place = Location.of(op)
    return python if place is not None and place.is_python else mlir


def equation_of(op: Operation) -> str:
    """Return the left side of the equation that an operation serves, or nothing: specialize puts it in locations."""
    return op.location.desc.data if isinstance(op.location, NameLoc) else ""


def serving(op: Operation, users: Sequence[Operation]) -> LocationAttr:
    """Return the location of an operation for a copy that serves the equations of some users, of which it has one."""
    if not users or equation_of(op) in {equation_of(user) for user in users}:
        return op.location
    place = op.location.location if isinstance(op.location, NameLoc) else op.location
    return NameLoc(StringAttr(equation_of(users[0])), place)


class Diagnostic(VerifyException, PassFailedException):
    """An error with a code, a place, the numbers and a hint.

    It is both a verifier and a pass failure, so xDSL hands the same object through.
    """

    def __init__(self, code: str, message: str, at: "Location | Operation | None" = None, hint: str = "") -> None:
        """Create a diagnostic; `code` is OPWnnn (docs/diagnostics.md lists them all)."""
        super().__init__(message)
        self.code = code
        self.message = message
        self.hint = hint
        self.location = Location.of(at) if isinstance(at, Operation) else at

    def __str__(self) -> str:
        return self.render()

    def render(self, sources: Mapping[str, str] | None = None) -> str:
        """Return the printed form, with the source line and a caret where the source can be read.

        Args:
            sources: texts by file name, for input that is not a file.
        """
        place = f"{self.location}: " if self.location is not None else ""
        lines = [f"{place}error[{self.code}]: {self.message}"]
        source = self._source_line(sources or {})
        if source and self.location is not None:
            lines += [f"    {source}", "    " + " " * (self.location.column - 1) + "^"]
        if self.hint:
            lines.append(f"hint: {self.hint}")
        return "\n".join(lines)

    def _source_line(self, sources: Mapping[str, str]) -> str:
        if self.location is None:
            return ""
        text = sources.get(self.location.file)
        if text is None:
            try:
                text = Path(self.location.file).read_text(encoding="utf-8")
            except (OSError, UnicodeDecodeError):
                return ""
        lines = text.splitlines()
        return lines[self.location.line - 1] if 0 < self.location.line <= len(lines) else ""
