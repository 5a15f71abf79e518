"""Strips: lanes that combine by their remainder become strips of independent lanes.

Before:

    tile.foreach (%r: 0 to %rows, %l: 0 to %width) {
      tile.write add %v to %s[%r, %l mod 64] : memref<?x64xf32>
    }

After:

    tile.foreach (%r: 0 to %rows, %strip: 0 to %width ceildiv 64, %l: 64 * %strip to min(%width, 64 * %strip + 64)) {
      tile.write add %v to %s[%r, %l - 64 * %strip] : memref<?x64xf32>
    }

The points and their order stay the same.
"""

from collections.abc import Iterator, Sequence

from xdsl.dialects.builtin import IndexType
from xdsl.ir import SSAValue

from ..dialect.index_expr import Binary, Const, IndexExpr, Ref, ceildiv, substitute
from ..dialect.index_map import IndexMapAttr, pack
from ..dialect.spec.nests import Header
from ..dialect.tile import ForeachOp, ReadOp, WriteOp
from ..dialect.tile.divisors import divisor_of

Access = ReadOp | WriteOp


def strip_mined(op: ForeachOp) -> ForeachOp:
    """Return the foreach with strips as a dim in front of the lanes, or as it is where no write needs them."""
    size = next(_sizes(op), 0)
    if not size:
        return op
    header = _header(op, size)
    bounds, region = list(op.bounds), op.detach_region(op.body)
    lane = region.block.args[-1]
    strip = region.block.insert_arg(IndexType(), lane.index)
    strip.name_hint = "strip"
    for access in [inner for inner in region.walk() if isinstance(inner, ReadOp | WriteOp)]:
        _count_from_strip(access, lane, strip, size)
    new = ForeachOp(header, bounds, region)
    new.location = op.location
    block = op.parent_block()
    assert block is not None
    block.insert_op_before(new, op)
    op.detach()
    op.erase()
    return new


def _sizes(op: ForeachOp) -> Iterator[int]:
    """Yield by which numbers the writes take the remainder of the lane."""
    for write in op.walk():
        if isinstance(write, WriteOp):
            for expr in write.indices.data:
                size = _remainder(expr, write.operands_, op.dims[-1])
                if size:
                    yield size


def _remainder(expr: IndexExpr, operands: Sequence[SSAValue], lane: SSAValue) -> int:
    """Return n where an expression is `lane mod n`, else 0."""
    match expr:
        case Binary("mod", Ref(position), Const(size)) if size > 1 and operands[position] is lane:
            return size
        case _:
            return 0


def _header(op: ForeachOp, size: int) -> Header:
    """Return the ranges: a bound of the lanes that is a multiple of the size is one of the strips."""
    last, values = len(op.dims) - 1, op.bound_values
    moved = [Ref(n) if n < last else Ref(n + 1) for n in range(len(values))]
    lower, upper = ([[substitute(e, moved) for e in m.data] for m in side] for side in (op.lower, op.upper))
    first = Ref(last) * size

    def inside(side: Sequence[IndexExpr], original: IndexMapAttr) -> list[IndexExpr]:
        return [e for e, old in zip(side, original.data, strict=True) if divisor_of(old, values) % size]

    return Header(
        [*lower[:-1], [e // size for e in lower[-1]], [first, *inside(lower[-1], op.lower.data[-1])]],
        [*upper[:-1], [ceildiv(e, size) for e in upper[-1]], [*inside(upper[-1], op.upper.data[-1]), first + size]],
    )


def _count_from_strip(op: Access, lane: SSAValue, strip: SSAValue, size: int) -> None:
    """Replace `lane mod size` in the indices of an access by the lane counted from the start of its strip."""
    operands = list(op.operands_)
    if all(_remainder(expr, operands, lane) != size for expr in op.indices.data):
        return
    start = Ref(len(operands)) * size
    counted = [
        expr.lhs - start if isinstance(expr, Binary) and _remainder(expr, operands, lane) == size else expr
        for expr in op.indices.data
    ]
    indices, used = pack(counted, [*operands, strip])
    block = op.parent_block()
    assert block is not None
    if isinstance(op, ReadOp):
        new: Access = ReadOp(op.source, indices, used, op.outside)
        new.result.name_hint = op.result.name_hint
        op.result.replace_all_uses_with(new.result)
    else:
        new = WriteOp(op.value, op.target, indices, used, op.combine, op.guard)
    new.location = op.location
    block.insert_op_before(new, op)
    op.detach()
    op.erase()
