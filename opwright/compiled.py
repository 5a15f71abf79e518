"""Operators compiled for a backend and a target."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, cast

from .backends import Engine
from .dialect.diagnostics import Diagnostic
from .dialect.spec.signature import Signature
from .emission import emit
from .loading import Operator, load
from .lowering import lower, text_after
from .passes.chips import get_chip
from .variants import Variant, all_variants, optional_inputs

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

    from .calls import CallPlan, Form
    from .codegen.attributes import AttrValue
    from .codegen.binding import Arrays
    from .codegen.reference import Precision
    from .execution import Runner
    from .outputs import Outputs

PRECISIONS = ("f32", "f64")

KEPT_PLANS = 64
"""How many forms of calls an operator keeps the plans of."""


@dataclass
class CompiledOperator:
    """An operator on a backend: call it with arrays and attributes by the document's names.

    Each variant (dtype column and choice of optional tensors) is compiled when a call first needs it.

    Attributes:
        operator: what is computed.
        engine: the backend and the target.
        cores: the number of cores that share the work.
        precision: f32 or f64, of the reference only.
        runners: the variants compiled so far.
        plans: what is known of the forms of calls so far.
    """

    operator: Operator
    engine: Engine
    cores: int
    precision: Precision = "f32"
    runners: dict[Variant, Runner] = field(default_factory=dict["Variant", "Runner"], repr=False)
    plans: dict[Form, CallPlan] = field(default_factory=dict["Form", "CallPlan"], repr=False)

    def __call__(self, **arguments: ArrayLike | AttrValue | None) -> Outputs:
        """Compute the outputs; tensors that are not needed may be None or left out.

        Raises:
            Diagnostic: OPW200-OPW249, arguments that the operator cannot take; OPW3xx-OPW5xx, see `run`.
        """
        known = {op.label.data for op in Signature.of(self.operator.op).attrs}
        arrays = {name: value for name, value in arguments.items() if name not in known}
        attrs = {name: value for name, value in arguments.items() if name in known}
        return self.run(cast("Arrays", arrays), cast("Mapping[str, AttrValue]", attrs))

    def run(self, arrays: Arrays, attrs: Mapping[str, AttrValue] | None = None, cores: int | None = None) -> Outputs:
        """Compute the outputs from arrays and attributes by name, on `cores` cores instead of the usual number.

        Raises:
            Diagnostic: OPW2xx the arguments, OPW3xx a pass, OPW4xx an emitter or compiler, OPW5xx the emulator.
        """
        from .execution import run_reference, run_variant

        if self.engine.backend == "reference":
            return run_reference(self.operator.op, arrays, attrs or {}, self.precision)
        return run_variant(self, arrays, attrs or {}, cores or self.cores)

    def runner(self, variant: Variant) -> Runner:
        """Return a variant, compiled."""
        from .execution import compile_variant

        if variant not in self.runners:
            self.runners[variant] = compile_variant(self.operator, self.engine, variant)
        return self.runners[variant]

    def plan(self, arrays: Arrays, attrs: Mapping[str, AttrValue]) -> CallPlan:
        """Return what calls of this form share; the last forms are kept."""
        from .calls import CallPlan, form_of

        form = form_of(arrays, attrs)
        if form not in self.plans:
            if len(self.plans) >= KEPT_PLANS:
                self.plans.clear()
            self.plans[form] = CallPlan.of(self.operator.op, arrays, attrs)
        return self.plans[form]

    @cached_property
    def variants(self) -> tuple[Variant, ...]:
        """All variants of the operator."""
        return tuple(all_variants(self.operator.op))

    @cached_property
    def sources(self) -> Mapping[str, str]:
        """The emitted files of all variants, by `variant/file`."""
        return {
            f"{variant.name(self.operator.op)}/{name}": text
            for variant in self.variants
            for name, text in self.sources_of(variant).items()
        }

    def sources_of(self, variant: Variant) -> Mapping[str, str]:
        """Return the emitted files of one variant, by name."""
        if self.engine.backend == "reference":
            return {}
        return emit(lower(self.operator, self.engine, variant), self.engine)

    def ir(self, level: str = "", column: int = 0, present: frozenset[str] | None = None) -> str:
        """Return the IR of a variant after a pass, as text.

        Args:
            level: the name of a pass; the last of that name counts. "" is the IR before all passes.
            column: the number of the dtype column.
            present: the names of the optional tensors that are given; all by default.

        Raises:
            Diagnostic: OPW012, the pipeline has no such pass.
        """
        given = frozenset(optional_inputs(self.operator.op)) if present is None else present
        return text_after(self.operator, self.engine, Variant(column, given), level)


def compile_operator(
    operator: Operator | str | Path,
    backend: str = "numpy",
    target: str | None = None,
    cores: int | None = None,
    precision: Precision = "f32",
) -> CompiledOperator:
    """Compile an operator for a backend; see `opwright.compile`."""
    engine = Engine.of(backend, target)
    if precision not in PRECISIONS:
        raise Diagnostic("OPW010", f"there is no precision '{precision}'", hint=f"precisions: {', '.join(PRECISIONS)}")
    if cores is not None and cores < 1:
        raise Diagnostic("OPW013", f"the number of cores is {cores}, it must be at least 1")
    found = operator if isinstance(operator, Operator) else load(operator)
    return CompiledOperator(found, engine, cores or default_cores(engine.target), precision)


def default_cores(target: str) -> int:
    """Return the number of cores that a target usually has: on the host as many as this process may use."""
    return get_chip(target).cores or len(os.sched_getaffinity(0))
