"""Zones: the places of a loop nest where operations go, one before each loop and one in the innermost body.

    zone 0
    scf.for %r {
      zone 1
      scf.for %l {
        zone 2
      }
    }

A value belongs to the outermost zone in which all that it needs is known. Equal index operations are built once a zone.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import TypeVar

from xdsl.dialects import arith
from xdsl.dialects.builtin import LocationAttr, UnknownLoc
from xdsl.ir import Block, Operation, SSAValue

from ..dialect.index_expr import Binary, Const, IndexExpr, Ref
from .loops_context import LoopContext

OpT = TypeVar("OpT", bound=Operation)


@dataclass
class Zone:
    """A place in a block.

    Attributes:
        block: the block.
        before: what stands behind the place, or None at the end of the block.
        ops: what was put here, in order.
        known: results of index operations by operation and operands.
    """

    block: Block
    before: Operation | None
    ops: list[Operation] = field(default_factory=list[Operation])
    known: dict[tuple[object, ...], SSAValue] = field(default_factory=dict[tuple[object, ...], SSAValue])

    def put(self, op: Operation) -> None:
        """Put an operation at the end of the zone."""
        if self.before is None:
            self.block.add_op(op)
        else:
            self.block.insert_op_before(op, self.before)
        self.ops.append(op)


class Zones:
    """The zones of one nest, and the zone of every value.

    Attributes:
        zones: the places, outermost first.
        context: what is known of the function.
        ranges: what is known of index values in the innermost zone.
        location: the place in the source that new operations get.
        complete: all loops of the nest are open.
        guarded: the zone before the innermost loop holds operations that may only run if that loop runs.
    """

    def __init__(self, first: Zone, context: LoopContext, location: LocationAttr) -> None:
        self.zones = [first]
        self.context = context
        self.ranges = context.ranges(first.block)
        self.location = location
        self.complete = False
        self.guarded = False
        self._levels: dict[SSAValue, int] = {}

    @property
    def inner(self) -> int:
        """Return the number of the innermost zone."""
        return len(self.zones) - 1

    def level(self, *values: SSAValue) -> int:
        """Return the number of the outermost zone in which all values are known."""
        return max((self._levels.get(value, 0) for value in values), default=0)

    def open(self, zone: Zone, variable: SSAValue) -> None:
        """Add the zone inside a new innermost loop, whose variable belongs to it."""
        self.zones.append(zone)
        self.ranges = self.context.ranges(zone.block)
        self._levels[variable] = self.inner

    def put(self, op: OpT, level: int) -> OpT:
        """Put an operation into a zone; operations without a place get the nest's."""
        if op.parent is not None:
            op.detach()
        elif isinstance(op.location, UnknownLoc):
            op.location = self.location
        self.zones[level].put(op)
        for result in op.results:
            self._levels[result] = level
        return op

    def place(self, op: Operation) -> SSAValue:
        """Put a pure operation where its operands are known, and return its result."""
        return self.put(op, self.level(*op.operands)).results[0]

    def inserter(self, level: int) -> Callable[[Operation], SSAValue]:
        """Return a function that puts operations into one zone."""
        return lambda op: self.put(op, level).results[0]

    def risky(self, *values: SSAValue) -> int:
        """Return the zone for an operation that may only run where the nest has a point."""
        if not self.complete or self.level(*values) == self.inner:
            return self.inner
        self.guarded = True
        return self.inner - 1

    def constant(self, value: int) -> SSAValue:
        """Return an index constant."""
        return self.context.constant(value)

    def once(self, build: Callable[[SSAValue, SSAValue], Operation], lhs: SSAValue, rhs: SSAValue) -> SSAValue:
        """Return the result of a pure index operation, built where it is not there yet."""
        return self._once((build, lhs, rhs), self.level(lhs, rhs), lambda: build(lhs, rhs))

    def _once(self, key: tuple[object, ...], level: int, build: Callable[[], Operation]) -> SSAValue:
        known = self.zones[level].known
        if key not in known:
            known[key] = self.put(build(), level).results[0]
        return known[key]

    def plus(self, lhs: SSAValue, rhs: SSAValue) -> SSAValue:
        """Return a sum of index values."""
        if self.ranges.constant(lhs) == 0:
            return rhs
        if self.ranges.constant(rhs) == 0:
            return lhs
        return self.once(arith.AddiOp, lhs, rhs)

    def index(self, expr: IndexExpr, operands: Sequence[SSAValue]) -> SSAValue:
        """Return the value of an index expression."""
        match expr:
            case Const(value):
                return self.constant(value)
            case Ref(position):
                return operands[position]
            case Binary(kind, lhs, rhs):
                return self._arithmetic(kind, self.index(lhs, operands), self.index(rhs, operands))
            case _:
                raise TypeError(f"not an index expression: {expr}")

    def _arithmetic(self, kind: str, lhs: SSAValue, rhs: SSAValue) -> SSAValue:
        match kind:
            case "+":
                return self.plus(lhs, rhs)
            case "-":
                return self.once(arith.SubiOp, lhs, rhs)
            case "*":
                return self.once(arith.MuliOp, lhs, rhs)
            case "ceildiv":
                return self._divide(arith.CeilDivSIOp, lhs, rhs)
            case _:
                return self._floor_division(kind, lhs, rhs)

    def _floor_division(self, kind: str, lhs: SSAValue, rhs: SSAValue) -> SSAValue:
        natural = self.ranges.at_least(lhs, 0) and self.ranges.at_least(rhs, 1)
        if kind == "floordiv":
            return self._divide(arith.DivSIOp if natural else arith.FloorDivSIOp, lhs, rhs)
        if natural:
            return self._divide(arith.RemSIOp, lhs, rhs)
        quotient = self._divide(arith.FloorDivSIOp, lhs, rhs)
        return self.once(arith.SubiOp, lhs, self.once(arith.MuliOp, quotient, rhs))

    def _divide(self, build: Callable[[SSAValue, SSAValue], Operation], lhs: SSAValue, rhs: SSAValue) -> SSAValue:
        level = self.level(lhs, rhs) if self.ranges.at_least(rhs, 1) else self.risky(lhs, rhs)
        return self._once((build, lhs, rhs), level, lambda: build(lhs, rhs))

    def extreme(self, build: Callable[[SSAValue, SSAValue], Operation], values: Sequence[SSAValue]) -> SSAValue:
        """Return the minimum or maximum of index values."""
        result, *others = values
        for value in others:
            result = self.once(build, result, value)
        return result
