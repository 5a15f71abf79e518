"""Rules for loops and branches."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from xdsl.dialects import arith, scf
from xdsl.dialects.builtin import IntegerAttr
from xdsl.ir import Operation, OpResult, SSAValue

from .expr import Expr
from .printer import Printer, StatementRule


def emit_for(printer: Printer, op: scf.ForOp) -> None:
    """Print a loop; carried values are variables that the body assigns at its end."""
    index, *carried = op.body.block.args
    declare_variables(printer, op.results, op.iter_args, carried)
    for inside, outside in zip(carried, op.results, strict=True):
        printer.bind(inside, printer.value(outside))
    with printer.scope():
        header = loop_header(printer, index, LoopRange(op.lb, op.ub, op.step), op)
        with printer.braces(header):
            printer.block(op.body.block)


@dataclass(frozen=True)
class LoopRange:
    """Where a loop starts, ends, and how far it steps."""

    start: SSAValue
    end: SSAValue
    step: SSAValue


def loop_header(printer: Printer, index: SSAValue, span: LoopRange, op: Operation) -> str:
    """Name the loop's variable and return `for (...)`."""
    start, end, step = printer.text(span.start), printer.text(span.end), printer.text(span.step)
    name = printer.define(index, "i")
    advance = f"++{name}" if is_one(span.step) else f"{name} += {step}"
    return f"for ({printer.type_name(index.type, op)} {name} = {start}; {name} < {end}; {advance})"


def is_one(value: SSAValue) -> bool:
    """Return whether a value is the constant 1."""
    owner = value.owner
    return isinstance(owner, arith.ConstantOp) and isinstance(owner.value, IntegerAttr) and owner.value.value.data == 1


def declare_variables(
    printer: Printer, results: Sequence[OpResult], initial: Sequence[SSAValue] = (), hints: Sequence[SSAValue] = ()
) -> None:
    """Declare a variable for each result, set to its initial value and named after the carried value, if there are."""
    texts = [printer.text(value) for value in initial]
    for position, result in enumerate(results):
        type_name = printer.type_name(result.type, result.op)
        name = printer.define(result, (hints[position].name_hint if hints else None) or "r")
        printer.line(f"{type_name} {name} = {texts[position]};" if texts else f"{type_name} {name};")


def emit_if(printer: Printer, op: scf.IfOp) -> None:
    """Print a branch; its results are variables that both sides assign."""
    declare_variables(printer, op.results)
    with printer.braces(f"if ({printer.text(op.cond)})"):
        printer.block(op.true_region.block)
        if _says_something(op):
            printer.reopen("} else {")
            printer.block(op.false_region.block)


def _says_something(op: scf.IfOp) -> bool:
    return bool(op.false_region.blocks) and not (
        isinstance(op.false_region.block.first_op, scf.YieldOp) and not op.results
    )


def emit_yield(printer: Printer, op: scf.YieldOp) -> None:
    """Print the assignments that a yield stands for, all with the values from before them."""
    parent = op.parent_op()
    assert parent is not None
    targets = [printer.value(result).text for result in parent.results]
    sources = [printer.value(value) for value in op.operands]
    for position, source in enumerate(sources):
        if source.text in targets[:position]:
            name = printer.names.fresh(f"{source.text}_before")
            printer.line(f"const {printer.type_name(op.operands[position].type, op)} {name} = {source};")
            sources[position] = Expr(name)
    for target, source in zip(targets, sources, strict=True):
        if target != source.text:
            printer.line(f"{target} = {source};")


CONTROL_STATEMENTS: Mapping[type[Operation], StatementRule] = {
    scf.ForOp: emit_for,
    scf.IfOp: emit_if,
    scf.YieldOp: emit_yield,
}
