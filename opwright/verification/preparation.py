"""Compile what the cases need before they run: compilers of C and C++ work side by side."""

import os
from collections.abc import Iterable, Sequence
from concurrent.futures import Future, ThreadPoolExecutor

from ..compiled import CompiledOperator
from ..execution import Runner, build_module
from ..lowering import lower
from ..progress import Progress
from ..variants import Variant


def prepare(operators: Iterable[CompiledOperator], variants: Sequence[Variant], progress: Progress) -> None:
    """Compile the variants on every engine but the reference.

    Raises:
        Diagnostic: a pass or an emitter refuses.
    """
    wanted = [(c, v) for c in operators if c.engine.backend != "reference" for v in variants if v not in c.runners]
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        started = [(c, v, _start(pool, c, v)) for c, v in progress.over(wanted, len(wanted))]
        for compiled, variant, future in progress.over(started, len(started)):
            compiled.runners[variant] = future.result()


def _start(pool: ThreadPoolExecutor, compiled: CompiledOperator, variant: Variant) -> "Future[Runner]":
    """Lower in this thread, leave the rest to the pool."""
    module = lower(compiled.operator, compiled.engine, variant)
    return pool.submit(build_module, module, compiled.engine)
