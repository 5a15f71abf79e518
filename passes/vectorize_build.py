"""The builders of the pass vectorize."""

from dataclasses import dataclass, field

from xdsl.dialects import arith, math, memref
from xdsl.dialects.builtin import i1
from xdsl.ir import Attribute, Block, Operation, SSAValue
from xdsl.rewriter import Rewriter

from ..dialect.diagnostics import Diagnostic
from ..dialect.index_expr import Const, Ref, linear
from ..dialect.index_map import pack
from ..dialect.tile import AccumulateOp, AllocOp, BinaryOp, CastOp, FillOp, ReadOp, ScalarOp, UnaryOp, WriteOp
from ..dialect.tile.rows import Source
from .index_code import Code
from .row_values import Materialized, RowValue, RowValues
from .stage_view import StageView, extent, split_index

BINARY: dict[type[Operation], str] = {
    arith.AddfOp: "add",
    arith.SubfOp: "sub",
    arith.MulfOp: "mul",
    arith.DivfOp: "div",
    arith.MaximumfOp: "max",
    arith.MinimumfOp: "min",
}
UNARY: dict[type[Operation], str] = {
    math.ExpOp: "exp",
    math.LogOp: "log",
    math.SqrtOp: "sqrt",
    math.RsqrtOp: "rsqrt",
    math.AbsFOp: "abs",
    arith.NegfOp: "neg",
}
CASTS = (arith.ExtFOp, arith.TruncFOp, arith.SIToFPOp, arith.ExtSIOp, arith.ExtUIOp)
NEGATED = {0: "ne", 1: "eq", 2: "sge", 3: "sgt", 4: "sle", 5: "slt", 6: "uge", 7: "ugt", 8: "ule", 9: "ult"}
"""The opposite of each predicate number of arith.cmpi."""
SCALAR_KINDS = ("add", "mul", "max", "min")


@dataclass
class Rows:
    """Turns one point loop into row instructions.

    Attributes:
        view: the stage.
        values: the analysis of the loop.
        code: where instructions are appended.
        rows, width: extent of the loop.
        places: buffer and first shift of each materialized key.
        owners: the key that each temporary in use holds.
    """

    view: StageView
    values: RowValues
    code: Code
    rows: SSAValue | int
    width: SSAValue
    places: dict[object, tuple[SSAValue, int]] = field(default_factory=dict[object, tuple[SSAValue, int]])
    owners: dict[SSAValue, object] = field(default_factory=dict[SSAValue, object])

    def count(self, span: int = 0) -> SSAValue:
        """Return the number of rows of the loop plus `span`."""
        if isinstance(self.rows, int):
            return self.code.constant(self.rows + span)
        return self.code.expr(Ref(0) + span, [self.rows])

    def source(self, value: SSAValue, shift: int) -> Source:
        """Return where the rows of a lane value start that is read `shift` rows ahead of its own place."""
        described = self.values.of(value)
        match described.key:
            case ("rows", SSAValue() as buffer):
                return buffer, self.code.constant((described.shift or 0) + shift), 1
            case ("row", SSAValue() as buffer, int(place)):
                return buffer, self.code.constant(place), 0
            case _:
                buffer, low = self.places[described.key]
                if described.shift is None:
                    return buffer, self.code.constant(0), 0
                return buffer, self.code.constant(described.shift + shift - low), 1


def build(view: StageView, values: RowValues) -> None:
    """Replace the loop by row instructions."""
    points = values.points
    block = points.parent_block()
    assert block is not None
    width = extent(points, len(points.dims) - 1)
    assert isinstance(width, SSAValue)
    rows = Rows(view, values, Code(Block(), points.location), extent(points, 0), width)
    for op in points.body.block.ops:
        rows.code.location = op.location
        if isinstance(op, WriteOp):
            _write(rows, op)
        elif op.results and _is_first(rows, op):
            _materialize(rows, op)
    for op in list(rows.code.block.ops):
        op.detach()
        block.insert_op_before(op, points)
    Rewriter.erase_op(points)


def _is_first(rows: Rows, op: Operation) -> bool:
    described = rows.values.of(op.results[0])
    made = rows.values.keys.get(described.key)
    return described.lanes and not isinstance(op, ReadOp) and made is not None and made.op is op and bool(made.users)


