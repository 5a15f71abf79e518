"""Vector instructions of the ascendc dialect, in the two forms that the vector API documents.

    ascendc.binary "Mul" %p[%a], %g[%b], %w[%c] lanes %n : memref<?xf32, "ub">, memref<?xf32, "ub">, memref<?xf32, "ub">
    ascendc.binary "Mul" %p[%a], %g[%b], %w[%c] lanes %m repeat %r strides [%s, %s, %c0] : ...

The count form works on `lanes` contiguous elements. The repeat form works `repeat` times on the first `lanes` elements,
at most those that the widest operand has in one instruction, and moves each operand by its stride, in blocks of
`BLOCK_BYTES`, from one time to the next. The target stands first, as in the API; starts are in elements.
"""

from abc import ABC
from collections.abc import Sequence
from typing import ClassVar

from xdsl.dialects.builtin import IndexType, MemRefType, StringAttr
from xdsl.ir import Attribute, SSAValue
from xdsl.irdl import (
    AttrSizedOperandSegments,
    IRDLOperation,
    irdl_op_definition,
    operand_def,
    opt_operand_def,
    prop_def,
    traits_def,
    var_operand_def,
)
from xdsl.parser import Parser, UnresolvedOperand
from xdsl.printer import Printer
from xdsl.traits import MemoryReadEffect, MemoryWriteEffect
from xdsl.utils.exceptions import VerifyException

from .copies import Place


class VectorOp(IRDLOperation, ABC):
    """The base of all vector instructions: `api(target, sources..., scalars..., lanes[, repeat, strides])`."""

    tensors = var_operand_def(MemRefType)
    starts = var_operand_def(IndexType)
    scalars = var_operand_def(Attribute)
    lanes = operand_def(IndexType)
    repeat = opt_operand_def(IndexType)
    strides = var_operand_def(IndexType)
    api = prop_def(StringAttr)

    irdl_options = (AttrSizedOperandSegments(as_property=True),)
    traits = traits_def(MemoryReadEffect(), MemoryWriteEffect())

    APIS: ClassVar[tuple[str, ...]]
    SOURCES: ClassVar[int]
    SCALARS: ClassVar[int] = 0

    def __init__(
        self,
        api: str,
        places: Sequence[Place],
        lanes: SSAValue,
        repeat: SSAValue | None = None,
        strides: Sequence[SSAValue] = (),
        scalars: Sequence[SSAValue] = (),
    ) -> None:
        super().__init__(
            operands=[[p[0] for p in places], [p[1] for p in places], scalars, lanes, repeat, strides],
            properties={"api": StringAttr(api)},
        )

    @property
    def places(self) -> list[Place]:
        """Return the target and the sources, each with its first element."""
        return list(zip(self.tensors, self.starts, strict=True))

    @classmethod
    def parse(cls, parser: Parser) -> "VectorOp":
        api = parser.parse_str_literal()
        tensors, starts = _parse_places(parser)
        scalars = (
            parser.parse_optional_comma_separated_list(parser.Delimiter.PAREN, parser.parse_unresolved_operand) or []
        )
        parser.parse_keyword("lanes")
        lanes = _index(parser)
        repeat, strides = None, list[SSAValue]()
        if parser.parse_optional_keyword("repeat"):
            repeat = _index(parser)
            parser.parse_keyword("strides")
            strides = parser.parse_comma_separated_list(parser.Delimiter.SQUARE, lambda: _index(parser))
        parser.parse_punctuation(":")
        types = parser.parse_comma_separated_list(parser.Delimiter.NONE, parser.parse_type)
        values = parser.resolve_operands([*tensors, *scalars], types, parser.pos)
        places = list(zip(values[: len(tensors)], starts, strict=True))
        return cls(api, places, lanes, repeat, strides, values[len(tensors) :])

    def print(self, printer: Printer) -> None:
        printer.print_string(" ")
        printer.print_string_literal(self.api.data)
        printer.print_string(" ")
        printer.print_list(self.places, lambda place: _print_place(printer, place))
        if self.scalars:
            printer.print_string(" (")
            printer.print_list(self.scalars, printer.print_operand)
            printer.print_string(")")
        printer.print_string(" lanes ")
        printer.print_operand(self.lanes)
        if self.repeat is not None:
            printer.print_string(" repeat ")
            printer.print_operand(self.repeat)
            printer.print_string(" strides [")
            printer.print_list(self.strides, printer.print_operand)
            printer.print_string("]")
        printer.print_string(" : ")
        printer.print_list([v.type for v in (*self.tensors, *self.scalars)], printer.print_attribute)

    def verify_(self) -> None:
        if self.api.data not in self.APIS:
            raise VerifyException(f"the instruction is one of {', '.join(self.APIS)}, found '{self.api.data}'")
        if len(self.tensors) != self.SOURCES + 1 or len(self.scalars) != self.SCALARS:
            raise VerifyException(f"expected a target, {self.SOURCES} sources and {self.SCALARS} scalars")
        if len(self.starts) != len(self.tensors):
            raise VerifyException("each tensor has one start")
        if len(self.strides) != (0 if self.repeat is None else len(self.tensors)):
            raise VerifyException("the repeat form has one stride for each tensor, the count form has none")


