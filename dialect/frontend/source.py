"""Where in the user's file an expression stands, and what the user calls it."""

import inspect
from collections.abc import Iterator
from itertools import islice
from types import CodeType, FrameType

from xdsl.dialects.builtin import FileLineColLoc, IntAttr, StringAttr

from ..diagnostics import Location

_PACKAGE = __name__.rpartition(".")[0]


def here() -> Location:
    """Return the place in the user's file that is being run."""
    frame = _user_frame()
    line, column = _position(frame.f_code, frame.f_lasti)
    return Location(frame.f_code.co_filename, line or frame.f_lineno, column + 1)


def names() -> dict[int, str]:
    """Return the user's local variables: name by id of the object."""
    found: dict[int, str] = {}
    for name, value in _user_frame().f_locals.items():
        found.setdefault(id(value), name)
    return found


def as_attribute(place: Location) -> FileLineColLoc:
    """Return the place as an operation holds it."""
    return FileLineColLoc(StringAttr(place.file), IntAttr(place.line), IntAttr(place.column))


def _user_frame() -> FrameType:
    for frame in _frames():
        module = str(frame.f_globals.get("__name__", ""))
        if module != _PACKAGE and not module.startswith(_PACKAGE + "."):
            return frame
    raise RuntimeError("the front end was not called from a file")


def _frames() -> Iterator[FrameType]:
    frame = inspect.currentframe()
    while frame is not None:
        yield frame
        frame = frame.f_back


def _position(code: CodeType, instruction: int) -> tuple[int | None, int]:
    """Return line (from 1) and column (from 0) of an instruction; Python counts two bytes an instruction."""
    line, _, column, _ = next(islice(code.co_positions(), instruction // 2, None))
    return line, column or 0