def _materialize(rows: Rows, op: Operation) -> None:
    """Compute one key into a buffer."""
    described = rows.values.of(op.results[0])
    made = rows.values.keys[described.key]
    low = made.low if described.shift is not None else 0
    ahead = low - (described.shift or 0)
    span = made.span if described.shift is not None else 0
    direct = _only_write(rows, made, described)
    target, row = direct or (_temporary(rows, op, made, ahead, span), rows.code.constant(0))
    rows.places[described.key] = (target, low)
    count = rows.code.constant(1) if described.shift is None else rows.count(span)
    _compute(rows, op, Destination(target, row, count, ahead))
    _release(rows, op)


@dataclass(frozen=True)
class Destination:
    """Where a value goes: buffer, first row, number of rows, and how far ahead its operands are read."""

    buffer: SSAValue
    row: SSAValue
    count: SSAValue
    ahead: int


def _only_write(rows: Rows, made: Materialized, described: RowValue) -> tuple[SSAValue, SSAValue] | None:
    """Return the place of a plain write that is the value's only use, so that no temporary is needed."""
    if len(made.users) != 1 or not isinstance(made.users[0], WriteOp) or described.shift is None:
        return None
    write = made.users[0]
    place = _row_place(rows, write)
    if write.combine or place is None or made.span or isinstance(made.op, arith.SelectOp):
        return None
    return write.target, rows.code.constant(place)


def _row_place(rows: Rows, write: WriteOp) -> int | None:
    """Return the first row of a write that counts rows, or None where it names one row."""
    row, lane = rows.values.points.dims[0], rows.values.points.dims[-1]
    match [split_index(e, tuple(write.operands_), (row, lane)) for e in write.indices.data]:
        case [(Const(place), (1, 0)), (Const(0), (0, 1))]:
            return place
        case [(Const(_), (0, 0)), (Const(0), (0, 1))]:
            return None
        case _:
            raise Diagnostic("OPW345", "a write to a buffer must be by row and lane", write)


def _compute(rows: Rows, op: Operation, to: Destination) -> None:
    kind = type(op)
    if kind in BINARY:
        _binary(rows, op, BINARY[kind], to)
    elif kind in UNARY:
        _unary(rows, op, UnaryOp, UNARY[kind], to)
    elif isinstance(op, CASTS):
        _unary(rows, op, CastOp, "", to)
    elif isinstance(op, arith.SelectOp):
        _select(rows, op, to)
    else:
        raise Diagnostic("OPW345", f"'{op.name}' has no row instruction", op)


def _unary(rows: Rows, op: Operation, instruction: type[UnaryOp] | type[CastOp], kind: str, to: Destination) -> None:
    sources = [rows.source(op.operands[0], to.ahead)]
    rows.code.add(instruction(kind, sources, to.buffer, to.row, to.count, rows.width))


def _binary(rows: Rows, op: Operation, kind: str, to: Destination) -> None:
    lhs, rhs = op.operands
    if kind in ("add", "mul", "max", "min") and not rows.values.of(lhs).lanes:
        lhs, rhs = rhs, lhs
    if rows.values.of(lhs).lanes and rows.values.of(rhs).lanes:
        sources = [rows.source(lhs, to.ahead), rows.source(rhs, to.ahead)]
        rows.code.add(BinaryOp(kind, sources, to.buffer, to.row, to.count, rows.width))
        return
    if kind not in SCALAR_KINDS or not rows.values.of(lhs).lanes:
        raise Diagnostic("OPW348", f"'{kind}' with a scalar on this side has no row instruction yet", op)
    _scalar(rows, lhs, rhs, kind, to)


def _scalar(rows: Rows, lhs: SSAValue, rhs: SSAValue, kind: str, to: Destination) -> None:
    described = rows.values.of(rhs)
    buffer, start, step = rows.source(lhs, to.ahead)
    if described.shift is None:
        scalar = _scalar_value(rows, rhs, None, rows.code)
        rows.code.add(ScalarOp(kind, [(buffer, start, step)], to.buffer, to.row, to.count, rows.width, [scalar]))
        return
    one = rows.code.constant(1)
    with rows.code.loop(rows.code.constant(0), to.count, one, "q") as (body, q):
        scalar = _scalar_value(rows, rhs, (q, to.ahead), body)
        source = (buffer, body.binary("+", start, q) if step else start, 1)
        body.add(ScalarOp(kind, [source], to.buffer, body.binary("+", to.row, q), one, rows.width, [scalar]))


