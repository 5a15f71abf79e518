"""From a spec to its aclnn interface."""

from collections.abc import Sequence

from xdsl.dialects import arith
from xdsl.dialects.builtin import (
    AnyFloat,
    BFloat16Type,
    Float16Type,
    Float32Type,
    Float64Type,
    IntegerAttr,
    IntegerType,
    i1,
)
from xdsl.ir import Attribute as IrAttribute
from xdsl.ir import Operation, SSAValue

from ...dialect.diagnostics import Diagnostic
from ...dialect.index_expr import Binary, Const, IndexExpr, Ref, substitute
from ...dialect.spec.attrs import IntegersType, StringType, TensorType
from ...dialect.spec.front_end import with_guards
from ...dialect.spec.ops import (
    AttrOp,
    CheckOp,
    DimOp,
    GivenOp,
    IndexOp,
    InputOp,
    LengthOp,
    NeedOp,
    OperatorOp,
    OutputOp,
    PlacesOp,
    RequireOp,
)
from ...dialect.spec.signature import Signature, element_type
from ..attributes import constant_value
from ..symbol_text import definition_text, requirement_text, symbol_name
from .interface import (
    WRONG_SHAPE,
    WRONG_TYPE,
    Attribute,
    Constraint,
    Definition,
    Formula,
    Guard,
    Interface,
    Kind,
    ListCheck,
    ListDefault,
    Places,
    Presence,
    Scalar,
    Tensor,
    snake_case,
)
from .list_checks import ListSides, list_checks
from .reserved import is_reserved

ACL_NAMES: dict[IrAttribute, str] = {
    Float16Type(): "ACL_FLOAT16",
    BFloat16Type(): "ACL_BF16",
    Float32Type(): "ACL_FLOAT",
    Float64Type(): "ACL_DOUBLE",
    i1: "ACL_BOOL",
    IntegerType(8): "ACL_INT8",
    IntegerType(16): "ACL_INT16",
    IntegerType(32): "ACL_INT32",
    IntegerType(64): "ACL_INT64",
}
"""The ACL name of each element type."""


def derive_interface(operator: OperatorOp) -> Interface:
    """Return the interface of an operator.

    Raises:
        Diagnostic: OPW460, a parameter's name cannot stand in C; OPW461, a constraint is made of something else than
            sizes and attributes.
    """
    signature = Signature.of(operator)
    for label, op in signature.labels():
        if is_reserved(label):
            raise Diagnostic("OPW460", f"parameter '{label}' cannot have this name in C", op, "rename it")
    name = operator.sym_name.data
    return Interface(
        name,
        snake_case(name),
        tuple(_input(op, signature) for op in signature.inputs),
        tuple(_attribute(op) for op in signature.attrs),
        tuple(_output(op, signature) for op in signature.outputs),
        tuple(_definition(op) for op in signature.dims if op.definition is not None),
        tuple(_list_default(op) for op in signature.inputs if op.default is not None),
        constraints_of(operator),
        tuple(_places(op, _guards(found)) for op, found in with_guards(operator) if isinstance(op, PlacesOp)),
    )


def _input(op: InputOp, signature: Signature) -> Tensor:
    kind: Kind = "input" if op.list is None else "list"
    tensor, tolerance = op.result.type, op.tolerance
    extra = tuple(ACL_NAMES[element] for element in tolerance.accepts)
    dtypes = tuple((*names, *extra) for names in _dtypes(tensor, signature))
    dim, code = tolerance.mismatch or ("", WRONG_SHAPE)
    codes = tuple(code if each == dim else WRONG_SHAPE for each in tensor.dims)
    return Tensor(op.label.data, kind, op.optional is not None, not tolerance.dense, tensor.dims, dtypes, codes)


def _output(op: OutputOp, signature: Signature) -> Tensor:
    codes = (WRONG_SHAPE,) * op.type.rank
    dtypes, flags = _dtypes(op.type, signature), (op.optional is not None, op.strided is not None)
    return Tensor(op.label.data, "output", *flags, op.type.dims, dtypes, codes)


def _dtypes(tensor: TensorType, signature: Signature) -> tuple[tuple[str, ...], ...]:
    return tuple((ACL_NAMES[element_type(tensor, column)],) for column in signature.dtype_columns)


def _attribute(op: AttrOp) -> Attribute:
    kind = op.result.type
    default = None if op.default is None else constant_value(op.default, kind)
    allowed = tuple(constant_value(value, kind) for value in op.allowed or ())
    return Attribute(op.label.data, _scalar(kind), default, allowed, WRONG_TYPE if op.code is None else op.code.data)


