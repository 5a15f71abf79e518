"""How a spec relates sizes: which divide which, and which constraints between sizes a case has to hold."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from xdsl.ir import SSAValue

from ..codegen.attributes import AttrValue
from ..codegen.conditions import constraints
from ..codegen.symbols import requirement_holds, symbol_values
from ..dialect.index_expr import Binary, IndexExpr, Ref, refs
from ..dialect.spec.ops import DimOp, OperatorOp, RequireOp
from ..dialect.spec.signature import Signature


@dataclass(frozen=True)
class Quotient:
    """A size that is divided by another one; `exact` where a constraint forbids a remainder."""

    divisor: str
    exact: bool


def quotients(
    operator: OperatorOp, attrs: Mapping[str, AttrValue], given: frozenset[str]
) -> dict[str, tuple[Quotient, ...]]:
    """Return for each divided dim by which it is divided; only by those that leave no remainder where there are such.

    Divisions stand in definitions, `K = M // T`, and in constraints, `M % T == 0`.
    """
    found: dict[str, list[Quotient]] = {}
    for op, counts in constraints(operator, attrs, given):
        match op:
            case DimOp(definition=definition) if definition is not None:
                pairs = [(p, False) for expr in definition.data for p in _divisions(expr, op.operands_)]
            case RequireOp() if counts and op.comparison.data == "==":
                pairs = [(p, True) for expr in (*op.lhs.data, *op.rhs.data) for p in _divisions(expr, op.operands_)]
            case _:
                continue
        for (divided, divisor), exact in pairs:
            found.setdefault(divided, []).append(Quotient(divisor, exact))
    return {name: tuple([q for q in pairs if q.exact] or pairs) for name, pairs in found.items()}


def _divisions(expr: IndexExpr, operands: tuple[SSAValue, ...]) -> Iterator[tuple[str, str]]:
    """Yield each pair of dims of which an expression divides the first by the second."""
    match expr:
        case Binary("floordiv" | "ceildiv" | "mod", Ref(lhs), Ref(rhs)):
            names = _free(operands[lhs]), _free(operands[rhs])
            if all(len(found) == 1 for found in names) and names[0] != names[1]:
                yield next(iter(names[0])), next(iter(names[1]))
        case Binary(_, lhs, rhs):
            yield from _divisions(lhs, operands)
            yield from _divisions(rhs, operands)
        case _:
            return


def _free(value: SSAValue) -> frozenset[str]:
    """Return the dims without definition that a size depends on."""
    if not isinstance(value.owner, DimOp):
        return frozenset()
    op = value.owner
    if op.definition is None:
        return frozenset((op.label.data,))
    return frozenset(name for expr in op.definition.data for n in refs(expr) for name in _free(op.operands_[n]))


def relations_hold(
    operator: OperatorOp, dims: Mapping[str, int], attrs: Mapping[str, AttrValue], given: frozenset[str]
) -> bool:
    """Return whether the constraints hold that relate two or more sizes of the shapes.

    Kernels do not rely on what a constraint says of one size, or of attributes, so cases need not hold it.
    """
    values = symbol_values(operator, dims, attrs)
    shaped = {op.label.data for op in Signature.of(operator).dims if op.definition is None and dims.get(op.label.data)}
    for op, counts in constraints(operator, attrs, given):
        if counts and isinstance(op, RequireOp):
            related = frozenset(name for value in op.operands_ for name in _free(value)) & shaped
            if len(related) > 1 and not requirement_holds(op, values):
                return False
    return True