def _scalar_value(rows: Rows, value: SSAValue, at: tuple[SSAValue, int] | None, code: Code) -> SSAValue:
    """Append the computation of a scalar of row q (plus the shift of the value and `ahead`)."""
    op = value.owner
    if not isinstance(op, Operation) or op.parent_block() is not rows.values.points.body.block:
        return value
    if isinstance(op, ReadOp):
        assert at is not None
        q, ahead = at
        shift = (rows.values.of(value).shift or 0) + ahead
        place = code.expr(Ref(0) + shift, [q])
        return code.add(memref.LoadOp.get(op.source, [code.constant(0), place]), value.name_hint).results[0]
    mapper = {operand: _scalar_value(rows, operand, at, code) for operand in op.operands}
    return code.add(op.clone(mapper), value.name_hint).results[0]


def _select(rows: Rows, op: arith.SelectOp, to: Destination) -> None:
    """Copy one side, then replace the rows whose condition says so."""
    condition = rows.values.of(op.cond)
    if condition.lanes:
        raise Diagnostic(
            "OPW349", "a select on a condition that differs from lane to lane has no row instruction yet", op
        )
    keep, replace, wanted = (op.lhs, op.rhs, 0) if rows.values.of(op.lhs).lanes else (op.rhs, op.lhs, 1)
    buffer, start, step = rows.source(keep, to.ahead)
    if buffer is not to.buffer:
        rows.code.add(UnaryOp("copy", [(buffer, start, step)], to.buffer, to.row, to.count, rows.width))
    one = rows.code.constant(1)
    with rows.code.loop(rows.code.constant(0), to.count, one, "q") as (body, q):
        with body.when(_condition(rows, op.cond, (q, to.ahead), body, wanted=bool(wanted))) as branch:
            place = branch.binary("+", to.row, q)
            _replace_row(rows, replace, (place, q), to, branch)


def _condition(rows: Rows, value: SSAValue, at: tuple[SSAValue, int], code: Code, *, wanted: bool) -> SSAValue:
    """Append the condition, negated unless `wanted`."""
    scalar = _scalar_value(rows, value, at, code)
    if wanted:
        return scalar
    compare = scalar.owner
    if isinstance(compare, arith.CmpiOp) and not scalar.uses:
        negated = NEGATED[compare.predicate.value.data]
        operands = compare.operands
        Rewriter.erase_op(compare)
        return code.add(arith.CmpiOp(operands[0], operands[1], negated)).result
    return code.add(arith.XOrIOp(scalar, code.scalar(i1, 1))).result


def _replace_row(rows: Rows, value: SSAValue, at: tuple[SSAValue, SSAValue], to: Destination, code: Code) -> None:
    place, q = at
    one = code.constant(1)
    if rows.values.of(value).lanes:
        buffer, start, step = rows.source(value, to.ahead)
        source = (buffer, code.binary("+", start, q) if step else start, 1)
        code.add(UnaryOp("copy", [source], to.buffer, place, one, rows.width))
        return
    scalar = _scalar_value(rows, value, (q, to.ahead), code)
    code.add(FillOp("", [], to.buffer, place, one, rows.width, [scalar]))


def _write(rows: Rows, op: WriteOp) -> None:
    described = rows.values.of(op.value)
    place = _row_place(rows, op)
    row = rows.code.constant(_fixed_row(op) if place is None else place)
    if not described.lanes:
        _write_scalar(rows, op, described, row, one_row=place is None)
    elif op.combine and place is None:
        rows.code.add(AccumulateOp(op.combine, [rows.source(op.value, 0)], op.target, row, rows.count(), rows.width))
    elif op.combine:
        own = (op.target, row, 1)
        sources = [own, rows.source(op.value, 0)]
        rows.code.add(BinaryOp(op.combine, sources, op.target, row, rows.count(), rows.width))
    elif rows.places.get(described.key, (None, 0))[0] is not op.target:
        count = rows.code.constant(1) if place is None else rows.count()
        rows.code.add(UnaryOp("copy", [rows.source(op.value, 0)], op.target, row, count, rows.width))
    _release(rows, op)


