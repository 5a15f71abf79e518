"""Rules of the spec dialect that its structure cannot say, each with its code; docs/diagnostics.md lists them."""

from ..ops import ComputeOp, OperatorOp
from ..signature import Signature
from . import bodies, dtypes, elements, front_end, indices, names, places, positions, races, scans, writes
from .places import outside_compute, verify_place
from .positions import verify_positions
from .races import determines
from .symbols import Symbols

__all__ = [
    "Symbols",
    "determines",
    "outside_compute",
    "verify_compute",
    "verify_declarations",
    "verify_operator",
    "verify_place",
    "verify_positions",
]


def verify_operator(operator: OperatorOp) -> None:
    """Verify a whole operator.

    Raises:
        Diagnostic: OPW101 to OPW141, the first rule that is broken.
    """
    names.verify(operator)
    dtypes.verify(operator)
    places.verify_order(operator)
    symbols = Symbols(operator)
    indices.verify_symbols(operator, symbols)
    for op in operator.body.block.ops:
        if isinstance(op, ComputeOp):
            verify_compute(op, symbols)
    scans.verify(operator)
    positions.verify(operator)
    front_end.verify(operator)


def verify_declarations(operator: OperatorOp) -> None:
    """Verify what an operator declares so far: its names and dtypes; errors as in `verify_operator`."""
    names.verify_unique(Signature.of(operator))
    dtypes.verify(operator)


def verify_compute(compute: ComputeOp, symbols: Symbols) -> None:
    """Verify one compute; errors as in `verify_operator`."""
    bodies.verify(compute)
    indices.verify(compute, symbols)
    elements.verify(compute, symbols)
    writes.verify(compute)
    races.verify(compute)
