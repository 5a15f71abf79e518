"""Attributes on the command line: `name=value`."""

from collections.abc import Sequence

from xdsl.dialects.builtin import AnyFloat, IndexType, IntegerType, i1
from xdsl.ir import Attribute

from .codegen.attributes import AttrValue
from .dialect.diagnostics import Diagnostic
from .dialect.spec.attrs import IntegersType
from .dialect.spec.ops import OperatorOp
from .dialect.spec.signature import Signature

BOOLEANS = {"true": True, "false": False, "1": True, "0": False}


def read_attributes(operator: OperatorOp, texts: Sequence[str]) -> dict[str, AttrValue]:
    """Return the values of `name=value` texts; a name that the operator does not have keeps its text.

    Raises:
        Diagnostic: OPW016, no `=`, or a value that its attribute's type does not have.
    """
    types = {op.label.data: op.result.type for op in Signature.of(operator).attrs}
    values: dict[str, AttrValue] = {}
    for text in texts:
        name, separator, value = text.partition("=")
        if not separator or name in values:
            what = "has no '='" if not separator else "is given twice"
            raise Diagnostic("OPW016", f"attribute '{name}' {what}", hint="--attr name=value")
        values[name] = _value(name, value, types[name]) if name in types else value
    return values


def _value(name: str, text: str, kind: Attribute) -> AttrValue:
    try:
        match kind:
            case IntegerType() if kind == i1:
                return BOOLEANS[text.lower()]
            case IntegerType() | IndexType():
                return int(text, 0)
            case _ if isinstance(kind, AnyFloat):
                return float(text)
            case IntegersType():
                return tuple(int(part, 0) for part in text.strip("[]").split(",") if part.strip())
            case _:
                return text
    except (ValueError, KeyError) as error:
        raise Diagnostic("OPW016", f"attribute '{name}' is '{text}', it must be of type {kind}") from error
