"""`opwright show`: one operator, as a person reads it."""

import json
from argparse import ArgumentParser, Namespace
from collections.abc import Sequence
from dataclasses import asdict

from ..backends import HOST, Engine, emitting_backends
from ..description import Description, describe
from ..dialect.diagnostics import Diagnostic
from ..loading import Operator, load
from ..lowering import text_after
from ..variants import all_variants
from .arguments import add_backend, add_operator, add_target


def add_arguments(parser: ArgumentParser) -> None:
    """Declare the command's arguments."""
    parser.description = (
        "Print an operator's parameters, dtypes, constraints and equations; or its spec as MLIR text; or the IR of one "
        "variant after a pass."
    )
    add_operator(parser)
    form = parser.add_mutually_exclusive_group()
    form.add_argument("--json", action="store_true", help="print JSON, for programs")
    form.add_argument("--mlir", action="store_true", help="print the spec as MLIR text")
    form.add_argument("--after", metavar="PASS", help="print the IR after this pass of the pipeline")
    add_backend(parser, "whose pipeline --after follows (default: c for cpu, ascendc for a chip)")
    add_target(parser)
    parser.add_argument("--variant", metavar="NAME", help="of --after: a folder that build writes (default: the first)")


def run(args: Namespace) -> int:
    """Print the operator in the form that is asked for."""
    operator = load(args.operator)
    if args.mlir:
        print(operator.module)
    elif args.after is not None:
        print(_ir(operator, args), end="")
    else:
        description = describe(operator)
        print(json.dumps(asdict(description), indent=2) if args.json else format_description(description))
    return 0


def _ir(operator: Operator, args: Namespace) -> str:
    engine = Engine.of(args.backend or emitting_backends(args.target or HOST)[0], args.target)
    variants = {variant.name(operator.op): variant for variant in all_variants(operator.op)}
    name = args.variant or next(iter(variants))
    if name not in variants:
        raise Diagnostic("OPW017", f"there is no variant '{name}'", hint=f"variants: {', '.join(variants)}")
    return text_after(operator, engine, variants[name], args.after)


def format_description(description: Description) -> str:
    """Return the description as text, one section a kind."""
    sections = (
        ("inputs", map(str, description.inputs)),
        ("attributes", map(str, description.attributes)),
        ("outputs", map(str, description.outputs)),
        ("dims", (f"{name} = {definition}" for name, definition in description.dims.items() if definition)),
        ("dtypes", [description.dtypes] if description.dtypes else []),
        ("constraints", map(str, description.constraints)),
        ("equations", description.equations),
    )
    parts = [_section(title, list(lines)) for title, lines in sections]
    return "\n\n".join((description.name, *(part for part in parts if part)))


def _section(title: str, lines: Sequence[str]) -> str:
    return "\n".join((title, *(f"  {line}" for line in lines))) if lines else ""
