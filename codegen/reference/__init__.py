"""The reference interpreter."""

from .checks import declared_places
from .evaluate import check_data, check_lists, computed_sides, evaluate
from .repeats import Repeat, repeated_places
from .types import Precision

__all__ = [
    "Precision",
    "Repeat",
    "check_data",
    "check_lists",
    "computed_sides",
    "declared_places",
    "evaluate",
    "repeated_places",
]
