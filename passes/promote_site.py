"""Where the copies of a point loop go, and the buffers between."""

from collections.abc import Sequence
from dataclasses import dataclass

from xdsl.dialects.builtin import MemRefType
from xdsl.ir import Attribute, SSAValue
from xdsl.utils.hints import isa

from ..dialect.index_expr import Const, IndexExpr, Ref
from ..dialect.index_map import pack
from ..dialect.tile import AllocOp
from .index_code import Code
from .promote_access import Access
from .promote_plan import PromotionPlan

Sizes = tuple[Sequence[IndexExpr], Sequence[SSAValue]]
"""Rows x pitch of a buffer, and the values that the refs stand for."""


@dataclass(frozen=True)
class Site:
    """Where the copies of one point loop go.

    Attributes:
        plan: the loop's plan.
        before, after: code in front of the loop and behind it.
        rows: number of rows of the loop.
        width: number of lanes of the loop.
        walking: the loop stands in the walk over the stream dim, so its buffers are doubled.
    """

    plan: PromotionPlan
    before: Code
    after: Code
    rows: SSAValue | int
    width: SSAValue
    walking: bool

    @property
    def dims(self) -> list[SSAValue]:
        """Return the row and the lane of the loop."""
        return list(self.plan.points.dims)

    def rows_value(self, code: Code, more: int = 0) -> SSAValue:
        """Return the number of rows, plus a halo."""
        if isinstance(self.rows, int):
            return code.constant(self.rows + more)
        return code.expr(Ref(0) + more, [self.rows], "wanted") if more else self.rows

    def row_sizes(self, access: Access, span: int) -> Sizes:
        """Return the size of a buffer of the loop's rows and `span` more, or of one row if the access names no row."""
        view = self.plan.view
        if access.row_at is None:
            return [Const(1), Ref(0)], [view.lane_tile]
        rows, values = self.tile_rows(span)
        return [rows, Ref(len(values))], [*values, view.lane_tile]

    def tile_rows(self, span: int) -> tuple[IndexExpr, list[SSAValue]]:
        """Return how many rows a tile of the loop has at most, plus `span`."""
        if isinstance(self.rows, int):
            return Const(self.rows + span), []
        assert self.plan.view.row_tile is not None
        return Ref(0) + span, [self.plan.view.row_tile]

    def allocate(self, access: Access, role: str, sizes: Sizes) -> SSAValue:
        """Reserve a buffer for an access at the start of the stage."""
        label = f"{access.memref.name_hint or 'x'}_{'out' if role == 'out' else 'in'}"
        memref_type = access.memref.type
        assert isa(memref_type, MemRefType[Attribute])
        times = 2 if self.walking and role in ("in", "out") else 1
        alloc = AllocOp(label, role, *pack(*sizes), memref_type.element_type, times)
        alloc.location = access.op.location
        view = self.plan.view
        view.stage.body.block.insert_op_before(alloc, view.item_loop)
        return alloc.result


def start_of(access: Access, offset: int, code: Code) -> list[SSAValue]:
    """Return the place of the first element of a copy in the tensor, `offset` rows from the tile's start."""
    exprs = [e + offset if n == access.row_at else e for n, e in enumerate(access.base)]
    return [code.expr(e, access.op.operands_) for e in exprs]
