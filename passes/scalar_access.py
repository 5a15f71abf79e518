"""Scalar accesses outside of point loops, as upstream operations on memory."""

from collections.abc import Iterable
from dataclasses import dataclass

from xdsl.dialects import arith, memref, scf
from xdsl.dialects.builtin import AnyFloat
from xdsl.ir import Block, BlockArgument, Operation, Region, SSAValue
from xdsl.rewriter import InsertPoint, Rewriter

from ..dialect.tile import CoresOp, ForeachOp, ReadOp, WriteOp
from .index_code import Code
from .promote_ranges import Ranges
from .scalar_cache import ScalarCache, is_cacheable


def lower_scalars(stage: CoresOp, ranges: Ranges, globals_: Iterable[SSAValue]) -> None:
    """Replace every element access of a stage outside of its point loops."""
    written = {op.target for op in stage.body.walk() if isinstance(op, WriteOp) and not _in_points(op)}
    lowering = _Lowering(stage, ranges, frozenset(globals_) - written, {})
    for op in list(stage.body.walk()):
        if isinstance(op, ReadOp) and not _in_points(op):
            lowering.read(op)
        elif isinstance(op, WriteOp) and not _in_points(op):
            _lower_write(op)


def _in_points(op: Operation) -> bool:
    parent = op.parent_op()
    while parent is not None and not isinstance(parent, CoresOp):
        if isinstance(parent, ForeachOp):
            return True
        parent = parent.parent_op()
    return False


@dataclass(frozen=True)
class _Lowering:
    """Lowers the reads of one stage.

    Attributes:
        stage: the stage.
        ranges: proofs about places in tensors.
        globals: the tensors in global memory that the stage does not write by scalars.
        caches: the blocks of tensors so far.
    """

    stage: CoresOp
    ranges: Ranges
    globals: frozenset[SSAValue]
    caches: dict[SSAValue, ScalarCache]

    def read(self, op: ReadOp) -> None:
        """Load an element; one that may lie outside its tensor only behind a test."""
        code = Code(Block(), op.location)
        indices = [code.expr(e, op.operands_) for e in op.indices.data]
        inside = None if op.outside is None else _inside(op, indices, self.ranges, code)
        if inside is None:
            value = self._load(op, indices, code)
        else:
            assert op.outside is not None
            value = self._guarded(op, indices, inside, op.outside, code)
        Rewriter.inline_block(code.block, InsertPoint.before(op))
        Rewriter.replace_op(op, [], [value])

    def _load(self, op: ReadOp, indices: list[SSAValue], code: Code) -> SSAValue:
        if not is_cacheable(op, self.globals):
            return code.add(memref.LoadOp.get(op.source, indices), op.result.name_hint).results[0]
        if op.source not in self.caches:
            self.caches[op.source] = ScalarCache.reserve(self.stage, op, self.ranges)
        return self.caches[op.source].load(op, indices, self.ranges, code)

    def _guarded(
        self, op: ReadOp, indices: list[SSAValue], inside: SSAValue, outside: SSAValue, code: Code
    ) -> SSAValue:
        then, otherwise = Code(Block(), op.location), Code(Block(), op.location)
        value = self._load(op, indices, then)
        then.add(scf.YieldOp(value))
        otherwise.add(scf.YieldOp(outside))
        branch = scf.IfOp(inside, [value.type], Region(then.block), Region(otherwise.block))
        return code.add(branch, op.result.name_hint).results[0]


def _inside(op: ReadOp, indices: list[SSAValue], ranges: Ranges, code: Code) -> SSAValue | None:
    """Append the test that an element lies in its tensor; None where it surely does."""
    found: SSAValue | None = None
    for position, (expr, index) in enumerate(zip(op.indices.data, indices, strict=True)):
        assert isinstance(op.source, BlockArgument)
        size = ranges.size(op.source, position)
        limit = code.constant(size) if isinstance(size, int) else size
        tests: list[SSAValue] = []
        if not ranges.not_negative(expr, op.operands_):
            tests.append(code.add(arith.CmpiOp(index, code.constant(0), "sge")).result)
        if not ranges.below(expr, op.operands_, size):
            tests.append(code.add(arith.CmpiOp(index, limit, "slt")).result)
        for test in tests:
            found = test if found is None else code.add(arith.AndIOp(found, test)).result
    return found


def _lower_write(op: WriteOp) -> None:
    code = Code(Block(), op.location)
    indices = [code.expr(e, op.operands_) for e in op.indices.data]
    value = op.value
    if op.combine:
        value = _combined(op, indices, code)
    if op.guard is None:
        code.add(memref.StoreOp.get(value, op.target, indices))
    else:
        with code.when(op.guard) as branch:
            branch.add(memref.StoreOp.get(value, op.target, indices))
    Rewriter.inline_block(code.block, InsertPoint.before(op))
    Rewriter.erase_op(op)


FLOATS = {"add": arith.AddfOp, "max": arith.MaximumfOp, "min": arith.MinimumfOp}
INTEGERS = {"add": arith.AddiOp, "max": arith.MaxSIOp, "min": arith.MinSIOp}


def _combined(op: WriteOp, indices: list[SSAValue], code: Code) -> SSAValue:
    held = code.add(memref.LoadOp.get(op.target, indices)).results[0]
    table = FLOATS if isinstance(held.type, AnyFloat) else INTEGERS
    return code.add(table[op.combine](held, op.value)).results[0]
