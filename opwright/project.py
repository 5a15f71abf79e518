"""Operator projects: from specs and targets to the files that CANN builds."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import partial

from .backends import Engine
from .codegen.aclnn.derive import derive_interface
from .codegen.aclnn.interface import Interface
from .codegen.aclnn.source import KernelEntry
from .codegen.project.emitter import project_files
from .codegen.project.launch import launch_file
from .codegen.project.launch_page import Launch, launch_page
from .codegen.project.model import Architecture, Piece, ProjectOperator, Service, rows_of, struct_name
from .dialect.diagnostics import Diagnostic
from .dialect.spec.equations import equations
from .dialect.spec.front_end import drop_front_end
from .dialect.spec.signature import Signature
from .example import example_call
from .loading import Operator, check_names
from .lowering import lower
from .narrowing import served_choices
from .parallel import in_processes
from .passes.chips import Chip, get_chip
from .progress import Progress
from .variants import Variant, all_variants

MOST_KERNELS = 64
"""How many kernels an operator of a project may have: each is compiled for each chip."""


def build_project(operators: Sequence[Operator], targets: Sequence[str], progress: Progress) -> dict[str, str]:
    """Return the text of each file of a project by its path.

    Raises:
        Diagnostic: OPW3xx, OPW4xx; a pass or an emitter refuses what it cannot do. OPW462 two operators of one name,
            OPW480 too many kernels, OPW481 targets whose kernels one compiler could not tell apart.
    """
    check_names(operators)
    groups = _architectures([get_chip(target) for target in targets])
    return project_files([_operator(operator, groups, progress) for operator in operators])


def _architectures(chips: Sequence[Chip]) -> list[list[Chip]]:
    """Return the chips that run the same kernels together, in the order of their architectures."""
    groups: dict[int, list[Chip]] = {}
    for chip in sorted(chips, key=lambda chip: chip.npu_arch):
        group = groups.setdefault(chip.npu_arch, [])
        if group and _facts(chip) != _facts(group[0]):
            text = f"targets {group[0].name} and {chip.name} have one architecture and different kernels"
            raise Diagnostic("OPW481", text, hint="build a project for each")
        group.append(chip)
    return list(groups.values())


def _facts(chip: Chip) -> Chip:
    return replace(chip, name="", products="")


def _operator(operator: Operator, groups: Sequence[Sequence[Chip]], progress: Progress) -> ProjectOperator:
    interface = derive_interface(operator.op)
    choices = list(served_choices(operator.op))
    variants = list(dict.fromkeys(variant for _, variant in choices))
    if len(variants) > MOST_KERNELS:
        text = f"{operator.name} has {len(variants)} kernels, a project takes {MOST_KERNELS}"
        raise Diagnostic("OPW480", text, operator.op, "fewer dtype columns or optional tensors")
    work = [(group[0].name, variant) for group in groups for variant in variants]
    make = partial(_piece, operator, interface)
    label = f"{operator.name} "
    pieces = iter(progress.over(in_processes(make, work), len(work), lambda piece: label + piece.symbol))
    architectures = tuple(
        Architecture(group[0], tuple(chip.name for chip in group), tuple(next(pieces) for _ in variants))
        for group in groups
    )
    rows = rows_of(interface, _services(operator, choices, variants))
    sides, texts = _sides(operator) if interface.list_checks else (None, {})
    example = example_call(operator, interface)
    return ProjectOperator(interface, _equations(operator), architectures, rows, sides, texts, example)


def _sides(operator: Operator) -> tuple[KernelEntry | None, dict[str, str]]:
    """Return the kernel that computes both sides of constraints on lists, with its C text."""
    from .acl import sides_kernel

    texts: dict[str, str] = {}
    return sides_kernel(operator, texts), texts


def _equations(operator: Operator) -> tuple[str, ...]:
    """Return what the operator computes, without what only its front end tests."""
    op = operator.op.clone()
    drop_front_end(op)
    return tuple(equations(op))


def _piece(operator: Operator, interface: Interface, work: tuple[str, Variant]) -> Piece:
    target, variant = work
    module = lower(operator, Engine("ascendc", target), variant)
    return Piece.of(module, get_chip(target), struct_name(interface.name))


def _services(
    operator: Operator, choices: Sequence[tuple[Variant, Variant]], variants: Sequence[Variant]
) -> Iterator[Service]:
    lists = frozenset(op.label.data for op in Signature.of(operator.op).inputs if op.default is not None)
    for choice, variant in choices:
        yield Service(choice.column, choice.present | lists, choice.switches, variants.index(variant))


def launch_files(operators: Sequence[Operator], targets: Sequence[str], progress: Progress) -> dict[str, str]:
    """Return a file a kernel for direct launch by its path: a folder an architecture; the page README.md last.

    Raises:
        Diagnostic: OPW3xx, OPW4xx, OPW481, as in `build_project`.
    """
    check_names(operators)
    groups = _architectures([get_chip(target) for target in targets])
    launches = [launch for group in groups for op in operators for launch in _launches(op, group, progress)]
    files = {launch.path: launch_file(launch.piece, " and ".join(launch.targets)) for launch in launches}
    equations_of = {operator.name: _equations(operator) for operator in operators}
    return {**files, "README.md": launch_page(equations_of, launches)}


def _launches(operator: Operator, group: Sequence[Chip], progress: Progress) -> Iterator[Launch]:
    """Yield the kernels of an operator for chips of one architecture."""
    variants = all_variants(operator.op)
    work = [(group[0].name, variant) for variant in variants]
    made = in_processes(partial(_launch_piece, operator), work)
    pieces = progress.over(made, len(work), lambda piece: piece.symbol)
    for piece, variant in zip(pieces, variants, strict=True):
        yield Launch(operator.name, tuple(group), variant.told(operator.op), piece)


def _launch_piece(operator: Operator, work: tuple[str, Variant]) -> Piece:
    target, variant = work
    return Piece.of(lower(operator, Engine("ascendc", target), variant), get_chip(target))
