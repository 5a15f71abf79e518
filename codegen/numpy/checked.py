"""Arrays that refuse what NumPy lets pass: an index below 0, and a slice that reaches beyond the array."""

from types import EllipsisType
from typing import Any, TypeAlias, cast

import numpy as np
from numpy.typing import DTypeLike

from ...dialect.diagnostics import Diagnostic
from ..dtypes import Array
from . import support

Slice: TypeAlias = "slice[int | None, int | None, int | None]"


class CheckedArray(np.ndarray[Any, Any]):
    """An array whose indices are checked; what an index selects is an ordinary array.

    Attributes:
        label: names the array in messages.
        plain: the same memory without checks.
        extents: the shape.
    """

    label: str
    plain: Array
    extents: tuple[int, ...]

    @staticmethod
    def of(array: Array, label: str) -> "CheckedArray":
        """Return a checked view of an array."""
        view = array.view(CheckedArray)
        view.label = label
        return view

    def __array_finalize__(self, source: object) -> None:
        self.label = getattr(source, "label", "array")
        self.plain = self.view(np.ndarray)
        self.extents = self.shape

    def __getitem__(self, index: Any) -> Any:  # noqa: ANN401 - as NumPy declares it
        if not _fits(index, self.extents):
            self._refuse(index)
        return self.plain[index]

    def __setitem__(self, index: Any, value: Any) -> None:  # noqa: ANN401
        if not _fits(index, self.extents):
            self._refuse(index)
        self.plain[index] = value

    def _refuse(self, index: object) -> None:
        """Raise a diagnostic for an index out of range; rare forms, which `_fits` does not know, may be in range."""
        places = cast("tuple[object, ...]", index) if isinstance(index, tuple) else (index,)
        for dim, (place, extent) in enumerate(zip(places, self.extents, strict=False)):
            low, high = _reach(place, extent)
            if low < 0 or high > extent:
                raise Diagnostic("OPW415", f"'{self.label}' is used from {low} to {high} along dim {dim} of {extent}")


def _fits(index: object, extents: tuple[int, ...]) -> bool:
    """Return whether integers and rising slices are in range: quickly, since it runs at every access."""
    if type(index) is not tuple:
        return False
    for place, extent in zip(cast("tuple[object, ...]", index), extents, strict=False):
        if type(place) is slice:
            bounds = cast("Slice", place)
            if bounds.stop is None or bounds.stop > extent or (bounds.start is not None and bounds.start < 0):
                return False
        elif type(place) is not int or not 0 <= place < extent:
            return False
    return True


def _reach(place: object, extent: int) -> tuple[int, int]:
    """Return the first index that is used along a dim, and the one after the last; (0, 0) for none."""
    match place:
        case slice():
            return _reach_of_slice(cast("Slice", place), extent)
        case np.ndarray():
            return _reach_of_lanes(cast("Array", place))
        case EllipsisType():
            return 0, 0
        case _:
            number = int(cast("int", place))
            return number, number + 1


def _reach_of_lanes(place: Array) -> tuple[int, int]:
    return (int(place.min()), int(place.max()) + 1) if place.size and place.dtype != np.bool_ else (0, 0)


def _reach_of_slice(place: Slice, extent: int) -> tuple[int, int]:
    stop = extent if place.stop is None else place.stop
    used = range(place.start or 0, stop, place.step or 1)
    return (min(used[0], used[-1]), max(used[0], used[-1]) + 1) if used else (0, 0)


def poisoned(shape: tuple[int, ...], dtype: DTypeLike) -> Array:
    """Return what `support.poisoned` does, checked."""
    return CheckedArray.of(support.poisoned(shape, dtype), "buffer")
