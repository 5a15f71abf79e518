"""From any exception to the one message that a user reads."""

import os
import traceback
from collections.abc import Generator, Mapping
from contextlib import contextmanager
from pathlib import Path

from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Operation
from xdsl.utils.exceptions import DiagnosticException, ShrinkException, VerifyException

from .dialect.diagnostics import Diagnostic
from .dialect.parser import SYNTAX

EXIT_CODE = 2
"""The exit code of a tool that refuses its input or its command line."""

TRACEBACK = "OPWRIGHT_TRACEBACK"
"""The environment variable that lets an internal error through as Python raised it."""


class Refusal(Exception):
    """A diagnostic in its printed form."""


class InvalidModule(Refusal, DiagnosticException):
    """The refusal of a module, by a verifier, a pass or an emitter; `--verify-diagnostics` expects these."""


def bad_command_line(message: str, hint: str = "") -> Refusal:
    """Return the refusal OPW003 of a command line, or of the options of a pass or target."""
    return Refusal(Diagnostic("OPW003", message, hint=hint).render())


def refuse(
    error: DiagnosticException,
    module: ModuleOp | None = None,
    sources: Mapping[str, str] | None = None,
    stage: str = "",
) -> Refusal:
    """Return the refusal of a failed parse (OPW001), verification (OPW002), pass or emission (OPW005).

    Args:
        error: what was raised; a `Diagnostic` keeps its own code.
        module: searched for the operation at fault where `error` does not name it.
        sources: texts by file name, for input that is not a file.
        stage: what was going on, such as "in pass 'cse'".
    """
    if not isinstance(error, Diagnostic):
        error = _located(error, module, f"found {stage}" if stage else "")
    kind = Refusal if error.code == SYNTAX else InvalidModule
    return kind(error.render(sources))


def _located(error: DiagnosticException, module: ModuleOp | None, hint: str) -> Diagnostic:
    if not isinstance(error, VerifyException):
        return Diagnostic("OPW005", str(error), module, hint)
    for op in () if module is None else module.walk():
        if (complaint := _complaint(op)) is not None:
            return Diagnostic("OPW002", f"'{op.name}': {complaint}", op, hint)
    return Diagnostic("OPW002", str(error), module, hint)


def _complaint(op: Operation) -> str | None:
    try:
        op.verify(verify_nested_ops=False)
    except VerifyException as error:
        return str(error)
    return None


@contextmanager
def refusing() -> Generator[None]:
    """Let nothing but a `Refusal` out: OPW004 for a file that cannot be opened, OPW006 for a fault of the tool."""
    try:
        yield
    except (Refusal, ShrinkException):
        raise
    except OSError as error:
        message = f"cannot open '{error.filename}': {error.strerror}" if error.filename else str(error)
        raise Refusal(Diagnostic("OPW004", message).render()) from error
    except DiagnosticException as error:
        raise refuse(error) from error
    except Exception as error:
        if os.environ.get(TRACEBACK):
            raise
        raise _internal_error(error) from error


def _internal_error(error: Exception) -> Refusal:
    frame = traceback.extract_tb(error.__traceback__)[-1]
    place = "/".join(Path(frame.filename).parts[-2:])
    message = f"internal error at {place}:{frame.lineno}: {type(error).__name__}: {error}"
    return Refusal(Diagnostic("OPW006", message, hint=f"{TRACEBACK}=1 shows the Python traceback").render())
