"""All files of an operator project for CANN."""

from collections.abc import Sequence
from pathlib import Path

from .api import api_files, check_files
from .cmake import cmake_files
from .definition import definition_files
from .example import example_files
from .host import host_files
from .kernel import kernel_files
from .model import ProjectOperator
from .page import page

CALL_HEADER = Path(__file__).parent / "files" / "call.h"


def project_files(operators: Sequence[ProjectOperator]) -> dict[str, str]:
    """Return the text of each file by its path, the page README.md last."""
    files: dict[str, str] = {"op_host/call.h": CALL_HEADER.read_text(encoding="utf-8")}
    for operator in operators:
        files |= definition_files(operator) | host_files(operator)
    files |= check_files()
    for operator in operators:
        files |= api_files(operator.interface, operator.comment, operator.sides, operator.texts)
    for operator in operators:
        files |= kernel_files(operator)
        files |= {} if operator.example is None else example_files(operator.interface, operator.example)
    return {**files, **cmake_files(operators, files), "README.md": page(operators)}
