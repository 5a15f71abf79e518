"""The equations of an operator, as a person writes them."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from xdsl.dialects import arith
from xdsl.dialects.builtin import FloatAttr, IndexType, IntegerAttr, i1
from xdsl.ir import Operation, SSAValue

from ..index_expr import Const, Ref, format_expr, refs
from ..index_map import IndexMapAttr
from .attrs import TensorType
from .nests import Nest
from .ops import (
    AttrOp,
    CheckOp,
    ComputeOp,
    DimOp,
    IndexOp,
    InputOp,
    OperatorOp,
    OutputOp,
    PositionsOp,
    ReadOp,
    ScanOp,
    SearchOp,
    WriteOp,
)

EQUATION = "spec.equation"
"""The attribute of a specialized operator: its equations as the spec had them, a line each, for the emitted code."""

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

FUNCTIONS = {
    "arith.select": "where",
    **dict.fromkeys(("arith.maxsi", "arith.maximumf", "arith.maxnumf"), "max"),
    **dict.fromkeys(("arith.minsi", "arith.minimumf", "arith.minnumf"), "min"),
    "math.absf": "abs",
    "math.powf": "pow",
    "math.roundeven": "rint",
}
"""What operations are called that a person knows by another name."""

COMPARE = 5
MINUS = 10
"""How tightly a minus sign before a value binds: it stands in parentheses behind any other operator."""
UNARY = 30
LEAVES = (ReadOp, IndexOp, arith.ConstantOp)
"""Operations that are short enough to be written out wherever they are used."""

SUMS = {"add": "sum", "max": "max", "min": "min"}
INTEGER_ORDER = ("==", "!=", "<", "<=", ">", ">=", "<", "<=", ">", ">=")
FLOAT_ORDER = (
    "false",
    "==",
    ">",
    ">=",
    "<",
    "<=",
    "!=",
    "ordered",
    "==",
    ">",
    ">=",
    "<",
    "<=",
    "!=",
    "unordered",
    "true",
)


def equations(operator: OperatorOp) -> list[str]:
    """Return one equation for each write, scan and spec.positions, in the order of the spec; none for sides of checks.

    Values that an equation uses more than once follow it, each on a line that starts with `with`.
    """
    names = _tensor_names(operator)
    lines: list[str] = []
    for op in operator.body.block.ops:
        match op:
            case ComputeOp() if not _is_side(op):
                lines += _of_compute(op, names)
            case ScanOp():
                lines.append(f"{names[op.result]} = {_scan(op, names[op.tensor])}")
            case PositionsOp():
                lines.append(_positions(op, names))
            case _:
                pass
    return lines


def _is_side(op: ComputeOp) -> bool:
    """Return whether only constraints use what a compute defines."""
    users = [use.operation for result in op.results_ for use in result.uses]
    return bool(users) and all(isinstance(user, CheckOp) for user in users)


def first_lines(operator: OperatorOp) -> dict[ComputeOp | PositionsOp, str]:
    """Return the first line of the equations of each compute and spec.positions."""
    names = _tensor_names(operator)
    found: dict[ComputeOp | PositionsOp, str] = {}
    for op in operator.body.block.ops:
        if isinstance(op, PositionsOp):
            found[op] = _positions(op, names)
        elif isinstance(op, ComputeOp) and (lines := _of_compute(op, names)):
            found[op] = lines[0]
    return found


def left_sides(operator: OperatorOp) -> dict[Operation, str]:
    """Return the left side of the equation of each write, scan and spec.positions; a compute has that of its first."""
    names = _tensor_names(operator)
    found: dict[Operation, str] = {}
    for op in operator.body.block.ops:
        match op:
            case ComputeOp():
                sides = {write: _EquationText(dict(names)).left(op, write) for write in _writes(op)}
                found |= {op: next(iter(sides.values()), ""), **sides}
            case ScanOp() | PositionsOp():
                found[op] = names[op.result]
            case _:
                pass
    return found


def _is_leaf(op: Operation) -> bool:
    """Return whether an operation is short: all reads but those of places that the equation names more than once."""
    return isinstance(op, LEAVES) and not (isinstance(op, ReadOp) and isinstance(op.result.type, IndexType))


def _of_compute(compute: ComputeOp, names: Mapping[SSAValue, str]) -> list[str]:
    return [line for write in _writes(compute) for line in _EquationText(dict(names)).equation(compute, write)]


def _writes(compute: ComputeOp) -> list[WriteOp]:
    return [op for op in compute.walk() if isinstance(op, WriteOp)]


def _tensor_names(operator: OperatorOp) -> dict[SSAValue, str]:
    """Return what each tensor, dim and attribute is called: the document's name where a tensor has one."""
    names: dict[SSAValue, str] = {}
    for op in operator.body.block.ops:
        if isinstance(op, InputOp | OutputOp):
            names[op.tensor if isinstance(op, OutputOp) else op.result] = op.label.data
            continue
        for number, result in enumerate(op.results):
            if isinstance(result.type, TensorType) or isinstance(op, DimOp | AttrOp):
                names[result] = result.name_hint or f"t{len(names) + number}"
    return names


def _scan(op: ScanOp, tensor: str) -> str:
    kind = "sum of the elements before" if op.exclusive is not None else "sum of the elements up to each"
    return f"{kind}, along dim {op.dim.value.data} of {tensor}"


def _positions(op: PositionsOp, names: Mapping[SSAValue, str]) -> str:
    return f"{names[op.result]} = places of the true elements along the last dim of {names[op.tensor]}, then -1"


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


