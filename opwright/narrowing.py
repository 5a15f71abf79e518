"""Which variants there are: none for choices that a spec forbids, no more for tensors that a kernel does not read."""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache
from typing import TYPE_CHECKING

from xdsl.ir import Operation
from xdsl.rewriter import Rewriter

from .codegen.conditions import constraints
from .dialect.spec.ops import GivenOp, InputOp, NeedOp, OutputOp, WhenOp, WriteOp
from .dialect.spec.signature import Signature, dim_labels, element_type

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from xdsl.ir import SSAValue

    from .codegen.attributes import AttrValue
    from .codegen.binding import Binding
    from .dialect.spec.attrs import TensorType
    from .dialect.spec.ops import OperatorOp
    from .variants import Variant


def is_allowed(operator: OperatorOp, present: frozenset[str], attrs: Mapping[str, AttrValue]) -> bool:
    """Return whether a call with these optional tensors and attributes gives all that `spec.need` asks for."""
    needs = [op.label.data for op, counts in constraints(operator, attrs, present) if counts and isinstance(op, NeedOp)]
    return present.issuperset(needs)


def bound_column(operator: OperatorOp, column: int, present: frozenset[str]) -> int:
    """Return the first dtype column whose given tensors have the dtypes of this one: calls are bound to that."""
    return _first_column(operator, column, _given_types(operator, present))


def _served_column(operator: OperatorOp, column: int, present: frozenset[str]) -> int:
    """Return the first dtype column whose kernel serves this one: a call tells the dtypes of its outputs too."""
    outputs = [op.type for op in Signature.of(operator).outputs]
    return _first_column(operator, column, [*_given_types(operator, present), *outputs])


def _given_types(operator: OperatorOp, present: frozenset[str]) -> list[TensorType]:
    inputs = Signature.of(operator).inputs
    return [op.result.type for op in inputs if not op.may_be_absent or op.label.data in present]


def _first_column(operator: OperatorOp, column: int, types: Sequence[TensorType]) -> int:
    """Return the first dtype column in which tensors have the dtypes that they have in this one."""
    columns = Signature.of(operator).dtype_columns

    def dtypes(number: int) -> list[object]:
        return [element_type(tensor, columns[number]) for tensor in types]

    return next(number for number in range(column + 1) if dtypes(number) == dtypes(column))


def served_choices(operator: OperatorOp) -> Iterator[tuple[Variant, Variant]]:
    """Yield each choice of dtypes, optional tensors and boolean attributes that a call may make, and its variant."""
    from .variants import Variant, boolean_attributes, presences, switch_settings

    for column in range(len(Signature.of(operator).dtype_columns)):
        for on in switch_settings(operator):
            flags = {name: name in on for name in boolean_attributes(operator)}
            for present in presences(operator):
                if is_allowed(operator, present, flags):
                    variant = Variant(_served_column(operator, column, present), present, on)
                    yield Variant(column, present, on), narrow(operator, variant)


def narrow(operator: OperatorOp, variant: Variant) -> Variant:
    """Return the variant that serves the calls of this one: without the optional tensors that its kernel ignores."""
    if not variant.present:
        return variant
    return replace(variant, present=_read_inputs(operator, variant.present, variant.switches))


def variant_of(operator: OperatorOp, binding: Binding) -> Variant:
    """Return the variant that a call needs."""
    from .variants import Variant, optional_inputs, true_attributes

    present = binding.present & frozenset(optional_inputs(operator))
    return narrow(operator, Variant(binding.column, present, true_attributes(operator, binding.attrs)))


@lru_cache(maxsize=256)
def _read_inputs(operator: OperatorOp, present: frozenset[str], switches: frozenset[str]) -> frozenset[str]:
    """Return those of the given optional tensors on which an output depends, or a question whether they are given."""
    from xdsl.dialects.builtin import ModuleOp
    from xdsl.transforms.canonicalize import CanonicalizePass

    from .dialect.registry import new_context
    from .passes.specialize import SpecializePass

    module = ModuleOp([made := operator.clone()])
    asked = {name for op in made.body.block.ops if isinstance(op, GivenOp) and (name := _asked(op))}
    context = new_context()
    SpecializePass(0, tuple(sorted(present | switches))).apply(context, module)
    _drop_unreachable_writes(made)
    CanonicalizePass().apply(context, module)
    outputs = [op.tensor for op in made.body.block.ops if isinstance(op, OutputOp)]
    return _with_all_dims(operator, present, present & (asked | _sources(outputs)))


def _drop_unreachable_writes(operator: OperatorOp) -> None:
    """Erase writes whose condition never holds: what they alone read, the kernel does not need."""
    from .passes.constants import constant_value

    for op in list(operator.body.walk()):
        if isinstance(op, WriteOp) and op.guard is not None and constant_value(op.guard) == 0:
            Rewriter.erase_op(op)


def _with_all_dims(operator: OperatorOp, present: frozenset[str], read: frozenset[str]) -> frozenset[str]:
    """Return the inputs that are read, and those that alone tell the size of a dim: outputs have it."""
    kept = read
    for op in Signature.of(operator).inputs:
        name = op.label.data
        if name in present - read:
            others = (i for i in Signature.of(operator).inputs if not i.may_be_absent or i.label.data in kept)
            known = {dim for other in others for dim in dim_labels(other.result.type)}
            kept |= frozenset() if known.issuperset(dim_labels(op.result.type)) else {name}
    return kept


def _asked(op: GivenOp) -> str:
    """Return the input whose presence the definition itself asks for; nothing where only constraints do."""
    source = op.tensor.owner
    used = any(not isinstance(use.operation, WhenOp) for use in op.result.uses)
    return source.label.data if used and isinstance(source, InputOp) else ""


def _sources(values: list[SSAValue]) -> set[str]:
    """Return the names of the inputs that tensors are computed from."""
    found: set[str] = set()
    seen: set[SSAValue] = set()
    while values:
        value = values.pop()
        if value in seen:
            continue
        seen.add(value)
        match value.owner:
            case InputOp(label=label):
                found.add(label.data)
            case Operation() as op:
                values += [operand for inner in op.walk() for operand in inner.operands]
            case _:
                pass
    return found
