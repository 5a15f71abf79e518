"""All files of an operator project for CANN."""

from collections.abc import Sequence
from pathlib import Path

from .definition import definition_files
from .host import host_files
from .kernel import kernel_files
from .model import ProjectOperator

FIXED = Path(__file__).parent / "files"
"""Files that every project has as they are."""


def project_files(operators: Sequence[ProjectOperator]) -> dict[str, str]:
    """Return the text of each file by its path."""
    files: dict[str, str] = {"op_host/call.h": (FIXED / "call.h").read_text(encoding="utf-8")}
    for operator in operators:
        files |= definition_files(operator) | host_files(operator) | kernel_files(operator)
    return files
