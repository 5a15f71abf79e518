"""Memory of large outputs, used again once no array holds it.

The system clears new pages, which can take longer than the kernel that fills them.
"""

import mmap
from collections import deque
from collections.abc import Mapping
from dataclasses import dataclass, field
from math import prod
from typing import Any

import numpy as np

from .dtypes import Array

PAGE_BYTES = 1 << 21
"""Blocks are whole large pages."""

KEPT_BYTES = 1 << 28
"""The most memory that is kept for later outputs."""


@dataclass
class Arena:
    """Blocks of memory that no array holds.

    Taking and giving back use single operations of deque only, so that any thread may do either, at any time.

    Attributes:
        limit: the most bytes that are kept; the blocks given back first go first.
        free: the blocks.
    """

    limit: int = KEPT_BYTES
    free: deque[mmap.mmap] = field(default_factory=deque["mmap.mmap"])

    def new(self, shape: tuple[int, ...], dtype: np.dtype[Any]) -> Array:
        """Return an array with any content, like `np.empty`; its memory comes back when nothing refers to it.

        Raises:
            MemoryError: the system has not so much memory.
        """
        count = prod(shape) * dtype.itemsize
        block = self._taken(count) or _mapped(-(-count // PAGE_BYTES) * PAGE_BYTES)
        return np.asarray(Lease(self, block))[:count].view(dtype).reshape(shape)

    def give_back(self, block: mmap.mmap) -> None:
        """Keep a block for later, and let go of the oldest beyond the limit."""
        self.free.append(block)
        while sum(map(len, tuple(self.free))) > self.limit:
            try:
                self.free.popleft()
            except IndexError:
                return

    def _taken(self, count: int) -> mmap.mmap | None:
        """Return the smallest free block for so many bytes, if there is one that is not twice as large."""
        fitting = [block for block in tuple(self.free) if count <= len(block) <= 2 * max(count, PAGE_BYTES)]
        for block in sorted(fitting, key=len):
            try:
                self.free.remove(block)
            except ValueError:
                continue
            return block
        return None


class Lease:
    """A block in use: arrays made from it hold it, and it gives the block back when the last of them has gone."""

    arena: Arena | None = None
    """None until the block is known: an exception may come in between."""

    def __init__(self, arena: Arena, block: mmap.mmap) -> None:
        self.block = block
        self.arena = arena

    @property
    def __array_interface__(self) -> Mapping[str, object]:
        """The block as bytes, see NumPy's array interface protocol."""
        return np.frombuffer(self.block, np.uint8).__array_interface__

    def __del__(self) -> None:
        if self.arena is not None:
            self.arena.give_back(self.block)


def _mapped(size: int) -> mmap.mmap:
    """Return memory of this process alone: a fork gets a copy."""
    kind = {"flags": mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS} if hasattr(mmap, "MAP_PRIVATE") else {}
    try:
        block = mmap.mmap(-1, size, **kind)
    except OSError as error:
        raise MemoryError(f"no memory for an array of {size} bytes") from error
    if hasattr(mmap, "MADV_HUGEPAGE"):
        block.madvise(mmap.MADV_HUGEPAGE)
    return block


OUTPUTS = Arena()
"""The memory of the outputs of this process."""
