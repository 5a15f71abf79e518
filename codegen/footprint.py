"""What the numbers of the tiling function mean on chip: tile sizes, and the bytes that the buffers of a stage take."""

from collections.abc import Mapping

from xdsl.dialects.arith import ConstantOp
from xdsl.dialects.builtin import FixedBitwidthType, IntegerAttr, ModuleOp
from xdsl.dialects.func import FuncOp
from xdsl.ir import Block, SSAValue

from ..dialect.index_expr import evaluate
from ..dialect.tile.buffers import AllocOp
from ..dialect.tile.kernel import CORES, kernel_arguments
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
    """Return the bytes that the buffers of each stage that runs take, all copies counted, by the name of the stage."""
    stages = [op for op in module.walk() if isinstance(op, CoresOp) and _runs(op, numbers)]
    return {stage.label.data: sum(_bytes(op, numbers) for op in _buffers(stage)) for stage in stages}


def buffer_sizes(alloc: AllocOp, numbers: Mapping[str, int]) -> tuple[int, int]:
    """Return the rows and the pitch of a buffer, in elements."""
    operands = [_value(operand, numbers) for operand in alloc.operands_]
    rows, pitch = (evaluate(expr, operands) for expr in alloc.sizes.data)
    return rows, pitch


def _runs(stage: CoresOp, numbers: Mapping[str, int]) -> bool:
    return stage.condition is None or _value(stage.condition, numbers) != 0


def _buffers(stage: CoresOp) -> list[AllocOp]:
    return [op for op in stage.body.block.ops if isinstance(op, AllocOp)]


def _bytes(alloc: AllocOp, numbers: Mapping[str, int]) -> int:
    rows, pitch = buffer_sizes(alloc, numbers)
    element = alloc.result.type.element_type
    assert isinstance(element, FixedBitwidthType)
    return rows * pitch * element.size * alloc.times.data


def _value(operand: SSAValue, numbers: Mapping[str, int]) -> int:
    """Return what an argument of the kernel, or a constant, is."""
    match operand.owner:
        case ConstantOp(value=IntegerAttr(value=number)):
            return number.data
        case Block() as block:
            kernel = block.parent_op()
            assert isinstance(kernel, FuncOp)
            return numbers[next(a.name for a in kernel_arguments(kernel) if a.value is operand)]
        case _:
            raise ValueError(f"the size of a buffer is computed in the kernel: {operand}")
