"""Calls of one form: what shapes, dtypes and attributes tell is found once, elements are checked each time."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, cast

import numpy as np

from .codegen.binding import Arrays, Binding, bind, bound_arrays, output_shapes, output_types
from .codegen.dtypes import Array, as_storage, numpy_dtype
from .codegen.lists import as_array
from .codegen.read_bounds import check_reads
from .codegen.reference import check_lists
from .codegen.reference.checks import check_places, declared_places
from .dialect.spec.ops import CheckOp, InputOp, OperatorOp, PlacesOp
from .dialect.spec.signature import Signature, element_type
from .narrowing import variant_of
from .outputs import Outputs

if TYPE_CHECKING:
    from xdsl.ir import Attribute

    from .codegen.attributes import AttrValue
    from .variants import Variant

Form = tuple[object, ...]
"""What calls of one form have in common: of each tensor the name, shape and dtype, and the attributes."""


def form_of(arrays: Arrays, attrs: Mapping[str, AttrValue]) -> Form:
    """Return the form of a call; equal forms have equal plans."""
    given = [(name, np.asarray(value)) for name, value in arrays.items() if value is not None]
    tensors = tuple((name, array.shape, array.dtype) for name, array in given)
    return tensors, tuple((name, type(value), _text(value)) for name, value in attrs.items())


def _text(value: object) -> str:
    """Return a text that tells attribute values apart; NumPy shortens the text of long arrays, lists are whole."""
    if isinstance(value, str) or not isinstance(value, Iterable):
        return repr(value)
    return repr(list(cast("Iterable[object]", value)))


@dataclass(frozen=True)
class CallPlan:
    """What all calls of one form share.

    Attributes:
        operator: what is called.
        binding: the column, the present tensors, the sizes and the attributes.
        variant: the kernel that serves the call.
        inputs: each present tensor: how it is declared, and its element type.
        defaults: the lists that have a default and are not given.
        places: each promise on the elements of a tensor that counts: the tensor, and the number of places.
        has_checks: whether the spec compares lists.
        outputs: shape and dtype of each output.
    """

    operator: OperatorOp
    binding: Binding
    variant: Variant
    inputs: Mapping[str, tuple[InputOp, Attribute]]
    defaults: Mapping[str, Array]
    places: tuple[tuple[PlacesOp, str, int], ...]
    has_checks: bool
    outputs: Mapping[str, tuple[tuple[int, ...], np.dtype[Any]]]

    @staticmethod
    def of(operator: OperatorOp, arrays: Arrays, attrs: Mapping[str, AttrValue]) -> CallPlan:
        """Return the plan of a call.

        Raises:
            Diagnostic: OPW200 to OPW209 what the operator cannot take, OPW220 a read that leaves its tensor.
        """
        binding = bind(operator, arrays, attrs)
        bound = bound_arrays(operator, binding, arrays)
        check_reads(operator, binding)
        inputs = {op.label.data: op for op in Signature.of(operator).inputs if op.label.data in bound}
        types, shapes = output_types(operator, binding), output_shapes(operator, binding)
        return CallPlan(
            operator,
            binding,
            variant_of(operator, binding),
            {name: (op, element_type(op.result.type, binding.dtypes)) for name, op in inputs.items()},
            {name: bound[name] for name, op in inputs.items() if as_array(op, arrays.get(name)) is None},
            tuple(declared_places(operator, binding.dims, binding.attrs, frozenset(bound))),
            any(isinstance(op, CheckOp) for op in operator.body.block.ops),
            {name: (shapes[name], numpy_dtype(types[name])) for name in shapes},
        )

    def bound(self, arrays: Arrays) -> dict[str, Array]:
        """Return the present arrays of a call as a kernel sees them, like `binding.bound_arrays`, and test them.

        Raises:
            Diagnostic: OPW210 to OPW212, elements that break what the spec promises of them.
        """
        bound = {name: self._stored(name, arrays) for name in self.inputs}
        if self.has_checks:
            check_lists(self.operator, self.binding, bound)
        for op, name, below in self.places:
            check_places(op, name, below, bound[name])
        return bound

    def _stored(self, name: str, arrays: Arrays) -> Array:
        if name in self.defaults:
            return self.defaults[name]
        op, element = self.inputs[name]
        array = as_array(op, arrays[name])
        assert array is not None
        return as_storage(array, element)

    def completed(self, outputs: Mapping[str, Array]) -> Outputs:
        """Return outputs in order, with those that have no element and that no kernel writes."""
        found = {name: outputs[name] if name in outputs else np.empty(*form) for name, form in self.outputs.items()}
        return Outputs(found)
