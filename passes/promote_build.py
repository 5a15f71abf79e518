"""The builders of the pass promote."""

from xdsl.ir import Block, Operation, SSAValue
from xdsl.rewriter import Rewriter

from ..dialect.tile import ForeachOp, ReadOp
from .index_code import Code
from .promote_loads import load_rows, load_scalars
from .promote_plan import PromotionPlan
from .promote_site import Site
from .promote_stores import store_rows
from .stage_view import extent


def build(plan: PromotionPlan) -> None:
    """Insert buffers and copies, and let the point loop work on them."""
    points = plan.points
    width = extent(points, len(points.dims) - 1)
    assert isinstance(width, SSAValue)
    block = points.parent_block()
    assert block is not None
    before, after = Code(Block(), points.location), Code(Block(), points.location)
    site = Site(plan, before, after, extent(points, 0), width, plan.view.in_walk(points))
    for group in plan.scalars:
        load_scalars(site, group)
    for group in plan.loads:
        load_rows(site, group)
    for access in plan.stores:
        store_rows(site, access)
    _move_before(before.block, block, points)
    _move_after(after.block, block, points)
    erase_if_moved(points)


def erase_if_moved(points: ForeachOp) -> None:
    """Erase a loop whose writes all became copies."""
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
