"""Building a nest of loops with its zones, and closing it when its body is complete."""

from collections.abc import Sequence
from dataclasses import dataclass, field

from xdsl.dialects import arith, memref, scf
from xdsl.dialects.builtin import IndexType, UnitAttr
from xdsl.ir import Block, Operation, Region, SSAValue

from .loops_context import LoopContext
from .loops_zones import Zone, Zones

LANES = "tile.lanes"
"""Marks a loop whose iterations are independent of each other."""


@dataclass
class Carried:
    """An element that the innermost loop combines into: a value that the loop carries.

    Attributes:
        array, indices: the element.
        initial: its value before the loop.
        current: its value at this point of the body.
    """

    array: SSAValue
    indices: tuple[SSAValue, ...]
    initial: SSAValue
    current: SSAValue


@dataclass
class Nest:
    """A nest under construction.

    Attributes:
        zones: its zones.
        loops: its loops, outermost first; a dim of one point has none.
        carried: what the innermost loop carries.
        last_dim: the innermost loop runs over the last dim.
    """

    zones: Zones
    loops: list[scf.ForOp] = field(default_factory=list[scf.ForOp])
    carried: list[Carried] = field(default_factory=list[Carried])
    last_dim: bool = False

    @staticmethod
    def before(op: Operation, context: LoopContext) -> "Nest":
        """Return an empty nest that stands before an operation."""
        block = op.parent_block()
        assert block is not None
        return Nest(Zones(Zone(block, op), context, op.location))

    def open(self, lower: SSAValue, upper: SSAValue, name: str | None) -> SSAValue:
        """Open a loop inside all others and return its variable; a single point needs no loop."""
        low, high = (self.zones.ranges.constant(end) for end in (lower, upper))
        self.last_dim = low is None or high is None or high - low != 1
        if not self.last_dim:
            return lower
        body = Block([scf.YieldOp()], arg_types=[IndexType()])
        body.args[0].name_hint = name
        loop = scf.ForOp(lower, upper, self.zones.constant(1), [], Region(body))
        zone = self.zones.zones[-1]
        self.zones.put(loop, self.zones.inner)
        zone.before = loop
        zone.ops.clear()
        self.loops.append(loop)
        self.zones.open(Zone(body, body.last_op), body.args[0])
        return body.args[0]

    def carry(self, array: SSAValue, indices: Sequence[SSAValue]) -> Carried:
        """Let the innermost loop carry an element whose indices are known before it."""
        initial = self.zones.put(memref.LoadOp.get(array, indices), self.zones.risky(*indices)).res
        body = self.loops[-1].body.block
        inside = body.insert_arg(initial.type, len(body.args))
        inside.name_hint = array.name_hint
        self.carried.append(Carried(array, tuple(indices), initial, inside))
        return self.carried[-1]

    def close(self, lanes: bool, guard: SSAValue | None) -> None:
        """Finish the nest.

        Args:
            lanes: the iterations of the innermost loop are independent.
            guard: a condition, known before the innermost loop, without which that loop does nothing.
        """
        if not self.loops:
            return
        loop = self.loops[-1]
        end = loop.next_op
        self.zones.zones[-2].before = end
        if self.carried:
            loop = self._carry(loop)
        elif guard is not None:
            _wrap(guard, [loop])
        if lanes and self.last_dim and not self.carried:
            loop.attributes[LANES] = UnitAttr()
        if self.zones.guarded and not self.zones.ranges.runs(loop.lb, loop.ub):
            self._guard_prologue(loop, end)

    def _carry(self, loop: scf.ForOp) -> scf.ForOp:
        """Replace the loop by one that carries values, and store them after it."""
        block = loop.body.block
        end = block.last_op
        assert end is not None
        block.erase_op(end)
        block.add_op(scf.YieldOp(*(c.current for c in self.carried)))
        region = loop.detach_region(loop.body)
        new = scf.ForOp(loop.lb, loop.ub, loop.step, [c.initial for c in self.carried], region)
        new.location = loop.location
        outside = self.zones.zones[-2]
        outside.block.insert_op_before(new, loop)
        outside.block.erase_op(loop)
        for carried, result in zip(self.carried, new.res, strict=True):
            result.name_hint = carried.array.name_hint
            self.zones.put(memref.StoreOp.get(result, carried.array, carried.indices), self.zones.inner - 1)
        self.loops[-1] = new
        return new

    def _guard_prologue(self, loop: scf.ForOp, end: Operation | None) -> None:
        """Let what stands around the innermost loop run only if the loop does."""
        zone = self.zones.zones[-2]
        place: Operation | None = zone.ops[0]
        runs = arith.CmpiOp(loop.lb, loop.ub, "slt")
        runs.location = loop.location
        zone.block.insert_op_before(runs, zone.ops[0])
        ops: list[Operation] = []
        while place is not None and place is not end:
            ops.append(place)
            place = place.next_op
        _wrap(runs.result, ops)


def _wrap(condition: SSAValue, ops: Sequence[Operation]) -> None:
    """Put operations that stand in a row under a condition."""
    block = ops[0].parent_block()
    assert block is not None
    body = Block()
    branch = scf.IfOp(condition, [], Region(body))
    branch.location = ops[0].location
    block.insert_op_before(branch, ops[0])
    for op in ops:
        op.detach()
        body.add_op(op)
    body.add_op(scf.YieldOp())
