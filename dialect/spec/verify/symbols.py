"""Lower bounds of sizes: what may divide."""

from collections.abc import Callable, Sequence

from xdsl.dialects import arith
from xdsl.dialects.builtin import IntegerAttr
from xdsl.ir import Operation, SSAValue

from ...index_expr import Binary, Const, IndexExpr, Ref
from ...index_map import IndexMapAttr
from ..ops import DimOp, IndexOp, OperatorOp
from ..signature import Signature

LOWER_BOUNDS: dict[str, Callable[[int, int], int]] = {
    "+": lambda a, b: a + b,
    "*": lambda a, b: a * b,
    "ceildiv": lambda a, _b: min(a, 1),
    "floordiv": lambda _a, _b: 0,
    "mod": lambda _a, _b: 0,
}
"""Lower bound of a result from those of the operands; all but + hold for operands of at least 0."""


class Symbols:
    """What is known of the integers at the level of one operator."""

    def __init__(self, operator: OperatorOp) -> None:
        """Collect the constraints of the operator."""
        self._operator = operator
        self._required: dict[SSAValue, int] = {}
        self.columns = Signature.of(operator).dtype_columns
        for op in Signature.of(operator).requirements:
            for lhs, rhs in zip(op.lhs.data, op.rhs.data, strict=False):
                self._require(op.comparison.data, lhs, rhs, op.operands_)

    def _require(self, comparison: str, lhs: IndexExpr, rhs: IndexExpr, operands: Sequence[SSAValue]) -> None:
        match comparison, lhs, rhs:
            case (">=" | "==", Ref(position), Const(value)) | ("<=" | "==", Const(value), Ref(position)):
                bound = value
            case (">", Ref(position), Const(value)) | ("<", Const(value), Ref(position)):
                bound = value + 1
            case _:
                return
        if position < len(operands):
            symbol = operands[position]
            self._required[symbol] = max(bound, self._required.get(symbol, bound))

    def is_symbol(self, value: SSAValue) -> bool:
        """Return whether a value is defined at the level of the operator."""
        return isinstance(value.owner, Operation) and value.owner.parent is self._operator.body.block

    def at_least(self, value: SSAValue) -> int | None:
        """Return a number that the value is never below; None if none is known."""
        known = self._by_definition(value)
        required = self._required.get(value)
        return known if required is None else required if known is None else max(known, required)

    def _by_definition(self, value: SSAValue) -> int | None:
        match value.owner:
            case arith.ConstantOp(value=IntegerAttr(value=number)):
                return number.data
            case DimOp(definition=definition, operands_=operands):
                return max(0, self._map_bound(definition, operands) or 0)
            case IndexOp(indices=indices, operands_=operands):
                return self._map_bound(indices, operands)
            case arith.MaxSIOp(lhs=lhs, rhs=rhs):
                return _largest(self.at_least(lhs), self.at_least(rhs))
            case arith.MinSIOp(lhs=lhs, rhs=rhs):
                return _combine(min, self.at_least(lhs), self.at_least(rhs))
            case _:
                return None

    def _map_bound(self, index_map: IndexMapAttr | None, operands: Sequence[SSAValue]) -> int | None:
        return self._bound(index_map.data[0], operands) if index_map is not None and index_map.data else None

    def _bound(self, expr: IndexExpr, operands: Sequence[SSAValue]) -> int | None:
        match expr:
            case Const(value):
                return value
            case Ref(position):
                return self.at_least(operands[position]) if position < len(operands) else None
            case Binary("-", lhs, Const(value)):
                return _combine(lambda a, b: a - b, self._bound(lhs, operands), value)
            case Binary(kind, lhs, rhs) if kind in LOWER_BOUNDS:
                combine = _combine if kind == "+" else _natural
                return combine(LOWER_BOUNDS[kind], self._bound(lhs, operands), self._bound(rhs, operands))
            case _:
                return None

    def divides(self, expr: IndexExpr, operands: Sequence[SSAValue]) -> bool:
        """Return whether an expression over symbols is proven to be at least 1."""
        bound = self._bound(expr, operands)
        return bound is not None and bound >= 1


def _largest(a: int | None, b: int | None) -> int | None:
    return a if b is None else b if a is None else max(a, b)


def _combine(function: Callable[[int, int], int], a: int | None, b: int | None) -> int | None:
    return None if a is None or b is None else function(a, b)


def _natural(function: Callable[[int, int], int], a: int | None, b: int | None) -> int | None:
    """Combine two bounds where both operands are at least 0."""
    return None if a is None or b is None or a < 0 or b < 0 else function(a, b)
