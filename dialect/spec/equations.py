"""The equations of an operator, as a person writes them."""

from collections.abc import Iterable, Mapping, Sequence

from xdsl.dialects import arith
from xdsl.dialects.builtin import FloatAttr, IntegerAttr, i1
from xdsl.ir import Operation, SSAValue

from ..index_expr import Const, IndexExpr, Ref, format_expr, refs
from ..index_map import IndexMapAttr
from .nests import Nest
from .ops import (
    AttrOp,
    ComputeOp,
    DimOp,
    EachOp,
    IndexOp,
    InputOp,
    OperatorOp,
    OutputOp,
    ReadOp,
    ScanOp,
    WriteOp,
)

INFIX = {
    "arith.mulf": ("*", 20),
    "arith.muli": ("*", 20),
    "arith.divf": ("/", 20),
    "arith.divsi": ("/", 20),
    "arith.addf": ("+", 10),
    "arith.addi": ("+", 10),
    "arith.subf": ("-", 10),
    "arith.subi": ("-", 10),
    "arith.andi": ("and", 4),
    "arith.ori": ("or", 3),
}
"""Operators by operation, with their precedence."""

COMPARE = 5
UNARY = 30
SUMS = {"add": "sum", "max": "max", "min": "min"}
INTEGER_ORDER = ("==", "!=", "<", "<=", ">", ">=", "<", "<=", ">", ">=")
FLOAT_ORDER = ("false", "==", ">", ">=", "<", "<=", "!=", "ordered", "==", ">", ">=", "<", "<=", "!=", "unordered", "true")


def equations(operator: OperatorOp) -> list[str]:
    """Return one equation for each write, and one for each scan, in the order of the spec."""
    names = _tensor_names(operator)
    lines: list[str] = []
    for op in operator.body.block.ops:
        match op:
            case ComputeOp():
                lines += [_equation(op, write, names) for write in op.walk() if isinstance(write, WriteOp)]
            case ScanOp():
                lines.append(f"{names[op.result]} = {_scan(op, names)}")
            case _:
                pass
    return lines


def _tensor_names(operator: OperatorOp) -> dict[SSAValue, str]:
    """Return what each tensor is called: the document's name where it has one."""
    names: dict[SSAValue, str] = {}
    for op in operator.body.block.ops:
        if isinstance(op, InputOp | OutputOp):
            names[op.tensor if isinstance(op, OutputOp) else op.result] = op.label.data
            continue
        for number, result in enumerate(op.results):
            names[result] = result.name_hint or f"t{len(names) + number}"
    return names


def _scan(op: ScanOp, names: Mapping[SSAValue, str]) -> str:
    kind = "sum of the elements before" if op.exclusive is not None else "sum of the elements up to each"
    return f"{kind}, along dim {op.dim.value.data} of {names[op.tensor]}"


def _equation(compute: ComputeOp, write: WriteOp, names: Mapping[SSAValue, str]) -> str:
    target = f"{names[compute.results_[write.number.data]]}{_list(write.indices, write.operands_)}"
    landing = {write.operands_[p] for expr in write.indices.data for p in refs(expr)}
    loops = [(nest, n) for nest in _around(write) for n in range(len(nest.dims))]
    reduced = [_range(nest, n) for nest, n in loops if nest.dims[n] not in landing]
    value = _text(write.value, names)
    if write.combine:
        value = f"{SUMS[write.combine]}({', '.join(reduced)}) {_text(write.value, names, 20)}"
    guard = f", where {_text(write.guard, names)}" if write.guard is not None else ""
    inner = [_range(nest, n) for nest, n in loops if nest.dims[n] in landing and not _is_plain(nest, n)]
    ranges = f"    for {', '.join(inner)}" if inner else ""
    return f"{target} = {value}{guard}{ranges}"


def _around(write: WriteOp) -> list[Nest]:
    """Return the nests around a write, outermost first."""
    nests: list[Nest] = []
    place: Operation | None = write.parent_op()
    while isinstance(place, Nest):
        nests.insert(0, place)
        place = place.parent_op()
    return nests


