"""Row instructions that select lanes, and the places of true elements, as loops.

What is selected goes to the place that the loop counts:

    scf.for %e = %c0 to %width step %c1 iter_args(%n = %c0) -> (index) {
      %m = memref.load %mask[%row, %e] : memref<?x?xi8>
      %true = arith.cmpi ne, %m, %zero : i8
      %room = arith.cmpi slt, %n, %count : index
      %keep = arith.andi %true, %room : i1
      scf.if %keep { memref.store %place, %list[%row, %n] : memref<?x?xi32> }
      %more = arith.addi %n, %c1 : index
      %next = arith.select %true, %more, %n : index
      scf.yield %next : index
    }
"""

from collections.abc import Callable

from xdsl.dialects import arith, memref, scf
from xdsl.dialects.builtin import AnyFloat, IndexType, UnitAttr, f32, i8
from xdsl.ir import Block, Operation, Region, SSAValue
from xdsl.rewriter import InsertPoint, Rewriter

from ..dialect.tile import CompressOp, IotaOp, NonzeroOp, PositionsOp
from .index_code import Code
from .loops_context import LoopContext
from .loops_nest import LANES
from .loops_rows import RowLoops, element_type
from .loops_scalars import NARROW

BYTE = 8
NOWHERE = -1

Test = Callable[[Code, SSAValue], SSAValue]
"""Appends the test of a lane."""

Store = Callable[[Code, SSAValue, SSAValue], None]
"""Appends what happens to a lane that was selected, given the number of those before it."""


def lower_iota(op: IotaOp, context: LoopContext) -> None:
    """Replace the numbers of lanes by loops."""
    loops = RowLoops(op, op.rows, op.width, context)
    number = loops.insert(arith.IndexCastOp(loops.element, element_type(op.target)))
    loops.store(number, op.target, [loops.plus(op.row, loops.row), loops.element])
    op.detach()
    op.erase()


def lower_nonzero(op: NonzeroOp, context: LoopContext) -> None:
    """Replace the tests of all lanes by loops over rows and bytes."""
    code, zero, one = Code(Block(), op.location), context.constant(0), context.constant(1)
    source, start, step = op.source_list[0]
    bytes_ = code.binary("div", op.width, context.constant(BYTE), "bytes")
    with code.loop(zero, op.rows, one, "r") as (rows, row):
        from_row = rows.binary("+", start, row) if step else start
        to_row = rows.binary("+", op.row, row)
        with rows.loop(zero, bytes_, one, "byte") as (body, number):
            first = body.binary("*", number, context.constant(BYTE))
            bits = [_bit(source, from_row, first, n, body, context) for n in range(BYTE)]
            value = bits[0]
            for bit in bits[1:]:
                value = body.add(arith.OrIOp(value, bit)).result
            body.add(memref.StoreOp.get(value, op.target, [to_row, number]))
        _mark_lanes(rows)
    _replace(op, code)


def _bit(source: SSAValue, row: SSAValue, first: SSAValue, number: int, code: Code, context: LoopContext) -> SSAValue:
    """Append the bit of lane number `number` of a byte, in its place."""
    lane = code.binary("+", first, context.constant(number)) if number else first
    value = code.add(memref.LoadOp.get(source, [row, lane])).res
    bit = code.add(arith.ExtUIOp(_is_nonzero(value, code), i8)).result
    return code.add(arith.ShLIOp(bit, code.scalar(i8, number))).result if number else bit


def _is_nonzero(value: SSAValue, code: Code) -> SSAValue:
    if value.type in NARROW:
        value = code.add(arith.ExtFOp(value, f32)).result
    zero = code.scalar(value.type, 0)
    test = arith.CmpfOp(value, zero, "une") if isinstance(value.type, AnyFloat) else arith.CmpiOp(value, zero, "ne")
    return code.add(test).result


def lower_compress(op: CompressOp, context: LoopContext) -> None:
    """Replace the packing of selected lanes by a loop over rows with one over lanes."""
    code = Code(Block(), op.location)
    (source, source_row, step), (bits, bits_row, bits_step) = op.source_list
    with code.loop(context.constant(0), op.rows, context.constant(1), "r") as (rows, row):
        from_row = rows.binary("+", source_row, row) if step else source_row
        bit_row = rows.binary("+", bits_row, row) if bits_step else bits_row
        to_row = rows.binary("+", op.row, row)

        def test(body: Code, lane: SSAValue) -> SSAValue:
            eight = context.constant(BYTE)
            byte = body.add(memref.LoadOp.get(bits, [bit_row, body.binary("div", lane, eight)])).res
            place = body.add(arith.IndexCastOp(body.binary("mod", lane, eight), i8)).result
            moved = body.add(arith.ShRUIOp(byte, place)).result
            return _is_nonzero(body.add(arith.AndIOp(moved, body.scalar(i8, 1))).result, body)

        def store(body: Code, lane: SSAValue, number: SSAValue) -> None:
            value = body.add(memref.LoadOp.get(source, [from_row, lane])).res
            body.add(memref.StoreOp.get(value, op.target, [to_row, number]))

        _count(rows, context, op.width, None, test, store)
    _replace(op, code)


def lower_positions(op: PositionsOp, context: LoopContext) -> None:
    """Replace the search for true elements by a loop over rows: -1 everywhere, then one loop over a row's elements."""
    code, zero, one = Code(Block(), op.location), context.constant(0), context.constant(1)
    element = element_type(op.target)
    nowhere = code.scalar(element, NOWHERE)
    with code.loop(zero, op.rows, one, "r") as (rows, row):
        outer, first = list(op.start[:-1]), op.start[-1] if op.start else None
        leading = [*outer, *([] if first is None else [rows.binary("+", first, row)])]
        with rows.loop(zero, op.count, one, "s") as (body, number):
            body.add(memref.StoreOp.get(nowhere, op.target, [*leading, number]))
        _mark_lanes(rows)

        def test(body: Code, lane: SSAValue) -> SSAValue:
            return _is_nonzero(body.add(memref.LoadOp.get(op.source, [*leading, lane])).res, body)

        def store(body: Code, lane: SSAValue, number: SSAValue) -> None:
            place = body.add(arith.IndexCastOp(lane, element)).result
            body.add(memref.StoreOp.get(place, op.target, [*leading, number]))

        _count(rows, context, op.width, op.count, test, store)
    _replace(op, code)


def _count(code: Code, context: LoopContext, width: SSAValue, most: SSAValue | None, test: Test, store: Store) -> None:
    """Append a loop over lanes that stores those which pass a test, at most `most` of them, and counts them."""
    zero, one = context.constant(0), context.constant(1)
    block = Block(arg_types=[IndexType(), IndexType()])
    lane, number = block.args
    lane.name_hint, number.name_hint = "e", "n"
    body = Code(block, code.location)
    found = keep = test(body, lane)
    if most is not None:
        room = body.add(arith.CmpiOp(number, most, "slt")).result
        keep = body.add(arith.AndIOp(found, room)).result
    with body.when(keep) as branch:
        store(branch, lane, number)
    more = body.binary("+", number, one)
    body.add(scf.YieldOp(body.add(arith.SelectOp(found, more, number)).result))
    code.add(scf.ForOp(zero, width, one, [zero], Region(block)))


def _mark_lanes(code: Code) -> None:
    """Say that the iterations of the last loop are independent."""
    loop = code.block.last_op
    assert loop is not None
    loop.attributes[LANES] = UnitAttr()


def _replace(op: Operation, code: Code) -> None:
    Rewriter.inline_block(code.block, InsertPoint.before(op))
    Rewriter.erase_op(op)
