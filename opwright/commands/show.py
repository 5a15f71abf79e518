"""`opwright show`: one operator, as a person reads it."""

import json
from argparse import ArgumentParser, Namespace
from collections.abc import Sequence
from dataclasses import asdict

from ..description import Description, describe
from ..loading import load
from .arguments import add_operator


def add_arguments(parser: ArgumentParser) -> None:
    """Declare the command's arguments."""
    add_operator(parser)
    parser.add_argument("--json", action="store_true", help="print JSON, for programs")


def run(args: Namespace) -> int:
    """Print the operator's description."""
    description = describe(load(args.operator))
    print(json.dumps(asdict(description), indent=2) if args.json else format_description(description))
    return 0


def format_description(description: Description) -> str:
    """Return the description as text, one section a kind."""
    sections = (
        ("inputs", map(str, description.inputs)),
        ("attributes", map(str, description.attributes)),
        ("outputs", map(str, description.outputs)),
        ("dims", (f"{name} = {definition}" for name, definition in description.dims.items() if definition)),
        ("dtypes", [description.dtypes] if description.dtypes else []),
        ("constraints", (f"{c.condition}    (else {c.code})" for c in description.constraints)),
        ("equations", description.equations),
    )
    parts = [_section(title, list(lines)) for title, lines in sections]
    return "\n\n".join((description.name, *(part for part in parts if part)))


def _section(title: str, lines: Sequence[str]) -> str:
    return "\n".join((title, *(f"  {line}" for line in lines))) if lines else ""
