"""`opwright list`: the operators of the library."""

import json
from argparse import ArgumentParser, Namespace
from dataclasses import asdict

from ..description import Description, describe
from ..loading import list_operators, load
from ..tables import format_table


def add_arguments(parser: ArgumentParser) -> None:
    """Declare the command's arguments."""
    parser.add_argument("--json", action="store_true", help="print JSON, for programs: all that `show` tells of each")


def run(args: Namespace) -> int:
    """Print name, tensors and dtypes of each operator."""
    descriptions = [describe(load(name)) for name in list_operators()]
    if args.json:
        print(json.dumps([asdict(description) for description in descriptions], indent=2))
    else:
        print(format_table(("operator", "inputs", "outputs", "dtypes"), [_row(d) for d in descriptions]))
    return 0


def _row(description: Description) -> tuple[str, ...]:
    inputs = [f"[{p.name}]" if p.optional else p.name for p in description.inputs]
    return description.name, ", ".join(inputs), ", ".join(p.name for p in description.outputs), description.dtypes
