"""Unroll and jam: the points of the last dim but one, if they are few, become one body of the loop over lanes.

What the points share is then read and computed once; an element into which they all combine is loaded and stored once.
Every lane still meets its elements in the same order.
"""

from collections.abc import Iterator

from xdsl.ir import SSAValue

from ..dialect.index_expr import Const, refs
from ..dialect.tile import ForeachOp, ReadOp, WriteOp
from .index_forms import Linear
from .loops_access import Element
from .loops_body import element_of, is_transparent
from .loops_ranges import Ranges

MAX_POINTS = 8
MAX_OPERATIONS = 400


def jammed_points(op: ForeachOp, ranges: Ranges) -> range:
    """Return the points of the last dim but one to be jammed; none where the order of points might be seen."""
    points = _few_points(op)
    block = op.body.block
    if not points or len(points) * len(list(block.ops)) > MAX_OPERATIONS:
        return range(0)
    if not all(isinstance(inner, ReadOp | WriteOp) or is_transparent(inner) for inner in block.ops):
        return range(0)
    if any(isinstance(inner, WriteOp) and inner.guard is not None for inner in block.ops):
        return range(0)
    written = {inner.target for inner in block.ops if isinstance(inner, WriteOp)}
    return points if all(_lane_has_own(op, array, ranges) for array in written) else range(0)


def _few_points(op: ForeachOp) -> range:
    """Return the points of the last dim but one, if they are constant and few and the lanes are the same for all."""
    count = len(op.dims)
    if count < 2:
        return range(0)
    bounds = (*op.lower.data[-2].data, *op.upper.data[-2].data)
    last = (*op.lower.data[-1].data, *op.upper.data[-1].data)
    match bounds:
        case (Const(first), Const(end)) if 2 <= end - first <= MAX_POINTS:
            varying = any(count - 2 in refs(expr) for expr in last)
            return range(0) if varying else range(first, end)
        case _:
            return range(0)


def _lane_has_own(op: ForeachOp, array: SSAValue, ranges: Ranges) -> bool:
    """Return whether each lane has its own elements: in all accesses, one index is the lane moved by what is fixed."""
    common: set[tuple[int, Linear]] | None = None
    for element in _accesses(op, array, ranges):
        found = {(n, form) for n, form in enumerate(element.forms) if form is not None and _is_lane(op, form)}
        common = found if common is None else common & found
    return bool(common)


def _accesses(op: ForeachOp, array: SSAValue, ranges: Ranges) -> Iterator[Element]:
    for inner in op.body.block.ops:
        if isinstance(inner, ReadOp | WriteOp) and array in inner.operands:
            yield element_of(inner, ranges)


def _is_lane(op: ForeachOp, form: Linear) -> bool:
    lane, jammed = op.dims[-1], op.dims[-2]
    inside = {result for inner in op.body.block.ops for result in inner.results}
    values = {value for value, _ in form.terms}
    return lane in values and jammed not in values and not values & inside
