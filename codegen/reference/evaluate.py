"""The reference interpreter: the definition of an operator, run on NumPy arrays.

It follows the spec and nothing else: reductions in order of the nest, starting from the combiner's identity. All other
backends are compared with it.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np
from xdsl.dialects.builtin import i1
from xdsl.ir import Operation, SSAValue

from ...dialect.diagnostics import Diagnostic
from ...dialect.spec.attrs import IntegersType, StringType, tensor_type
from ...dialect.spec.ops import (
    AttrOp,
    ColumnsOp,
    ComputeOp,
    DimOp,
    FrontEndOp,
    GivenOp,
    IndexOp,
    InputOp,
    OperatorOp,
    OutputOp,
    PositionsOp,
    RequireOp,
    ScanOp,
    WriteOp,
)
from ..attributes import AttrValue
from ..binding import Arrays, Binding, bind, bound_arrays, shape_of
from ..dtypes import Array
from ..scalars import apply
from ..symbols import symbol_values
from .checks import check_places, check_sides, declared_places, sources
from .compute import ComputeRun
from .lanes import plan_lanes
from .owners import identity
from .scope import Scope
from .types import Precision, Types


def evaluate(
    operator: OperatorOp,
    arrays: Arrays,
    attrs: Mapping[str, AttrValue] | None = None,
    precision: Precision = "f32",
) -> dict[str, Array]:
    """Return each output of the operator, by name.

    In f32 outputs have the dtypes of the binding's column; in f64 they are float64, not rounded (integers as they are).
    What the spec promises of elements is tested first, see `check_data`.

    Raises:
        Diagnostic: OPW2xx, arguments that the operator cannot take, or a spec whose indices leave a tensor.
    """
    binding = bind(operator, arrays, attrs)
    run = OperatorRun(binding, Types(binding.dtypes, precision), symbol_values(operator, binding.dims, binding.attrs))
    given = bound_arrays(operator, binding, arrays)
    check_data(operator, binding, given)
    with np.errstate(all="ignore"):
        for op in operator.body.block.ops:
            run.step(op, given)
    return run.outputs


def check_data(operator: OperatorOp, binding: Binding, given: Mapping[str, Array]) -> None:
    """Test what the spec promises of the elements of lists and of integer tensors, on the arrays of a binding.

    Raises:
        Diagnostic: OPW210 to OPW212, the first promise that is broken.
    """
    check_lists(operator, binding, given)
    for op, name, below in declared_places(operator, binding.dims, binding.attrs, frozenset(given)):
        check_places(op, name, below, given[name])


def check_lists(operator: OperatorOp, binding: Binding, lists: Mapping[str, Array]) -> None:
    """Test the constraints on lists; errors as in `check_data`."""
    check_sides(operator, computed_sides(operator, binding, lists), lists)


def computed_sides(
    operator: OperatorOp, binding: Binding, lists: Mapping[str, Array]
) -> Mapping[SSAValue, Array | None]:
    """Return the tensors that constraints on lists compare, and what they are computed from."""
    values = symbol_values(operator, binding.dims, binding.attrs)
    run = OperatorRun(binding, Types(binding.dtypes, "f32"), values)
    with np.errstate(all="ignore"):
        for op in sources(operator):
            run.step(op, lists)
    return run.tensors


@dataclass
class OperatorRun:
    """An operator at work."""

    binding: Binding
    types: Types
    integers: dict[SSAValue, int]
    scalars: dict[SSAValue, Array] = field(default_factory=dict[SSAValue, Array])
    tensors: dict[SSAValue, Array | None] = field(default_factory=dict[SSAValue, Array | None])
    outputs: dict[str, Array] = field(default_factory=dict[str, Array])

    def step(self, op: Operation, given: Mapping[str, Array]) -> None:
        """Run one operation of the operator's body."""
        match op:
            case InputOp():
                self.tensors[op.result] = self._input(op, given)
            case ComputeOp():
                self.tensors.update(zip(op.results_, self._compute(op), strict=True))
            case ScanOp():
                self.tensors[op.result] = self._scan(op)
            case PositionsOp():
                self.tensors[op.result] = self._positions(op)
            case OutputOp():
                self.outputs[op.label.data] = self._tensor(op.tensor)
            case GivenOp():
                self.scalars[op.result] = np.asarray(self.tensors[op.tensor] is not None)
            case AttrOp() if not isinstance(op.result.type, IntegersType | StringType):
                value = self.binding.attrs[op.label.data]
                self.scalars[op.result] = np.asarray(value, self.types.scalar(op.result.type))
            case AttrOp() | DimOp() | IndexOp() | ColumnsOp() | FrontEndOp() | RequireOp():
                pass
            case _:
                self._scalar(op)

    def _input(self, op: InputOp, given: Mapping[str, Array]) -> Array | None:
        array = given.get(op.label.data)
        return array != 0 if array is not None and op.result.type.element_type == i1 else array

    def _tensor(self, value: SSAValue) -> Array:
        array = self.tensors[value]
        assert array is not None
        return array

    def _compute(self, op: ComputeOp) -> list[Array]:
        lanes = plan_lanes(op)
        results = [self._identity(op, number) for number in range(len(op.results_))]
        scope = Scope(lanes.rank, dict(self.integers), dict(self.scalars))
        ComputeRun(op, lanes, self.types, scope, self.tensors, results).run()
        stored = [self.types.stored(tensor_type(result)) for result in op.results_]
        return [array.astype(dtype, copy=False) for array, dtype in zip(results, stored, strict=True)]

    def _identity(self, op: ComputeOp, number: int) -> Array:
        tensor = tensor_type(op.results_[number])
        dtype = self.types.accumulated(tensor)
        return np.full(shape_of(tensor, self.binding.dims), identity(_combiner(op, number), dtype), dtype)

    def _scan(self, op: ScanOp) -> Array:
        values = self._tensor(op.tensor).astype(self.types.stored(op.result.type))
        axis = op.dim.value.data
        total = np.cumsum(values, axis=axis, dtype=values.dtype)
        return total - values if op.exclusive is not None else total

    def _positions(self, op: PositionsOp) -> Array:
        mask, tensor = self.tensors[op.tensor], tensor_type(op.result)
        result = np.full(shape_of(tensor, self.binding.dims), -1, self.types.stored(tensor))
        if mask is not None:
            for row in np.ndindex(result.shape[:-1]):
                found = np.flatnonzero(mask[row])[: result.shape[-1]]
                result[row][: len(found)] = found
        return result

    def _scalar(self, op: Operation) -> None:
        operands = [self.scalars[v] if v in self.scalars else np.asarray(self.integers[v]) for v in op.operands]
        result = apply(op, operands, self.types.scalar(op.results[0].type))
        if result is None:
            raise Diagnostic("OPW223", f"the reference interpreter cannot run '{op.name}'", op)
        self.scalars[op.results[0]] = result


def _combiner(op: ComputeOp, number: int) -> str:
    writes = (w for w in op.walk() if isinstance(w, WriteOp) and w.number.data == number)
    return next((w.combine for w in writes), "")
