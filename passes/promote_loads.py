"""The loads of the pass promote: copies in front of a point loop, and fills for what lies outside the tensor."""

from dataclasses import dataclass

from xdsl.dialects import arith, memref
from xdsl.ir import SSAValue
from xdsl.rewriter import Rewriter

from ..dialect.index_expr import Const, IndexExpr, Ref
from ..dialect.index_map import pack
from ..dialect.tile import FillOp, LoadRowsOp, ReadOp
from .index_code import Code
from .promote_access import Access
from .promote_borders import Lanes, Rows, load_bordered
from .promote_plan import Group
from .promote_site import Site, start_of

SCALAR_PAD = 32
"""A row of scalars is this much longer than the tile, so that a copy rounded up to a block stays inside."""


@dataclass(frozen=True)
class Inside:
    """The rows of a copy that lie in the tensor.

    Attributes:
        lead: how many rows come before the tensor, or None where there are none.
        valid: how many lie in it.
        start: the first of them.
    """

    lead: SSAValue | None
    valid: SSAValue
    start: SSAValue

    @staticmethod
    def build(group: Group, start: SSAValue, wanted: SSAValue, code: Code) -> "Inside":
        """Append the arithmetic for `wanted` rows from `start` on."""
        zero = code.constant(0)
        size = code.constant(group.size) if isinstance(group.size, int) else group.size
        lead = None
        if group.leads:
            lead = code.binary("min", code.binary("max", code.binary("-", zero, start), zero), wanted, "lead")
            start = code.binary("+", start, lead)
            wanted = code.binary("-", wanted, lead)
        left = code.binary("max", code.binary("-", size, start), zero)
        return Inside(lead, code.binary("min", left, wanted, "valid"), start)


def load_rows(site: Site, group: Group) -> None:
    """Copy rows of lanes; fill those outside the tensor."""
    first, code = group.first, site.before.at(group.first.op)
    role = "in" if site.walking else "resident"
    buffer = site.allocate(first, role, site.row_sizes(first, group.span))
    start = start_of(first, group.low, code)
    wanted = code.constant(1) if first.row_at is None else site.rows_value(code, group.span)
    if group.outside is None:
        zero = code.constant(0)
        code.add(LoadRowsOp(first.memref, start, first.row_at or 0, buffer, zero, wanted, site.width))
    else:
        _load_inside(site, group, buffer, start, wanted)
    for access in group.accesses:
        row: IndexExpr = Const(0) if first.row_at is None else Ref(0) + (access.offset - group.low)
        _read_instead(access, buffer, [row, Ref(1)], site.dims)


def _load_inside(site: Site, group: Group, buffer: SSAValue, start: list[SSAValue], wanted: SSAValue) -> None:
    """Copy the rows inside the tensor and fill the others; lanes outside are a border of the copy."""
    code, along = site.before.at(group.first.op), group.first.row_at
    fill, zero = _outside_value(site, group), code.constant(0)
    inside = Inside(None, wanted, zero)
    if along is not None:
        inside = Inside.build(group, start[along], wanted, code)
        start[along] = inside.start
    copy, rows = (group.first.memref, start, along or 0), Rows(buffer, inside.lead or zero, inside.valid)
    if group.shift:
        lanes = Lanes.build(group.shift, start[-1], site.width, group.length, code)
        load_bordered(copy, rows, lanes, (fill, site.width), code)
    else:
        code.add(LoadRowsOp(*copy, rows.buffer, rows.first, rows.count, site.width))
    if along is None:
        return
    after = inside.valid
    if inside.lead is not None:
        after = code.binary("+", inside.lead, inside.valid)
        code.add(FillOp("", [], buffer, zero, inside.lead, site.width, [fill]))
    missing = code.binary("-", wanted, after, "missing")
    code.add(FillOp("", [], buffer, after, missing, site.width, [fill]))


def _outside_value(site: Site, group: Group) -> SSAValue:
    """Return the `else` in front of the loop: constants that stand in it are cloned."""
    assert group.outside is not None
    owner = group.outside.owner
    if isinstance(owner, arith.ConstantOp) and owner.parent_block() is site.plan.points.body.block:
        return site.before.at(group.first.op).add(owner.clone()).result
    return group.outside


def load_scalars(site: Site, group: Group) -> None:
    """Copy a scalar a row; store the `else` to those outside the tensor."""
    first, code = group.first, site.before.at(group.first.op)
    length, values = site.tile_rows(group.span + SCALAR_PAD)
    buffer = site.allocate(first, "scalars", ([Const(1), length], values))
    start = start_of(first, group.low, code)
    wanted = site.rows_value(code, group.span)
    along = len(first.base) - 1
    zero, one = code.constant(0), code.constant(1)
    valid = wanted
    if group.outside is not None:
        inside = Inside.build(group, start[along], wanted, code)
        start[along], valid = inside.start, inside.valid
    code.add(LoadRowsOp(first.memref, start, along, buffer, zero, one, valid))
    if group.outside is not None:
        fill = _outside_value(site, group)
        with code.loop(valid, wanted, one, "q") as (body, q):
            body.add(memref.StoreOp.get(fill, buffer, [zero, q]))
    for access in group.accesses:
        _read_instead(access, buffer, [Const(0), Ref(0) + (access.offset - group.low)], site.dims)


def _read_instead(access: Access, buffer: SSAValue, place: list[IndexExpr], operands: list[SSAValue]) -> None:
    assert isinstance(access.op, ReadOp)
    read = ReadOp(buffer, *pack(place, operands))
    read.location = access.op.location
    read.result.name_hint = access.op.result.name_hint
    Rewriter.replace_op(access.op, read)
