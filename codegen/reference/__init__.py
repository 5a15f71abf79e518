"""The reference interpreter."""

from .evaluate import evaluate
from .types import Precision

__all__ = ["Precision", "evaluate"]
