"""Copies between global memory and on-chip tensors: blocks of contiguous elements with gaps between them.

    ascendc.copy_in %x[%offset] to %t[%at] blocks %n length %width gaps %gm, %ub
        : memref<?x?xbf16>, memref<?xbf16, "ub">

`offset` and `at` are the first elements of the first block, in the flat order of the memory. `length` is in elements,
the gap in global memory in elements, the gap on chip in blocks of `BLOCK_BYTES` counted from the end of a block,
rounded up. Elements of a border belong to the block.
"""

from abc import ABC
from collections.abc import Sequence
from typing import ClassVar, cast

from xdsl.dialects.builtin import IndexType, MemRefType
from xdsl.ir import Attribute, SSAValue
from xdsl.irdl import (
    AttrSizedOperandSegments,
    IRDLOperation,
    irdl_op_definition,
    operand_def,
    opt_operand_def,
    traits_def,
)
from xdsl.parser import Parser, UnresolvedOperand
from xdsl.printer import Printer
from xdsl.traits import MemoryReadEffect, MemoryWriteEffect

Place = tuple[SSAValue, SSAValue]
"""A memory and the element at which something starts."""


Border = tuple[SSAValue, SSAValue, SSAValue]
"""Elements in front of a block on chip, elements behind it, and their value."""


class CopyOp(IRDLOperation, ABC):
    """The base of both directions."""

    gm = operand_def(MemRefType)
    offset = operand_def(IndexType)
    tensor = operand_def(MemRefType)
    at = operand_def(IndexType)
    blocks = operand_def(IndexType)
    length = operand_def(IndexType)
    gm_gap = operand_def(IndexType)
    ub_gap = operand_def(IndexType)
    left = opt_operand_def(IndexType)
    right = opt_operand_def(IndexType)
    beyond = opt_operand_def(Attribute)

    irdl_options = (AttrSizedOperandSegments(as_property=True),)
    traits = traits_def(MemoryReadEffect(), MemoryWriteEffect())

    INWARD: ClassVar[bool]

    def __init__(
        self,
        gm: Place,
        tensor: Place,
        blocks: SSAValue,
        length: SSAValue,
        gaps: Sequence[SSAValue],
        border: Border | None = None,
    ) -> None:
        super().__init__(operands=[*gm, *tensor, blocks, length, *gaps, *(border or (None, None, None))])

    @property
    def border(self) -> Border | None:
        """Return the elements in front of a block, those behind it, and their value, if there are any."""
        if self.left is None or self.right is None or self.beyond is None:
            return None
        return self.left, self.right, self.beyond

    @classmethod
    def parse(cls, parser: Parser) -> "CopyOp":
        first = parser.parse_unresolved_operand()
        first_start = _bracketed(parser)
        parser.parse_keyword("to")
        second = parser.parse_unresolved_operand()
        second_start = _bracketed(parser)
        parser.parse_keyword("blocks")
        blocks = _index(parser)
        parser.parse_keyword("length")
        length = _index(parser)
        parser.parse_keyword("gaps")
        gm_gap = _index(parser)
        parser.parse_punctuation(",")
        ub_gap = _index(parser)
        border = _parse_border(parser) if cls.INWARD else None
        parser.parse_punctuation(":")
        source = (parser.resolve_operand(first, parser.parse_type()), first_start)
        parser.parse_punctuation(",")
        target = (parser.resolve_operand(second, parser.parse_type()), second_start)
        gm, tensor = (source, target) if cls.INWARD else (target, source)
        if border is None:
            return cls(gm, tensor, blocks, length, [gm_gap, ub_gap])
        left, right, beyond = border
        value = parser.resolve_operand(beyond, cast("MemRefType[Attribute]", tensor[0].type).element_type)
        return cls(gm, tensor, blocks, length, [gm_gap, ub_gap], (left, right, value))

    def print(self, printer: Printer) -> None:
        gm, tensor = (self.gm, self.offset), (self.tensor, self.at)
        source, target = (gm, tensor) if self.INWARD else (tensor, gm)
        for word, (memory, start) in ((" ", source), (" to ", target)):
            printer.print_string(word)
            printer.print_operand(memory)
            with printer.in_square_brackets():
                printer.print_operand(start)
        for word, value in (("blocks", self.blocks), ("length", self.length), ("gaps", self.gm_gap)):
            printer.print_string(f" {word} ")
            printer.print_operand(value)
        printer.print_string(", ")
        printer.print_operand(self.ub_gap)
        if self.border is not None:
            for word, value in zip((" border ", ", ", " of "), self.border, strict=True):
                printer.print_string(word)
                printer.print_operand(value)
        printer.print_string(" : ")
        printer.print_list((source[0].type, target[0].type), printer.print_attribute)


def _parse_border(parser: Parser) -> tuple[SSAValue, SSAValue, UnresolvedOperand] | None:
    if parser.parse_optional_keyword("border") is None:
        return None
    left = _index(parser)
    parser.parse_punctuation(",")
    right = _index(parser)
    parser.parse_keyword("of")
    return left, right, parser.parse_unresolved_operand()


def _index(parser: Parser) -> SSAValue:
    return parser.resolve_operand(parser.parse_unresolved_operand(), IndexType())


def _bracketed(parser: Parser) -> SSAValue:
    with parser.in_square_brackets():
        return _index(parser)


@irdl_op_definition
class CopyInOp(CopyOp):
    """Copy blocks from global memory to a tensor.

    `ascendc.copy_in %x[%i] to %t[%c0] blocks %n length %w gaps %g, %p : memref<?x?xbf16>, memref<?xbf16, "ub">` becomes

        DataCopyPad(xIn, xGm[i], DataCopyExtParams(n, w * sizeof(bfloat16_t), g * sizeof(bfloat16_t), p, 0),
                    DataCopyPadExtParams<bfloat16_t>());

    With `border %l, %r of %v` each block gets on chip `%l` elements of value `%v` in front, `%r` behind; the last
    argument is then `DataCopyPadExtParams<bfloat16_t>(true, l, r, v)`.
    """

    name = "ascendc.copy_in"
    INWARD: ClassVar[bool] = True


@irdl_op_definition
class CopyOutOp(CopyOp):
    """Copy blocks from a tensor to global memory: the mirror of ascendc.copy_in.

    `ascendc.copy_out %t[%c0] to %y[%i] blocks %n length %w gaps %g, %p : memref<?xbf16, "ub">, memref<?x?xbf16>`
    """

    name = "ascendc.copy_out"
    INWARD: ClassVar[bool] = False
