"""The builder that a spec file talks to, and the decorator that starts it."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from xdsl.dialects import arith
from xdsl.dialects.builtin import (
    FloatAttr,
    IntegerAttr,
    ModuleOp,
    StringAttr,
    i1,
)
from xdsl.ir import Attribute, Operation, SSAValue

from ..diagnostics import Diagnostic, Location
from ..index_map import IndexMapAttr
from ..spec.attrs import DTypeVar, compute_type
from ..spec.literals import Literal, literal_attribute
from ..spec.ops import AttrOp, ColumnsOp, DimOp, GivenOp, InputOp, OperatorOp, OutputOp, RequireOp, ScanOp
from ..spec.verify import Symbols, verify_compute, verify_declarations
from .emit import Emitter, Equation
from .exprs import INDEX, Compare, Constant, Expr, Operand, Symbol, lift
from .source import as_attribute, here, names
from .tensors import Tensor
from .types import DType, Shape, integer

Condition: TypeAlias = "Compare | tuple[Compare, ...]"


@dataclass(frozen=True)
class _Output:
    label: str
    tensor: Tensor
    optional: bool


class Spec:
    """One operator under construction: its parameters, constraints and equations, in the order of the calls."""

    def __init__(self, name: str, at: Location) -> None:
        self._operator = OperatorOp(name)
        self._operator.location = as_attribute(at)
        self._outputs: list[_Output] = []
        self._constants: dict[tuple[Attribute, str], SSAValue] = {}
        self._objects: list[tuple[object, SSAValue]] = []

    def dims(self, *labels: str) -> tuple[Symbol, ...]:
        """Declare dims whose sizes follow from the shapes of inputs."""
        return tuple(self._symbol(DimOp(label), label) for label in labels)

    def dim(self, label: str, size: Operand) -> Symbol:
        """Declare a dim with a definition; shapes that disagree with it are refused."""
        definition, operands = self._index_map(lift(size, INDEX, here()))
        return self._symbol(DimOp(label, definition, operands), label)

    def attr(
        self,
        label: str,
        dtype: DType = integer,
        *,
        default: Literal | None = None,
        allowed: tuple[Literal, ...] = (),
        code: int | None = None,
    ) -> Symbol:
        """Declare a scalar attribute; `code` is the document's error for a value that is not allowed."""
        values = [_literal(value, dtype) for value in allowed]
        first = None if default is None else _literal(default, dtype)
        return self._symbol(AttrOp(label, dtype.element, first, values, code), label)

    def dtype(self, label: str, *choices: DType, code: int | None = None) -> DType:
        """Declare a dtype variable; `code` is the document's error for another dtype."""
        return self.dtypes((label,), *((choice,) for choice in choices), code=code)[0]

    def dtypes(
        self, labels: tuple[str, ...], *columns: tuple[DType, ...], code: int | None = None
    ) -> tuple[DType, ...]:
        """Declare dtype variables and their legal combinations, one tuple a column."""
        self._add(ColumnsOp(labels, [[dtype.element for dtype in column] for column in columns], code))
        return tuple(DType(DTypeVar(StringAttr(label))) for label in labels)

    def input(self, label: str, shape: Shape, *, optional: bool = False) -> Tensor:
        """Declare a tensor parameter."""
        return self._input(InputOp(label, shape.type, optional=optional))

    def list(
        self, label: str, shape: Shape, *, optional: bool = False, default: Sequence[Operand] | None = None
    ) -> Tensor:
        """Declare a list of integers, known to the host before the kernel starts.

        `default` is the content of an optional list that is absent or empty.
        """
        at = here()
        operands: list[SSAValue] = []
        exprs = [self._emitter().symbols(lift(value, INDEX, at), operands) for value in default or ()]
        content = None if default is None else IndexMapAttr(tuple(exprs))
        op = InputOp(label, shape.type, optional=optional, is_list=True, default=content, operands=operands)
        return self._input(op)

    def given(self, tensor: Tensor) -> Expr:
        """Return whether a call gives an optional tensor."""
        at = here()
        assert tensor.value is not None
        op = self._add(GivenOp(tensor.value))
        symbol = Symbol(i1, at, "given", op.results[0])
        self._objects.append((symbol, op.results[0]))
        return symbol

    def output(self, label: str, shape: Shape, *, optional: bool = False) -> Tensor:
        """Declare a result that the operator returns; an equation must define it.

        The caller may have no place for an optional one.
        """
        tensor = Tensor(shape.type, here(), self._define)
        self._outputs.append(_Output(label, tensor, optional))
        return tensor

    def tensor(self, shape: Shape) -> Tensor:
        """Declare an intermediate result; an equation must define it."""
        return Tensor(shape.type, here(), self._define)

    def scan(self, tensor: Tensor, dim: int, *, exclusive: bool = False) -> Tensor:
        """Return the prefix sums of a tensor of integers along a dim."""
        at = here()
        if tensor.value is None:
            raise Diagnostic("OPW153", "a tensor is scanned before it is defined", at)
        op = self._add(ScanOp(tensor.value, dim, tensor.type, exclusive=exclusive))
        return self._known(Tensor(tensor.type, at, self._define, op.results[0]), op.results[0])

    def require(self, *conditions: Condition, code: int) -> None:
        """Declare constraints of the document and the error code of its front end for them."""
        for condition in conditions:
            for compare in condition if isinstance(condition, tuple) else (condition,):
                self._require(compare, code)

    def finish(self) -> OperatorOp:
        """Return the verified operator."""
        self._hint_names()
        for output in self._outputs:
            tensor = output.tensor
            if tensor.value is None:
                raise Diagnostic("OPW153", f"output '{output.label}' is never defined", tensor.at)
            op = OutputOp(output.label, tensor.value, optional=output.optional)
            op.location = as_attribute(tensor.at)
            self._operator.body.block.add_op(op)
        self._operator.verify()
        return self._operator

    def _add(self, op: Operation) -> Operation:
        op.location = as_attribute(here())
        self._operator.body.block.add_op(op)
        verify_declarations(self._operator)
        return op

    def _symbol(self, op: DimOp | AttrOp, label: str) -> Symbol:
        self._add(op)
        op.result.name_hint = label
        symbol = Symbol(op.result.type, here(), label, op.result)
        self._objects.append((symbol, op.result))
        return symbol

    def _input(self, op: InputOp) -> Tensor:
        self._add(op)
        op.result.name_hint = op.label.data
        return self._known(Tensor(op.result.type, here(), self._define, op.result), op.result)

    def _known(self, tensor: Tensor, value: SSAValue) -> Tensor:
        self._objects.append((tensor, value))
        return tensor

    def _require(self, condition: Compare, code: int) -> None:
        operands: list[SSAValue] = []
        sides = [self._emitter().symbols(side, operands) for side in (condition.lhs, condition.rhs)]
        lhs, rhs = (IndexMapAttr((side,)) for side in sides)
        self._add(RequireOp(lhs, condition.comparison, rhs, operands, code))

    def _index_map(self, size: Expr) -> tuple[IndexMapAttr, Sequence[SSAValue]]:
        operands: list[SSAValue] = []
        return IndexMapAttr((self._emitter().symbols(size, operands),)), operands

    def _emitter(self) -> Emitter:
        return Emitter(self._constant, names())

    def _define(self, tensor: Tensor, places: tuple[Expr, ...], right: Operand, unique: bool) -> SSAValue:
        at = here()
        value = lift(right, compute_type(tensor.type.element_type), at)
        compute = self._emitter().emit(Equation.of(tensor.type, places, value, unique, at))
        self._operator.body.block.add_op(compute)
        self._known(tensor, compute.results_[0])
        self._hint_names()
        verify_declarations(self._operator)
        verify_compute(compute, Symbols(self._operator))
        return compute.results_[0]

    def _constant(self, constant: Constant) -> SSAValue:
        key = (constant.type, repr(constant.value))
        if key not in self._constants:
            op = _constant_op(constant)
            op.location = as_attribute(constant.at)
            op.result.name_hint = _constant_name(constant)
            self._operator.body.block.add_op(op)
            self._constants[key] = op.result
        return self._constants[key]

    def _hint_names(self) -> None:
        """Name values as the user's local variables."""
        known = names()
        for item, value in self._objects:
            if (name := known.get(id(item))) is not None:
                value.name_hint = name


