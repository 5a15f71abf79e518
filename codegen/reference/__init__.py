"""The reference interpreter."""

from .checks import declared_places
from .evaluate import check_data, check_lists, computed_sides, evaluate
from .types import Precision

__all__ = ["Precision", "check_data", "check_lists", "computed_sides", "declared_places", "evaluate"]