def _index(parser: Parser) -> SSAValue:
    return parser.resolve_operand(parser.parse_unresolved_operand(), IndexType())


def _parse_places(parser: Parser) -> tuple[list[UnresolvedOperand], list[SSAValue]]:
    tensors: list[UnresolvedOperand] = []
    starts: list[SSAValue] = []
    while not tensors or parser.parse_optional_punctuation(","):
        tensors.append(parser.parse_unresolved_operand())
        with parser.in_square_brackets():
            starts.append(_index(parser))
    return tensors, starts


def _print_place(printer: Printer, place: Place) -> None:
    printer.print_operand(place[0])
    with printer.in_square_brackets():
        printer.print_operand(place[1])


@irdl_op_definition
class UnaryOp(VectorOp):
    """`ascendc.unary "Exp" %y[%a], %x[%b] lanes %n : ...` becomes `Exp(y[a], x[b], n);`.

    The repeat form becomes `Exp(y[a], x[b], lanes, repeat, UnaryRepeatParams(1, 1, s, s));`. Copy has only that form.
    """

    name = "ascendc.unary"
    APIS: ClassVar[tuple[str, ...]] = ("Exp", "Ln", "Sqrt", "Rsqrt", "Abs", "Relu", "Reciprocal", "Copy")
    SOURCES: ClassVar[int] = 1


@irdl_op_definition
class BinaryOp(VectorOp):
    """`ascendc.binary "Add" %p[%a], %x[%b], %y[%c] lanes %n : ...` becomes `Add(p[a], x[b], y[c], n);`.

    The repeat form becomes `Add(p[a], x[b], y[c], lanes, repeat, BinaryRepeatParams(1, 1, 1, s, s, s));`.
    """

    name = "ascendc.binary"
    APIS: ClassVar[tuple[str, ...]] = ("Add", "Sub", "Mul", "Div", "Max", "Min")
    SOURCES: ClassVar[int] = 2


@irdl_op_definition
class ScalarOp(VectorOp):
    """`ascendc.scalar "Muls" %y[%a], %x[%b] (%v) lanes %n : ..., f32` becomes `Muls(y[a], x[b], v, n);`."""

    name = "ascendc.scalar"
    APIS: ClassVar[tuple[str, ...]] = ("Adds", "Muls", "Maxs", "Mins")
    SOURCES: ClassVar[int] = 1
    SCALARS: ClassVar[int] = 1


@irdl_op_definition
class FillOp(VectorOp):
    """`ascendc.fill "Duplicate" %y[%a] (%v) lanes %n : ..., f32` becomes `Duplicate(y[a], v, n);`.

    The repeat form becomes `Duplicate(y[a], v, lanes, repeat, 1, s);`.
    """

    name = "ascendc.fill"
    APIS: ClassVar[tuple[str, ...]] = ("Duplicate",)
    SOURCES: ClassVar[int] = 0
    SCALARS: ClassVar[int] = 1


@irdl_op_definition
class CastOp(VectorOp):
    """`ascendc.cast "CAST_RINT" %y[%a], %x[%b] lanes %n : ...` becomes `Cast(y[a], x[b], RoundMode::CAST_RINT, n);`."""

    name = "ascendc.cast"
    APIS: ClassVar[tuple[str, ...]] = ("CAST_NONE", "CAST_RINT", "CAST_FLOOR", "CAST_CEIL", "CAST_TRUNC")
    SOURCES: ClassVar[int] = 1