def _fixed_row(op: WriteOp) -> int:
    first = op.indices.data[0]
    assert isinstance(first, Const)
    return first.value


def _write_scalar(rows: Rows, op: WriteOp, described: RowValue, row: SSAValue, *, one_row: bool) -> None:
    if op.combine or described.shift is not None:
        raise Diagnostic("OPW348", "a scalar of a row is combined or written to lanes; no row instruction yet", op)
    scalar = _scalar_value(rows, op.value, None, rows.code)
    count = rows.code.constant(1) if one_row else rows.count()
    rows.code.add(FillOp("", [], op.target, row, count, rows.width, [scalar]))


def _release(rows: Rows, user: Operation) -> None:
    """Give back the temporaries whose last user this was."""
    for operand in user.operands:
        described = rows.values.of(operand)
        made = rows.values.keys.get(described.key)
        place = rows.places.get(described.key)
        if (
            made is not None
            and place is not None
            and made.users[-1] is user
            and rows.owners.get(place[0]) == described.key
        ):
            del rows.owners[place[0]]


def _temporary(rows: Rows, op: Operation, made: Materialized, ahead: int, span: int) -> SSAValue:
    """Return a free temporary of the value's type; an operand that dies here and lies at the same rows may be it."""
    buffer = (
        _reusable(rows, op, ahead, span) or _free(rows, op, span) or _allocate(rows, op.results[0].type, span, made)
    )
    rows.owners[buffer] = rows.values.of(op.results[0]).key
    return buffer


def _reusable(rows: Rows, op: Operation, ahead: int, span: int) -> SSAValue | None:
    for operand in op.operands:
        buffer = _dies_in_place(rows, operand, op, ahead)
        if buffer is not None and _element(buffer) == op.results[0].type and _halo(buffer) >= span:
            return buffer
    return None


def _free(rows: Rows, op: Operation, span: int) -> SSAValue | None:
    for alloc in _temporaries(rows.view):
        free = alloc.result not in rows.owners and _element(alloc.result) == op.results[0].type
        if free and _halo(alloc.result) >= span and _fits(alloc, rows):
            return alloc.result
    return None


def _dies_in_place(rows: Rows, operand: SSAValue, op: Operation, ahead: int) -> SSAValue | None:
    described = rows.values.of(operand)
    made = rows.values.keys.get(described.key)
    place = rows.places.get(described.key)
    if made is None or place is None or made.users[-1] is not op or described.shift is None:
        return None
    same_rows = described.shift + ahead == place[1]
    return place[0] if same_rows and rows.owners.get(place[0]) == described.key else None


def _element(buffer: SSAValue) -> Attribute:
    alloc = buffer.owner
    assert isinstance(alloc, AllocOp)
    return alloc.result.type.element_type


TEMPORARY = "tmp"


def _temporaries(view: StageView) -> list[AllocOp]:
    allocs = (op for op in view.stage.body.block.ops if isinstance(op, AllocOp))
    return [a for a in allocs if a.role.data == "temp" and a.label.data.startswith(TEMPORARY)]


def _halo(buffer: SSAValue) -> int:
    """Return how many rows a temporary has more than the tile."""
    alloc = buffer.owner
    assert isinstance(alloc, AllocOp)
    first = alloc.sizes.data[0]
    form = linear(first)
    return form[1] if form is not None else 0


def _fits(alloc: AllocOp, rows: Rows) -> bool:
    return isinstance(alloc.sizes.data[0], Const) == isinstance(rows.rows, int)


def _allocate(rows: Rows, element: Attribute, span: int, made: Materialized) -> SSAValue:
    view = rows.view
    number = len(_temporaries(view))
    label = f"{TEMPORARY}{number}"
    if isinstance(rows.rows, int):
        sizes, operands = pack([Const(rows.rows + span), Ref(0)], [view.lane_tile])
    else:
        assert view.row_tile is not None
        sizes, operands = pack([Ref(0) + span, Ref(1)], [view.row_tile, view.lane_tile])
    alloc = AllocOp(label, "temp", sizes, operands, element)
    alloc.location = made.op.location
    view.stage.body.block.insert_op_before(alloc, view.item_loop)
    return alloc.result
