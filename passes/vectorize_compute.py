"""The row instructions of one operation, for the pass vectorize."""

from xdsl.dialects import arith
from xdsl.ir import Operation, SSAValue

from ..dialect.tile import BinaryOp, ByRowOp, CastOp, ChooseOp, FillOp, ScalarOp, SelectOp, UnaryOp
from ..dialect.tile.rows import Source
from .index_code import Code
from .row_operations import BINARY, CASTS, SCALAR_KINDS, UNARY
from .vectorize_places import Destination, PointLoop, kept_side
from .vectorize_rows import spread_scalars
from .vectorize_scalar_rows import lane_source
from .vectorize_scalars import row_condition, scalar_value


def compute(loop: PointLoop, op: Operation, to: Destination) -> None:
    """Append the row instructions that compute an operation's result."""
    kind = type(op)
    if kind in BINARY:
        _binary(loop, op, BINARY[kind], to)
    elif kind in UNARY:
        _unary(loop, op, UnaryOp, UNARY[kind], to)
    elif isinstance(op, ChooseOp):
        _of_lanes(loop, op, SelectOp, op.kind.data, to)
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
    if loop.values.of(lhs).lanes and loop.values.of(rhs).lanes:
        sources = [loop.source(lhs, to.ahead), loop.source(rhs, to.ahead)]
        loop.code.add(BinaryOp(kind, sources, to.buffer, to.row, to.count, loop.width))
    elif kind == "sub":
        _subtract(loop, lhs, rhs, to)
    elif kind not in SCALAR_KINDS:
        _divide(loop, op, kind, to)
    elif loop.values.of(lhs).lanes:
        _scalar(loop, loop.source(lhs, to.ahead), rhs, kind, to)
    else:
        _scalar(loop, loop.source(rhs, to.ahead), lhs, kind, to)


def _divide(loop: PointLoop, op: Operation, kind: str, to: Destination) -> None:
    """Combine lanes and a scalar in a way that has no instruction with a scalar, or with one on the left."""
    lhs, rhs = op.operands
    differs = loop.values.of(lhs).lanes and loop.values.of(rhs).shift is not None
    if not differs or not _by_row(loop, loop.source(lhs, to.ahead), rhs, kind, to):
        _of_lanes(loop, op, BinaryOp, kind, to)


def _subtract(loop: PointLoop, lhs: SSAValue, rhs: SSAValue, to: Destination) -> None:
    """Subtract a scalar, or from a scalar: x - s is x + -s, and s - x is -x + s, to the bit."""
    if loop.values.of(lhs).lanes:
        source = loop.source(lhs, to.ahead)
        if loop.values.of(rhs).shift is None or not _by_row(loop, source, rhs, "sub", to):
            _scalar(loop, source, rhs, "add", to, negated=True)
        return
    loop.code.add(UnaryOp("neg", [loop.source(rhs, to.ahead)], to.buffer, to.row, to.count, loop.width))
    _scalar(loop, (to.buffer, to.row, 1), lhs, "add", to)


def _scalar(
    loop: PointLoop, source: Source, value: SSAValue, kind: str, to: Destination, *, negated: bool = False
) -> None:
    """Combine rows with a scalar that is the same for all of them, or else with one a row."""

    def scalar(at: tuple[SSAValue, int] | None, code: Code) -> SSAValue:
        found = scalar_value(loop, value, at, code)
        return code.add(arith.NegfOp(found)).result if negated else found

    if loop.values.of(value).shift is None:
        operand = scalar(None, loop.code)
        loop.code.add(ScalarOp(kind, [source], to.buffer, to.row, to.count, loop.width, [operand]))
        return
    if not negated and _by_row(loop, source, value, kind, to):
        return
    buffer, start, step = source
    one = loop.code.constant(1)
    with loop.code.loop(loop.code.constant(0), to.count, one, "q") as (body, q):
        operand = scalar((q, to.ahead), body)
        row = body.binary("+", start, q) if step else start
        place = body.binary("+", to.row, q)
        body.add(ScalarOp(kind, [(buffer, row, 1)], to.buffer, place, one, loop.width, [operand]))


def _of_lanes(
    loop: PointLoop, op: Operation, instruction: type[BinaryOp] | type[SelectOp], kind: str, to: Destination
) -> None:
    """Combine operands of which a scalar is no operand of the instruction: with rows of it."""
    sources = [lane_source(loop, op, value, to) for value in op.operands]
    loop.code.add(instruction(kind, sources, to.buffer, to.row, to.count, loop.width))


def _by_row(loop: PointLoop, source: Source, value: SSAValue, kind: str, to: Destination) -> bool:
    """Combine rows with scalars that lie in a row of a buffer, as rows of blocks; return whether they do."""
    spread = spread_scalars(loop, value, to.ahead)
    if spread is None:
        return False
    loop.code.add(ByRowOp(kind, [source, (spread, loop.code.constant(0), 1)], to.buffer, to.row, to.count, loop.width))
    return True


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
