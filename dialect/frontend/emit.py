"""From one equation to a spec.compute."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TypeAlias, TypeVar

from xdsl.dialects import arith
from xdsl.dialects.builtin import AnyFloat
from xdsl.ir import Block, Operation, Region, SSAValue

from ..diagnostics import Diagnostic, Location
from ..index_expr import Const, IndexExpr, Ref, binary
from ..index_map import IndexMapAttr
from ..spec.attrs import TensorType, compute_type, is_integer
from ..spec.nests import Header, Nest
from ..spec.ops import ComputeOp, EachOp, IndexOp, ReadOp, SearchOp, WriteOp
from .exprs import (
    INDEX,
    Apply,
    Compare,
    Constant,
    Expr,
    Extreme,
    Index,
    IndexArith,
    Read,
    Reduction,
    Search,
    Symbol,
    When,
)
from .nest import check_all_named, check_free, headers, leaves, order
from .source import as_attribute

ConstantValue: TypeAlias = Callable[[Constant], SSAValue]
N = TypeVar("N", bound=Nest)


@dataclass(frozen=True)
class Equation:
    """`tensor[places] = combiner over indices of value, if condition`."""

    result: TensorType
    places: tuple[Expr, ...]
    combiner: str
    over: tuple[Index, ...]
    value: Expr
    condition: Expr | None
    unique: bool
    at: Location

    @staticmethod
    def of(result: TensorType, places: tuple[Expr, ...], right: Expr, unique: bool, at: Location) -> "Equation":
        """Take the right side apart: sums of sums, then a condition, then the value."""
        combiner, over, condition = "", (), None
        while isinstance(right, Reduction) and combiner in ("", right.combiner):
            combiner, over, right = right.combiner, over + right.indices, right.value
        if isinstance(right, When):
            condition, right = right.condition, right.value
        return Equation(result, places, combiner, over, right, condition, unique, at)


@dataclass
class Level:
    """The body of one header of the nest; `inner` is the header within it."""

    block: Block
    indices: frozenset[Index]
    inner: EachOp | None = None

    def add(self, op: Operation) -> None:
        """Put an operation at the end of what precedes the inner header."""
        if self.inner is None:
            self.block.add_op(op)
        else:
            self.block.insert_op_before(op, self.inner)


@dataclass
class Emitter:
    """One equation on its way to a compute."""

    constant: ConstantValue
    names: Mapping[int, str]
    levels: list[Level] = field(default_factory=list[Level])
    values: dict[Expr, SSAValue] = field(default_factory=dict[Expr, SSAValue])

    def emit(self, equation: Equation) -> ComputeOp:
        """Return the compute."""
        named = [leaf for place in equation.places for leaf in leaves(place)] + list(equation.over)
        ordered = order(named)
        check_all_named(ordered, named, equation.at)
        for expr in (equation.value, *equation.places, equation.condition):
            if expr is not None:
                check_free(expr, ordered)
        first, *inner = headers(ordered)
        compute = self._open(first, equation.at, lambda h, b, body: ComputeOp(h, b, [equation.result], body))
        for group in inner:
            outer = self.levels[-1]
            each = self._open(group, equation.at, EachOp)
            outer.add(each)
            outer.inner = each
        self._write(equation)
        return compute

    def _open(
        self, group: Sequence[Index], at: Location, build: Callable[[Header, Sequence[SSAValue], Region], N]
    ) -> N:
        """Begin a header and its body."""
        header, operands = self._header(group)
        block = Block(arg_types=[INDEX] * len(group))
        nest = build(header, operands, Region(block))
        nest.location = as_attribute(at)
        for index, argument in zip(group, block.args, strict=True):
            argument.name_hint = index.name
            self.values[index] = argument
        self.levels.append(Level(block, frozenset(group)))
        return nest

    def _header(self, group: Sequence[Index]) -> tuple[Header, list[SSAValue]]:
        operands: list[SSAValue] = []

        def ref(leaf: Expr) -> IndexExpr:
            if isinstance(leaf, Index) and leaf in group:
                return Ref(group.index(leaf))
            return Ref(len(group) + _position(operands, self.value(leaf)))

        ranges = [[[_index_expr(bound, ref) for bound in side] for side in (i.lower, i.upper)] for i in group]
        return Header([low for low, _ in ranges], [high for _, high in ranges]), operands

    def _write(self, equation: Equation) -> None:
        element = compute_type(equation.result.element_type)
        value = equation.value
        if value.type == INDEX and is_integer(element):
            value = Apply(element, equation.at, lambda values: arith.IndexCastOp(values[0], element), (value,))
        if value.type != element:
            hint = "cast(value, dtype) converts between floats and integers"
            raise Diagnostic("OPW125", f"a value of type {value.type} defines elements of {element}", equation.at, hint)
        stored = self.value(value)
        guard = None if equation.condition is None else self.value(equation.condition)
        places, operands = self._map(equation.places)
        write = WriteOp(stored, 0, places, operands, equation.combiner or None, guard, unique=equation.unique)
        write.location = as_attribute(equation.at)
        self.levels[-1].block.add_op(write)

    def _map(self, exprs: Sequence[Expr]) -> tuple[IndexMapAttr, list[SSAValue]]:
        operands: list[SSAValue] = []

        def ref(leaf: Expr) -> IndexExpr:
            return Ref(_position(operands, self.value(leaf)))

        return IndexMapAttr(tuple(_index_expr(expr, ref) for expr in exprs)), operands

    def value(self, expr: Expr) -> SSAValue:
        """Return the value of an expression, computed where all its indices first stand."""
        match expr:
            case Constant():
                return self.constant(expr)
            case Symbol():
                return expr.value
            case _ if expr in self.values:
                return self.values[expr]
            case _:
                op = self._operation(expr)
                op.location = as_attribute(expr.at)
                op.results[0].name_hint = self._name(expr)
                self._level(expr).add(op)
                self.values[expr] = op.results[0]
                return op.results[0]

    def symbols(self, expr: Expr, operands: list[SSAValue]) -> IndexExpr:
        """Return an expression over dims and attributes; their values go to `operands`, those of extremes too.

        Raises:
            Diagnostic: OPW106 for anything else.
        """

        def ref(leaf: Expr) -> IndexExpr:
            _require_symbols(leaf)
            return Ref(_position(operands, self.value(leaf)))

        return _index_expr(expr, ref)

    def _level(self, expr: Expr) -> Level:
        needed = frozenset(leaves(expr))
        return next((level for level in reversed(self.levels) if level.indices & needed), self.levels[0])

    def _name(self, expr: Expr) -> str | None:
        known = expr.element if isinstance(expr, Read) and expr.element is not None else expr
        return self.names.get(id(known))

    def _operation(self, expr: Expr) -> Operation:
        match expr:
            case IndexArith():
                return IndexOp(*self._map([expr]))
            case Read():
                return self._read(expr)
            case Search():
                assert expr.tensor.value is not None
                return SearchOp(expr.tensor.value, self.value(expr.value))
            case Compare():
                return _comparison(expr, self.value(expr.lhs), self.value(expr.rhs))
            case Extreme():
                return _extreme(expr, self.value(expr.lhs), self.value(expr.rhs))
            case Apply():
                return expr.build([self.value(argument) for argument in expr.arguments])
            case _:
                raise Diagnostic("OPW152", "this expression must stand alone on the right side", expr.at)

    def _read(self, expr: Read) -> ReadOp:
        assert expr.tensor.value is not None
        places, operands = self._map(expr.indices)
        outside, absent = (None if e is None else self.value(e) for e in (expr.outside_value, expr.absent_value))
        return ReadOp(expr.tensor.value, places, operands, expr.type, outside, absent)


def _require_symbols(expr: Expr) -> None:
    match expr:
        case Symbol() | Constant():
            pass
        case Extreme() | IndexArith():
            _require_symbols(expr.lhs)
            _require_symbols(expr.rhs)
        case _:
            hint = "it takes dims, attributes, + - * // % of them, maximum and minimum"
            raise Diagnostic("OPW106", "a size or constraint cannot depend on elements", expr.at, hint)


def _position(operands: list[SSAValue], value: SSAValue) -> int:
    if value not in operands:
        operands.append(value)
    return operands.index(value)


def _index_expr(expr: Expr, ref: Callable[[Expr], IndexExpr]) -> IndexExpr:
    match expr:
        case Constant(value=number):
            return Const(int(number))
        case IndexArith(kind=kind, lhs=lhs, rhs=rhs):
            return binary(kind, _index_expr(lhs, ref), _index_expr(rhs, ref))
        case _:
            return ref(expr)


FLOAT_PREDICATES = {"<=": "ole", "<": "olt", ">=": "oge", ">": "ogt", "==": "oeq", "!=": "une"}
INTEGER_PREDICATES = {"<=": "sle", "<": "slt", ">=": "sge", ">": "sgt", "==": "eq", "!=": "ne"}


def _comparison(expr: Compare, lhs: SSAValue, rhs: SSAValue) -> Operation:
    if isinstance(lhs.type, AnyFloat):
        return arith.CmpfOp(lhs, rhs, FLOAT_PREDICATES[expr.comparison])
    return arith.CmpiOp(lhs, rhs, INTEGER_PREDICATES[expr.comparison])


def _extreme(expr: Extreme, lhs: SSAValue, rhs: SSAValue) -> Operation:
    if isinstance(lhs.type, AnyFloat):
        return (arith.MaximumfOp if expr.kind == "max" else arith.MinimumfOp)(lhs, rhs)
    return (arith.MaxSIOp if expr.kind == "max" else arith.MinSIOp)(lhs, rhs)
