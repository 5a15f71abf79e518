"""NumPy dtypes of MLIR element types, and back."""

from typing import Any

import ml_dtypes
import numpy as np
from numpy.typing import NDArray
from xdsl.dialects.builtin import BFloat16Type, Float16Type, Float32Type, Float64Type, IndexType, IntegerType, i1
from xdsl.ir import Attribute

Array = NDArray[Any]

DTYPES: dict[Attribute, np.dtype[Any]] = {
    Float16Type(): np.dtype(np.float16),
    BFloat16Type(): np.dtype(ml_dtypes.bfloat16),
    Float32Type(): np.dtype(np.float32),
    Float64Type(): np.dtype(np.float64),
    i1: np.dtype(np.bool_),
    IntegerType(8): np.dtype(np.int8),
    IntegerType(16): np.dtype(np.int16),
    IntegerType(32): np.dtype(np.int32),
    IntegerType(64): np.dtype(np.int64),
    IndexType(): np.dtype(np.int64),
}
"""The NumPy dtype of each element type; signless integers are held as signed ones."""

BYTES = (np.dtype(np.bool_), np.dtype(np.int8), np.dtype(np.uint8))
"""The dtypes in which a caller may hold booleans."""

RAW_BF16 = np.dtype("V2")
"""How NumPy loads bfloat16 arrays from a file: it does not know their dtype."""


def numpy_dtype(element_type: Attribute) -> np.dtype[Any]:
    """Return the NumPy dtype of an element type.

    Raises:
        KeyError: NumPy has no such dtype.
    """
    return DTYPES[element_type]


def fits(array: Array, element_type: Attribute) -> bool:
    """Return whether an array may be given for a tensor of this element type.

    Booleans may come as bytes, bfloat16 as raw two-byte elements.
    """
    if element_type == i1:
        return array.dtype in BYTES
    if element_type == IntegerType(8) and array.dtype == np.bool_:
        return True
    if isinstance(element_type, BFloat16Type) and array.dtype == RAW_BF16:
        return True
    return array.dtype == DTYPES[element_type]


def as_storage(array: Array, element_type: Attribute) -> Array:
    """Return the array as a kernel sees it: C order, booleans as int8 bytes (any but 0 is true), raw elements named."""
    stored = np.dtype(np.int8) if element_type == i1 else DTYPES[element_type]
    flat = np.ascontiguousarray(array).reshape(array.shape)
    return flat if flat.dtype == stored else flat.view(stored)


def dtype_name(dtype: np.dtype[Any]) -> str:
    """Return the name of the element type that a dtype holds, or the dtype's own where none does."""
    return next((str(t) for t, known in DTYPES.items() if known == dtype), str(dtype))
