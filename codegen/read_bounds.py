"""Checks before a call that no read of the operator can leave its tensor: a kernel has no such checks of its own."""

from collections.abc import Mapping
from dataclasses import dataclass

from xdsl.ir import SSAValue

from ..dialect.diagnostics import Diagnostic
from ..dialect.index_expr import EVALUATE, Binary, Const, IndexExpr, Ref, refs
from ..dialect.spec.attrs import TensorType
from ..dialect.spec.ops import ComputeOp, InputOp, OperatorOp, ReadOp
from .binding import Binding
from .symbols import symbol_values


@dataclass(frozen=True)
class Interval:
    """The whole numbers from low to high; none where high is below low."""

    low: int
    high: int


@dataclass(frozen=True)
class Box:
    """The points of a nest, dim by dim.

    Attributes:
        spans: interval of each value that an index may name.
        tied: dims whose range depends on another dim; the box is larger than their points.
    """

    spans: Mapping[SSAValue, Interval]
    tied: frozenset[SSAValue]


def check_reads(operator: OperatorOp, binding: Binding) -> None:
    """Raise where a read without a value outside leaves its tensor for some point of its nest.

    What depends on data, or on ranges that depend on each other, is not decided here.

    Raises:
        Diagnostic: OPW220, with the index and the size.
    """
    symbols = symbol_values(operator, binding.dims, binding.attrs)
    for compute in (op for op in operator.body.block.ops if isinstance(op, ComputeOp)):
        box = _box(compute, {value: Interval(number, number) for value, number in symbols.items()})
        if box is None:
            continue
        for read in (op for op in compute.body.walk() if isinstance(op, ReadOp)):
            if read.outside is None and _is_given(read, binding):
                _check(read, box, binding)


def _is_given(read: ReadOp, binding: Binding) -> bool:
    source = read.tensor.owner
    if not isinstance(source, InputOp) or not source.may_be_absent:
        return True
    return source.label.data in binding.present


def _box(compute: ComputeOp, symbols: Mapping[SSAValue, Interval]) -> Box | None:
    """Return the box of a nest, or None where it is empty or a range is not known."""
    spans = dict(symbols)
    tied: set[SSAValue] = set()
    values = compute.bound_values
    for dim, lower, upper in zip(compute.dims, compute.lower, compute.upper, strict=True):
        named = {values[n] for expr in (*lower.data, *upper.data) for n in refs(expr)}
        lows = [_interval(e, [spans.get(v) for v in values]) for e in lower.data]
        highs = [_interval(e, [spans.get(v) for v in values]) for e in upper.data]
        known = [i for i in (*lows, *highs) if i is not None]
        if len(known) < len(lows) + len(highs):
            return None
        first, last = max(i.low for i in known[: len(lows)]), min(i.high for i in known[len(lows) :]) - 1
        if last < first:
            return None
        spans[dim] = Interval(first, last)
        tied |= {dim} if named & set(compute.dims) else set()
    return Box(spans, frozenset(tied))


def _interval(expr: IndexExpr, operands: list[Interval | None]) -> Interval | None:
    """Return where an expression lies, or None where that is not known."""
    match expr:
        case Const(value):
            return Interval(value, value)
        case Ref(position):
            return operands[position]
        case Binary(kind, lhs, rhs):
            left, right = _interval(lhs, operands), _interval(rhs, operands)
            return None if left is None or right is None else _combined(kind, left, right)
        case _:
            return None


def _combined(kind: str, left: Interval, right: Interval) -> Interval | None:
    if kind in ("floordiv", "ceildiv", "mod") and right.low < 1:
        return None
    if kind == "mod":
        inside = right.low == right.high and left.low >= 0 and left.high < right.low
        return left if inside else Interval(0, right.high - 1)
    corners = [EVALUATE[kind](a, b) for a in (left.low, left.high) for b in (right.low, right.high)]
    return Interval(min(corners), max(corners))


def _check(read: ReadOp, box: Box, binding: Binding) -> None:
    tensor_type = read.tensor.type
    assert isinstance(tensor_type, TensorType)
    for position, (expr, dim) in enumerate(zip(read.indices.data, tensor_type.dims, strict=True)):
        named = {read.operands_[n] for n in refs(expr)}
        span = _interval(expr, [box.spans.get(v) for v in read.operands_])
        size = dim if isinstance(dim, int) else binding.dims[dim]
        if span is None or named & box.tied or (span.low >= 0 and span.high < size):
            continue
        value = span.low if span.low < 0 else span.high
        raise Diagnostic(
            "OPW220",
            f"index {position} is {value}, outside 0 to {size - 1} of its dim",
            read,
            "a read may say what stands outside: .outside(value) in Python, else %value in text",
        )
