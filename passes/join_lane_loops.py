"""join-lane-loops: one loop over the lanes of a row where two that are guarded apart read the same row.

What both read is loaded once, and a core's reads and writes of memory overlap. Each guard still decides alone.

Before:

    scf.if %a {
      tile.foreach (%r: 0 to 1, %l: 0 to %width) {
        %v = tile.read %x[%t, %l] : memref<?x?xf32>
        tile.write %v to %y[%p, %l] : memref<?x?xf32>
      }
    }
    scf.if %b {
      tile.foreach (%r: 0 to 1, %l: 0 to %width) {
        %v = tile.read %x[%t, %l] : memref<?x?xf32>
        tile.write add %v to %s[%l mod 16] : memref<?xf32>
      }
    }

After:

    %both = arith.andi %a, %b : i1
    %other = arith.xori %both, %true : i1
    %alone = arith.andi %a, %other : i1
    scf.if %alone {
      tile.foreach (%r: 0 to 1, %l: 0 to %width) { ... write %y }
    }
    scf.if %b {
      scf.if %both {
        tile.foreach (%r: 0 to 1, %l: 0 to %width) { ... write %y ... add to %s }
      } else {
        tile.foreach (%r: 0 to 1, %l: 0 to %width) { ... add to %s }
      }
    }

The second block may walk in strips with a rest behind them. A condition that stands within another becomes one value.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects import arith, scf
from xdsl.dialects.builtin import ModuleOp, i1
from xdsl.ir import Block, Operation, Region, SSAValue
from xdsl.passes import ModulePass
from xdsl.rewriter import InsertPoint, Rewriter

from ..dialect.index_expr import Const, IndexExpr, Ref, substitute
from ..dialect.index_map import IndexMapAttr, pack
from ..dialect.tile import ForeachOp, ReadOp, WriteOp
from .index_code import Code
from .lane_walks import Guarded, Join, LaneWalk, joins_of

Values = dict[SSAValue, SSAValue]


@dataclass(frozen=True)
class JoinLaneLoopsPass(ModulePass):
    """Join loops over the same lanes that are guarded apart."""

    name = "join-lane-loops"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        blocks = {branch.parent_block() for branch in op.walk() if isinstance(branch, scf.IfOp)}
        for join in [join for block in blocks if block is not None for join in joins_of(block)]:
            _rewrite(join)


def _rewrite(join: Join) -> None:
    branch = join.second.branch
    code = Code(Block(), branch.location)
    first, second = _condition(join.first, code), _condition(join.second, code)
    both = code.add(arith.AndIOp(first, second), "both").result
    other = code.add(arith.XOrIOp(both, code.scalar(i1, 1))).result
    with code.when(code.add(arith.AndIOp(first, other), "alone").result) as alone:
        _copy((*join.first.needed, *join.first.core), {}, alone)
    with code.when(second) as body:
        values: Values = {}
        _copy(join.second.needed, values, body)
        for op in join.second.core:
            walk = next((walk for walk in join.into if walk.points is op), None)
            if walk is None:
                _copy([op], values, body)
            else:
                _versions(join, walk, both, values, body)
    made = list(code.block.ops)
    for op in made:
        op.detach()
    Rewriter.insert_op(made, InsertPoint.before(branch))
    for old in (join.first.branch, branch):
        Rewriter.erase_op(old)


def _condition(guarded: Guarded, code: Code) -> SSAValue:
    """Append the test that all conditions hold, each where those before it do."""
    values: Values = {}
    (condition, prefix), *inner = guarded.steps
    return _nested(condition, prefix, inner, values, code)


def _nested(
    condition: SSAValue,
    prefix: Sequence[Operation],
    inner: Sequence[tuple[SSAValue, Sequence[Operation]]],
    values: Values,
    code: Code,
) -> SSAValue:
    if not inner:
        return values.get(condition, condition)
    holds, fails = Code(Block(), code.location), Code(Block(), code.location)
    _copy(prefix, values, holds)
    (following, more), *rest = inner
    holds.add(scf.YieldOp(_nested(following, more, rest, values, holds)))
    fails.add(scf.YieldOp(fails.scalar(i1, 0)))
    test = scf.IfOp(values.get(condition, condition), [i1], Region(holds.block), Region(fails.block))
    return code.add(test, "holds").results[0]


def _copy(ops: Sequence[Operation], values: Values, code: Code) -> None:
    """Append copies of operations, with what they take from each other."""
    for op in ops:
        code.block.add_op(_copied(op, values))


def _copied(op: Operation, values: Values) -> Operation:
    copy = op.clone(values)
    for old, new in zip(op.walk(), copy.walk(), strict=True):
        new.location = old.location
    return copy


def _versions(join: Join, walk: LaneWalk, both: SSAValue, values: Values, code: Code) -> None:
    """Append a walk of the second block: with the first block's lanes where both conditions hold, else as it is."""
    joined, apart = Code(Block(), code.location), Code(Block(), code.location)
    own: Values = {}
    _copy(join.first.needed, own, joined)
    loop = _copied(walk.points, values)
    assert isinstance(loop, ForeachOp)
    moved = LaneWalk(loop, walk.width, walk.part, walk.lane, _operands(walk, loop, values))
    _put_in(join.walk.points, own, moved)
    joined.block.add_op(loop)
    _copy([walk.points], values, apart)
    for version in (joined, apart):
        version.add(scf.YieldOp())
    code.add(scf.IfOp(both, [], Region(joined.block), Region(apart.block)))


def _operands(walk: LaneWalk, loop: ForeachOp, values: Values) -> tuple[SSAValue, ...]:
    """Return the operands of a walk's lane in a copy of its loop."""
    known: Values = {**values, **dict(zip(walk.points.dims, loop.dims, strict=True))}
    return tuple(known.get(v, v) for v in walk.operands)


def _put_in(points: ForeachOp, values: Values, walk: LaneWalk) -> None:
    """Put the body of a loop over all lanes in front of the body of a walk."""
    place = walk.points.body.block.first_op
    assert place is not None
    for op in points.body.block.ops:
        copy = _copied(op, values)
        if isinstance(copy, ReadOp | WriteOp):
            copy = _at_lane(copy, points, walk)
            values |= dict(zip(op.results, copy.results, strict=True))
        Rewriter.insert_op(copy, InsertPoint.before(place))


def _at_lane(op: ReadOp | WriteOp, points: ForeachOp, walk: LaneWalk) -> ReadOp | WriteOp:
    """Return an access whose lane is that of a walk, and whose other dims are their only value."""
    operands = [*op.operands_, *walk.operands]
    lane = substitute(walk.lane, [Ref(len(op.operands_) + n) for n in range(len(walk.operands))])
    terms: list[IndexExpr] = [
        lane if value is points.dims[-1] else Const(0) if value in points.dims else Ref(n)
        for n, value in enumerate(op.operands_)
    ]
    indices, used = pack([substitute(expr, terms) for expr in op.indices.data], operands)
    new = _access(op, indices, used)
    new.location = op.location
    op.erase()
    return new


def _access(op: ReadOp | WriteOp, indices: IndexMapAttr, operands: Sequence[SSAValue]) -> ReadOp | WriteOp:
    if isinstance(op, WriteOp):
        return WriteOp(op.value, op.target, indices, operands, op.combine, op.guard)
    new = ReadOp(op.source, indices, operands, op.outside)
    new.result.name_hint = op.result.name_hint
    return new
