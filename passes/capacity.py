"""What the buffers of a stage take on chip, as a requirement of the tiling function."""

from collections.abc import Mapping
from dataclasses import dataclass

from xdsl.dialects import arith
from xdsl.dialects.builtin import FixedBitwidthType
from xdsl.dialects.func import FuncOp
from xdsl.ir import Block, BlockArgument, SSAValue
from xdsl.rewriter import InsertPoint, Rewriter

from ..dialect.ascendc import BufferOp, QueueOp, RequireOp
from ..dialect.diagnostics import Diagnostic
from ..dialect.tile.kernel import kernel_arguments, tiling_result_names
from ..dialect.tile.ops import CoresOp
from .chips import Chip
from .index_code import Code
from .index_facts import Facts


@dataclass(frozen=True)
class Requirements:
    """Adds checks to a tiling function.

    Attributes:
        tiling: the function.
        values: its arguments and results by name.
        names: the kernel's index arguments by value.
        facts: what is known of index values; learns what is required.
    """

    tiling: FuncOp
    values: Mapping[str, SSAValue]
    names: Mapping[BlockArgument, str]
    facts: Facts

    @staticmethod
    def of(kernel: FuncOp, tiling: FuncOp, facts: Facts) -> "Requirements":
        """Connect the two functions by the names of their arguments."""
        last = tiling.body.block.last_op
        assert last is not None
        results = dict(zip(tiling_result_names(tiling), last.operands, strict=True))
        arguments = {a.name: a.value for a in kernel_arguments(tiling)}
        names = {a.value: a.name for a in kernel_arguments(kernel)}
        return Requirements(tiling, {**results, **arguments}, names, facts)

    def value(self, argument: SSAValue) -> SSAValue | None:
        """Return what the tiling function calls an argument of the kernel."""
        name = self.names.get(argument) if isinstance(argument, BlockArgument) else None
        return None if name is None else self.values.get(name)

    def at_most(self, code: Code, value: SSAValue, most: int, message: str) -> None:
        """Let the tiling function refuse shapes with a value above `most`, computed by `code`, if there may be any."""
        if self.facts.at_most(value, most):
            return
        fits = code.add(arith.CmpiOp(value, code.constant(most), "sle")).result
        code.add(RequireOp(fits, message))
        last = self.tiling.body.block.last_op
        assert last is not None
        Rewriter.inline_block(code.block, InsertPoint.before(last))
        self.facts.require(value, most)


def require_capacity(stage: CoresOp, requirements: Requirements, chip: Chip) -> None:
    """Let the tiling function refuse shapes whose buffers do not fit, unless they are known to.

    Raises:
        Diagnostic: OPW380 where the size of a buffer is no expression of the kernel's arguments.
    """
    reserving = [op for op in stage.body.block.ops if isinstance(op, QueueOp | BufferOp)]
    code = Code(Block(), stage.location)
    label = stage.label.data
    total = code.constant(0)
    for number, op in enumerate(reserving):
        size = _bytes(op, requirements, chip, code)
        total = code.binary("+", total, size) if number else size
    total.name_hint = f"{label}_bytes"
    flag = None if stage.condition is None else requirements.value(stage.condition)
    if flag is not None:
        total = _if_run(total, flag, code)
    message = f"the buffers of stage {label} take more than {chip.ub_bytes} bytes"
    requirements.at_most(code, total, chip.ub_bytes, message)


def _if_run(total: SSAValue, flag: SSAValue, code: Code) -> SSAValue:
    """Append what a stage takes that runs only under a condition."""
    runs = code.add(arith.CmpiOp(flag, code.constant(0), "ne")).result
    return code.add(arith.SelectOp(runs, total, code.constant(0)), total.name_hint).result


def _bytes(op: QueueOp | BufferOp, requirements: Requirements, chip: Chip, code: Code) -> SSAValue:
    operands = [requirements.value(operand) for operand in op.operands_]
    known = [operand for operand in operands if operand is not None]
    if len(known) < len(operands):
        text = f"the size of '{op.label.data}' does not follow from the kernel's arguments"
        raise Diagnostic("OPW380", text, op, "make it a result of the tiling function")
    element = op.element_type
    assert isinstance(element, FixedBitwidthType)
    rows, pitch = (code.expr(expr, known) for expr in op.sizes.data)
    count, name = code.binary("*", rows, pitch), f"{op.label.data}_bytes"
    if requirements.facts.divisor(count) * element.size % chip.block_bytes == 0:
        return code.binary("*", count, code.constant(element.size * op.times.data), name)
    size = code.binary("*", count, code.constant(element.size))
    blocks = code.binary("ceildiv", size, code.constant(chip.block_bytes))
    return code.binary("*", blocks, code.constant(chip.block_bytes * op.times.data), name)
