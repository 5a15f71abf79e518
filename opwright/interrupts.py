"""Ctrl-C at moments when it would do harm."""

import signal
from collections.abc import Generator
from contextlib import contextmanager


@contextmanager
def interrupts_held_back() -> Generator[None]:
    """Let Ctrl-C wait until the end; processes that start meanwhile never get it.

    A pool of processes ends with the process that made it. NumPy prints a traceback where its import is interrupted.
    """
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)
