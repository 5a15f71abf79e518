"""The stores of the pass promote: copies behind a point loop of what it wrote."""

from xdsl.ir import BlockArgument, SSAValue
from xdsl.rewriter import Rewriter

from ..dialect.index_expr import Const, IndexExpr, Ref
from ..dialect.index_map import pack
from ..dialect.tile import ForeachOp, ReadOp, StoreRowsOp, WriteOp
from .promote_access import Access
from .promote_site import Site, start_of
from .stage_view import split_index


def store_rows(site: Site, access: Access) -> None:
    """Copy what a write of the loop wrote; one that only moves rows out of a buffer becomes the copy alone."""
    code = site.after.at(access.op)
    start = start_of(access, access.offset, code)
    rows = code.constant(1) if access.row_at is None else site.rows_value(code)
    moved = moved_rows(site.plan.points, access)
    if moved is None:
        source, row = _write_to_buffer(site, access), code.constant(0)
    else:
        source, row = moved[0], code.constant(moved[1])
        Rewriter.erase_op(access.op)
    code.add(StoreRowsOp(source, row, access.memref, start, access.row_at or 0, rows, site.width))


def moved_rows(points: ForeachOp, access: Access) -> tuple[SSAValue, int] | None:
    """Return (buffer, first row) where the written value is just read from a buffer at the same row and lane."""
    assert isinstance(access.op, WriteOp)
    read = access.op.value.owner
    if not isinstance(read, ReadOp) or isinstance(read.source, BlockArgument):
        return None
    match [split_index(e, tuple(read.operands_), points.dims) for e in read.indices.data]:
        case [(Const(first), (1, 0)), (Const(0), (0, 1))]:
            return read.source, first
        case _:
            return None


def _write_to_buffer(site: Site, access: Access) -> SSAValue:
    assert isinstance(access.op, WriteOp)
    buffer = site.allocate(access, "out", site.row_sizes(access, 0))
    row: IndexExpr = Const(0) if access.row_at is None and site.rows != 1 else Ref(0)
    new = WriteOp(access.op.value, buffer, *pack([row, Ref(1)], site.dims))
    new.location = access.op.location
    Rewriter.replace_op(access.op, new)
    return buffer
