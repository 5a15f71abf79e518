"""Builds the body of one item of a stage: accumulators, the walk over the stream dim, and the results."""

from collections.abc import Sequence

from xdsl.ir import SSAValue

from ..dialect.index_expr import Const, Ref
from ..dialect.index_map import pack
from ..dialect.spec import WriteOp
from ..dialect.tile import WriteOp as StoreOp
from .index_code import Code
from .scalar_code import append_operation
from .spec_scope import IndexValue, Scope, nest_bounds
from .stage_share import share
from .stage_sums import Extent, Item, clear, finish, foreach


def build_item(item: Item, code: Code) -> None:
    """Fill the body of the loop over items."""
    for reduction, buffer in zip(item.plan.reductions, item.accumulators, strict=True):
        clear(item, reduction, buffer, code.at(reduction.write))
    if item.plan.stream is None or item.row_tile is None:
        _points(item, None, [(1, "r")], code)
    else:
        _walk(item, item.plan.stream, item.row_tile, code)
    for reduction, buffer in zip(item.plan.reductions, item.accumulators, strict=True):
        finish(item, reduction, buffer, code.at(reduction.write))


def _walk(item: Item, stream: int, row_tile: SSAValue, code: Code) -> None:
    compute = item.plan.compute
    lower, upper = (
        code.fold(kind, [code.expr(e, operands) for e in exprs], f"{compute.dims[stream].name_hint or 'row'}_{end}")
        for kind, end, (exprs, operands) in (
            ("max", "begin", nest_bounds(compute, compute.lower, [stream], item.scope)[0]),
            ("min", "end", nest_bounds(compute, compute.upper, [stream], item.scope)[0]),
        )
    )
    if item.part is not None:
        lower, upper = _rows_of_part(lower, upper, item.part, code)
    with code.loop(lower, upper, row_tile, f"{compute.dims[stream].name_hint or 'row'}0") as (body, start):
        rows = body.binary("min", row_tile, body.binary("-", upper, start), "rows")
        if item.plan.jam_rows > 1:
            _jammed_rows(item, start, rows, body)
        else:
            _points(item, IndexValue.of(start), [(rows, "r")], body)


def _rows_of_part(
    lower: SSAValue, upper: SSAValue, part: tuple[SSAValue, SSAValue], code: Code
) -> tuple[SSAValue, SSAValue]:
    """Append where the rows of a part start and end."""
    first, last = share(*part, code.binary("-", upper, lower), code, ("part_begin", "part_end"))
    return code.binary("+", lower, first), code.binary("min", code.binary("+", lower, last), upper, "end")


def _jammed_rows(item: Item, start: SSAValue, rows: SSAValue, code: Code) -> None:
    """Append a foreach over whole blocks of rows, which a loop over lanes takes together, and one over what is left."""
    jam = item.plan.jam_rows
    blocks = code.expr(Ref(0) // jam, [rows], "blocks")
    _points(item, IndexValue.of(start), [(blocks, "block"), (jam, "r")], code)
    rest = code.expr(Ref(0) + Ref(1) * jam, [start, blocks])
    _points(item, IndexValue.of(rest), [(code.expr(Ref(0) - Ref(1) * jam, [rows, blocks]), "r")], code)


def _inner_extents(item: Item, code: Code) -> list[Extent]:
    compute = item.plan.compute
    found: list[Extent] = []
    for position in item.plan.inner:
        exprs, operands = nest_bounds(compute, compute.upper, [position], item.scope)[0]
        name = compute.dims[position].name_hint or "n"
        found.append((code.fold("min", [code.expr(e, operands) for e in exprs]), name))
    return found


def _points(item: Item, start: IndexValue | None, rows: Sequence[Extent], code: Code) -> None:
    """Append the foreach that holds the compute's body, over rows, the inner dims and lanes.

    `rows` is one extent, or blocks and the rows of a block, which then stand inside the inner dims.
    """
    plan = item.plan
    body, dims = foreach(code, rows[0], *_inner_extents(item, code), *rows[1:], (item.width, "l"))
    lane = dims[-1]
    scope = Scope(dict(item.scope.values))
    scope.values.update(zip((plan.compute.dims[n] for n in plan.inner), dims[1:], strict=False))
    scope.indices[plan.lane_dim] = IndexValue.of(item.lane_start).plus(IndexValue.of(lane))
    if plan.stream_dim is not None and start is not None:
        row = IndexValue(Ref(0), (dims[0],))
        if len(rows) > 1:
            row = IndexValue(Ref(0) * plan.jam_rows + Ref(1), (dims[0], dims[-2]))
        scope.indices[plan.stream_dim] = start.plus(row)
    for op in plan.compute.body.block.ops:
        body.location = op.location
        if isinstance(op, WriteOp):
            _write(item, op, scope, lane, body)
        else:
            append_operation(op, scope, body)


def _write(item: Item, op: WriteOp, scope: Scope, lane: SSAValue, code: Code) -> None:
    guard = None if op.guard is None else scope.value(op.guard)
    value = scope.value(op.value)
    reduction = next((n for n, r in enumerate(item.plan.reductions) if r.number == op.number.data), None)
    if reduction is None or not op.combine:
        target = scope.value(item.plan.compute.results_[op.number.data])
        code.add(StoreOp(value, target, *scope.index_map(op.indices, op.operands_), "", guard))
        return
    row = item.plan.reductions[reduction].row(op)
    code.add(StoreOp(value, item.accumulators[reduction], *pack([Const(row), Ref(0)], [lane]), op.combine, guard))
