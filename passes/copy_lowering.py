"""Row copies as block copies between global memory and on-chip tensors."""

from collections.abc import Sequence
from dataclasses import dataclass

from xdsl.dialects.func import FuncOp
from xdsl.ir import Block, Operation, SSAValue

from ..dialect.ascendc import CopyInOp, CopyOutOp
from ..dialect.diagnostics import Diagnostic
from ..dialect.tile.buffers import LoadRowsOp, StoreRowsOp
from ..dialect.tile.kernel import KernelArgument, kernel_arguments
from .capacity import Requirements
from .index_code import Code
from .index_facts import Facts
from .row_lowering import RowLowering
from .tensor_layout import element_bytes, element_of

RowCopy = LoadRowsOp | StoreRowsOp


@dataclass(frozen=True)
class Globals:
    """The tensors in global memory, and what a tiling function checks for them.

    Attributes:
        arguments: the kernel's arguments by name.
        requirements: what the tiling function checks.
    """

    arguments: dict[str, KernelArgument]
    requirements: Requirements

    @staticmethod
    def of(kernel: FuncOp, tiling: FuncOp, facts: Facts) -> "Globals":
        """Read the kernel's arguments."""
        arguments = {argument.name: argument for argument in kernel_arguments(kernel)}
        return Globals(arguments, Requirements.of(kernel, tiling, facts))

    def argument(self, tensor: SSAValue, at: Operation) -> KernelArgument:
        """Return the argument that a tensor is.

        Raises:
            Diagnostic: OPW378 for any other memory.
        """
        for argument in self.arguments.values():
            if argument.value is tensor:
                return argument
        raise Diagnostic("OPW378", "a copy's tensor in global memory is no argument of the kernel", at)

    def extents(self, tensor: SSAValue, at: Operation, code: Code) -> list[SSAValue]:
        """Return the sizes of a tensor's dims."""
        dims = self.argument(tensor, at).dims
        return [code.constant(d) if isinstance(d, int) else self.arguments[d].value for d in dims]


@dataclass(frozen=True)
class CopyLowering:
    """Lowers row copies of one kernel.

    Attributes:
        rows: what row instructions are lowered by; knows chip, facts and pitches.
        globals: the tensors in global memory.
    """

    rows: RowLowering
    globals: Globals

    def lower(self, op: RowCopy) -> Block:
        """Return the code that does what the row copy does."""
        code = Code(Block(), op.location)
        gm = op.source if isinstance(op, LoadRowsOp) else op.target
        extents = self.globals.extents(gm, op, code)
        if self.rows.facts.constant(op.rows) == 1:
            with self.rows.nonempty(code, op.width) as inner:
                self._blocks(inner, op, extents, None, inner.constant(1))
        elif self._is_contiguous_dim(op):
            self._overlapping(code, op, extents)
        else:
            self._limited(code, op, extents)
        return code.block

    def _is_contiguous_dim(self, op: RowCopy) -> bool:
        return op.along.data == len(op.start) - 1

    def _overlapping(self, code: Code, op: RowCopy, extents: Sequence[SSAValue]) -> None:
        """Copy rows that start one element apart, one by one."""
        with (
            code.loop(code.constant(0), op.rows, code.constant(1), "row") as (inner, row),
            self.rows.nonempty(inner, op.width) as body,
        ):
            self._blocks(body, op, extents, row, body.constant(1))

    def _limited(self, code: Code, op: RowCopy, extents: Sequence[SSAValue]) -> None:
        """Copy all rows at once, or as many at a time as one copy takes."""
        self._require_gap(op)
        most = self.rows.chip.max_block_count
        if self.rows.facts.at_most(op.rows, most):
            with self.rows.nonempty(code, op.rows, op.width) as inner:
                self._blocks(inner, op, extents, None, op.rows)
            return
        step = code.constant(most)
        with code.loop(code.constant(0), op.rows, step, "first") as (inner, first):
            count = inner.binary("min", inner.binary("-", op.rows, first), step, "count")
            with self.rows.nonempty(inner, op.width) as body:
                self._blocks(body, op, extents, first, count)

    def _blocks(
        self, code: Code, op: RowCopy, extents: Sequence[SSAValue], first: SSAValue | None, count: SSAValue
    ) -> None:
        layouts = self.rows.layouts
        buffer, gm = (op.target, op.source) if isinstance(op, LoadRowsOp) else (op.source, op.target)
        start, row = list(op.start), op.row
        if first is not None:
            start[op.along.data] = code.binary("+", start[op.along.data], first)
            row = first if self.rows.facts.constant(row) == 0 else code.binary("+", row, first)
        border = op.border if isinstance(op, LoadRowsOp) else None
        offset = _flat(code, start, extents)
        at = layouts.start(code, buffer, row, None)
        gaps = [code.constant(0)] * 2
        if self.rows.facts.constant(count) != 1:
            elements = code.constant(layouts.block_elements(buffer))
            whole = op.width
            if border is not None:
                whole = code.binary("+", code.binary("+", border[0], whole), border[1], "whole")
            used = code.binary("ceildiv", whole, elements)
            gaps = [
                code.binary("-", _product(code, extents[op.along.data + 1 :]), op.width),
                code.binary("-", layouts.row_blocks(buffer), used),
            ]
        kind = CopyInOp if isinstance(op, LoadRowsOp) else CopyOutOp
        code.add(kind((gm, offset), (buffer, at), count, op.width, gaps, border))

    def _require_gap(self, op: RowCopy) -> None:
        """Let the tiling function refuse rows that lie further apart than a copy can skip, unless none can.

        Rows on chip need no check: they fit in on-chip memory, and so do the gaps between them.
        """
        gm = op.source if isinstance(op, LoadRowsOp) else op.target
        most = self.rows.chip.max_gap_bytes // element_bytes(element_of(gm))
        argument = self.globals.argument(gm, op)
        dims, named = argument.dims[op.along.data + 1 :], self.globals.requirements.values
        code = Code(Block(), op.location)
        stride = _product(code, [code.constant(d) if isinstance(d, int) else named[d] for d in dims])
        message = f"the rows of {argument.name} lie more than {self.rows.chip.max_gap_bytes} bytes apart"
        self.globals.requirements.at_most(code, stride, most, message)


def _flat(code: Code, indices: Sequence[SSAValue], extents: Sequence[SSAValue]) -> SSAValue:
    """Return the place of an element in the flat order of a tensor."""
    place = indices[0]
    for index, extent in zip(indices[1:], extents[1:], strict=True):
        place = code.binary("+", code.binary("*", place, extent), index)
    return place


def _product(code: Code, values: Sequence[SSAValue]) -> SSAValue:
    product = values[0]
    for value in values[1:]:
        product = code.binary("*", product, value)
    return product