@dataclass
class _EquationText:
    """The text of one equation.

    `names` holds what is named: tensors, and values that are used more than once, whose texts are in `shared`.
    """

    names: dict[SSAValue, str]
    shared: dict[SSAValue, str] = field(default_factory=dict[SSAValue, str])

    def equation(self, compute: ComputeOp, write: WriteOp) -> list[str]:
        """Return the equation of a write, and the values that it uses more than once."""
        target = self.left(compute, write)
        places = [e for e in write.indices.data if isinstance(e, Ref) or not write.combine]
        landing = {write.operands_[p] for expr in places for p in refs(expr)}
        loops = [(nest, n) for nest in _around(write) for n in range(len(nest.dims))]
        value = self._text(write.value, 20 if write.combine else 0)
        if write.combine:
            reduced = ", ".join(self._range(nest, n) for nest, n in loops if nest.dims[n] not in landing)
            value = f"{SUMS[write.combine]}({reduced}) {value}"
        inner = [self._range(nest, n) for nest, n in loops if nest.dims[n] in landing and not _is_plain(nest, n)]
        guard = f", where {self._text(write.guard)}" if write.guard is not None else ""
        ranges = f", for {', '.join(inner)}" if inner else ""
        definitions = [f"    with {self.names[v]} = {text}" for v, text in self.shared.items()]
        return [f"{target} = {value}{guard}{ranges}", *definitions]

    def left(self, compute: ComputeOp, write: WriteOp) -> str:
        """Return the left side of the equation of a write: the tensor and the place."""
        return f"{self.names[compute.results_[write.number.data]]}{self._list(write.indices, write.operands_)}"

    def _range(self, nest: Nest, position: int) -> str:
        low, high = (
            [format_expr(e, self._symbols(nest.bound_values)) for e in side.data[position].data]
            for side in (nest.lower, nest.upper)
        )
        name = self._symbol(nest.dims[position])
        start = low[0] if len(low) == 1 else f"max({', '.join(low)})"
        end = high[0] if len(high) == 1 else f"min({', '.join(high)})"
        return f"{name} < {end}" if start == "0" else f"{name} from {start} to {end} - 1"

    def _list(self, indices: IndexMapAttr, operands: Sequence[SSAValue]) -> str:
        names = self._symbols(operands)
        return "[" + ", ".join(format_expr(e, names) for e in indices.data) + "]"

    def _symbols(self, values: Iterable[SSAValue]) -> list[str]:
        return [self._symbol(value) for value in values]

    def _symbol(self, value: SSAValue) -> str:
        """Return the name of an index value: a dim, an attribute, a loop variable, or what it is computed from."""
        if isinstance(value.owner, DimOp | AttrOp):
            return value.owner.label.data
        return self._text(value, UNARY) if isinstance(value.owner, Operation) else value.name_hint or "?"

    def _text(self, value: SSAValue, outer: int = 0) -> str:
        """Return the expression that computes a value, in parentheses where it binds looser than `outer`."""
        op = value.owner
        if not isinstance(op, Operation) or isinstance(op, DimOp | AttrOp):
            return self._symbol(value)
        if isinstance(op, InputOp):
            return self.names[value]
        if isinstance(op, arith.IndexCastOp):
            return self._text(op.input, outer)
        if value.has_one_use() or _is_leaf(op):
            text, level = self._expression(op)
            return f"({text})" if level < outer else text
        if value not in self.shared:
            self.names[value] = self._fresh(value.name_hint or "v")
            self.shared[value] = ""
            self.shared[value] = self._expression(op)[0]
        return self.names[value]

    def _fresh(self, hint: str) -> str:
        taken = set(self.names.values())
        return next(name for n in range(len(taken) + 1) if (name := f"{hint}{n or ''}") not in taken)

    def _expression(self, op: Operation) -> tuple[str, int]:
        """Return the text of an operation and how tightly it binds."""
        match op:
            case IndexOp():
                return self._index(op)
            case arith.CmpiOp() | arith.CmpfOp():
                order = INTEGER_ORDER if isinstance(op, arith.CmpiOp) else FLOAT_ORDER
                return self._infix(op, order[op.predicate.value.data], COMPARE), COMPARE
            case arith.NegfOp():
                return f"-{self._text(op.operand, UNARY)}", MINUS
            case _ if op.name in INFIX:
                sign, level = INFIX[op.name]
                return self._infix(op, sign, level), level
            case _:
                return self._term(op), UNARY

    def _term(self, op: Operation) -> str:
        """Return the text of an operation that binds tightest."""
        match op:
            case ReadOp():
                return self._read(op)
            case SearchOp():
                return f"search({self.names[op.tensor]}, {self._text(op.value)})"
            case arith.ConstantOp():
                return _constant(op)
            case _:
                name = FUNCTIONS.get(op.name, op.name.partition(".")[2])
                return f"{name}({', '.join(self._text(v) for v in op.operands)})"

    def _index(self, op: IndexOp) -> tuple[str, int]:
        expr = op.indices.data[0]
        level = UNARY if isinstance(expr, Ref | Const) else 0
        return format_expr(expr, self._symbols(op.operands_)), level

    def _infix(self, op: Operation, sign: str, level: int) -> str:
        return f"{self._text(op.operands[0], level)} {sign} {self._text(op.operands[1], level + 1)}"

    def _read(self, op: ReadOp) -> str:
        notes = [
            f"{word}: {self._text(value)}"
            for word, value in (("outside", op.outside), ("absent", op.absent))
            if value is not None
        ]
        text = f"{self.names[op.tensor]}{self._list(op.indices, op.operands_)}"
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
