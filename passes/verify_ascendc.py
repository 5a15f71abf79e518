"""Pass `verify-ascendc`: refuse lowered kernels that break a limit of a chip."""

from collections import Counter
from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Operation, SSAValue
from xdsl.passes import ModulePass

from ..dialect.ascendc import (
    CastOp,
    CompareOp,
    CopyOp,
    EventOp,
    GatherMaskOp,
    IndexOp,
    QueueOp,
    ReduceOp,
    SelectOp,
    SpreadOp,
    StageOp,
    VectorOp,
)
from ..dialect.ascendc.lanes import SPREAD
from ..dialect.diagnostics import Diagnostic
from .chips import Chip
from .choice_lowering import check_choice
from .index_facts import Facts
from .selection_lowering import check_selection, fills_repeats
from .targets import chip_of
from .tensor_layout import element_bytes, element_of
from .vector_instruction import check_dtypes


@dataclass(frozen=True)
class VerifyAscendcPass(ModulePass):
    """Check alignment, repeats, strides, lanes, dtypes, copy sizes and ids against a chip; change nothing.

    What a limit holds for must be proven: by constants, by the bounds of loops, minima and maxima, or by what the
    tiling function requires.

    Raises:
        Diagnostic: OPW372-OPW377 at the first operation that may break a limit.

    Attributes:
        target: name of the chip.
    """

    name = "verify-ascendc"

    target: str

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        verify_limits(op, chip_of(self.target, op))


def verify_limits(module: ModuleOp, chip: Chip) -> None:
    """Verify a module after lower-to-ascendc."""
    limits = Limits(chip, Facts.of(module))
    for op in module.walk():
        match op:
            case VectorOp():
                limits.vector(op)
            case CopyOp():
                limits.copy(op)
            case StageOp():
                limits.stage(op)
            case _:
                pass


@dataclass(frozen=True)
class Limits:
    """What is checked of each operation."""

    chip: Chip
    facts: Facts

    def vector(self, op: VectorOp) -> None:
        """Check a vector instruction."""
        api, types = "Cast" if isinstance(op, CastOp) else op.api.data, [element_of(t) for t in op.tensors]
        if isinstance(op, SelectOp):
            check_choice(types[0], op, self.chip)
            self._at_most("the number of lanes", op.lanes, self.chip.repeat_bytes // element_bytes(types[0]), op)
        elif isinstance(op, CompareOp | GatherMaskOp | IndexOp):
            check_selection(op, types, self.chip)
        else:
            check_dtypes(api, types, op, self.chip)
        if isinstance(op, CompareOp) and not fills_repeats(op, self.facts.divisor(op.lanes), self.chip):
            text = f"the lanes of a comparison are not known to fill instructions of {self.chip.repeat_bytes} bytes"
            raise Diagnostic("OPW373", text, op, "compare whole rows, with a pitch that does")
        for tensor, start in op.places:
            self._aligned(tensor, start, op)
        if op.repeat is None:
            return
        widest = max(element_bytes(element_of(tensor)) for tensor in op.tensors)
        self._at_most("the number of repeats", op.repeat, self.chip.max_repeat, op)
        self._at_most("the number of lanes", op.lanes, self.chip.repeat_bytes // widest, op)
        if isinstance(op, ReduceOp | SpreadOp):
            self._wide_strides(op)
            return
        for stride in op.strides:
            self._at_most("a stride between repeats, in blocks,", stride, self.chip.max_repeat_stride, op)

    def _wide_strides(self, op: ReduceOp | SpreadOp) -> None:
        """Check strides of 16 bits; only constants need it where no SPREAD rows on chip are as far apart."""
        most, reach = self.chip.max_wide_stride, SPREAD * self.chip.ub_bytes // self.chip.block_bytes
        for stride in op.strides:
            if reach > most or self.facts.constant(stride) is not None:
                self._at_most("a stride", stride, most, op)

    def copy(self, op: CopyOp) -> None:
        """Check a copy; the length of a block needs no check where on-chip memory is shorter than the limit."""
        size = element_bytes(element_of(op.tensor))
        self._aligned(op.tensor, op.at, op)
        for count in (op.border or ())[:2]:
            self._at_most("a border", count, self.chip.block_bytes // size, op, "OPW375")
        self._at_most("the number of blocks", op.blocks, self.chip.max_block_count, op, "OPW375")
        most = self.chip.max_gap_bytes // size
        step = self.facts.form(op.gm_gap).plus(self.facts.form(op.length))
        if not self.facts.at_most(step, most):
            self._at_most("the gap in global memory", op.gm_gap, most, op, "OPW375")
        if self.chip.ub_bytes > self.chip.max_block_bytes:
            self._at_most("the length of a block", op.length, self.chip.max_block_bytes // size, op, "OPW375")

    def stage(self, op: StageOp) -> None:
        """Check what a stage takes of event ids: its own, and those of its queues' buffers."""
        ids = Counter(inner.pair for inner in op.body.block.ops if isinstance(inner, EventOp))
        for inner in op.body.block.ops:
            if isinstance(inner, QueueOp):
                ids[f"buffers of position {inner.position}"] += inner.times.data
        for what, count in ids.items():
            if count > self.chip.max_events:
                raise Diagnostic(
                    "OPW377",
                    f"stage '{op.label.data}' takes {count} event ids for {what}; '{self.chip.name}' has "
                    f"{self.chip.max_events}",
                    op,
                )

    def _aligned(self, tensor: SSAValue, start: SSAValue, op: Operation) -> None:
        elements = self.chip.block_bytes // element_bytes(element_of(tensor))
        if self.facts.divisor(start) % elements:
            name = tensor.name_hint or "a tensor"
            raise Diagnostic(
                "OPW372",
                f"the place in '{name}' is not known to be a multiple of {self.chip.block_bytes} bytes",
                op,
                "start at a row, with a pitch that is a multiple of a block",
            )

    def _at_most(self, what: str, value: SSAValue, most: int, op: Operation, code: str = "OPW373") -> None:
        if self.facts.at_most(value, most):
            return
        known = self.facts.constant(value)
        text = "is not known to be" if known is None else f"is {known}, which is not"
        raise Diagnostic(code, f"{what} {text} at most {most}", op, "split it into several")
