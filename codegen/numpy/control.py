"""func and scf: functions, loops and branches."""

from collections.abc import Sequence
from contextlib import ExitStack

from xdsl.dialects import func, scf
from xdsl.dialects.builtin import IndexType
from xdsl.ir import Block, Operation, Region, SSAValue

from ...dialect.diagnostics import Diagnostic
from .expr import Level
from .names import identifier
from .writer import Table, Writer


def range_text(lower: str, upper: str, step: str = "1") -> str:
    """Return `range(...)` in its shortest form."""
    if step != "1":
        return f"range({lower}, {upper}, {step})"
    return f"range({upper})" if lower == "0" else f"range({lower}, {upper})"


def only_block(region: Region, op: Operation) -> Block:
    """Return the block of a region that has one.

    Raises:
        Diagnostic: OPW413, a body that is missing or has control flow by branches.
    """
    if len(region.blocks) != 1:
        text = f"'{op.name}' has {len(region.blocks)} blocks, NumPy text needs structured control flow"
        raise Diagnostic("OPW413", text, op, "use scf.for, scf.if and scf.while in one block")
    return region.block


def _name_all(w: Writer, results: Sequence[SSAValue], carried: Sequence[SSAValue] = ()) -> None:
    """Name results after their own hints, or those of the values that they carry, which share the names."""
    for n, result in enumerate(results):
        name = w.name(result, carried[n].name_hint or "v" if carried else "v")
        if carried:
            w.bind(carried[n], name)


def _body(w: Writer, block: Block, results: Sequence[SSAValue]) -> None:
    """Write a body; what it yields is assigned to the results."""
    for op in block.ops:
        if isinstance(op, scf.YieldOp):
            w.assign_all(results, op.arguments)
        else:
            w.emit(op)


def _for(w: Writer, op: scf.ForOp) -> None:
    index, *carried = op.body.block.args
    _name_all(w, op.res, carried)
    w.assign_all(op.res, op.iter_args)
    bounds = w.arguments((op.lb, op.ub, op.step))
    if isinstance(index.type, IndexType):
        with w.loop(index, range_text(*bounds)):
            _body(w, op.body.block, op.res)
        return
    with w.loop(index, f"range({', '.join(f'int({bound})' for bound in bounds)})"):
        w.line(f"{w.text(index)} = {w.dtype(index.type, op)}({w.text(index)})")
        _body(w, op.body.block, op.res)


def _if(w: Writer, op: scf.IfOp) -> None:
    _name_all(w, op.output)
    with w.block(f"if {w.argument(op.cond)}"):
        _body(w, op.true_region.block, op.output)
    if op.false_region.blocks and (op.output or len(op.false_region.block.ops) > 1):
        with w.block("else"):
            _body(w, op.false_region.block, op.output)


def _while(w: Writer, op: scf.WhileOp) -> None:
    before, after = op.before_region.block, op.after_region.block
    _name_all(w, op.res, after.args)
    _name_all(w, before.args)
    w.assign_all(before.args, op.arguments)
    with w.block("while True"):
        for inner in before.ops:
            if isinstance(inner, scf.ConditionOp):
                w.assign_all(op.res, inner.args)
                with w.block(f"if not {w.text(inner.condition, Level.COMPARE)}"):
                    w.line("break")
            else:
                w.emit(inner)
        _body(w, after, before.args)


def _parallel(w: Writer, op: scf.ParallelOp) -> None:
    _name_all(w, op.res)
    w.assign_all(op.res, op.initVals)
    lower, upper, step = (w.texts(values) for values in (op.lowerBound, op.upperBound, op.step))
    with ExitStack() as stack:
        for index, *bounds in zip(op.body.block.args, lower, upper, step, strict=True):
            stack.enter_context(w.loop(index, range_text(*bounds)))
        for inner in op.body.block.ops:
            if isinstance(inner, scf.ReduceOp):
                _reduce(w, inner, op.res)
            else:
                w.emit(inner)


def _reduce(w: Writer, op: scf.ReduceOp, results: Sequence[SSAValue]) -> None:
    """Write the reductions of one iteration: they combine in the order of the loop."""
    for result, argument, region in zip(results, op.args, op.reductions, strict=True):
        for value, source in zip(region.block.args, (result, argument), strict=True):
            w.bind(value, w.once(source))
        for inner in region.block.ops:
            if isinstance(inner, scf.ReduceReturnOp):
                w.assign_all((result,), (inner.result,))
            else:
                w.emit(inner)


def _return(w: Writer, op: func.ReturnOp) -> None:
    if op.arguments:
        w.line(f"return {', '.join(w.arguments(op.arguments))}")


def _call(w: Writer, op: func.CallOp) -> None:
    call = f"{identifier(op.callee.root_reference.data)}({', '.join(w.arguments(op.arguments))})"
    names = [w.name(result) for result in op.res]
    w.line(f"{', '.join(names)} = {call}" if names else call)


EMITTERS: Table = {
    scf.ForOp: _for,
    scf.IfOp: _if,
    scf.WhileOp: _while,
    scf.ParallelOp: _parallel,
    func.ReturnOp: _return,
    func.CallOp: _call,
}
