"""The part of a kernel between two whole-kernel barriers."""

from xdsl.dialects.builtin import IndexType, StringAttr
from xdsl.ir import Block, Region, SSAValue
from xdsl.irdl import IRDLOperation, irdl_op_definition, operand_def, prop_def, region_def, traits_def
from xdsl.parser import Parser
from xdsl.printer import Printer
from xdsl.traits import NoTerminator

from ..operands import parse_value


@irdl_op_definition
class StageOp(IRDLOperation):
    """Run the body on every core, with on-chip memory of its own: one class of the emitted kernel.

        ascendc.stage "blur" %cores (%core) {
          %q = ascendc.queue "x_in" ...
          scf.for %item = ...
        }

    Queues, buffers and events stand in the body itself, never in a loop; the rest becomes the method `Process`.
    """

    name = "ascendc.stage"

    cores = operand_def(IndexType)
    label = prop_def(StringAttr)
    body = region_def("single_block")

    traits = traits_def(NoTerminator())

    def __init__(self, cores: SSAValue, label: str, body: Region | None = None) -> None:
        super().__init__(
            operands=[cores],
            properties={"label": StringAttr(label)},
            regions=[body or Region(Block(arg_types=[IndexType()]))],
        )

    @classmethod
    def parse(cls, parser: Parser) -> "StageOp":
        label = parser.parse_str_literal()
        cores = parse_value(parser)
        parser.parse_punctuation("(")
        core = parser.parse_argument(expect_type=False).resolve(IndexType())
        parser.parse_punctuation(")")
        return StageOp(cores, label, parser.parse_region([core]))

    def print(self, printer: Printer) -> None:
        printer.print_string(" ")
        printer.print_string_literal(self.label.data)
        printer.print_string(" ")
        printer.print_operand(self.cores)
        printer.print_string(" (")
        printer.print_ssa_value(self.body.block.args[0])
        printer.print_string(") ")
        printer.print_region(self.body, print_entry_block_args=False, print_empty_block=False)
