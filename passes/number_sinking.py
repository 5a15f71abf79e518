"""Numbers that a kernel computes outside of its stages: each stage, which becomes a class, gets its own copy."""

from xdsl.dialects import arith
from xdsl.ir import Block, Operation, SSAValue
from xdsl.rewriter import InsertPoint, Rewriter
from xdsl.traits import is_side_effect_free


def sink_numbers(stage: Block) -> None:
    """Copy to the start of a stage what it uses of the function around it; constants and arguments stay outside."""
    outer = stage.parent_op()
    assert outer is not None
    function = outer.parent_block()
    assert function is not None
    needed = _needed(stage, function)
    copies: dict[SSAValue, SSAValue] = {}
    block = Block()
    for op in [op for op in function.ops if op in needed]:
        copy = op.clone(value_mapper=copies)
        copy.location = op.location
        block.add_op(copy)
    for old, new in copies.items():
        new.name_hint = old.name_hint
        old.replace_uses_with_if(new, lambda use: _stands_in(use.operation, stage))
    if block.first_op is not None and stage.first_op is not None:
        Rewriter.inline_block(block, InsertPoint.at_start(stage))
    for op in reversed([op for op in function.ops if op in needed]):
        if not any(use for result in op.results for use in result.uses):
            Rewriter.erase_op(op)


def _needed(stage: Block, function: Block) -> set[Operation]:
    """Return the operations of the function that the stage depends on."""
    found: set[Operation] = set()
    open_values = [value for op in stage.walk() for value in op.operands]
    while open_values:
        op = open_values.pop().owner
        if isinstance(op, Operation) and op.parent_block() is function and op not in found and _is_number(op):
            found.add(op)
            open_values.extend(op.operands)
    return found


def _is_number(op: Operation) -> bool:
    return is_side_effect_free(op) and not isinstance(op, arith.ConstantOp)


def _stands_in(op: Operation, stage: Block) -> bool:
    block = op.parent_block()
    while block is not None and block is not stage:
        parent = block.parent_op()
        block = parent.parent_block() if parent is not None else None
    return block is stage
