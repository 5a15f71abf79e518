"""Definitions of dims and constraints as text, by the names that a user knows."""

from collections.abc import Sequence

from xdsl.dialects import arith
from xdsl.dialects.builtin import IntegerAttr
from xdsl.ir import SSAValue

from ..dialect.index_expr import IndexExpr, format_expr
from ..dialect.spec.ops import AttrOp, DimOp, IndexOp, LengthOp, RequireOp


def definition_text(op: DimOp) -> str:
    """Return the definition of a dim by the names that a user knows."""
    return expression_text(op.definition.data[0], op.operands_) if op.definition is not None else ""


def expression_text(expr: IndexExpr, operands: Sequence[SSAValue]) -> str:
    """Return an index expression by the names that a user knows."""
    return format_expr(expr, [symbol_name(v) for v in operands])


def symbol_name(value: SSAValue) -> str:
    """Return the name by which a user knows a size or attribute, or what is computed from them."""
    match value.owner:
        case DimOp(label=label) | AttrOp(label=label):
            return label.data
        case LengthOp() as length:
            return length_name(listed(length))
        case arith.MaxSIOp(lhs=lhs, rhs=rhs) | arith.MinSIOp(lhs=lhs, rhs=rhs) as extreme:
            kind = "max" if isinstance(extreme, arith.MaxSIOp) else "min"
            return f"{kind}({symbol_name(lhs)}, {symbol_name(rhs)})"
        case arith.ConstantOp(value=IntegerAttr(value=number)):
            return str(number.data)
        case IndexOp(indices=indices, operands_=operands):
            return expression_text(indices.data[0], operands)
        case _:
            return value.name_hint or "?"


def length_name(attribute: str) -> str:
    """Return the name of the length of an attribute that is a list."""
    return f"length({attribute})"


def listed(op: LengthOp) -> str:
    """Return the name of the attribute whose length is asked for."""
    return op.list.owner.label.data if isinstance(op.list.owner, AttrOp) else "?"


def requirement_text(op: RequireOp) -> str:
    """Return a constraint by the names that a user knows, `B * S <= 524288`."""
    names = [symbol_name(v) for v in op.operands_]
    sides = [", ".join(format_expr(e, names) for e in side.data) for side in (op.lhs, op.rhs)]
    return f"{sides[0]} {op.comparison.data} {sides[1]}"
