"""Short errors of a kernel that does not compile: what is wrong, at the kernel's own lines."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

_ERROR = re.compile(r"^(?P<file>[^:\n]+):(?P<line>\d+):(?:(?P<column>\d+):)? (?:fatal )?error: (?P<text>.*)$")
_CONTEXT = re.compile(r"^(?P<file>[^:\n]+):(?P<line>\d+):(?:(?P<column>\d+):)?\s+(?:required|in .constexpr. expansion)")
_START = re.compile(r"^[^:\n]+: (?:In|At) ")
_LONGEST = 240
_WHOLE_LEVEL = "this chip has no register level"
"""Words of the headers that say a part of the language is missing; what the compiler says besides follows from it."""


@dataclass(frozen=True)
class KernelError:
    """One error; line and column count from 1."""

    file: str
    line: int
    column: int
    text: str

    def __str__(self) -> str:
        return f"{self.file}:{self.line}:{self.column}: {self.text}"


def kernel_errors(output: str, own: frozenset[str]) -> list[KernelError]:
    """Return the errors in a compiler's output, each once, by file and line.

    An error inside of the emulator's headers stands at the line of the kernel that led there. Of a file that uses
    the register level on a chip without it only that is said: names that are then unknown follow from it.

    Args:
        output: what the compiler wrote.
        own: names of the kernel's files, as the compiler writes them.
    """
    errors = set(_errors(output, own))
    beyond = {error.file for error in errors if _WHOLE_LEVEL in error.text}
    clear = [error for error in errors if error.file not in beyond or _WHOLE_LEVEL in error.text]
    return sorted(clear, key=lambda error: (error.file not in own, error.file, error.line, error.column))


def _errors(output: str, own: frozenset[str]) -> Iterator[KernelError]:
    caller: re.Match[str] | None = None
    for line in output.splitlines():
        if _START.match(line):
            caller = None
        context, error = _CONTEXT.match(line), _ERROR.match(line)
        if context is not None and context["file"] in own:
            caller = context
        if error is not None:
            place = error if error["file"] in own or caller is None else caller
            yield KernelError(place["file"], int(place["line"]), int(place["column"] or 1), _plain(error["text"]))


def _plain(text: str) -> str:
    """Return the compiler's words in one line of moderate length."""
    bare = text.removeprefix("static assertion failed: ").replace("emu::", "").replace("AscendC::", "")
    return bare if len(bare) <= _LONGEST else f"{bare[:_LONGEST]}..."
