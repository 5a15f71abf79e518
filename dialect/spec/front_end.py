"""Constraints that depend on more than sizes: on what is given, on attributes, on the elements of lists.

Only the front end of an operator looks at them; `drop_front_end` takes them out before anything is compiled.
"""

from abc import ABC
from collections.abc import Iterator, Sequence

from xdsl.dialects.builtin import ArrayAttr, BoolAttr, IndexType, IntAttr, StringAttr, i1
from xdsl.ir import Block, Operation, Region, SSAValue
from xdsl.irdl import (
    irdl_op_definition,
    operand_def,
    prop_def,
    region_def,
    result_def,
    traits_def,
    var_operand_def,
)
from xdsl.parser import Parser
from xdsl.printer import Printer
from xdsl.rewriter import Rewriter
from xdsl.traits import NoTerminator, Pure

from ..operands import parse_value
from .attrs import IntegersType, TensorType
from .computes import ComputeOp, ScanOp
from .nests import print_body
from .operator import OperatorOp, Placed
from .positions import PositionsOp


class FrontEndOp(Placed, ABC):
    """An operation that says which calls are allowed, and nothing of what an operator computes."""


@irdl_op_definition
class WhenOp(FrontEndOp):
    """Constraints that count only where every condition holds: a tensor is given, a boolean attribute is true.

    `spec.when %probs_given, not %padded { spec.require [%K] <= [512] code 561002 }`
    """

    name = "spec.when"

    conditions = var_operand_def(i1)
    negated = prop_def(ArrayAttr[BoolAttr])
    body = region_def("single_block")

    traits = traits_def(NoTerminator())

    def __init__(self, conditions: Sequence[tuple[SSAValue, bool]], body: Region | None = None) -> None:
        """Build from pairs of a condition and whether it must hold."""
        flags = ArrayAttr([BoolAttr.from_bool(not holds) for _, holds in conditions])
        super().__init__(
            operands=[[value for value, _ in conditions]],
            properties={"negated": flags},
            regions=[body or Region(Block())],
        )

    @property
    def guards(self) -> tuple[tuple[SSAValue, bool], ...]:
        """Return each condition with whether it must hold."""
        return tuple((value, not flag.value.data) for value, flag in zip(self.conditions, self.negated, strict=True))

    @classmethod
    def parse(cls, parser: Parser) -> "WhenOp":
        def condition() -> tuple[SSAValue, bool]:
            holds = parser.parse_optional_keyword("not") is None
            return parse_value(parser), holds

        conditions = parser.parse_comma_separated_list(parser.Delimiter.NONE, condition)
        return WhenOp(conditions, parser.parse_region())

    def print(self, printer: Printer) -> None:
        def condition(guard: tuple[SSAValue, bool]) -> None:
            printer.print_string("" if guard[1] else "not ")
            printer.print_operand(guard[0])

        printer.print_string(" ")
        printer.print_list(self.guards, condition)
        print_body(printer, self.body)


def with_guards(operator: OperatorOp) -> Iterator[tuple[Operation, tuple[tuple[SSAValue, bool], ...]]]:
    """Yield the operations of an operator in order, those within spec.when for themselves, with its conditions."""
    for op in operator.body.block.ops:
        if isinstance(op, WhenOp):
            yield from ((inner, op.guards) for inner in op.body.block.ops)
        else:
            yield op, ()


@irdl_op_definition
class NeedOp(FrontEndOp):
    """An optional tensor that must be given; mostly within spec.when: `spec.need "tokens" code 561002`."""

    name = "spec.need"

    label = prop_def(StringAttr)
    code = prop_def(IntAttr)

    def __init__(self, label: str, code: int) -> None:
        super().__init__(properties={"label": StringAttr(label), "code": IntAttr(code)})

    @classmethod
    def parse(cls, parser: Parser) -> "NeedOp":
        label = parser.parse_str_literal()
        parser.parse_keyword("code")
        return NeedOp(label, parser.parse_integer(allow_boolean=False, allow_negative=False))

    def print(self, printer: Printer) -> None:
        printer.print_string(" ")
        printer.print_string_literal(self.label.data)
        printer.print_string(f" code {self.code.data}")


@irdl_op_definition
class CheckOp(FrontEndOp):
    """A constraint on the elements of two tensors, place by place, that are computed from lists, dims and attributes.

    `spec.check %before <= %ends code 561002`
    """

    name = "spec.check"

    lhs = operand_def(TensorType)
    rhs = operand_def(TensorType)
    comparison = prop_def(StringAttr)
    code = prop_def(IntAttr)

    def __init__(self, lhs: SSAValue, comparison: str, rhs: SSAValue, code: int) -> None:
        super().__init__(operands=[lhs, rhs], properties={"comparison": StringAttr(comparison), "code": IntAttr(code)})

    @classmethod
    def parse(cls, parser: Parser) -> "CheckOp":
        from .constraints import parse_comparison

        lhs = parse_value(parser)
        comparison = parse_comparison(parser)
        rhs = parse_value(parser)
        parser.parse_keyword("code")
        return CheckOp(lhs, comparison, rhs, parser.parse_integer(allow_boolean=False, allow_negative=False))

    def print(self, printer: Printer) -> None:
        printer.print_string(" ")
        printer.print_operand(self.lhs)
        printer.print_string(f" {self.comparison.data} ")
        printer.print_operand(self.rhs)
        printer.print_string(f" code {self.code.data}")


@irdl_op_definition
class LengthOp(FrontEndOp):
    """How many numbers an attribute holds that is a list, for spec.require: `%n = spec.length %sizes`, an index.

    `spec.require [%n] <= [2] code 561002` is then a constraint on the list `sizes`.
    """

    name = "spec.length"

    list = operand_def(IntegersType)
    result = result_def(IndexType)

    traits = traits_def(Pure())

    def __init__(self, list_attribute: SSAValue) -> None:
        super().__init__(operands=[list_attribute], result_types=[IndexType()])

    @classmethod
    def parse(cls, parser: Parser) -> "LengthOp":
        return LengthOp(parse_value(parser))

    def print(self, printer: Printer) -> None:
        printer.print_string(" ")
        printer.print_operand(self.list)


def drop_front_end(operator: OperatorOp) -> None:
    """Erase the constraints of this module, those on lengths of lists, and what was computed for them alone."""
    mine = [op for op in operator.body.block.ops if isinstance(op, FrontEndOp) or _is_of_length(op)]
    sources = [value.owner for op in mine for value in op.operands if value.owner not in mine]
    for op in reversed(mine):
        Rewriter.erase_op(op)
    _drop_unused(sources)


def _is_of_length(op: Operation) -> bool:
    return any(isinstance(value.owner, LengthOp) for value in op.operands)


def _drop_unused(candidates: Sequence[Operation | Block]) -> None:
    for op in candidates:
        if not isinstance(op, ComputeOp | PositionsOp | ScanOp):
            continue
        if op.parent is None or any(result.uses for result in op.results):
            continue
        read = [value.owner for inner in op.walk() for value in inner.operands if value.owner is not op]
        Rewriter.erase_op(op)
        _drop_unused([owner for owner in read if isinstance(owner, Operation)])
