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

from ...dialect.index_expr import Binary, Const, IndexExpr, Ref, linear, refs
from ...dialect.tile.ops import ForeachOp, ReadOp, WriteOp

Access: TypeAlias = ReadOp | WriteOp


class Form(Enum):
    """How the element depends on the lane: not at all; by a constant stride along one dim; by the remainder of the lane
    along one dim; in any other way."""

    UNIFORM = auto()
    SLICE = auto()
    FOLD = auto()
    GATHER = auto()


@dataclass(frozen=True)
class Place:
    """The form of an access; the index that moves, and by how much a lane, or for a fold the number of elements."""

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
        match op.indices.data[positions[0]]:
            case Binary("mod", Ref(), Const(count)) if count > 0:
                return Place(Form.FOLD, positions[0], count)
            case _:
                pass
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

    So it is where each two accesses, of which one writes, keep to elements of their own: each lane to its own, or one
    access to other elements than the other. A write that stands directly in the body is in order with itself.
    """
    touches = [Touch.of(op, foreach, lanes) for op in group]
    for n, a in enumerate(touches):
        if isinstance(a.op, WriteOp) and a.op.parent is not foreach.body.block and a.moving is None:
            return False
        for b in touches[:n]:
            writes = isinstance(a.op, WriteOp) or isinstance(b.op, WriteOp)
            if writes and not a.keeps_lanes_apart(b) and not a.is_elsewhere(b):
                return False
    return True


Linear: TypeAlias = tuple[frozenset[tuple[SSAValue, int]], int]
"""A sum of values times coefficients, and a constant."""


@dataclass(frozen=True)
class Touch:
    """What is known of the element that an access touches.

    Attributes:
        op: the access.
        moving: the index that moves with the lane, where it is the only one and linear, with its position.
        fixed: the indices, by position, that are the same for all lanes and linear.
    """

    op: Access
    moving: tuple[int, Linear] | None
    fixed: dict[int, Linear]

    @staticmethod
    def of(op: Access, foreach: ForeachOp, lanes: frozenset[SSAValue]) -> "Touch":
        """Analyze an access."""
        place = place_of(op, lanes, foreach.dims[-1])
        indices = {n: _linear(expr, op, foreach) for n, expr in enumerate(op.indices.data)}
        known = {n: index for n, index in indices.items() if index is not None}
        moving = (
            (place.position, known[place.position]) if place.form is Form.SLICE and place.position in known else None
        )
        return Touch(op, moving, {n: i for n, i in known.items() if lanes.isdisjoint(value for value, _ in i[0])})

    def keeps_lanes_apart(self, other: "Touch") -> bool:
        """Return whether two different lanes never touch the same element, one by each access."""
        same = memref_of(self.op) is memref_of(other.op)
        return same and self.moving is not None and self.moving == other.moving

    def is_elsewhere(self, other: "Touch") -> bool:
        """Return whether the two accesses never touch the same element."""
        if memref_of(self.op) is not memref_of(other.op):
            return False
        shared = self.fixed.keys() & other.fixed.keys()
        return any(self.fixed[n][0] == other.fixed[n][0] and self.fixed[n][1] != other.fixed[n][1] for n in shared)


def _linear(expr: IndexExpr, op: Access, foreach: ForeachOp) -> Linear | None:
    """Return an index as a sum of values that do not change within a lane, or None."""
    form = linear(expr)
    if form is None:
        return None
    terms = frozenset((op.operands_[n], coefficient) for n, coefficient in form[0].items())
    return None if any(_inside(value, foreach) for value, _ in terms) else (terms, form[1])


def _inside(value: SSAValue, foreach: ForeachOp) -> bool:
    """Return whether a value is defined in a region inside the foreach's body, and so may change within a lane."""
    block = value.owner if isinstance(value.owner, Block) else value.owner.parent
    return block is not None and block is not foreach.body.block and foreach.body.block.is_ancestor(block)
