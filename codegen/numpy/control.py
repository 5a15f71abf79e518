"""func and scf: functions, loops and branches."""

from collections.abc import Sequence
from contextlib import ExitStack

from xdsl.dialects import func, scf
from xdsl.dialects.builtin import IndexType
from xdsl.ir import Block, Operation, Region, SSAValue

from ...dialect.diagnostics import Diagnostic
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


def _name_all(w: Writer, results: Sequence[SSAValue], hints: Sequence[SSAValue]) -> list[str]:
    """Name results after their own hints, or those of the values that they carry."""
    return [w.name(result, hint.name_hint or "v") for result, hint in zip(results, hints, strict=True)]


def _bind_all(w: Writer, values: Sequence[SSAValue], names: Sequence[str]) -> None:
    for value, name in zip(values, names, strict=True):
        w.bind(value, name)


def _body(w: Writer, block: Block, names: Sequence[str]) -> None:
    """Write a body; what it yields is assigned to the names."""
    for op in block.ops:
        if isinstance(op, scf.YieldOp):
            w.assign_all(names, op.arguments)
        else:
            w.emit(op)


def _for(w: Writer, op: scf.ForOp) -> None:
    index, *carried = op.body.block.args
    names = _name_all(w, op.res, carried)
    _bind_all(w, carried, names)
    w.assign_all(names, op.iter_args)
    bounds = w.texts((op.lb, op.ub, op.step))
    if isinstance(index.type, IndexType):
        with w.loop(index, range_text(*bounds)):
            _body(w, op.body.block, names)
        return
    with w.loop(index, f"range({', '.join(f'int({bound})' for bound in bounds)})"):
        w.line(f"{w.text(index)} = {w.dtype(index.type, op)}({w.text(index)})")
        _body(w, op.body.block, names)


def _if(w: Writer, op: scf.IfOp) -> None:
    names = _name_all(w, op.output, op.output)
    with w.block(f"if {w.text(op.cond)}"):
        _body(w, op.true_region.block, names)
    if op.false_region.blocks and (names or len(op.false_region.block.ops) > 1):
        with w.block("else"):
            _body(w, op.false_region.block, names)


def _while(w: Writer, op: scf.WhileOp) -> None:
    before, after = op.before_region.block, op.after_region.block
    results = _name_all(w, op.res, after.args)
    carried = _name_all(w, before.args, before.args)
    _bind_all(w, after.args, results)
    w.assign_all(carried, op.arguments)
    with w.block("while True"):
        for inner in before.ops:
            if isinstance(inner, scf.ConditionOp):
                w.assign_all(results, inner.args)
                with w.block(f"if not {w.text(inner.condition)}"):
                    w.line("break")
            else:
                w.emit(inner)
        _body(w, after, carried)


def _parallel(w: Writer, op: scf.ParallelOp) -> None:
    names = _name_all(w, op.res, op.res)
    w.assign_all(names, op.initVals)
    with ExitStack() as stack:
        for index, lower, upper, step in zip(op.body.block.args, op.lowerBound, op.upperBound, op.step, strict=True):
            stack.enter_context(w.loop(index, range_text(*w.texts((lower, upper, step)))))
        for inner in op.body.block.ops:
            if isinstance(inner, scf.ReduceOp):
                _reduce(w, inner, names)
            else:
                w.emit(inner)


def _reduce(w: Writer, op: scf.ReduceOp, names: Sequence[str]) -> None:
    """Write the reductions of one iteration: they combine in the order of the loop."""
    for name, argument, region in zip(names, op.args, op.reductions, strict=True):
        _bind_all(w, region.block.args, (name, w.text(argument)))
        for inner in region.block.ops:
            if isinstance(inner, scf.ReduceReturnOp):
                w.assign_all((name,), (inner.result,))
            else:
                w.emit(inner)


def _return(w: Writer, op: func.ReturnOp) -> None:
    if op.arguments:
        w.line(f"return {', '.join(w.texts(op.arguments))}")


def _call(w: Writer, op: func.CallOp) -> None:
    call = f"{identifier(op.callee.root_reference.data)}({', '.join(w.texts(op.arguments))})"
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
