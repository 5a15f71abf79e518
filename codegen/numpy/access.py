"""How the lanes of a `tile.foreach` touch memory, and whether its last dim may run as array operations.

The analysis is made before anything is written; foreach.py writes what it says.
"""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import Enum, auto
from typing import TypeAlias

from xdsl.dialects import memref, scf
from xdsl.ir import Block, Operation, SSAValue

from ...dialect.index_expr import Binary, Const, IndexExpr, Ref, refs
from ...dialect.tile.ops import ForeachOp, ReadOp, WriteOp

Access: TypeAlias = ReadOp | WriteOp


class Form(Enum):
    """How the element depends on the lane: not at all; by a constant stride along one dim; in any other way."""

    UNIFORM = auto()
    SLICE = auto()
    GATHER = auto()


@dataclass(frozen=True)
class Place:
    """The form of an access, and for a slice the index that moves and by how much a lane."""

    form: Form
    position: int = 0
    step: int = 0


@dataclass(frozen=True)
class Lanes:
    """The lanes of the foreach that is being written.

    Attributes:
        values: what differs from lane to lane.
        variable: the last dim.
        start, stop: its range, as names or literals.
    """

    values: frozenset[SSAValue] = frozenset()
    variable: SSAValue | None = None
    start: str = "0"
    stop: str = "0"


def root(memref_value: SSAValue) -> SSAValue:
    """Return the memref that a view looks at; different roots never share elements."""
    while isinstance(owner := memref_value.owner, memref.SubviewOp | memref.CastOp):
        memref_value = owner.source
    return memref_value


def memref_of(op: Access) -> SSAValue:
    """Return the memref that an access touches."""
    return op.source if isinstance(op, ReadOp) else op.target


def lane_values(foreach: ForeachOp) -> frozenset[SSAValue]:
    """Return the values that differ from lane to lane: the last dim, and what is computed from it."""
    lanes: set[SSAValue] = {foreach.dims[-1]}
    size = 0
    while size != len(lanes):
        size = len(lanes)
        for op in foreach.body.walk():
            for sources, results in _flows(op):
                if not lanes.isdisjoint(sources):
                    lanes.update(results)
    return frozenset(lanes)


def _flows(op: Operation) -> Iterable[tuple[Sequence[SSAValue], Sequence[SSAValue]]]:
    """Give the results of an operation by what they are computed from."""
    match op:
        case scf.ForOp():
            columns = zip(op.iter_args, _yielded(op.body.block), op.body.block.args[1:], op.res, strict=True)
            return [((init, value), (argument, result)) for init, value, argument, result in columns]
        case scf.IfOp(output=outputs) if outputs:
            columns = zip(_yielded(op.true_region.block), _yielded(op.false_region.block), outputs, strict=True)
            return [((yes, no), (result,)) for yes, no, result in columns]
        case _:
            return [(op.operands, op.results)]


def _yielded(block: Block) -> Sequence[SSAValue]:
    return block.last_op.operands if isinstance(block.last_op, scf.YieldOp) else ()


def place_of(op: Access, lanes: frozenset[SSAValue], variable: SSAValue | None) -> Place:
    """Return how the element that is read or written depends on the lane."""
    moving = [n for n, operand in enumerate(op.operands_) if operand in lanes]
    positions = [n for n, expr in enumerate(op.indices.data) if not refs(expr).isdisjoint(moving)]
    if not positions:
        return Place(Form.UNIFORM)
    if len(positions) == 1 and [op.operands_[n] for n in moving] == [variable]:
        step = stride(op.indices.data[positions[0]], moving[0])
        if step:
            return Place(Form.SLICE, positions[0], step)
    return Place(Form.GATHER)


def stride(expr: IndexExpr, position: int) -> int | None:
    """Return by how much the expression grows with an operand, or None where that is no constant."""
    if position not in refs(expr):
        return 0
    match expr:
        case Binary("+" | "-" as kind, lhs, rhs):
            a, b = stride(lhs, position), stride(rhs, position)
            return None if a is None or b is None else a + b if kind == "+" else a - b
        case Binary("*", inner, Const(factor)) | Binary("*", Const(factor), inner):
            step = stride(inner, position)
            return None if step is None else factor * step
        case Ref():
            return 1
        case _:
            return None


def runs_in_lanes(foreach: ForeachOp, lanes: frozenset[SSAValue]) -> bool:
    """Return whether array operations over the last dim give the bits of a loop over it."""
    accesses: defaultdict[SSAValue, list[Access]] = defaultdict(list)
    for op in foreach.body.walk():
        if op is not foreach and op.regions and not _uniform_control(op, lanes):
            return False
        if isinstance(op, ReadOp | WriteOp):
            accesses[root(memref_of(op))].append(op)
    return all(_in_order(foreach, group, lanes) for group in accesses.values())


def _uniform_control(op: Operation, lanes: frozenset[SSAValue]) -> bool:
    """Return whether all lanes take the same way through an operation with regions."""
    match op:
        case scf.ForOp():
            return lanes.isdisjoint((op.lb, op.ub, op.step))
        case scf.IfOp():
            return op.cond not in lanes
        case _:
            return False


def _in_order(foreach: ForeachOp, group: Sequence[Access], lanes: frozenset[SSAValue]) -> bool:
    """Return whether each element of a memref sees its accesses in the order of a loop over the lanes.

    So it is where nothing is written, where a single write stands directly in the body, and where each lane keeps to an
    element of its own.
    """
    first = group[0]
    if not any(isinstance(op, WriteOp) for op in group):
        return True
    if len(group) == 1 and first.parent is foreach.body.block:
        return True
    return place_of(first, lanes, foreach.dims[-1]).form is Form.SLICE and all(
        memref_of(op) is memref_of(first)
        and op.indices == first.indices
        and tuple(op.operands_) == tuple(first.operands_)
        and not any(_inside(operand, foreach) for operand in op.operands_)
        for op in group
    )


def _inside(value: SSAValue, foreach: ForeachOp) -> bool:
    """Return whether a value is defined in a region inside the foreach's body, and so may change within a lane."""
    block = value.owner if isinstance(value.owner, Block) else value.owner.parent
    return block is not None and block is not foreach.body.block and foreach.body.block.is_ancestor(block)
