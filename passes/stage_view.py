"""The structure of a stage that the pass tile built, as later passes look at it."""

from dataclasses import dataclass

from xdsl.dialects import arith, scf
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Block, BlockArgument, Operation, SSAValue

from ..dialect.diagnostics import Diagnostic
from ..dialect.index_expr import Binary, Const, IndexExpr, Ref, linear, refs, simplify
from ..dialect.tile import CoresOp, ForeachOp


@dataclass(frozen=True)
class StageView:
    """A stage: its loops and the sizes of its tiles.

    Attributes:
        stage: the tile.cores.
        item_loop: the loop over items.
        walk: the loop over the stream dim, or None.
        lane_tile: lanes of a tile, a kernel argument.
        row_tile: rows of a tile, a kernel argument, or None where a tile has one row.
    """

    stage: CoresOp
    item_loop: scf.ForOp
    walk: scf.ForOp | None
    lane_tile: SSAValue
    row_tile: SSAValue | None

    @staticmethod
    def analyze(stage: CoresOp) -> "StageView":
        """Return the view; raise where the stage is not as the pass tile builds it."""
        loops = [op for op in stage.body.block.ops if isinstance(op, scf.ForOp)]
        if len(loops) != 1:
            raise Diagnostic("OPW337", f"stage '{stage.label.data}' must hold one loop over items", stage)
        walks = [op for op in loops[0].body.block.ops if isinstance(op, scf.ForOp)]
        walk = walks[0] if walks else None
        points = next((op for op in stage.body.walk() if isinstance(op, ForeachOp)), None)
        if points is None:
            raise Diagnostic("OPW337", f"stage '{stage.label.data}' holds no tile.foreach", stage)
        return StageView(stage, loops[0], walk, _lane_tile(points), None if walk is None else walk.step)

    def foreachs(self) -> list[ForeachOp]:
        """Return all point loops of the stage, in order."""
        return [op for op in self.stage.body.walk() if isinstance(op, ForeachOp)]

    def in_walk(self, op: Operation) -> bool:
        """Return whether the operation is inside the loop over the stream dim."""
        place: Operation | None = op.parent_op()
        while place is not None and place is not self.walk:
            place = place.parent_op()
        return self.walk is not None and place is self.walk


def _lane_tile(points: ForeachOp) -> SSAValue:
    width = extent(points, len(points.dims) - 1)
    owner = width.owner if isinstance(width, SSAValue) else None
    if isinstance(owner, arith.MinSIOp):
        for side in owner.operands:
            if isinstance(side, BlockArgument):
                return side
    raise Diagnostic("OPW337", "the lanes of a tile must be the minimum of a kernel argument and what is left", points)


def extent(points: ForeachOp, position: int) -> SSAValue | int:
    """Return the number of points of a dim of a foreach: an integer or a value."""
    match points.upper.data[position].data:
        case (Const(value),):
            return value
        case (Ref(ref),):
            return points.bound_values[ref]
        case _:
            raise Diagnostic("OPW337", "the range of a tile.foreach must be 0 to a value", points)


def verify_rows_and_lanes(points: ForeachOp) -> None:
    """Refuse a point loop that does not run over rows and lanes alone."""
    if len(points.dims) != 2:
        text = f"a point loop on buffers runs over rows and lanes, this one has {len(points.dims)} dims"
        raise Diagnostic("OPW337", text, points, "sums inside a tile are for targets that stage nothing")


def stages(module: ModuleOp) -> list[CoresOp]:
    """Return the stages of the module's kernel, in order."""
    return [op for op in module.walk() if isinstance(op, CoresOp)]


def regular_stages(module: ModuleOp) -> list[CoresOp]:
    """Return the stages that walk over rows of items with point loops, in order."""
    return [stage for stage in stages(module) if stage.ragged is None and has_points(stage)]


def irregular_stages(module: ModuleOp) -> list[CoresOp]:
    """Return the stages whose loops follow data, and those of scalars alone, in order."""
    return [stage for stage in stages(module) if stage.ragged is not None or not has_points(stage)]


def has_points(stage: CoresOp) -> bool:
    """Return whether the stage computes anything, and does not only copy."""
    return any(isinstance(op, ForeachOp) for op in stage.body.walk())


def defined_in(value: SSAValue, block: Block) -> bool:
    """Return whether a value is defined in the block or in a region inside it."""
    place: Block | None = value.owner if isinstance(value.owner, Block) else value.owner.parent_block()
    while place is not None:
        if place is block:
            return True
        place = place.parent_block()
    return False


def split_index(
    expr: IndexExpr, operands: tuple[SSAValue, ...], dims: tuple[BlockArgument, ...]
) -> tuple[IndexExpr, tuple[int, ...]] | None:
    """Split an index into what does not name the dims and each dim's coefficient; None if not linear in them."""
    places = {dim: n for n, dim in enumerate(dims)}
    positions = {n: places[v] for n, v in enumerate(operands) if isinstance(v, BlockArgument) and v in places}
    rest: IndexExpr = Const(0)
    coefficients = [0] * len(dims)
    for sign, term in _terms(expr, 1):
        form = linear(term)
        if form is None or not refs(term) & positions.keys():
            if refs(term) & positions.keys():
                return None
            rest = rest + term if sign > 0 else rest - term
            continue
        rest = rest + sign * form[1]
        for n, coefficient in sorted(form[0].items()):
            if n in positions:
                coefficients[positions[n]] += sign * coefficient
            else:
                rest = rest + Ref(n) * (sign * coefficient)
    return simplify(rest), tuple(coefficients)


def _terms(expr: IndexExpr, sign: int) -> list[tuple[int, IndexExpr]]:
    """Return the terms of a sum with their signs."""
    match expr:
        case Binary("+", lhs, rhs):
            return _terms(lhs, sign) + _terms(rhs, sign)
        case Binary("-", lhs, rhs):
            return _terms(lhs, sign) + _terms(rhs, -sign)
        case _:
            return [(sign, expr)]
