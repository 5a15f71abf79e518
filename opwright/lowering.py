"""Operators through the pass pipelines."""

from functools import cache

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.passes import ModulePass

from .backends import Engine
from .dialect.diagnostics import Diagnostic
from .dialect.registry import new_context
from .loading import Operator
from .passes.pipelines import pipeline, run_pipeline
from .variants import Variant


def lower(operator: Operator, engine: Engine, variant: Variant) -> ModuleOp:
    """Return a variant after all passes of the engine's pipeline.

    Raises:
        Diagnostic: OPW3xx, a pass refuses what it cannot do.
    """
    return run_pipeline(operator.module.clone(), passes_of(engine, variant), context=_context())


def lower_to(operator: Operator, engine: Engine, variant: Variant, level: str) -> ModuleOp:
    """Return a variant after the last pass of that name; before all passes where the name is empty.

    Raises:
        Diagnostic: OPW012, the pipeline has no such pass; OPW3xx, a pass refuses what it cannot do.
    """
    passes = passes_of(engine, variant)
    return run_pipeline(operator.module.clone(), passes[: _count_to(level, passes, engine)], context=_context())


def text_after(operator: Operator, engine: Engine, variant: Variant, level: str) -> str:
    """Return the text of `lower_to`'s module."""
    return str(lower_to(operator, engine, variant, level)) + "\n"


def passes_of(engine: Engine, variant: Variant) -> tuple[ModulePass, ...]:
    """Return the passes that a variant goes through."""
    return pipeline(engine.target, engine.backend, variant.column, variant.chosen)


@cache
def _context() -> Context:
    """Return the context of all pipelines: no pass changes it."""
    return new_context()


def _count_to(level: str, passes: tuple[ModulePass, ...], engine: Engine) -> int:
    if not level:
        return 0
    places = [n for n, each in enumerate(passes) if each.name == level]
    if not places:
        names = ", ".join(dict.fromkeys(each.name for each in passes)) or "no pass at all"
        raise Diagnostic("OPW012", f"the pipeline of {engine} has no pass '{level}'", hint=f"it has: {names}")
    return places[-1] + 1
