"""Looks up the target that a pass was given."""

from xdsl.ir import Operation

from ..dialect.diagnostics import Diagnostic
from .chips import CHIPS, Chip


def chip_of(target: str, at: Operation) -> Chip:
    """Return the chip; raise a diagnostic for an unknown name."""
    if target not in CHIPS:
        raise Diagnostic("OPW335", f"unknown target '{target}'", at, f"targets: {', '.join(CHIPS)}")
    return CHIPS[target]
