"""NumPy dtypes of the reference: those of the spec, or float64 for all floats."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias

import numpy as np
from xdsl.dialects.builtin import AnyFloat
from xdsl.ir import Attribute

from ...dialect.spec.attrs import TensorType, compute_type
from ...dialect.spec.signature import element_type
from ..dtypes import numpy_dtype

Precision: TypeAlias = Literal["f32", "f64"]
"""f32: each operation rounds to its type, a store to 16 bits once more. f64: floats are float64 throughout."""


@dataclass(frozen=True)
class Types:
    """The dtypes of one run."""

    column: Mapping[str, Attribute]
    precision: Precision

    def scalar(self, value_type: Attribute) -> np.dtype[Any]:
        """Return the dtype of a value."""
        if self.precision == "f64" and isinstance(value_type, AnyFloat):
            return np.dtype(np.float64)
        return numpy_dtype(value_type)

    def stored(self, tensor: TensorType) -> np.dtype[Any]:
        """Return the dtype of the elements of a finished tensor."""
        return self.scalar(element_type(tensor, self.column))

    def accumulated(self, tensor: TensorType) -> np.dtype[Any]:
        """Return the dtype of the elements of a tensor while a compute combines them."""
        return self.scalar(compute_type(element_type(tensor, self.column)))