def _is_plain(nest: Nest, position: int) -> bool:
    """Return whether a range is 0 to a dim, which the shape of the result says."""
    low, high = nest.lower.data[position].data, nest.upper.data[position].data
    bounds = [nest.bound_values[e.position] for e in high if isinstance(e, Ref)]
    return low == (Const(0),) and len(bounds) == len(high) == 1 and isinstance(bounds[0].owner, DimOp)


def _range(nest: Nest, position: int) -> str:
    low, high = (
        [format_expr(e, _names(nest.bound_values)) for e in side.data[position].data]
        for side in (nest.lower, nest.upper)
    )
    name = _names([nest.dims[position]])[0]
    start = low[0] if len(low) == 1 else f"max({', '.join(low)})"
    end = high[0] if len(high) == 1 else f"min({', '.join(high)})"
    return f"{name} < {end}" if start == "0" else f"{name} from {start} to {end} - 1"


def _list(indices: IndexMapAttr, operands: Sequence[SSAValue]) -> str:
    names = _names(operands)
    return "[" + ", ".join(format_expr(e, names) for e in indices.data) + "]"


def _names(values: Iterable[SSAValue]) -> list[str]:
    return [_symbol(value) for value in values]


def _symbol(value: SSAValue) -> str:
    """Return the name of an index value: a dim, an attribute, a loop variable, or what it is computed from."""
    if isinstance(value.owner, DimOp | AttrOp):
        return value.owner.label.data
    if isinstance(value.owner, ReadOp | IndexOp) and not value.name_hint:
        return _text(value, {}, UNARY)
    return value.name_hint or "?"


def _text(value: SSAValue, names: Mapping[SSAValue, str], outer: int = 0) -> str:
    """Return the expression that computes a value, in parentheses where it binds looser than `outer`."""
    op = value.owner
    if not isinstance(op, Operation) or isinstance(op, DimOp | AttrOp):
        return _symbol(value)
    text, level = _expression(op, names)
    return f"({text})" if level < outer else text


def _expression(op: Operation, names: Mapping[SSAValue, str]) -> tuple[str, int]:
    """Return the text of an operation and how tightly it binds."""
    match op:
        case ReadOp():
            return _read(op, names), UNARY
        case IndexOp():
            return _index(op.indices.data[0], op.operands_)
        case arith.ConstantOp():
            return _constant(op), UNARY
        case arith.SelectOp():
            return f"where({', '.join(_text(v, names) for v in op.operands)})", UNARY
        case arith.CmpiOp() | arith.CmpfOp():
            order = INTEGER_ORDER if isinstance(op, arith.CmpiOp) else FLOAT_ORDER
            sides = [_text(v, names, COMPARE + 1) for v in op.operands]
            return f"{sides[0]} {order[op.predicate.value.data]} {sides[1]}", COMPARE
        case _ if op.name in INFIX:
            sign, level = INFIX[op.name]
            return f"{_text(op.operands[0], names, level)} {sign} {_text(op.operands[1], names, level + 1)}", level
        case _:
            return f"{op.name.partition('.')[2]}({', '.join(_text(v, names) for v in op.operands)})", UNARY


def _index(expr: IndexExpr, operands: Sequence[SSAValue]) -> tuple[str, int]:
    return format_expr(expr, _names(operands)), UNARY if isinstance(expr, Ref | Const) else 0


def _read(op: ReadOp, names: Mapping[SSAValue, str]) -> str:
    notes = [
        f"{word}: {_text(value, names)}"
        for word, value in (("outside", op.outside), ("absent", op.absent))
        if value is not None
    ]
    text = f"{names.get(op.tensor, op.tensor.name_hint or '?')}{_list(op.indices, op.operands_)}"
    return f"{text}{{{', '.join(notes)}}}" if notes else text


def _constant(op: arith.ConstantOp) -> str:
    match op.value:
        case IntegerAttr(value=number) if op.result.type == i1:
            return "true" if number.data else "false"
        case IntegerAttr(value=number):
            return str(number.data)
        case FloatAttr(value=number):
            return f"{number.data:g}"
        case other:
            return str(other)
