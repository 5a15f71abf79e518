"""The operator, and what belongs into one."""

from abc import ABC

from xdsl.dialects.builtin import (
    StringAttr,
    SymbolNameConstraint,
)
from xdsl.ir import Block, Region
from xdsl.irdl import (
    IRDLOperation,
    irdl_op_definition,
    prop_def,
    region_def,
    traits_def,
)
from xdsl.parser import Parser
from xdsl.printer import Printer
from xdsl.traits import IsolatedFromAbove, NoTerminator, SymbolOpInterface

from .nests import print_body


@irdl_op_definition
class OperatorOp(IRDLOperation):
    """One operator: its parameters, dims, dtype columns, constraints and computes, in order of definition."""

    name = "spec.operator"

    sym_name = prop_def(SymbolNameConstraint())
    body = region_def("single_block")

    traits = traits_def(IsolatedFromAbove(), NoTerminator(), SymbolOpInterface())

    def __init__(self, name: str, body: Region | None = None) -> None:
        super().__init__(properties={"sym_name": StringAttr(name)}, regions=[body or Region(Block())])

    @classmethod
    def parse(cls, parser: Parser) -> "OperatorOp":
        name = parser.parse_symbol_name()
        return OperatorOp(name.data, parser.parse_region())

    def print(self, printer: Printer) -> None:
        printer.print_string(" ")
        printer.print_symbol_name(self.sym_name.data)
        print_body(printer, self.body)

    def verify_(self) -> None:
        from .verify import verify_operator

        verify_operator(self)


class Placed(IRDLOperation, ABC):
    """An operation that has a meaning only in an operator, or in a compute of one."""

    def verify_(self) -> None:
        from .verify import verify_place

        verify_place(self)
