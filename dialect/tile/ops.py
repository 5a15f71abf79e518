"""Operations of the tile dialect, loop level: cores, point loops, and element access by index expressions.

A kernel is a `func.func` (see kernel.py) whose body is a sequence of `tile.cores` regions. Between them every core
waits for all others.

    tile.cores %cores (%core) {
      scf.for %i0 = %lo to %hi step %n {
        tile.foreach (%r: 0 to %rows, %l: 0 to %width) {
          %v = tile.read %x[%i0 + %r + 1, %h0 + %l] else %zero : f32
          tile.write add %v to %y[%i0 + %r, %h0 + %l]
        }
      }
    }
"""

from collections.abc import Sequence
from typing import cast

from xdsl.dialects.builtin import IndexType, MemRefType, StringAttr, UnitAttr, i1
from xdsl.ir import Attribute, Block, Region, SSAValue
from xdsl.irdl import (
    AttrSizedOperandSegments,
    IRDLOperation,
    irdl_op_definition,
    operand_def,
    opt_operand_def,
    opt_prop_def,
    prop_def,
    region_def,
    result_def,
    traits_def,
    var_operand_def,
)
from xdsl.parser import Parser
from xdsl.printer import Printer
from xdsl.traits import MemoryReadEffect, MemoryWriteEffect, NoTerminator

from ..index_map import IndexListParser, IndexMapAttr, print_index_list
from ..operands import parse_cores, parse_value, print_cores
from ..spec.nests import Header, Nest, parse_nest, print_body, print_nest
from ..spec.ops import COMBINERS


@irdl_op_definition
class CoresOp(IRDLOperation):
    """Run the body once for each core; all cores finish before what follows starts.

    The result may not depend on the order in which cores run. `tile.cores ragged "y" ...` is a stage whose loops and
    places follow from data: any scalar loops around point loops, where others have items and a walk over rows. A
    `ragged streamed` one keeps no rows that its loops name one by one. `tile.cores "y" %cores when %n (%core)` runs
    only where %n is not 0.
    """

    name = "tile.cores"

    cores = operand_def(IndexType)
    label = prop_def(StringAttr)
    ragged = opt_prop_def(UnitAttr)
    streamed = opt_prop_def(UnitAttr)
    condition = opt_operand_def(IndexType)
    body = region_def("single_block")

    traits = traits_def(NoTerminator())

    def __init__(
        self,
        cores: SSAValue,
        label: str,
        body: Region | None = None,
        *,
        ragged: bool = False,
        streamed: bool = False,
        condition: SSAValue | None = None,
    ) -> None:
        flags = {"ragged": ragged, "streamed": streamed}
        super().__init__(
            operands=[cores, condition],
            properties={"label": StringAttr(label), **{name: UnitAttr() for name, given in flags.items() if given}},
            regions=[body or Region(Block(arg_types=[IndexType()]))],
        )

    @classmethod
    def parse(cls, parser: Parser) -> "CoresOp":
        ragged = parser.parse_optional_keyword("ragged") is not None
        streamed = parser.parse_optional_keyword("streamed") is not None
        label = parser.parse_str_literal()
        cores, condition, core = parse_cores(parser)
        region = parser.parse_region([core])
        return CoresOp(cores, label, region, ragged=ragged, streamed=streamed, condition=condition)

    def print(self, printer: Printer) -> None:
        printer.print_string(" ragged " if self.ragged is not None else " ")
        printer.print_string("streamed " if self.streamed is not None else "")
        printer.print_string_literal(self.label.data)
        print_cores(printer, self.cores, self.condition, self.body.block.args[0])
        print_body(printer, self.body)

    def verify_(self) -> None:
        from .verify import verify_cores

        verify_cores(self)


@irdl_op_definition
class ForeachOp(Nest):
    """Run the body at every point, in row-major order; points along the last dim are independent lanes.

    Lanes may still combine into one element (a reduction over the last dim): then they combine in ascending order.
    """

    name = "tile.foreach"

    traits = traits_def(NoTerminator())

    def __init__(self, header: Header, bounds: Sequence[SSAValue], body: Region) -> None:
        super().__init__(operands=[bounds], properties={"lower": header.lower, "upper": header.upper}, regions=[body])

    @classmethod
    def parse(cls, parser: Parser) -> "ForeachOp":
        header, bounds, arguments = parse_nest(parser)
        return ForeachOp(header, bounds, parser.parse_region(arguments))

    def print(self, printer: Printer) -> None:
        printer.print_string(" ")
        print_nest(printer, self)
        print_body(printer, self.body)

    def verify_(self) -> None:
        from .verify import verify_foreach

        verify_foreach(self)


