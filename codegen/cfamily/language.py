"""What differs between the languages of the family, as data."""

import math
import struct
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from xdsl.dialects.builtin import Float32Type, Float64Type
from xdsl.ir import Attribute

from .expr import Expr, Level


@dataclass(frozen=True)
class Helper:
    """A function that emitted code may call.

    Attributes:
        name: what a call prints.
        code: its definition, empty if it exists already.
        needs: keys of the helpers that the definition calls.
        headers: what has to be included.
    """

    name: str
    code: str = ""
    needs: tuple[str, ...] = ()
    headers: tuple[str, ...] = ()


@dataclass(frozen=True)
class CastForm:
    """How a value is converted to a type.

    Attributes:
        template: the text, with `{type}` and `{value}`.
        operand: how tightly the value has to bind.
        result: how tightly the text binds.
    """

    template: str
    operand: Level
    result: Level

    def apply(self, type_name: str, value: Expr) -> Expr:
        """Return the value converted."""
        return Expr(self.template.format(type=type_name, value=value.at(self.operand)), self.result)


C_CAST = CastForm("({type}){value}", Level.UNARY, Level.UNARY)
CPP_CAST = CastForm("static_cast<{type}>({value})", Level.COMMA, Level.POSTFIX)

Literal = Callable[[float], Expr]


def float_literal(value: float) -> Expr:
    """Return a float32 constant: the shortest decimal that reads back to the same bits."""
    return _decimal(value, "f", lambda v: struct.unpack("f", struct.pack("f", v))[0])


def double_literal(value: float) -> Expr:
    """Return a float64 constant."""
    return _decimal(value, "", lambda v: v)


def _decimal(value: float, suffix: str, rounded: Callable[[float], float]) -> Expr:
    if not math.isfinite(value):
        return _special(value)
    exact = rounded(value)
    shortest = next(text for digits in range(1, 18) if rounded(float(text := f"{exact:.{digits}g}")) == exact)
    point = "" if "." in shortest or "e" in shortest else ".0"
    level = Level.UNARY if shortest.startswith("-") else Level.ATOM
    return Expr(f"{shortest}{point}{suffix}", level)


def _special(value: float) -> Expr:
    if math.isnan(value):
        return Expr("NAN")
    return Expr("INFINITY") if value > 0 else Expr("-INFINITY", Level.UNARY)


@dataclass(frozen=True)
class Language:
    """One language of the family.

    Attributes:
        types: spelling of each scalar type as it is stored.
        helpers: functions by key (see rules.py for the keys asked for).
        literals: how a float constant of a type is spelled.
        conversions: (from, to) types that are converted by a helper; others by a cast.
        stored: types that are only stored; a conversion of one needs a helper, as a cast would take bits for a number.
        cast: the form of a cast.
        aggregate: how a struct is built, from `{type}` and `{values}`.
        comment: the form of a comment on a line of its own.
        reserved: names that no value may have.
        headers: includes of a file whatever it holds.
        special_headers: includes for INFINITY and NAN.
        otherwise: what to do where a helper is missing.
    """

    types: Mapping[Attribute, str]
    helpers: Mapping[str, Helper]
    literals: Mapping[Attribute, Literal]
    conversions: Mapping[tuple[Attribute, Attribute], str]
    cast: CastForm
    aggregate: str
    comment: str
    stored: frozenset[Attribute] = frozenset()
    reserved: frozenset[str] = frozenset()
    headers: tuple[str, ...] = ()
    special_headers: tuple[str, ...] = ()
    otherwise: str = ""


FLOAT_LITERALS: Mapping[Attribute, Literal] = {Float32Type(): float_literal, Float64Type(): double_literal}
"""The spelling of float32 and float64 constants."""
