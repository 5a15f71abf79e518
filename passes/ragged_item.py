"""The body of one item of a ragged stage: loops, scalars beside them, and a point loop for each group of writes."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from xdsl.ir import Block, Operation, SSAValue

from ..dialect.spec import EachOp, WriteOp
from ..dialect.spec.nests import Nest
from .index_code import Code
from .ragged_guards import append_guard
from .ragged_plan import RaggedPlan
from .ragged_points import PointGroup, append_points, append_zeros
from .ragged_sums_build import SumBuffers, clear, finish
from .scalar_code import append_operation
from .scatter_build import number_of, owns
from .scatter_plan import Scatter
from .spec_scope import Scope, nest_bounds

Fill = Callable[[Code], None]


@dataclass(frozen=True)
class RaggedItem:
    """What an item of a ragged stage knows.

    Attributes:
        plan: the stage's plan.
        lanes: first lane and number of lanes.
        rows: first row and number of rows, or None where a tile has one row.
        buffers: the accumulators of each sum.
        owners: the workspaces with the owners of scattered places, by name.
        strip: the lanes that a point loop takes at once; None for all of the item.
    """

    plan: RaggedPlan
    lanes: tuple[SSAValue, SSAValue]
    rows: tuple[SSAValue, SSAValue | int] | None
    buffers: Sequence[SumBuffers]
    owners: Mapping[str, SSAValue]
    strip: SSAValue | None = None

    @property
    def tiled(self) -> set[SSAValue]:
        """Return the loop variables that a point loop runs over."""
        dims = self.plan.compute.dims
        return {dims[self.plan.lane], *([] if self.plan.row is None else [dims[self.plan.row]])}


def build_item(item: RaggedItem, scope: Scope, code: Code) -> None:
    """Fill the body of the loop over items."""
    _walk(item, 0, scope, code)


def _walk(item: RaggedItem, depth: int, scope: Scope, code: Code) -> None:
    """Append what stands inside `depth` of the walked dims: accumulators around the next loop, or the body."""
    own = [b for b in item.buffers if b.plan.depth == depth]
    for buffers in own:
        clear(item, buffers, scope, code.at(buffers.plan.write))
    if depth == len(item.plan.walk):
        _Body(item, scope, code).block(item.plan.compute.body.block)
    else:
        position = item.plan.walk[depth]
        with_loop(item.plan.compute, position, scope, code, lambda inner: _walk(item, depth + 1, scope, inner))
    for buffers in own:
        finish(item, buffers, scope, code.at(buffers.plan.write))


def with_loop(nest: Nest, position: int, scope: Scope, code: Code, fill: Fill) -> None:
    """Append a loop over one dim of a nest."""
    dim = nest.dims[position]
    name = dim.name_hint or "i"
    lower, upper = (
        code.fold(kind, [code.expr(e, operands) for e in exprs], f"{name}_{end}")
        for kind, end, (exprs, operands) in (
            ("max", "begin", nest_bounds(nest, nest.lower, [position], scope)[0]),
            ("min", "end", nest_bounds(nest, nest.upper, [position], scope)[0]),
        )
    )
    with code.loop(lower, upper, code.constant(1), name) as (body, index):
        scope.values[dim] = index
        fill(body)


@dataclass
class _Body:
    """Appends the operations of a body: scalars at once, what differs from point to point when a write needs it.

    Attributes:
        item: the item.
        scope: what the values of the compute are.
        code: where to append.
        scalars: the operations so far that are the same for all points, those of the nests around included.
        points: the operations that differ from point to point, those of the nests around included.
        varying: their results, and the loop variables of the points.
    """

    item: RaggedItem
    scope: Scope
    code: Code
    scalars: list[Operation] = field(default_factory=list[Operation])
    points: list[Operation] = field(default_factory=list[Operation])
    varying: set[SSAValue] = field(default_factory=set[SSAValue])

    def block(self, block: Block) -> None:
        """Append the operations of a block."""
        varying = self.varying or self.item.tiled
        inner = _Body(self.item, self.scope, self.code, list(self.scalars), list(self.points), set(varying))
        writes: list[WriteOp] = []
        for op in block.ops:
            if isinstance(op, EachOp):
                inner._flush(writes)
                inner._each(op, 0)
            elif isinstance(op, WriteOp):
                writes.append(op)
            elif any(operand in inner.varying for operand in op.operands):
                inner.points.append(op)
                inner.varying.update(op.results)
            else:
                inner.scalars.append(op)
                append_operation(op, inner.scope, inner.code.at(op))
        inner._flush(writes)

    def _each(self, op: EachOp, position: int) -> None:
        if position == len(op.dims):
            _Body(self.item, self.scope, self.code, self.scalars, self.points, self.varying).block(op.body.block)
            return
        outer = self.code

        def fill(inner: Code) -> None:
            self.code = inner
            self._each(op, position + 1)
            self.code = outer

        with_loop(op, position, self.scope, outer, fill)

    def _flush(self, writes: list[WriteOp]) -> None:
        """Append the point loops of the writes so far, those under one condition together."""
        while writes:
            guard, scatter = writes[0].guard, self._scatter(writes[0])
            group = [w for w in writes if w.guard is guard and self._scatter(w) is scatter]
            writes[:] = [w for w in writes if w not in group]
            ops = (tuple(self.scalars), tuple(self.points))
            points = PointGroup(self.item, tuple(group), *ops, frozenset(self.varying))
            fixed = None if guard is None or guard in self.varying else self.scope.value(guard)
            code = self.code.at(group[0])
            condition = append_guard(points.guards(), fixed, self.scope, code)
            if condition is None:
                append_points(points, self.scope, code)
                continue
            with code.when(condition) as branch:
                self._points(points, scatter, branch)
            append_zeros(points, condition, self.scope, code)

    def _scatter(self, write: WriteOp) -> Scatter | None:
        return next((s for s in self.item.plan.scatters if s.write is write), None)

    def _points(self, points: PointGroup, scatter: Scatter | None, code: Code) -> None:
        """Append the point loop; for a scattered write only where this point owns its place."""
        if scatter is None or not scatter.has_owners:
            append_points(points, self.scope, code)
            return
        plan = self.item.plan
        number = number_of(plan.compute, plan.point_dims, self.scope, code)
        mine = owns(scatter, number, self.item.owners[scatter.places.name], self.scope, code)
        with code.when(mine) as branch:
            append_points(points, self.scope, branch)
