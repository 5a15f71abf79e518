"""Parts of an item around its walk: accumulators are reserved, cleared, and written to the results."""

from collections.abc import Sequence
from dataclasses import dataclass

from xdsl.dialects import arith
from xdsl.dialects.builtin import AnyFloat, IndexType
from xdsl.ir import Block, BlockArgument, Region, SSAValue

from ..dialect.index_expr import Const, IndexExpr, Ref
from ..dialect.index_map import IndexMapAttr, pack
from ..dialect.tile import AllocOp, ForeachOp
from ..dialect.tile import ReadOp as LoadOp
from ..dialect.tile import WriteOp as StoreOp
from .constants import identity
from .index_code import Code
from .spec_scope import FROM_ZERO, Bound, Scope, make_header, resolve
from .stage_plan import StagePlan
from .stage_reductions import Reduction, consecutive_rows


@dataclass(frozen=True)
class Item:
    """What an item of a stage knows.

    Attributes:
        plan: the stage's plan.
        scope: values of the outer dims and of everything outside.
        lane_start, width: the lanes of the item.
        row_tile: rows of a tile, or None where there is no stream dim.
        accumulators: buffer of each reduction, in the plan's order.
        part: which part of the rows of its walk an item has, and how many there are; None for all rows.
    """

    plan: StagePlan
    scope: Scope
    lane_start: SSAValue
    width: SSAValue
    row_tile: SSAValue | None
    accumulators: Sequence[SSAValue]
    part: tuple[SSAValue, SSAValue] | None = None

    @staticmethod
    def allocate(plan: StagePlan, lane_tile: SSAValue, code: Code) -> list[SSAValue]:
        """Reserve the accumulators of a stage."""
        buffers: list[SSAValue] = []
        for reduction in plan.reductions:
            label = f"{plan.compute.results_[reduction.number].name_hint or plan.label}_acc"
            sizes, operands = pack([Const(len(reduction.places)), Ref(0)], [lane_tile])
            alloc = AllocOp(label, "accumulator", sizes, operands, reduction.element_type)
            buffers.append(code.at(reduction.write).add(alloc, label).result)
        return buffers


Extent = tuple[SSAValue | int, str]
"""The number of points of a dim of a foreach, and its name."""


def foreach(code: Code, *extents: Extent) -> tuple[Code, tuple[BlockArgument, ...]]:
    """Append a foreach; return the code of its body and its dims."""
    body = Block(arg_types=[IndexType()] * len(extents))
    for argument, (_, name) in zip(body.args, extents, strict=True):
        argument.name_hint = name
    upper: list[Bound] = [([Const(n)], []) if isinstance(n, int) else ([Ref(0)], [n]) for n, _ in extents]
    header, bounds = make_header(body.args, [FROM_ZERO] * len(extents), upper)
    code.add(ForeachOp(header, bounds, Region(body)))
    return Code(body, code.location), tuple(body.args)


def clear(item: Item, reduction: Reduction, buffer: SSAValue, code: Code) -> None:
    """Set an accumulator to what its combiner starts from."""
    zero = code.scalar(reduction.element_type, identity(reduction.combiner, reduction.element_type))
    body, (row, lane) = foreach(code, (len(reduction.places), "a"), (item.width, "l"))
    body.add(StoreOp(zero, buffer, *pack([Ref(0), Ref(1)], [row, lane])))


def finish(item: Item, reduction: Reduction, buffer: SSAValue, code: Code) -> None:
    """Write the accumulator's rows to the result, rounded once where the result is narrower."""
    run = consecutive_rows(reduction.places)
    if run is None:
        for number, (index_map, operands) in enumerate(reduction.places):
            _finish_rows(item, reduction, buffer, code, number, 1, (index_map, operands, None))
        return
    index_map, operands = reduction.places[0]
    _finish_rows(item, reduction, buffer, code, 0, len(reduction.places), (index_map, operands, run[0]))


Place = tuple[IndexMapAttr, Sequence[SSAValue], int | None]
"""Where rows land: the index list without the lane, its operands, and the index that counts the rows up."""


def _finish_rows(
    item: Item, reduction: Reduction, buffer: SSAValue, code: Code, first: int, count: int, place: Place
) -> None:
    body, (row, lane) = foreach(code, (count, "a"), (item.width, "l"))
    read = body.add(LoadOp(buffer, *pack([Ref(0) + first, Ref(1)], [row, lane])), buffer.name_hint)
    value = _rounded(item, reduction, read.result, body)
    index_map, operands, counting = place
    places = [item.scope.expression(v) for v in operands]
    exprs, values = resolve(index_map.data, places)
    values += [row, item.lane_start, lane]
    at = len(values)
    landing: list[IndexExpr] = [e + Ref(at - 3) if n == counting else e for n, e in enumerate(exprs)]
    landing.append(Ref(at - 2) + Ref(at - 1))
    target = item.scope.value(item.plan.compute.results_[reduction.number])
    body.add(StoreOp(value, target, *pack(landing, values)))


def _rounded(item: Item, reduction: Reduction, value: SSAValue, code: Code) -> SSAValue:
    stored = item.plan.compute.results_[reduction.number].type.element_type
    if stored == value.type:
        return value
    assert isinstance(stored, AnyFloat)
    return code.add(arith.TruncFOp(value, stored), value.name_hint).result
