"""tile.search as a binary search: the entries below `first` are at most the value, those from `last` on are greater.

%first, %last = scf.while (%first = %c0, %last = %N) : (index, index) -> (index, index) {
%open = arith.cmpi slt, %first, %last : index
scf.condition(%open) %first, %last : index, index
} do {
^bb0(%first: index, %last: index):
%middle = (%first + %last) / 2
... read the entry in the middle, and go on with the half that holds the place
scf.yield %first, %last : index, index
}
"""

from xdsl.dialects import arith, memref, scf
from xdsl.dialects.builtin import IndexType
from xdsl.ir import Block, Operation, Region, SSAValue

from ..dialect.tile import SearchOp
from .loops_context import LoopContext


def lower_search(op: SearchOp, context: LoopContext) -> None:
    """Replace a search by a loop."""
    size = context.extents(op.source)[0]
    end = context.constant(size) if isinstance(size, int) else size
    index = IndexType()
    search = scf.WhileOp([context.constant(0), end], [index, index], Region(_test(op)), Region(_halve(op, context)))
    search.location = op.location
    found = search.res[0]
    found.name_hint = op.result.name_hint
    block = op.parent_block()
    assert block is not None
    block.insert_op_before(search, op)
    op.result.replace_all_uses_with(found)
    op.detach()
    op.erase()


def _range() -> Block:
    block = Block(arg_types=[IndexType(), IndexType()])
    for value, name in zip(block.args, ("first", "last"), strict=True):
        value.name_hint = name
    return block


def _test(op: SearchOp) -> Block:
    block = _range()
    first, last = block.args
    test = arith.CmpiOp(first, last, "slt")
    block.add_ops(_placed(op, test, scf.ConditionOp(test, first, last)))
    return block


def _halve(op: SearchOp, context: LoopContext) -> Block:
    block = _range()
    first, last = block.args
    total = arith.AddiOp(first, last)
    middle = arith.DivSIOp(total.result, context.constant(2))
    middle.result.name_hint = "middle"
    entry = memref.LoadOp.get(op.source, [middle.result])
    ops: list[Operation] = [total, middle, entry]
    value: SSAValue = entry.res
    if not isinstance(value.type, IndexType):
        cast = arith.IndexCastOp(value, IndexType())
        ops.append(cast)
        value = cast.result
    test = arith.CmpiOp(value, op.value, "sle")
    test.result.name_hint = "below"
    behind = arith.AddiOp(middle.result, context.constant(1))
    upper = arith.SelectOp(test.result, behind.result, first)
    lower = arith.SelectOp(test.result, last, middle.result)
    ops += [test, behind, upper, lower, scf.YieldOp(upper.result, lower.result)]
    block.add_ops(_placed(op, *ops))
    return block


def _placed(source: Operation, *ops: Operation) -> list[Operation]:
    for op in ops:
        op.location = source.location
    return list(ops)
