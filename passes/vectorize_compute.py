"""The row instructions of one operation, for the pass vectorize."""

from xdsl.dialects import arith
from xdsl.ir import Operation, SSAValue

from ..dialect.tile import BinaryOp, CastOp, FillOp, ScalarOp, UnaryOp
from .index_code import Code
from .row_operations import BINARY, CASTS, UNARY
from .vectorize_places import Destination, PointLoop, kept_side
from .vectorize_scalars import row_condition, scalar_value


def compute(loop: PointLoop, op: Operation, to: Destination) -> None:
    """Append the row instructions that compute an operation's result."""
    kind = type(op)
    if kind in BINARY:
        _binary(loop, op, BINARY[kind], to)
    elif kind in UNARY:
        _unary(loop, op, UnaryOp, UNARY[kind], to)
    elif isinstance(op, arith.SelectOp):
        _select(loop, op, to)
    else:
        assert isinstance(op, CASTS)
        _unary(loop, op, CastOp, "", to)


def _unary(
    loop: PointLoop, op: Operation, instruction: type[UnaryOp] | type[CastOp], kind: str, to: Destination
) -> None:
    sources = [loop.source(op.operands[0], to.ahead)]
    loop.code.add(instruction(kind, sources, to.buffer, to.row, to.count, loop.width))


def _binary(loop: PointLoop, op: Operation, kind: str, to: Destination) -> None:
    lhs, rhs = op.operands
    if not loop.values.of(lhs).lanes:
        lhs, rhs = rhs, lhs
    if not loop.values.of(rhs).lanes:
        _scalar(loop, lhs, rhs, kind, to)
        return
    sources = [loop.source(lhs, to.ahead), loop.source(rhs, to.ahead)]
    loop.code.add(BinaryOp(kind, sources, to.buffer, to.row, to.count, loop.width))


def _scalar(loop: PointLoop, lhs: SSAValue, rhs: SSAValue, kind: str, to: Destination) -> None:
    described = loop.values.of(rhs)
    buffer, start, step = loop.source(lhs, to.ahead)
    if described.shift is None:
        scalar = scalar_value(loop, rhs, None, loop.code)
        loop.code.add(ScalarOp(kind, [(buffer, start, step)], to.buffer, to.row, to.count, loop.width, [scalar]))
        return
    one = loop.code.constant(1)
    with loop.code.loop(loop.code.constant(0), to.count, one, "q") as (body, q):
        scalar = scalar_value(loop, rhs, (q, to.ahead), body)
        source = (buffer, body.binary("+", start, q) if step else start, 1)
        body.add(ScalarOp(kind, [source], to.buffer, body.binary("+", to.row, q), one, loop.width, [scalar]))


def _select(loop: PointLoop, op: arith.SelectOp, to: Destination) -> None:
    """Copy one side, then replace the rows whose condition says so."""
    keep = kept_side(loop, op, to.buffer)
    replace, wanted = (op.rhs, False) if keep is op.lhs else (op.lhs, True)
    source = loop.source(keep, to.ahead)
    if source[0] is not to.buffer:
        loop.code.add(UnaryOp("copy", [source], to.buffer, to.row, to.count, loop.width))
    with loop.code.loop(loop.code.constant(0), to.count, loop.code.constant(1), "q") as (body, q):
        condition = row_condition(loop, op.cond, (q, to.ahead), body, wanted=wanted)
        with body.when(condition) as branch:
            place = branch.binary("+", to.row, q)
            _replace_row(loop, replace, (place, q), to, branch)


def _replace_row(loop: PointLoop, value: SSAValue, at: tuple[SSAValue, SSAValue], to: Destination, code: Code) -> None:
    place, q = at
    one = code.constant(1)
    if loop.values.of(value).lanes:
        buffer, start, step = loop.source(value, to.ahead)
        source = (buffer, code.binary("+", start, q) if step else start, 1)
        code.add(UnaryOp("copy", [source], to.buffer, place, one, loop.width))
        return
    scalar = scalar_value(loop, value, (q, to.ahead), code)
    code.add(FillOp("", [], to.buffer, place, one, loop.width, [scalar]))
