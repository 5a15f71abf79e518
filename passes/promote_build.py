"""The builders of the pass promote."""

from dataclasses import dataclass

from xdsl.dialects import arith, memref
from xdsl.dialects.builtin import MemRefType
from xdsl.dialects.func import FuncOp
from xdsl.ir import Block, BlockArgument, Operation, SSAValue
from xdsl.rewriter import Rewriter

from ..dialect.diagnostics import Diagnostic
from ..dialect.index_expr import Const, IndexExpr, Ref
from ..dialect.index_map import pack
from ..dialect.tile import AllocOp, FillOp, ForeachOp, LoadRowsOp, ReadOp, StoreRowsOp, WriteOp
from ..dialect.tile.kernel import kernel_arguments
from .index_code import Code
from .promote_plan import Access, Group, PromotionPlan
from .stage_view import extent, split_index

SCALAR_PAD = 32
"""A row of scalars is this much longer than the tile, so that a copy rounded up to a block stays inside."""


@dataclass(frozen=True)
class Site:
    """Where the copies of one point loop go.

    Attributes:
        plan: the loop's plan.
        before: code in front of the loop.
        rows: number of rows of the loop.
        width: number of lanes of the loop.
        walking: the loop stands in the walk over the stream dim, so its buffers are doubled.
    """

    plan: PromotionPlan
    before: Code
    rows: SSAValue | int
    width: SSAValue
    walking: bool

    def rows_value(self, code: Code, more: int = 0) -> SSAValue:
        """Return the number of rows, plus a halo."""
        if isinstance(self.rows, int):
            return code.constant(self.rows + more)
        return code.expr(Ref(0) + more, [self.rows]) if more else self.rows


def build(plan: PromotionPlan) -> None:
    """Insert buffers and copies, and let the point loop work on them."""
    points = plan.points
    width = extent(points, len(points.dims) - 1)
    assert isinstance(width, SSAValue)
    block = points.parent_block()
    assert block is not None
    staging = Code(Block(), points.location)
    site = Site(plan, staging, extent(points, 0), width, plan.view.in_walk(points))
    for group in (*plan.scalars, *plan.loads):
        (_load_scalars if group in plan.scalars else _load_rows)(site, group)
    _move_before(staging.block, block, points)
    after = Code(Block(), points.location)
    for group in plan.stores:
        _store_rows(site, group, after)
    _move_after(after.block, block, points)
    if all(isinstance(op, ReadOp) for op in points.body.block.ops):
        Rewriter.erase_op(points)


def _move_before(source: Block, block: Block, at: Operation) -> None:
    for op in list(source.ops):
        op.detach()
        block.insert_op_before(op, at)


def _move_after(source: Block, block: Block, at: Operation) -> None:
    for op in reversed(list(source.ops)):
        op.detach()
        block.insert_op_after(op, at)


def _allocate(site: Site, group: Group, role: str, sizes: list[IndexExpr], operands: list[SSAValue]) -> SSAValue:
    suffix = "out" if role == "out" else "in"
    label = f"{group.first.memref.name_hint or 'x'}_{suffix}"
    memref_type = group.first.memref.type
    assert isinstance(memref_type, MemRefType)
    times = 2 if site.walking and role in ("in", "out") else 1
    alloc = AllocOp(label, role, *pack(sizes, operands), memref_type.element_type, times)
    alloc.location = group.first.op.location
    view = site.plan.view
    view.stage.body.block.insert_op_before(alloc, view.item_loop)
    return alloc.result


def _row_sizes(site: Site, span: int) -> tuple[list[IndexExpr], list[SSAValue]]:
    """Return rows x pitch of a buffer of the loop's rows."""
    view = site.plan.view
    if isinstance(site.rows, int):
        return [Const(site.rows + span), Ref(0)], [view.lane_tile]
    assert view.row_tile is not None
    return [Ref(0) + span, Ref(1)], [view.row_tile, view.lane_tile]


