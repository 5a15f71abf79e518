"""Loop nests of the spec dialect: the header syntax that spec.compute and spec.each share."""

from abc import ABC
from collections.abc import Sequence

from xdsl.dialects.builtin import ArrayAttr, IndexType
from xdsl.ir import BlockArgument, Region, SSAValue
from xdsl.irdl import IRDLOperation, prop_def, region_def, var_operand_def
from xdsl.parser import Parser, UnresolvedOperand
from xdsl.printer import Printer

from ..index_expr import Const, IndexExpr, Ref, format_expr, substitute
from ..index_map import IndexListParser, IndexMapAttr, value_name


class Nest(IRDLOperation, ABC):
    """A loop nest: one block argument a dim, ranges that may depend on earlier dims and on values outside.

    In `lower` and `upper` (one map a dim) `Ref(n)` is the n-th dim for n < number of dims, then the n-th operand.
    Several expressions mean the greatest lower and the least upper bound.
    """

    bounds = var_operand_def(IndexType)
    lower = prop_def(ArrayAttr[IndexMapAttr])
    upper = prop_def(ArrayAttr[IndexMapAttr])
    body = region_def("single_block")

    @property
    def dims(self) -> tuple[BlockArgument, ...]:
        """Return the loop variables, outermost first."""
        return tuple(self.body.block.args)

    @property
    def bound_values(self) -> tuple[SSAValue, ...]:
        """Return what the refs of the bounds stand for: the dims, then the operands."""
        return (*self.dims, *self.bounds)


class Header:
    """The parsed or built ranges of a nest."""

    def __init__(self, lower: Sequence[Sequence[IndexExpr]], upper: Sequence[Sequence[IndexExpr]]) -> None:
        self.lower = ArrayAttr([IndexMapAttr(tuple(exprs)) for exprs in lower])
        self.upper = ArrayAttr([IndexMapAttr(tuple(exprs)) for exprs in upper])


def parse_nest(parser: Parser) -> tuple[Header, list[SSAValue], list[Parser.Argument]]:
    """Parse `(%i: 0 to %S, %w: max(0, %q - 3) to min(%n, %q + 1))`; return ranges, operands, dims."""
    indices = IndexListParser(parser)
    lower: list[list[IndexExpr]] = []
    upper: list[list[IndexExpr]] = []
    arguments: list[Parser.Argument] = []

    def parse_dim() -> None:
        argument = parser.parse_argument(expect_type=False)
        parser.parse_punctuation(":")
        lower.append(_parse_bound(parser, indices, "max"))
        parser.parse_keyword("to")
        upper.append(_parse_bound(parser, indices, "min"))
        arguments.append(argument.resolve(IndexType()))
        indices.declare(UnresolvedOperand(argument.name, 0))

    parser.parse_comma_separated_list(parser.Delimiter.PAREN, parse_dim)
    order = indices.dims_first()
    header = Header(*([[substitute(e, order) for e in exprs] for exprs in side] for side in (lower, upper)))
    return header, indices.resolve(), arguments


def _parse_bound(parser: Parser, indices: IndexListParser, several: str) -> list[IndexExpr]:
    if parser.parse_optional_keyword(several):
        return list(indices.parse_list(parser.Delimiter.PAREN).data)
    return [indices.parse_expr()]


def print_nest(printer: Printer, nest: Nest) -> None:
    """Print the header that `parse_nest` reads."""
    names = [value_name(printer, value) for value in nest.bound_values]

    def side(exprs: Sequence[IndexExpr], several: str) -> str:
        texts = [format_expr(e, names) for e in exprs]
        return texts[0] if len(texts) == 1 else f"{several}(" + ", ".join(texts) + ")"

    ranges = [
        f"{names[n]}: {side(low.data, 'max')} to {side(high.data, 'min')}"
        for n, (low, high) in enumerate(zip(nest.lower, nest.upper, strict=True))
    ]
    printer.print_string("(" + ", ".join(ranges) + ")")


def print_body(printer: Printer, body: Region) -> None:
    """Print the region without its block arguments, which the header names."""
    printer.print_string(" ")
    printer.print_region(body, print_entry_block_args=False, print_empty_block=False)


def rectangular(extents: Sequence[SSAValue]) -> Header:
    """Return the ranges 0 to extent of each dim; the extents are the nest's operands."""
    count = len(extents)
    return Header([[Const(0)]] * count, [[Ref(count + n)] for n in range(count)])
