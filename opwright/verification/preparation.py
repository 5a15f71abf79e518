"""Compile what the cases need before they run: compilers of C and C++ work side by side."""

import os
from collections.abc import Iterable, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import suppress

from xdsl.dialects.builtin import ModuleOp

from ..codegen.binding import bind, bound_arrays
from ..compiled import CompiledOperator
from ..dialect.diagnostics import Diagnostic
from ..execution import Runner, build_module
from ..lowering import lower
from ..progress import Progress
from ..variants import Variant
from .cases import small_case
from .data import draw_arrays


def prepare(operators: Iterable[CompiledOperator], variants: Sequence[Variant], progress: Progress) -> None:
    """Compile the variants on every engine.

    Raises:
        Diagnostic: a pass, an emitter or a compiler refuses.
    """
    wanted = [(compiled, variant) for compiled in operators for variant in variants]
    pool = ThreadPoolExecutor(os.cpu_count())
    try:
        started = [(c, v, _start(pool, c, v)) for c, v in progress.over(wanted, len(wanted), _label)]
        for compiled, variant, future in progress.over(started, len(started), _label):
            compiled.runners[variant] = future.result()
    finally:
        pool.shutdown(cancel_futures=True)


def _label(work: tuple[CompiledOperator, Variant] | tuple[CompiledOperator, Variant, object]) -> str:
    """Return what is compiled, `bf16_maskOptional for c on cpu`."""
    compiled, variant = work[0], work[1]
    return f"{variant.name(compiled.operator.op)} for {compiled.engine}"


def _start(pool: ThreadPoolExecutor, compiled: CompiledOperator, variant: Variant) -> "Future[Runner]":
    """Lower in this thread, leave the rest to the pool."""
    module = lower(compiled.operator, compiled.engine, variant)
    return pool.submit(_compile, compiled, variant, module)


def _compile(compiled: CompiledOperator, variant: Variant, module: ModuleOp) -> Runner:
    """Compile, and run once: some backends compile when they first run. What goes wrong there shows in the cases."""
    runner = build_module(module, compiled.engine)
    operator = compiled.operator.op
    case = small_case(operator, variant, 1)
    arrays = draw_arrays(operator, case)
    binding = bind(operator, arrays, case.attrs)
    with suppress(Diagnostic):
        runner.run(binding, bound_arrays(operator, binding, arrays), 1)
    return runner
