"""Run the IR of any level on NumPy arrays: the reference interpreter above the loops, the NumPy emitter below.

Passes change how an operator is computed, not what, so what runs after one pass can be compared with what runs after
the next.
"""

from collections.abc import Mapping
from dataclasses import dataclass

from xdsl.dialects.builtin import ModuleOp

from ..dialect.spec.ops import OperatorOp
from .attributes import AttrValue
from .binding import Arrays, bind, bound_arrays
from .dtypes import Array
from .numpy import compile_module
from .reference import evaluate


@dataclass(frozen=True)
class Call:
    """The arguments of one call, in the form that every level takes.

    Attributes:
        inputs: the given arrays by name, as the kernel sees them: booleans as bytes.
        dims: the size of each dim of the operator that was called.
        attrs: the value of each attribute.
    """

    inputs: Mapping[str, Array]
    dims: Mapping[str, int]
    attrs: Mapping[str, AttrValue]

    @staticmethod
    def of(operator: OperatorOp, arrays: Arrays, attrs: Mapping[str, AttrValue] | None = None) -> "Call":
        """Bind arrays and attributes to an operator that no pass has changed; raises as `bind` does."""
        binding = bind(operator, arrays, attrs)
        return Call(bound_arrays(operator, binding, arrays), binding.dims, binding.attrs)


def run_level(module: ModuleOp, call: Call, cores: int = 1) -> dict[str, Array]:
    """Return each output, computed by the module as it stands after any pass.

    Raises:
        Diagnostic: the arguments do not fit, or an operation has no NumPy form.
        LookupError: the module holds neither an operator nor a kernel.
    """
    operator = next((op for op in module.body.block.ops if isinstance(op, OperatorOp)), None)
    if operator is not None:
        return evaluate(operator, call.inputs, call.attrs)
    executable = compile_module(module)
    known: dict[str, AttrValue] = {**call.attrs, **call.dims}
    numbers = {name: value for name, value in known.items() if not isinstance(value, tuple)}
    sizes = {name: int(numbers[name]) for name in executable.interface.dims}
    return executable.run(call.inputs, sizes, cores)