def _load_rows(site: Site, group: Group) -> None:
    fixed = group.first.row_at is None
    role = "in" if site.walking else "resident"
    sizes = ([Const(1), Ref(0)], [site.plan.view.lane_tile]) if fixed else _row_sizes(site, group.span)
    buffer = _allocate(site, group, role, list(sizes[0]), list(sizes[1]))
    code = site.before
    along = group.first.row_at or 0
    start = _start(group, code)
    wanted = code.constant(1) if fixed else site.rows_value(code, group.span)
    outside = next(
        (a.op.outside for a in group.accesses if isinstance(a.op, ReadOp) and a.op.outside is not None), None
    )
    zero = code.constant(0)
    if outside is None:
        code.add(LoadRowsOp(group.first.memref, start, along, buffer, zero, wanted, site.width))
    else:
        _load_inside(site, group, buffer, start, wanted, outside)
    lane = site.plan.points.dims[-1]
    row = site.plan.points.dims[0]
    for access in group.accesses:
        place = [Const(0), Ref(1)] if fixed else [Ref(0) + (access.offset - group.low), Ref(1)]
        _read_instead(access, buffer, place, [row, lane])


def _start(group: Group, code: Code) -> list[SSAValue]:
    """Return the place of the first element of the copy in the tensor."""
    first = group.first
    exprs = [e + group.low if n == first.row_at else e for n, e in enumerate(first.base)]
    return [code.expr(e, list(first.op.operands_)) for e in exprs]


def _inside(group: Group, start: SSAValue, wanted: SSAValue, code: Code) -> tuple[SSAValue | None, SSAValue, SSAValue]:
    """Return how many rows of the copy lie before the tensor (None: none can), inside it, and where the inside starts."""
    zero = code.constant(0)
    size = _size(group.first, code)
    lead = None
    if group.low < 0:
        lead = code.binary("min", code.binary("max", code.binary("-", zero, start), zero), wanted, "lead")
        start = code.binary("+", start, lead)
        wanted = code.binary("-", wanted, lead)
    left = code.binary("max", code.binary("-", size, start), zero)
    return lead, code.binary("min", left, wanted, "valid"), start


def _size(access: Access, code: Code) -> SSAValue:
    """Return the extent of the dim that the row counts."""
    source = access.memref
    assert isinstance(source, BlockArgument) and access.row_at is not None
    function = source.block.parent_op()
    assert isinstance(function, FuncOp)
    arguments = {a.name: a for a in kernel_arguments(function)}
    dims = next(a.dims for a in arguments.values() if a.value is source)
    dim = dims[access.row_at]
    return code.constant(dim) if isinstance(dim, int) else arguments[dim].value


def _load_inside(
    site: Site, group: Group, buffer: SSAValue, start: list[SSAValue], wanted: SSAValue, outside: SSAValue
) -> None:
    """Copy the rows inside the tensor and fill the others."""
    code = site.before
    along = group.first.row_at
    assert along is not None
    lead, valid, inside_start = _inside(group, start[along], wanted, code)
    start[along] = inside_start
    zero = code.constant(0)
    fill = _outside_value(outside, site, code)
    code.add(LoadRowsOp(group.first.memref, start, along, buffer, lead or zero, valid, site.width))
    after = valid if lead is None else code.binary("+", lead, valid)
    if lead is not None:
        code.add(FillOp("", [], buffer, zero, lead, site.width, [fill]))
    missing = code.binary("-", wanted, after, "missing")
    code.add(FillOp("", [], buffer, after, missing, site.width, [fill]))


def _outside_value(outside: SSAValue, site: Site, code: Code) -> SSAValue:
    """Return the `else` in front of the loop: constants that stand in it are cloned."""
    owner = outside.owner
    if isinstance(owner, arith.ConstantOp) and owner.parent_block() is site.plan.points.body.block:
        return code.add(owner.clone()).result
    return outside


