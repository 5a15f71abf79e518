"""The part of a kernel between two whole-kernel barriers."""

from xdsl.dialects.builtin import IndexType, StringAttr
from xdsl.ir import Block, Region, SSAValue
from xdsl.irdl import (
    IRDLOperation,
    irdl_op_definition,
    operand_def,
    opt_operand_def,
    prop_def,
    region_def,
    traits_def,
)
from xdsl.parser import Parser
from xdsl.printer import Printer
from xdsl.traits import NoTerminator

from ..operands import parse_cores, print_cores


@irdl_op_definition
class StageOp(IRDLOperation):
    """Run the body on every core, with on-chip memory of its own: one class of the emitted kernel.

        ascendc.stage "blur" %cores (%core) {
          %q = ascendc.queue "x_in" ...
          scf.for %item = ...
        }

    Queues, buffers and events stand in the body itself, never in a loop; the rest becomes the method `Process`.
    `ascendc.stage "blur" %cores when %n (%core)` runs only where %n is not 0, a number of the tiling data.
    """

    name = "ascendc.stage"

    cores = operand_def(IndexType)
    label = prop_def(StringAttr)
    condition = opt_operand_def(IndexType)
    body = region_def("single_block")

    traits = traits_def(NoTerminator())

    def __init__(
        self, cores: SSAValue, label: str, body: Region | None = None, condition: SSAValue | None = None
    ) -> None:
        super().__init__(
            operands=[cores, condition],
            properties={"label": StringAttr(label)},
            regions=[body or Region(Block(arg_types=[IndexType()]))],
        )

    @classmethod
    def parse(cls, parser: Parser) -> "StageOp":
        label = parser.parse_str_literal()
        cores, condition, core = parse_cores(parser)
        return StageOp(cores, label, parser.parse_region([core]), condition)

    def print(self, printer: Printer) -> None:
        printer.print_string(" ")
        printer.print_string_literal(self.label.data)
        print_cores(printer, self.cores, self.condition, self.body.block.args[0])
        printer.print_string(" ")
        printer.print_region(self.body, print_entry_block_args=False, print_empty_block=False)