@irdl_op_definition
class ReadOp(IRDLOperation):
    """Read an element of a memref: `%v = tile.read %m[%i0 + %r, %l] else %zero : memref<?x?xf32>`.

    `else` is the value where an index is outside the memref; without it the index is in range.
    """

    name = "tile.read"

    source = operand_def(MemRefType)
    operands_ = var_operand_def(IndexType)
    outside = opt_operand_def(Attribute)
    indices = prop_def(IndexMapAttr)
    result = result_def(Attribute)

    irdl_options = (AttrSizedOperandSegments(as_property=True),)
    traits = traits_def(MemoryReadEffect())

    def __init__(
        self, source: SSAValue, indices: IndexMapAttr, operands: Sequence[SSAValue], outside: SSAValue | None = None
    ) -> None:
        source_type = cast("MemRefType[Attribute]", source.type)
        super().__init__(
            operands=[source, operands, outside],
            properties={"indices": indices},
            result_types=[source_type.element_type],
        )

    @classmethod
    def parse(cls, parser: Parser) -> "ReadOp":
        source = parser.parse_unresolved_operand()
        indices = IndexListParser(parser)
        index_map = indices.parse_list()
        outside = parse_value(parser) if parser.parse_optional_keyword("else") else None
        parser.parse_punctuation(":")
        source_value = parser.resolve_operand(source, parser.parse_type())
        return ReadOp(source_value, index_map, indices.resolve(), outside)

    def print(self, printer: Printer) -> None:
        printer.print_string(" ")
        printer.print_operand(self.source)
        print_index_list(printer, self.indices, self.operands_)
        if self.outside is not None:
            printer.print_string(" else ")
            printer.print_operand(self.outside)
        printer.print_string(" : ")
        printer.print_attribute(self.source.type)

    def verify_(self) -> None:
        from .verify import verify_read

        verify_read(self)


@irdl_op_definition
class WriteOp(IRDLOperation):
    """Write or combine an element: `tile.write add %v to %m[%l] : memref<?xf32>`, `if %c` leaves points out."""

    name = "tile.write"

    value = operand_def(Attribute)
    target = operand_def(MemRefType)
    operands_ = var_operand_def(IndexType)
    guard = opt_operand_def(i1)
    combiner = opt_prop_def(StringAttr)
    indices = prop_def(IndexMapAttr)

    irdl_options = (AttrSizedOperandSegments(as_property=True),)
    traits = traits_def(MemoryWriteEffect())

    def __init__(
        self,
        value: SSAValue,
        target: SSAValue,
        indices: IndexMapAttr,
        operands: Sequence[SSAValue],
        combiner: str = "",
        guard: SSAValue | None = None,
    ) -> None:
        super().__init__(
            operands=[value, target, operands, guard],
            properties={"indices": indices, **({"combiner": StringAttr(combiner)} if combiner else {})},
        )

    @property
    def combine(self) -> str:
        """Return the combiner's name, or an empty string for a plain write."""
        return self.combiner.data if self.combiner is not None else ""

    @classmethod
    def parse(cls, parser: Parser) -> "WriteOp":
        combiner = parser.parse_optional_keyword_in(COMBINERS) or ""
        value = parse_value(parser)
        parser.parse_keyword("to")
        target = parser.parse_unresolved_operand()
        indices = IndexListParser(parser)
        index_map = indices.parse_list()
        guard = parse_value(parser) if parser.parse_optional_keyword("if") else None
        parser.parse_punctuation(":")
        target_value = parser.resolve_operand(target, parser.parse_type())
        return WriteOp(value, target_value, index_map, indices.resolve(), combiner, guard)

    def print(self, printer: Printer) -> None:
        printer.print_string(f" {self.combine} " if self.combine else " ")
        printer.print_operand(self.value)
        printer.print_string(" to ")
        printer.print_operand(self.target)
        print_index_list(printer, self.indices, self.operands_)
        if self.guard is not None:
            printer.print_string(" if ")
            printer.print_operand(self.guard)
        printer.print_string(" : ")
        printer.print_attribute(self.target.type)

    def verify_(self) -> None:
        from .verify import verify_write

        verify_write(self)
