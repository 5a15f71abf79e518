"""One line on a terminal that says how far a long command is."""

import os
import sys
import time
from collections.abc import Callable, Iterable, Iterator
from typing import TypeVar

T = TypeVar("T")
INTERVAL = 0.1
"""Seconds between two changes of the line."""

NARROW = 80
"""Columns of a terminal that does not say how wide it is."""


class Progress:
    """A line on stderr, overwritten in place; nothing at all where stderr is no terminal."""

    def __init__(self, title: str, what: str = "") -> None:
        """Create a line that starts with `title`; as a context it shows `what` meanwhile."""
        self._title = title
        self._what = what
        self._shown = sys.stderr.isatty()
        self._last = 0.0

    def __enter__(self) -> "Progress":
        if self._shown:
            self._write(f"{self._title} {self._what}")
        return self

    def __exit__(self, *_: object) -> None:
        self.clear()

    def show(self, done: int, total: int, what: str = "") -> None:
        """Show `title done/total what`, at most every `INTERVAL` seconds."""
        now = time.monotonic()
        if not self._shown or now - self._last < INTERVAL:
            return
        self._last = now
        self._write(f"{self._title} {done}/{total} {what}")

    def clear(self) -> None:
        """Take the line away."""
        if self._shown:
            self._write("")

    def over(self, items: Iterable[T], total: int, label: Callable[[T], str] = str) -> Iterator[T]:
        """Yield the items, shown by their labels as they are taken; the line goes when the loop ends or fails."""
        try:
            for done, item in enumerate(items):
                self.show(done, total, label(item))
                yield item
        finally:
            self.clear()

    def _write(self, text: str) -> None:
        width = os.get_terminal_size(sys.stderr.fileno()).columns or NARROW
        print(f"\r\x1b[K{text[: width - 1]}", end="", file=sys.stderr, flush=True)
