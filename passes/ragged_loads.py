"""The copies of a point loop of a ragged stage."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from xdsl.dialects import arith
from xdsl.dialects.builtin import MemRefType
from xdsl.dialects.func import FuncOp
from xdsl.ir import Attribute, Block, Operation, SSAValue
from xdsl.rewriter import Rewriter
from xdsl.utils.hints import isa

from ..dialect.index_expr import Const, IndexExpr, Ref
from ..dialect.index_map import pack
from ..dialect.tile import AllocOp, CoresOp, FillOp, LoadRowsOp, ReadOp, StoreRowsOp, WriteOp
from .index_code import Code
from .promote_access import Access
from .promote_borders import Lanes, Rows, lane_shift, load_bordered
from .promote_ranges import Ranges
from .promote_site import start_of
from .promote_stores import moved_rows
from .ragged_home import Nesting, index_stays_inside
from .stage_view import extent
from .tile_bounds import Packed, TileBounds, packed_sizes


@dataclass(frozen=True)
class RaggedSite:
    """A point loop of a ragged stage, and where its buffers and copies go.

    Attributes:
        stage: the stage.
        nesting: the loop and the blocks around it.
        bounds: the most rows and lanes it has.
        ranges: proofs about places in tensors.
    """

    stage: CoresOp
    nesting: Nesting
    bounds: TileBounds
    ranges: Ranges

    @cached_property
    def globals(self) -> set[SSAValue]:
        """Return the tensors in global memory."""
        return global_tensors(self.stage)

    def allocate(self, access: Access, suffix: str, role: str, sizes: Packed, times: int = 1) -> SSAValue:
        """Reserve a buffer for an access at the start of the stage."""
        alloc = AllocOp(label_of(access, suffix), role, *sizes, element_type(access), times)
        alloc.location = access.op.location
        item_loop = self.nesting.item.parent_op()
        assert item_loop is not None
        self.stage.body.block.insert_op_before(alloc, item_loop)
        return alloc.result

    def count(self, dim: int, code: Code) -> SSAValue:
        """Return the number of rows (0) or lanes (1) of the loop."""
        found = extent(self.nesting.points, dim)
        return code.constant(found) if isinstance(found, int) else found

    def code(self, access: Access) -> Code:
        """Return code for an access that is still to be placed."""
        return Code(Block(), access.op.location)


def global_tensors(stage: CoresOp) -> set[SSAValue]:
    """Return the tensors in global memory of the kernel that a stage stands in."""
    function = stage.parent_op()
    assert isinstance(function, FuncOp)
    return {a for a in function.body.block.args if isinstance(a.type, MemRefType)}


def place_before(code: Code, at: Operation) -> None:
    """Put code in front of an operation."""
    block = at.parent_block()
    assert block is not None
    for op in list(code.block.ops):
        op.detach()
        block.insert_op_before(op, at)


def element_type(access: Access) -> Attribute:
    """Return the element type of an access."""
    kind = access.memref.type
    assert isa(kind, MemRefType[Attribute])
    return kind.element_type


def label_of(access: Access, suffix: str) -> str:
    """Return the name of a buffer for an access."""
    return f"{access.memref.name_hint or 'x'}_{suffix}"


def load_plain(site: RaggedSite, group: Sequence[Access], block: Block) -> None:
    """Copy rows of lanes in a block where their place is known; fill them where they lie outside the tensor."""
    first, code = group[0], site.code(group[0])
    by_row = first.row_at is not None
    rows = site.bounds.rows if by_row else 1
    times = 2 if block is not site.nesting.item else 1
    role = "in" if times == 2 else "resident"
    buffer = site.allocate(first, "in", role, packed_sizes(rows, site.bounds.lanes), times)
    wanted = site.count(0, code) if by_row else code.constant(1)
    unsure = _unsure(site, first)
    inside = _inside(site, first, unsure, code)
    start, zero, width = start_of(first, first.offset, code), code.constant(0), site.count(1, code)
    valid = wanted
    if inside is not None:
        valid = code.add(arith.SelectOp(inside, wanted, zero), "valid").result
        for position in unsure:
            start[position] = code.add(arith.SelectOp(inside, start[position], zero)).result
    shift = lane_shift(first, site.nesting.points, site.ranges)
    if shift:
        size = site.ranges.size(first.memref, len(start) - 1)
        lanes = Lanes.build(shift, start[-1], width, size, code)
        copy, beyond = (first.memref, start, first.row_at or 0), (_outside(first, site, code), width)
        load_bordered(copy, Rows(buffer, zero, valid), lanes, beyond, code)
    else:
        code.add(LoadRowsOp(first.memref, start, first.row_at or 0, buffer, zero, valid, width))
    if inside is not None:
        missing = code.binary("-", wanted, valid, "missing")
        code.add(FillOp("", [], buffer, valid, missing, width, [_outside(first, site, code)]))
    place_before(code, site.nesting.holder(block))
    row, lane = site.nesting.points.dims
    for access in group:
        replace_read(access, buffer, [Ref(0) if by_row else Const(0), Ref(1)], [row, lane])


def _unsure(site: RaggedSite, access: Access) -> list[int]:
    """Return the positions of the fixed indices of a read with an `else` that may lie outside of the tensor."""
    points, ranges = site.nesting.points, site.ranges
    fixed = [n for n in range(len(access.base)) if n != access.lane_at] if access.outside is not None else []
    return [n for n in fixed if not index_stays_inside(access, n, points, ranges)]


def _inside(site: RaggedSite, access: Access, positions: Sequence[int], code: Code) -> SSAValue | None:
    """Append the test that some indices of a read lie in the tensor; None where there are none."""
    found: SSAValue | None = None
    for position in positions:
        index = code.expr(access.base[position], access.op.operands_)
        size = site.ranges.size(access.memref, position)
        limit = code.constant(size) if isinstance(size, int) else size
        low = code.add(arith.CmpiOp(index, code.constant(0), "sge")).result
        high = code.add(arith.CmpiOp(index, limit, "slt")).result
        both = code.add(arith.AndIOp(low, high)).result
        found = both if found is None else code.add(arith.AndIOp(found, both)).result
    return found


def _outside(access: Access, site: RaggedSite, code: Code) -> SSAValue:
    assert access.outside is not None
    owner = access.outside.owner
    if isinstance(owner, arith.ConstantOp) and owner.parent_block() is site.nesting.points.body.block:
        return code.add(owner.clone()).result
    return access.outside


def load_row_of_scalars(site: RaggedSite, group: Sequence[Access], block: Block) -> None:
    """Copy a scalar a row in a block where their place is known."""
    first, code = group[0], site.code(group[0])
    role, times = ("resident", 1) if block is site.nesting.item else ("in", 2)
    sizes = packed_sizes(1, site.bounds.rows)
    buffer = site.allocate(first, "in", role, sizes, times)
    zero, one = code.constant(0), code.constant(1)
    start = start_of(first, first.offset, code)
    code.add(LoadRowsOp(first.memref, start, len(first.base) - 1, buffer, zero, one, site.count(0, code)))
    place_before(code, site.nesting.holder(block))
    row = site.nesting.points.dims[0]
    for access in group:
        replace_read(access, buffer, [Const(0), Ref(0)], [row])


def load_resident(site: RaggedSite, group: Sequence[Access], moving: int) -> None:
    """Copy the scalars of a row for all elements along an index that moves inside an item, once an item."""
    first, code = group[0], site.code(group[0])
    size = site.ranges.size(first.memref, moving)
    sizes = packed_sizes(size, site.bounds.rows)
    buffer = site.allocate(first, "in", "resident", sizes)
    every = code.constant(size) if isinstance(size, int) else size
    zero = code.constant(0)
    base = [Const(0) if n == moving else e for n, e in enumerate(first.base)]
    start = [code.expr(e + (first.offset if n == first.row_at else 0), first.op.operands_) for n, e in enumerate(base)]
    code.add(LoadRowsOp(first.memref, start, moving, buffer, zero, every, site.count(0, code)))
    place_before(code, site.nesting.holder(site.nesting.item))
    row = site.nesting.points.dims[0]
    for access in group:
        operands = [*access.op.operands_, row]
        replace_read(access, buffer, [access.base[moving], Ref(len(operands) - 1)], operands)


def replace_read(access: Access, buffer: SSAValue, place: list[IndexExpr], operands: Sequence[SSAValue]) -> None:
    """Let a read take its element from a buffer."""
    assert isinstance(access.op, ReadOp)
    read = ReadOp(buffer, *pack(place, operands))
    read.location = access.op.location
    read.result.name_hint = access.op.result.name_hint
    Rewriter.replace_op(access.op, read)


def store(site: RaggedSite, access: Access) -> None:
    """Copy out what a write of the loop wrote; one that only moves rows out of a buffer becomes the copy alone."""
    points = site.nesting.points
    code = site.code(access)
    start = start_of(access, access.offset, code)
    rows = code.constant(1) if access.row_at is None else site.count(0, code)
    moved = moved_rows(points, access)
    if moved is None:
        source, row = _write_to_buffer(site, access), code.constant(0)
    else:
        source, row = moved[0], code.constant(moved[1])
        Rewriter.erase_op(access.op)
    code.add(StoreRowsOp(source, row, access.memref, start, access.row_at or 0, rows, site.count(1, code)))
    block = points.parent_block()
    assert block is not None
    for op in reversed(list(code.block.ops)):
        op.detach()
        block.insert_op_after(op, points)


def _write_to_buffer(site: RaggedSite, access: Access) -> SSAValue:
    assert isinstance(access.op, WriteOp)
    by_row = access.row_at is not None
    sizes = packed_sizes(site.bounds.rows if by_row else 1, site.bounds.lanes)
    times = 2 if site.nesting.points.parent_block() is not site.nesting.item else 1
    buffer = site.allocate(access, "out", "out", sizes, times)
    row: IndexExpr = Ref(0) if by_row or extent(site.nesting.points, 0) == 1 else Const(0)
    new = WriteOp(access.op.value, buffer, *pack([row, Ref(1)], list(site.nesting.points.dims)))
    new.location = access.op.location
    Rewriter.replace_op(access.op, new)
    return buffer