def _scalar(kind: IrAttribute) -> Scalar:
    if isinstance(kind, StringType):
        return "text"
    if isinstance(kind, IntegersType):
        return "integers"
    if kind == i1:
        return "bool"
    return "float" if isinstance(kind, AnyFloat) else "int"


def _definition(op: DimOp) -> Definition:
    assert op.definition is not None
    value = _formula(op.definition.data[0], op.operands_, op)
    return Definition(op.label.data, value, definition_text(op))


def _list_default(op: InputOp) -> ListDefault:
    assert op.default is not None
    return ListDefault(op.label.data, tuple(_formula(expr, op.operands_, op) for expr in op.default.data))


def constraints_of(operator: OperatorOp) -> tuple[Constraint | Presence | ListCheck, ...]:
    """Return what the document demands, in the order of the spec; OPW461 as in `derive_interface`."""
    checks = {check.op: check for check in list_checks(operator)}
    found: list[Constraint | Presence | ListCheck] = []
    for op, conditions in with_guards(operator):
        found += [_list_check(checks[op])] if isinstance(op, CheckOp) else _constraints(op, _guards(conditions))
    return tuple(found)


def _guards(conditions: Sequence[tuple[SSAValue, bool]]) -> tuple[Guard, ...]:
    return tuple(_guard(value, holds) for value, holds in conditions)


def _places(op: PlacesOp, guards: tuple[Guard, ...]) -> Places:
    assert isinstance(op.tensor.owner, InputOp)
    below = _formula(op.below.data[0], op.operands_, op)
    return Places(op.tensor.owner.label.data, below, op.unused is not None, guards)


def _constraints(op: Operation, guards: tuple[Guard, ...]) -> Sequence[Constraint | Presence]:
    match op:
        case NeedOp():
            return [Presence(op.label.data, op.code.data, guards)]
        case RequireOp():
            text, code = requirement_text(op), op.code.data
            return [
                Constraint(
                    _formula(lhs, op.operands_, op),
                    op.comparison.data,
                    _formula(rhs, op.operands_, op),
                    text,
                    code,
                    guards,
                )
                for lhs, rhs in zip(op.lhs.data, op.rhs.data, strict=True)
            ]
        case _:
            return []


def _guard(value: SSAValue, holds: bool) -> Guard:
    match value.owner:
        case GivenOp(tensor=tensor):
            assert isinstance(tensor.owner, InputOp)
            return Guard(tensor.owner.label.data, True, holds)
        case AttrOp(label=label):
            return Guard(label.data, False, holds)
        case _:
            raise TypeError(f"not a condition of spec.when: {value}")


def _list_check(check: ListSides) -> ListCheck:
    tensor, op = check.type, check.op
    dtype = ACL_NAMES[tensor.element_type]
    return ListCheck(check.lhs, op.comparison.data, check.rhs, tensor.dims, dtype, check.text, op.code.data)


def _formula(expr: IndexExpr, operands: Sequence[SSAValue], at: Operation) -> Formula:
    names: list[str] = []
    flat = substitute(expr, [_flat(value, names, at) for value in operands])
    return Formula(flat, tuple(names))


def _flat(value: SSAValue, names: list[str], at: Operation) -> IndexExpr:
    """Return a value over names of dims, attributes and lengths of those that are lists."""
    match value.owner:
        case DimOp(label=label) | AttrOp(label=label):
            return _named(label.data, names)
        case LengthOp() as length:
            return _named(symbol_name(length.result), names)
        case arith.ConstantOp(value=IntegerAttr(value=number)):
            return Const(number.data)
        case IndexOp() as index:
            return substitute(index.indices.data[0], [_flat(operand, names, at) for operand in index.operands_])
        case arith.MaxSIOp() | arith.MinSIOp() as extreme:
            kind = "max" if isinstance(extreme, arith.MaxSIOp) else "min"
            return Binary(kind, _flat(extreme.lhs, names, at), _flat(extreme.rhs, names, at))
        case arith.IndexCastOp(input=inner):
            return _flat(inner, names, at)
        case _:
            hint = "build it from dims and attributes with + - * // %, maximum and minimum"
            raise Diagnostic("OPW461", "the aclnn interface cannot compute what this is made of", at, hint)


def _named(name: str, names: list[str]) -> IndexExpr:
    if name not in names:
        names.append(name)
    return Ref(names.index(name))
