"""Rules for loops and branches."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from xdsl.dialects import arith, scf
from xdsl.dialects.builtin import IntegerAttr
from xdsl.ir import Operation, SSAValue

from .expr import Expr, prefix
from .printer import Printer, StatementRule


def emit_for(printer: Printer, op: scf.ForOp) -> None:
    """Print a loop; carried values are variables that the body assigns at its end."""
    index, *carried = op.body.block.args
    declare_variables(printer, op, op.results, op.iter_args, carried)
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
    printer: Printer,
    op: Operation,
    values: Sequence[SSAValue],
    initial: Sequence[SSAValue] = (),
    hints: Sequence[SSAValue] = (),
) -> None:
    """Declare a variable for each value, set to its initial value and named after the carried value, if there are."""
    texts = [printer.text(value) for value in initial]
    for position, value in enumerate(values):
        hint = (hints[position].name_hint if hints else None) or "r"
        printer.declare(value, texts[position] if texts else "", hint, op)


def emit_if(printer: Printer, op: scf.IfOp) -> None:
    """Print a branch; its results are variables that both sides assign."""
    declare_variables(printer, op, op.results)
    with printer.braces(f"if ({printer.text(op.cond)})"):
        printer.block(op.true_region.block)
        if _says_something(op):
            printer.reopen("} else {")
            printer.block(op.false_region.block)


def _says_something(op: scf.IfOp) -> bool:
    return bool(op.false_region.blocks) and not (
        isinstance(op.false_region.block.first_op, scf.YieldOp) and not op.results
    )


def emit_while(printer: Printer, op: scf.WhileOp) -> None:
    """Print a loop with a test; `while (test)` where the test is one expression of what the loop carries."""
    before, after = op.before_region.block, op.after_region.block
    test = before.last_op
    assert isinstance(test, scf.ConditionOp)
    carries_all = list(test.args) == list(before.args)
    if carries_all:
        declare_variables(printer, op, op.res, op.arguments, after.args)
    else:
        declare_variables(printer, op, op.res, hints=after.args)
        declare_variables(printer, op, before.args, op.arguments, before.args)
    for position, inside in enumerate(after.args):
        printer.bind(inside, printer.value(op.res[position]))
        if carries_all:
            printer.bind(before.args[position], printer.value(op.res[position]))
    is_short = carries_all and printer.folds(before)
    with printer.braces(f"while ({printer.text(test.condition) if is_short else 'true'})"):
        if not is_short:
            printer.block(before)
        printer.block(after)


def emit_condition(printer: Printer, op: scf.ConditionOp) -> None:
    """Print what a loop hands to its body and to what follows, and its end where the test fails."""
    loop = op.parent_op()
    assert isinstance(loop, scf.WhileOp)
    _assign(printer, op, loop.res, op.args)
    with printer.braces(f"if ({prefix('!', printer.value(op.condition))})"):
        printer.line("break;")


def emit_yield(printer: Printer, op: scf.YieldOp) -> None:
    """Print the assignments that a yield stands for."""
    parent = op.parent_op()
    assert parent is not None
    variables = parent.before_region.block.args if isinstance(parent, scf.WhileOp) else parent.results
    _assign(printer, op, variables, op.operands)


def _assign(printer: Printer, op: Operation, variables: Sequence[SSAValue], values: Sequence[SSAValue]) -> None:
    """Print assignments, all with the values from before them."""
    targets = [printer.value(variable).text for variable in variables]
    sources = [printer.value(value) for value in values]
    for position, source in enumerate(sources):
        if source.text in targets[:position]:
            name = printer.names.fresh(f"{source.text}_before")
            printer.line(f"const {printer.type_name(values[position].type, op)} {name} = {source};")
            sources[position] = Expr(name)
    for target, source in zip(targets, sources, strict=True):
        if target != source.text:
            printer.line(f"{target} = {source};")


CONTROL_STATEMENTS: Mapping[type[Operation], StatementRule] = {
    scf.ConditionOp: emit_condition,
    scf.ForOp: emit_for,
    scf.IfOp: emit_if,
    scf.WhileOp: emit_while,
    scf.YieldOp: emit_yield,
}
