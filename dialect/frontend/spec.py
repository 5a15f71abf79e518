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
from xdsl.ir import Attribute, Block, Operation, Region, SSAValue

from ..diagnostics import Diagnostic, Location
from ..index_map import IndexMapAttr
from ..spec.attrs import DTypeVar, IntegersType, TensorType, compute_type
from ..spec.literals import Literal, literal_attribute
from ..spec.ops import (
    AttrOp,
    CheckOp,
    ColumnsOp,
    DimOp,
    GivenOp,
    InputOp,
    LengthOp,
    NeedOp,
    OperatorOp,
    OutputOp,
    PlacesOp,
    PositionsOp,
    RequireOp,
    ScanOp,
    WhenOp,
)
from ..spec.tolerance import Tolerance
from ..spec.verify import Symbols, verify_compute, verify_declarations, verify_positions
from .constraints import COMPARISONS, free_indices, guard, sizes
from .emit import Emitter, Equation, Level
from .exprs import INDEX, Compare, Constant, Expr, Operand, Symbol, lift
from .functions import index
from .source import as_attribute, here, names
from .tensors import Tensor
from .types import DType, Shape, i32, i64, integer

Condition: TypeAlias = "Compare | tuple[Compare, ...]"


@dataclass(frozen=True)
class _Output:
    label: str
    tensor: Tensor
    optional: bool
    strided: bool


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

    def input(
        self,
        label: str,
        shape: Shape,
        *,
        optional: bool = False,
        accepts: Sequence[DType] = (),
        dense: bool = False,
        mismatch: tuple[Symbol, int] | None = None,
    ) -> Tensor:
        """Declare a tensor parameter.

        Args:
            label: the document's name.
            shape: dims and element type.
            optional: whether a call may leave it out.
            accepts: other dtypes that the front end lets through: bytes for booleans.
            dense: whether the front end refuses a tensor that is not contiguous.
            mismatch: a dim, and the document's error where its size disagrees with that of the tensor before it.
        """
        differs = None if mismatch is None else (mismatch[0].label, mismatch[1])
        tolerance = Tolerance(tuple(dtype.element for dtype in accepts), dense, differs)
        return self._input(InputOp(label, shape.type, optional=optional, tolerance=tolerance))

    def list(
        self, label: str, shape: Shape, *, optional: bool = False, default: Sequence[Operand] | None = None
    ) -> Tensor:
        """Declare a list of integers, known to the host before the kernel starts.

        `default` is the content of an optional list that is absent or empty.
        """
        at = here()
        operands: list[SSAValue] = []
        exprs = [self._at_top().symbols(lift(value, INDEX, at), operands) for value in default or ()]
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

    def length(self, attribute: Symbol) -> Symbol:
        """Return how many numbers an attribute of type `integers` holds, for `require` alone."""
        at = here()
        if not isinstance(attribute.type, IntegersType):
            hint = "declare it with spec.attr(label, integers)"
            raise Diagnostic("OPW154", f"attribute '{attribute.label}' is no list: it has no length", at, hint)
        op = self._add(LengthOp(attribute.value))
        symbol = Symbol(INDEX, at, f"{attribute.label}_length", op.results[0])
        op.results[0].name_hint = symbol.label
        self._objects.append((symbol, op.results[0]))
        return symbol

    def output(self, label: str, shape: Shape, *, optional: bool = False, strided: bool = False) -> Tensor:
        """Declare a result that the operator returns; an equation must define it.

        The caller may have no place for an optional one. The elements of a strided one may lie apart in its memory.
        """
        tensor = Tensor(shape.type, here(), self._define)
        self._outputs.append(_Output(label, tensor, optional, strided))
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

    def positions(self, mask: Tensor, count: Symbol | int) -> Tensor:
        """Return the indices of the true elements of each row of a boolean tensor, ascending, as i32.

        Args:
            mask: the tensor [..., E].
            count: the last dim of the result [..., count]: -1 fills what a row has less, and what it has more is left
                out. A dim or a number.
        """
        at = here()
        if mask.value is None:
            raise Diagnostic("OPW153", "true elements are looked for in a tensor before it is defined", at)
        result_type = TensorType.of([*mask.type.dims[:-1], *Shape((count,), i32.element).type.dims], i32.element)
        op = PositionsOp(mask.value, result_type)
        self._add(op)
        verify_positions(op)
        return self._known(Tensor(result_type, at, self._define, op.result), op.result)

    def require(self, *conditions: Condition, code: int, when: Sequence[Expr] = ()) -> None:
        """Declare constraints of the document and the error code of its front end for them.

        They count only where all of `when` hold: boolean attributes, tensors that are given, and ~ of one.
        """
        flat = [c for condition in conditions for c in (condition if isinstance(condition, tuple) else (condition,))]
        self._guarded([self._require(compare, code) for compare in flat], when)

    def require_given(self, *tensors: Tensor, code: int, when: Sequence[Expr] = ()) -> None:
        """Declare that optional tensors must be given, where all of `when` hold; see `require`."""
        needs: list[Operation] = []
        for tensor in tensors:
            owner = None if tensor.value is None else tensor.value.owner
            if not isinstance(owner, InputOp):
                raise Diagnostic("OPW154", "only inputs can be required", here())
            needs.append(NeedOp(owner.label.data, code))
        self._guarded(needs, when)

    def check(self, lhs: Operand, comparison: str, rhs: Operand, *, code: int) -> None:
        """Declare a constraint on elements of lists, for all values of the loop indices that the sides name.

        A side is an integer made of elements of lists, dims and attributes, or a sum, maximum or minimum of such.
        `comparison` is one of <= < >= > ==.
        """
        if comparison not in COMPARISONS:
            raise Diagnostic("OPW154", f"'{comparison}' is no comparison", here(), f"one of {' '.join(COMPARISONS)}")
        sides = [lift(side, INDEX, here()) for side in (lhs, rhs)]
        free = free_indices(sides)
        one = index("one", 0, 1)
        tensors = [self.tensor(Shape(sizes(free) or (1,), i64.element)) for _ in sides]
        for tensor, side in zip(tensors, sides, strict=True):
            tensor[tuple(free) or (one,)] = side
        values = [tensor.value for tensor in tensors]
        assert values[0] is not None
        assert values[1] is not None
        self._add(CheckOp(values[0], comparison, values[1], code))

    def places(
        self,
        tensor: Tensor,
        *,
        below: Operand,
        unused: bool = False,
        distinct: bool = False,
        when: Sequence[Expr] = (),
    ) -> None:
        """Declare that the elements of an integer input are places: 0 to `below` - 1.

        Args:
            tensor: the input.
            below: the number of places, of dims and attributes.
            unused: whether elements may be negative; those name no place.
            distinct: whether no two elements name the same place.
            when: it counts only where all of these hold; see `require`.
        """
        if tensor.value is None:
            raise Diagnostic("OPW154", "only inputs hold places that a caller gives", here())
        size, operands = self._index_map(lift(below, INDEX, here()))
        self._guarded([PlacesOp(tensor.value, size, operands, unused=unused, distinct=distinct)], when)

    def finish(self) -> OperatorOp:
        """Return the verified operator."""
        self._hint_names()
        for output in self._outputs:
            tensor = output.tensor
            if tensor.value is None:
                raise Diagnostic("OPW153", f"output '{output.label}' is never defined", tensor.at)
            op = OutputOp(output.label, tensor.value, optional=output.optional, strided=output.strided)
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

    def _guarded(self, ops: Sequence[Operation], when: Sequence[Expr]) -> None:
        """Add constraints, within their conditions if there are any."""
        for op in ops:
            op.location = as_attribute(here())
        if not when:
            for op in ops:
                self._add(op)
            return
        self._add(WhenOp([guard(each) for each in when], Region(Block(ops))))

    def _require(self, condition: Compare, code: int) -> RequireOp:
        operands: list[SSAValue] = []
        sides = [self._at_top().symbols(side, operands) for side in (condition.lhs, condition.rhs)]
        lhs, rhs = (IndexMapAttr((side,)) for side in sides)
        return RequireOp(lhs, condition.comparison, rhs, operands, code)

    def _index_map(self, size: Expr) -> tuple[IndexMapAttr, Sequence[SSAValue]]:
        operands: list[SSAValue] = []
        return IndexMapAttr((self._at_top().symbols(size, operands),)), operands

    def _at_top(self) -> Emitter:
        """Return an emitter of sizes; what these need beyond dims and attributes is put where the operator stands."""
        return Emitter(self._constant, names(), [Level(self._operator.body.block, frozenset())])

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
