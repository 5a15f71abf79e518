"""A builder of index arithmetic, loops and other scalar code, with locations and names."""

from collections.abc import Generator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TypeVar

from xdsl.builder import Builder
from xdsl.dialects import arith, scf
from xdsl.dialects.builtin import IndexType, IntegerAttr, LocationAttr
from xdsl.ir import Attribute, Block, Operation, Region, SSAValue
from xdsl.rewriter import InsertPoint

from ..dialect.index_expr import Binary, Const, IndexExpr, Ref, simplify
from .constants import scalar_attr
from .spec_scope import IndexValue

OpT = TypeVar("OpT", bound=Operation)

_BINARY: dict[str, type[arith.SignlessIntegerBinaryOperation]] = {
    "+": arith.AddiOp,
    "-": arith.SubiOp,
    "*": arith.MuliOp,
    "floordiv": arith.FloorDivSIOp,
    "ceildiv": arith.CeilDivSIOp,
    "mod": arith.RemSIOp,
    "max": arith.MaxSIOp,
    "min": arith.MinSIOp,
    "div": arith.DivSIOp,
}
"""Index operations. `mod` is used where the left side is not negative."""


@dataclass
class Code:
    """Appends operations to the end of a block."""

    block: Block
    location: LocationAttr

    def add(self, op: OpT, name: str | None = None) -> OpT:
        """Append an operation; name its first result."""
        op.location = self.location
        Builder(InsertPoint.at_end(self.block)).insert(op)
        if name is not None and op.results:
            op.results[0].name_hint = name
        return op

    def at(self, op: Operation) -> "Code":
        """Return code that goes on in the same block with the location of an operation: for what serves that one."""
        return Code(self.block, op.location)

    def constant(self, value: int) -> SSAValue:
        """Append an index constant."""
        return self.add(arith.ConstantOp(IntegerAttr(value, IndexType())), f"c{value}" if value >= 0 else None).result

    def scalar(self, value_type: Attribute, value: float) -> SSAValue:
        """Append a constant of a scalar type."""
        return self.add(arith.ConstantOp(scalar_attr(value_type, value))).result

    def binary(self, kind: str, lhs: SSAValue, rhs: SSAValue, name: str | None = None) -> SSAValue:
        """Append an index operation: + - * floordiv ceildiv mod div max min."""
        return self.add(_BINARY[kind](lhs, rhs), name).result

    def expr(self, expr: IndexExpr, operands: Sequence[SSAValue], name: str | None = None) -> SSAValue:
        """Append the arithmetic of an index expression."""
        value = self._expr(simplify(expr), operands)
        if name is not None and value.name_hint is None:
            value.name_hint = name
        return value

    def _expr(self, expr: IndexExpr, operands: Sequence[SSAValue]) -> SSAValue:
        match expr:
            case Const(value):
                return self.constant(value)
            case Ref(position):
                return operands[position]
            case Binary(kind, lhs, rhs):
                return self.binary(kind, self._expr(lhs, operands), self._expr(rhs, operands))
            case _:
                raise TypeError(f"not an index expression: {expr}")

    def index(self, value: IndexValue, name: str | None = None) -> SSAValue:
        """Append the arithmetic of an index value."""
        return self.expr(value.expr, value.operands, name)

    def fold(self, kind: str, values: Sequence[SSAValue], name: str | None = None) -> SSAValue:
        """Return the max, the min, or the product (kind `*`) of some values."""
        result = values[0]
        for value in values[1:]:
            result = self.binary(kind, result, value)
        if name is not None and result.name_hint is None:
            result.name_hint = name
        return result

    @contextmanager
    def loop(
        self, lower: SSAValue, upper: SSAValue, step: SSAValue, name: str | None
    ) -> "Generator[tuple[Code, SSAValue]]":
        """Append an scf.for; the body is filled inside the `with`."""
        body = Block(arg_types=[IndexType()])
        body.args[0].name_hint = name
        inner = Code(body, self.location)
        yield inner, body.args[0]
        inner.add(scf.YieldOp())
        self.add(scf.ForOp(lower, upper, step, [], Region(body)))

    @contextmanager
    def when(self, condition: SSAValue) -> "Generator[Code]":
        """Append an scf.if without results; the body is filled inside the `with`."""
        body = Block()
        inner = Code(body, self.location)
        yield inner
        inner.add(scf.YieldOp())
        self.add(scf.IfOp(condition, [], Region(body)))
