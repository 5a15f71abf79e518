"""The number of OpenMP threads that compiled C uses."""

import ctypes
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path


@contextmanager
def limit_threads(library: Path, count: int) -> Generator[bool]:
    """Use `count` threads meanwhile; yield whether the library was built with OpenMP, else nothing happens."""
    handle = ctypes.CDLL(str(library))
    try:
        set_threads, get_threads = handle.omp_set_num_threads, handle.omp_get_max_threads
    except AttributeError:
        yield False
        return
    usual = get_threads()
    set_threads(count)
    try:
        yield True
    finally:
        set_threads(usual)