def _load_scalars(site: Site, group: Group) -> None:
    view = site.plan.view
    sizes: tuple[list[IndexExpr], list[SSAValue]]
    if isinstance(site.rows, int):
        sizes = [Const(1), Const(site.rows + group.span + SCALAR_PAD)], []
    else:
        assert view.row_tile is not None
        sizes = [Const(1), Ref(0) + (group.span + SCALAR_PAD)], [view.row_tile]
    buffer = _allocate(site, group, "scalars", *sizes)
    code = site.before
    start = _start(group, code)
    wanted = site.rows_value(code, group.span)
    along = len(group.first.base) - 1
    outside = next(
        (a.op.outside for a in group.accesses if isinstance(a.op, ReadOp) and a.op.outside is not None), None
    )
    zero, one = code.constant(0), code.constant(1)
    if outside is None:
        code.add(LoadRowsOp(group.first.memref, start, along, buffer, zero, one, wanted))
    else:
        lead, valid, start[along] = _inside(group, start[along], wanted, code)
        if lead is not None:
            raise Diagnostic("OPW344", "scalars before the start of a tensor cannot be promoted yet", group.first.op)
        code.add(LoadRowsOp(group.first.memref, start, along, buffer, zero, one, valid))
        fill = _outside_value(outside, site, code)
        with code.loop(valid, wanted, one, "q") as (body, q):
            body.add(memref.StoreOp.get(fill, buffer, [zero, q]))
    for access in group.accesses:
        _read_instead(access, buffer, [Const(0), Ref(0) + (access.offset - group.low)], [site.plan.points.dims[0]])


def _read_instead(access: Access, buffer: SSAValue, place: list[IndexExpr], operands: list[SSAValue]) -> None:
    assert isinstance(access.op, ReadOp)
    read = ReadOp(buffer, *pack(place, operands))
    read.location = access.op.location
    read.result.name_hint = access.op.result.name_hint
    Rewriter.replace_op(access.op, read)


def _store_rows(site: Site, group: Group, after: Code) -> None:
    """Copy what the loop wrote; a loop that only moves rows out of a buffer becomes the copy alone."""
    for access in group.accesses:
        assert isinstance(access.op, WriteOp)
        single = Group((access,), access.offset, access.offset)
        start = _start(single, after)
        along = access.row_at or 0
        rows = after.constant(1) if access.row_at is None else site.rows_value(after)
        moved = _moved_rows(access, site.plan.points)
        if moved is None:
            source, row = _write_to_buffer(site, single), after.constant(0)
        else:
            source, row = moved[0], after.constant(moved[1])
            Rewriter.erase_op(access.op)
        after.add(StoreRowsOp(source, row, access.memref, start, along, rows, site.width))


def _moved_rows(access: Access, points: ForeachOp) -> tuple[SSAValue, int] | None:
    """Return (buffer, first row) where the written value is just read from a buffer at the same row and lane."""
    assert isinstance(access.op, WriteOp)
    read = access.op.value.owner
    if not isinstance(read, ReadOp) or isinstance(read.source, BlockArgument):
        return None
    row, lane = points.dims[0], points.dims[-1]
    splits = [split_index(e, tuple(read.operands_), (row, lane)) for e in read.indices.data]
    match splits:
        case [(Const(first), (1, 0)), (Const(0), (0, 1))]:
            return read.source, first
        case _:
            return None


def _write_to_buffer(site: Site, group: Group) -> SSAValue:
    write = group.first.op
    assert isinstance(write, WriteOp)
    fixed = group.first.row_at is None
    sizes = ([Const(1), Ref(0)], [site.plan.view.lane_tile]) if fixed else _row_sizes(site, 0)
    buffer = _allocate(site, group, "out", list(sizes[0]), list(sizes[1]))
    row, lane = site.plan.points.dims[0], site.plan.points.dims[-1]
    place = [Const(0), Ref(1)] if fixed and site.rows != 1 else [Ref(0), Ref(1)]
    new = WriteOp(write.value, buffer, *pack(place, [row, lane]))
    new.location = write.location
    Rewriter.replace_op(write, new)
    return buffer
