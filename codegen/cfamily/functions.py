"""Rules for functions: calls and returns; each language prints the heads of its functions itself."""

from collections.abc import Mapping

from xdsl.dialects import func
from xdsl.ir import Operation

from ...dialect.diagnostics import Diagnostic
from .expr import call
from .printer import Printer, StatementRule, fallback_name


def emit_return(printer: Printer, op: func.ReturnOp) -> None:
    """Print a return: nothing, one value, or the struct that `printer.result_type` names."""
    values = [printer.text(value) for value in op.arguments]
    if printer.result_type:
        built = printer.language.aggregate.format(type=printer.result_type, values=", ".join(values))
        printer.line(f"return {built};")
    elif values:
        printer.line(f"return {values[0]};")


def emit_call(printer: Printer, op: func.CallOp) -> None:
    """Print a call of another function with at most one result.

    Raises:
        Diagnostic: OPW445 for several results.
    """
    if len(op.res) > 1:
        raise Diagnostic("OPW445", f"a call with {len(op.res)} results has no form in this language", op)
    expr = call(op.callee.string_value(), [printer.value(v) for v in op.arguments])
    if op.res:
        type_name = printer.type_name(op.res[0].type, op)
        printer.line(f"const {type_name} {printer.define(op.res[0], fallback_name(op.res[0].type))} = {expr};")
    else:
        printer.line(f"{expr};")


FUNCTION_STATEMENTS: Mapping[type[Operation], StatementRule] = {
    func.ReturnOp: emit_return,
    func.CallOp: emit_call,
}
