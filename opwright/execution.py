"""Calls: from arrays by the document's names to a kernel's arguments, and back."""

from __future__ import annotations

from collections.abc import Generator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING

from xdsl.dialects.builtin import ModuleOp

from .backends import Engine
from .codegen.attributes import AttrValue
from .codegen.binding import Arrays, Binding, bind, bound_arrays
from .codegen.dtypes import Array
from .codegen.executable import Executable, KernelInterface
from .codegen.native import CompileError, CompilerMissing
from .codegen.reference import Precision, Repeat, check_data, evaluate, repeated_places
from .dialect.diagnostics import Diagnostic
from .dialect.spec.ops import OperatorOp
from .dialect.spec.signature import Signature
from .dialect.tile.kernel import INPUT
from .loading import Operator
from .lowering import lower, lower_to
from .narrowing import variant_of
from .outputs import Outputs
from .passes.chips import get_chip
from .variants import Variant

if TYPE_CHECKING:
    from .compiled import CompiledOperator


@contextmanager
def native_faults() -> Generator[None]:
    """Tell faults of the machine, not of the call, as diagnostics.

    Raises:
        Diagnostic: OPW450 no compiler, OPW451 the compiler rejects the emitted text, OPW452 not enough memory.
    """
    try:
        yield
    except CompilerMissing as error:
        raise Diagnostic("OPW450", str(error), hint="backend numpy needs no compiler") from error
    except CompileError as error:
        raise Diagnostic("OPW451", str(error), hint="the emitted text is at fault: please report it") from error
    except MemoryError as error:
        raise Diagnostic("OPW452", str(error) or "not enough memory") from error


@dataclass(frozen=True)
class Runner:
    """A compiled variant, and what its kernel takes."""

    executable: Executable
    interface: KernelInterface

    def run(self, binding: Binding, arrays: Mapping[str, Array], cores: int) -> Outputs:
        """Run the kernel on the arrays of a binding."""
        inputs, dims = self.arguments(binding, arrays)
        with native_faults():
            return Outputs(self.executable.run(inputs, dims, cores))

    def arguments(self, binding: Binding, arrays: Mapping[str, Array]) -> tuple[dict[str, Array], dict[str, int]]:
        """Return what the kernel takes of a binding: arrays of tensors, and sizes, by name."""
        inputs = {t.name: arrays[t.name] for t in self.interface.tensors if t.role == INPUT}
        known: dict[str, AttrValue] = {**binding.attrs, **binding.dims}
        numbers = {name: value for name, value in known.items() if not isinstance(value, tuple)}
        return inputs, {name: int(numbers[name]) for name in self.interface.dims}


def run_reference(
    operator: OperatorOp, arrays: Arrays, attrs: Mapping[str, AttrValue], precision: Precision
) -> Outputs:
    """Run the definition itself."""
    return Outputs(evaluate(operator, arrays, attrs, precision))


def run_variant(compiled: CompiledOperator, arrays: Arrays, attrs: Mapping[str, AttrValue], cores: int) -> Outputs:
    """Bind a call, and run the variant that it needs."""
    plan = compiled.plan(arrays, attrs)
    bound = plan.bound(arrays)
    return plan.completed(compiled.runner(plan.variant).run(plan.binding, bound, cores))


def repeats_of(compiled: CompiledOperator, arrays: Arrays, attrs: Mapping[str, AttrValue]) -> list[Repeat]:
    """Return the places of outputs that several points of a call name."""
    op = compiled.operator.op
    binding = bind(op, arrays, attrs)
    return repeated_places(op, binding, bound_arrays(op, binding, arrays))


def compile_variant(operator: Operator, engine: Engine, variant: Variant) -> Runner:
    """Return a variant, compiled for its backend."""
    return build_module(lower(operator, engine, variant), engine)


def build_module(module: ModuleOp, engine: Engine) -> Runner:
    """Return a module that has run through the engine's pipeline, compiled."""
    with native_faults():
        return Runner(_compile(module, engine), KernelInterface.of(module))


def _compile(module: ModuleOp, engine: Engine) -> Executable:
    match engine.backend:
        case "c":
            from .codegen.c.executable import compile_module as compile_c

            return compile_c(module)
        case "ascendc":
            from .codegen.ascendc.executable import compile_module as compile_ascendc

            return compile_ascendc(module, get_chip(engine.target))
        case _:
            from .codegen.numpy import compile_module as compile_numpy

            return compile_numpy(module)


def run_after(compiled: CompiledOperator, level: str, arrays: Arrays, attrs: Mapping[str, AttrValue]) -> Outputs:
    """Run the IR as it stands after a pass: a kernel as NumPy text, a spec by the reference interpreter in f32.

    Raises:
        Diagnostic: OPW012, the pipeline has no such pass; else as `CompiledOperator.run`.
    """
    operator = compiled.operator
    binding = bind(operator.op, arrays, attrs)
    bound = bound_arrays(operator.op, binding, arrays)
    check_data(operator.op, binding, bound)
    module = lower_to(operator, compiled.engine, variant_of(operator.op, binding), level)
    definition = next((op for op in module.body.block.ops if isinstance(op, OperatorOp)), None)
    if definition is not None:
        return _run_definition(definition, bound, binding.attrs)
    runner = build_module(module, Engine("numpy", compiled.engine.target))
    return runner.run(binding, bound, compiled.cores)


def _run_definition(definition: OperatorOp, arrays: Mapping[str, Array], attrs: Mapping[str, AttrValue]) -> Outputs:
    """Run an operator that passes have changed; it may have lost parameters."""
    signature = Signature.of(definition)
    tensors, scalars = ({op.label.data for op in ops} for ops in (signature.inputs, signature.attrs))
    given = {name: array for name, array in arrays.items() if name in tensors}
    return Outputs(evaluate(definition, given, {name: value for name, value in attrs.items() if name in scalars}))
