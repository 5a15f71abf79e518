"""Times of functions that take turns, so that whatever else the machine does hits all of them alike."""

import statistics
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Times:
    """The times of one function in milliseconds."""

    median: float
    least: float


def interleave(functions: Mapping[str, Callable[[], Any]], rounds: int, warmup: int = 3) -> dict[str, Times]:
    """Call every function once a round and return their times; a call ends when its result is freed."""
    samples: dict[str, list[float]] = {name: [] for name in functions}
    for turn in range(warmup + rounds):
        for name, function in functions.items():
            start = time.perf_counter()
            function()
            elapsed = time.perf_counter() - start
            if turn >= warmup:
                samples[name].append(1e3 * elapsed)
    return {name: Times(statistics.median(times), min(times)) for name, times in samples.items()}
