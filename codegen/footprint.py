"""What the numbers of the tiling function mean on chip: tile sizes, and the bytes that the buffers of a stage take."""

from collections.abc import Mapping

from xdsl.dialects.arith import ConstantOp
from xdsl.dialects.builtin import FixedBitwidthType, IntegerAttr, ModuleOp
from xdsl.ir import SSAValue

from ..dialect.index_expr import evaluate
from ..dialect.tile.buffers import AllocOp
from ..dialect.tile.kernel import CORES, find_kernel, kernel_arguments
from ..dialect.tile.ops import CoresOp
from .executable import KernelInterface
from .numpy import compile_module, load
from .numpy.names import identifier


def tiling_numbers(module: ModuleOp, sizes: Mapping[str, int], cores: int) -> dict[str, int]:
    """Return every number of the kernel by name: the sizes, and what the tiling function answers.

    Raises:
        Diagnostic: OPW243, OPW245, sizes or cores that the tiling function cannot take.
        LookupError: the module holds no kernel.
    """
    interface = KernelInterface.of(module)
    (text,) = compile_module(module).sources.values()
    found: int | tuple[int, ...] = load(text)[identifier(interface.tiling)](*interface.tiling_values(sizes, cores))
    results = found if isinstance(found, tuple) else (found,)
    return {**sizes, **dict(zip(interface.tiling_results, results, strict=True)), CORES: cores}


def stage_bytes(module: ModuleOp, numbers: Mapping[str, int]) -> dict[str, int]:
    """Return the bytes that the buffers of each stage take, all copies counted, by the name of the stage."""
    arguments = kernel_arguments(find_kernel(module))
    values: dict[SSAValue, int] = {a.value: numbers[a.name] for a in arguments if a.name in numbers}
    stages = [op for op in module.walk() if isinstance(op, CoresOp)]
    return {stage.label.data: sum(_bytes(op, values) for op in _buffers(stage)) for stage in stages}


def _buffers(stage: CoresOp) -> list[AllocOp]:
    return [op for op in stage.body.block.ops if isinstance(op, AllocOp)]


def _bytes(alloc: AllocOp, values: Mapping[SSAValue, int]) -> int:
    operands = [_value(operand, values) for operand in alloc.operands_]
    rows, pitch = (evaluate(expr, operands) for expr in alloc.sizes.data)
    element = alloc.result.type.element_type
    assert isinstance(element, FixedBitwidthType)
    return rows * pitch * element.size * alloc.times.data


def _value(operand: SSAValue, values: Mapping[SSAValue, int]) -> int:
    match operand.owner:
        case ConstantOp(value=IntegerAttr(value=number)):
            return number.data
        case _:
            return values[operand]
