"""Independent pieces of compilation on all processors."""

import ctypes
import multiprocessing
import os
import signal
import threading
from collections.abc import Callable, Iterator, Sequence
from typing import Any, TypeVar, cast

from xdsl.utils.exceptions import VerifyException

from .interrupts import interrupts_held_back

T = TypeVar("T")
R = TypeVar("R")

_PR_SET_PDEATHSIG = 1

_work: Callable[[Any], object] | None = None
"""What the processes of a pool do; they inherit it, so it need not be pickled."""


def in_processes(work: Callable[[T], R], items: Sequence[T]) -> Iterator[R]:
    """Yield work(item) for each item, in order, computed in a process a processor where the system can fork.

    A piece that raises is computed again here, so that its exception is the caller's own.
    """
    count = min(len(items), os.cpu_count() or 1)
    if count < 2 or not _can_fork():
        yield from map(work, items)
        return
    global _work  # noqa: PLW0603
    _work = work
    with interrupts_held_back():
        pool = multiprocessing.get_context("fork").Pool(count, _end_with, (os.getpid(),))
    with pool:
        for item, done in zip(items, pool.imap(_attempt, items), strict=True):
            yield work(item) if done is None else cast("R", done[0])


def _can_fork() -> bool:
    return "fork" in multiprocessing.get_all_start_methods() and threading.active_count() == 1


def _end_with(parent: int) -> None:
    """Let this process end when the one that made it is killed; else it fails at handing over its results."""
    prctl = getattr(ctypes.CDLL(None), "prctl", None)
    if prctl is not None:
        prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)
    if os.getppid() != parent:
        os._exit(1)


def _attempt(item: object) -> tuple[object] | None:
    """Return the result of one piece in a tuple, or None where it raises."""
    assert _work is not None
    try:
        return (_work(item),)
    except (VerifyException, Exception):  # noqa: BLE001
        return None