def _literal(value: Literal, dtype: DType) -> Attribute:
    attribute = literal_attribute(value, dtype.element)
    if attribute is None:
        raise Diagnostic("OPW150", f"{value!r} is not a value of type {dtype.element}", here())
    return attribute


def _constant_op(constant: Constant) -> arith.ConstantOp:
    match literal_attribute(constant.value, constant.type):
        case IntegerAttr() | FloatAttr() as attribute:
            return arith.ConstantOp(attribute)
        case _:
            raise Diagnostic("OPW150", f"{constant.value!r} is not a value of type {constant.type}", constant.at)


NUMBER_NAMES: dict[float, str] = {0: "zero", 1: "one"}


def _constant_name(constant: Constant) -> str | None:
    if constant.type == i1:
        return "true" if constant.value else "false"
    return NUMBER_NAMES.get(constant.value)


@dataclass(frozen=True)
class Definition:
    """An operator that a spec file defines."""

    name: str
    trace: Callable[[Spec], None]
    at: Location

    def module(self) -> ModuleOp:
        """Return a new module that holds the operator.

        Raises:
            Diagnostic: OPW1xx at the line of the spec file that is wrong.
        """
        spec = Spec(self.name, self.at)
        self.trace(spec)
        return ModuleOp([spec.finish()])


def operator(name: str) -> Callable[[Callable[[Spec], None]], Definition]:
    """Make a function the definition of the operator `name`; it is traced once at once, so that errors show here."""
    at = here()

    def define(trace: Callable[[Spec], None]) -> Definition:
        definition = Definition(name, trace, at)
        definition.module()
        return definition

    return define
