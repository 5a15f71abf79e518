"""Values of the attributes of a call."""

from collections.abc import Callable, Mapping, Sequence
from typing import TypeAlias, cast

from xdsl.dialects.builtin import AnyFloat, ArrayAttr, FloatAttr, IndexType, IntegerAttr, IntegerType, StringAttr, i1
from xdsl.ir import Attribute

from ..dialect.diagnostics import Diagnostic
from ..dialect.spec.attrs import IntegersType, StringType
from ..dialect.spec.ops import AttrOp

AttrValue: TypeAlias = bool | int | float | str | tuple[int, ...]
"""The value of an attribute: bool for i1, int for integers and index, float for floats, a tuple for a list."""


def bind_attributes(attrs: Sequence[AttrOp], given: Mapping[str, AttrValue]) -> dict[str, AttrValue]:
    """Return the value of each attribute, the default where none is given.

    Raises:
        Diagnostic: OPW206 unknown name, OPW207 missing, OPW208 wrong type.
    """
    known = {op.label.data: op for op in attrs}
    for name in given:
        if name not in known:
            raise Diagnostic("OPW206", f"the operator has no attribute '{name}'", hint=_listed(known))
    return {name: _value(op, given) for name, op in known.items()}


def _listed(known: Mapping[str, AttrOp]) -> str:
    return "it has: " + ", ".join(known) if known else "it has none"


def _value(op: AttrOp, given: Mapping[str, AttrValue]) -> AttrValue:
    name, kind = op.label.data, op.result.type
    if name not in given:
        if op.default is None:
            raise Diagnostic(
                "OPW207", f"attribute '{name}' is missing", hint=f"give it a value of type {type_text(kind)}"
            )
        return constant_value(op.default, kind)
    value = _convert(_plain(given[name]), kind)
    if value is None:
        raise Diagnostic("OPW208", f"attribute '{name}' is {given[name]!r}, it must be of type {type_text(kind)}")
    return value


def type_text(kind: Attribute) -> str:
    """Return the type of an attribute as a spec file names it."""
    match kind:
        case IndexType():
            return "integer"
        case IntegersType():
            return "integers"
        case StringType():
            return "text"
        case _:
            return "boolean" if kind == i1 else str(kind)


def _plain(value: object) -> AttrValue:
    """Return a value as Python has it: NumPy's scalars and arrays, and lists, may stand for numbers and tuples."""
    tolist: Callable[[], object] | None = getattr(value, "tolist", None)
    if tolist is not None:
        value = tolist()
    return cast("AttrValue", tuple(cast("list[int]", value)) if isinstance(value, list) else value)


def constant_value(attribute: Attribute, kind: Attribute) -> AttrValue:
    """Return the Python value of a constant attribute of the given type.

    Raises:
        Diagnostic: OPW208 for an attribute that holds no scalar.
    """
    match attribute:
        case IntegerAttr(value=number):
            return bool(number.data) if kind == i1 else number.data
        case FloatAttr(value=number):
            return number.data
        case StringAttr(data=text):
            return text
        case ArrayAttr():
            return _integers(attribute)
        case _:
            raise Diagnostic("OPW208", f"{attribute} is not the value of an attribute of type {kind}")


def _integers(attribute: Attribute) -> tuple[int, ...]:
    values = cast("ArrayAttr[IntegerAttr]", attribute)
    return tuple(value.value.data for value in values)


def _convert(value: AttrValue, kind: Attribute) -> AttrValue | None:
    """Return the value as its type holds it, None where it is of another type or too large for it."""
    match kind, value:
        case IntegerType(width=width), bool() if width.data == 1:
            return value
        case IntegerType() | IndexType(), int() if kind != i1 and _is_whole(value):
            return value
        case _, int() | float() if isinstance(kind, AnyFloat) and not isinstance(value, bool):
            return float(value)
        case StringType(), str():
            return value
        case IntegersType(), tuple() if all(map(_is_whole, value)):
            return value
        case _:
            return None


def _is_whole(value: object) -> bool:
    """Return whether a value is an integer of 64 bits."""
    return isinstance(value, int) and not isinstance(value, bool) and -(1 << 63) <= value < 1 << 63
