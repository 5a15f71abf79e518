"""tile.foreach as loops.

The body's operations go to the outermost zone in which they can run, so that what does not depend on the last dim is
computed before the innermost loop. Elements that the body writes live in values until its end; an element into which
all lanes combine is carried by the innermost loop. The order in which points meet an element never changes.
"""

from collections.abc import Sequence

from xdsl.dialects import arith, memref, scf
from xdsl.ir import Block, Operation, Region, SSAValue

from ..dialect.index_expr import IndexExpr
from ..dialect.tile import ForeachOp, ReadOp, SearchOp, WriteOp
from .index_intervals import DIVISIONS
from .loops_access import Element, Reader
from .loops_body import BodyPlan, element_of, is_transparent
from .loops_context import LoopContext
from .loops_jam import jammed_points
from .loops_nest import Carried, Nest
from .loops_scalars import combine
from .loops_zones import Zone, Zones


def lower_foreach(op: ForeachOp, context: LoopContext) -> None:
    """Replace a foreach by loops."""
    nest = Nest.before(op, context)
    jam = jammed_points(op, nest.zones.ranges)
    values = list(op.bound_values)
    for number, dim in enumerate(op.dims):
        if jam and number == len(op.dims) - 2:
            continue
        lower = _bound(nest, op.lower.data[number].data, values, arith.MaxSIOp)
        upper = _bound(nest, op.upper.data[number].data, values, arith.MinSIOp)
        values[number] = nest.open(lower, upper, dim.name_hint)
        dim.replace_all_uses_with(values[number])
    nest.zones.complete = True
    plan = BodyPlan.of(op, nest)
    ops = _body(op, [context.constant(point) for point in jam])
    body = Body(nest, plan, ops)
    for inner in ops:
        body.lower(inner)
    body.store()
    nest.close(plan.lanes, body.guard)
    op.detach()
    op.erase(safe_erase=False)


def _bound(
    nest: Nest, exprs: Sequence[IndexExpr], values: Sequence[SSAValue], kind: type[arith.MaxSIOp | arith.MinSIOp]
) -> SSAValue:
    return nest.zones.extreme(kind, [nest.zones.index(expr, values) for expr in exprs])


def lower_access(op: ReadOp | WriteOp, context: LoopContext) -> None:
    """Replace a read or write that stands in no foreach."""
    block = op.parent_block()
    assert block is not None
    nest = Nest(Zones(Zone(block, op.next_op), context, op.location))
    nest.zones.complete = True
    body = Body(nest, BodyPlan(frozenset({None}), frozenset(), lanes=False, guarded=False), [op])
    body.lower(op)
    body.store()


def _body(op: ForeachOp, points: Sequence[SSAValue]) -> list[Operation]:
    """Return the operations of the body, once for each point of the jammed dim if there is one."""
    original = list(op.body.block.ops)
    copies = Block()
    for point in points:
        mapper: dict[SSAValue, SSAValue] = {op.dims[-2]: point}
        for inner in original:
            copy = inner.clone(mapper)
            copy.location = inner.location
            copies.add_op(copy)
    return list(copies.ops) if points else original


class Pending:
    """The value that an element has, while memory still holds an older one."""

    def __init__(self, write: WriteOp, element: Element, indices: Sequence[SSAValue], value: SSAValue) -> None:
        self.element = element
        self.indices = tuple(indices)
        self.value = value
        self.location = write.location


class Body:
    """Lowers the operations of a foreach's body, in order.

    Attributes:
        guard: the condition that guards all writes, where the plan says that there is one.
    """

    def __init__(self, nest: Nest, plan: BodyPlan, ops: Sequence[Operation]) -> None:
        self.guard: SSAValue | None = None
        self._nest = nest
        self._zones = nest.zones
        self._plan = plan
        self._pending: list[Pending] = []
        self._known: list[tuple[Element, SSAValue | None, SSAValue]] = []
        self._carried: list[tuple[Element, Carried]] = []
        plain = [op for op in ops if isinstance(op, ReadOp) and op.outside is None]
        self._in_range = [element_of(op, nest.zones.ranges) for op in plain]
        written = (op.target for op in ops if isinstance(op, WriteOp) and op.guard is None)
        self._with_elements = {*(op.source for op in plain), *written}

    def lower(self, op: Operation) -> None:
        """Put an operation of the body, or what it stands for, into its zone."""
        match op:
            case ReadOp():
                self._replace(op, self._read(op))
            case WriteOp():
                self._write(op)
                op.detach()
                op.erase()
            case SearchOp() if not self._plan.may_write(op.source):
                self._zones.put(op, self._zones.level(*op.operands))
            case _ if isinstance(op, DIVISIONS) and not self._zones.ranges.at_least(op.rhs, 1):
                self._zones.put(op, self._zones.risky(*op.operands))
            case _ if is_transparent(op):
                self._zones.put(op, self._zones.level(*op.operands))
            case _:
                self.store()
                self._known.clear()
                self._zones.put(op, self._zones.inner)

    def _replace(self, op: ReadOp, value: SSAValue) -> None:
        if value.name_hint is None:
            value.name_hint = op.result.name_hint
        op.result.replace_all_uses_with(value)
        op.detach()
        op.erase()

    def _read(self, op: ReadOp) -> SSAValue:
        element = element_of(op, self._zones.ranges)
        outside = None if any(element.is_same(other) for other in self._in_range) else op.outside
        found = self._value_of(element, outside)
        if found is not None:
            return found
        self._store_unless_apart(element)
        has_elements = op.source in self._with_elements
        reader = Reader(self._zones, fixed=not self._plan.may_write(op.source), has_elements=has_elements)
        indices = [self._zones.index(expr, op.operands_) for expr in op.indices.data]
        if outside is None:
            value = reader.read(op.source, indices)
        else:
            value = reader.read_or(op.source, indices, self._zones.context.extents(op.source), outside)
        self._known.append((element, outside, value))
        return value

    def _value_of(self, element: Element, outside: SSAValue | None) -> SSAValue | None:
        """Return the value of an element that was read or written before in this body."""
        for pending in self._pending:
            if pending.element.is_same(element):
                return pending.value
        for known, other, value in self._known:
            if other is outside and known.is_same(element):
                return value
        return None

    def _write(self, op: WriteOp) -> None:
        if op.target in self._plan.carried:
            self._combine_carried(op)
            return
        self.guard = op.guard if self._plan.guarded else None
        element = element_of(op, self._zones.ranges)
        if op.guard is not None and not self._plan.guarded:
            self._write_guarded(op, op.guard, element)
            return
        value = op.value
        if op.combine:
            value = combine(op.combine, self._current(op, element), value, self._zones.place)
        self._forget(element)
        known = next((p for p in self._pending if p.element.is_same(element)), None)
        if known is not None:
            known.value = value
        else:
            self._store_unless_apart(element)
            self._pending.append(Pending(op, element, self._indices(op), value))

    def _current(self, op: WriteOp, element: Element) -> SSAValue:
        """Return the value of the element that a write combines into."""
        found = self._value_of(element, None)
        if found is not None:
            return found
        self._store_unless_apart(element)
        return Reader(self._zones, fixed=False).read(op.target, self._indices(op))

    def _indices(self, op: WriteOp) -> list[SSAValue]:
        return [self._zones.index(expr, op.operands_) for expr in op.indices.data]

    def _write_guarded(self, op: WriteOp, guard: SSAValue, element: Element) -> None:
        """Read, combine and store only where the condition holds."""
        self._store_unless_apart(element)
        self._forget(element)
        indices = self._indices(op)
        block = Block()

        def insert(inner: Operation) -> SSAValue:
            inner.location = op.location
            block.add_op(inner)
            return inner.results[0]

        value = op.value
        if op.combine:
            value = combine(op.combine, insert(memref.LoadOp.get(op.target, indices)), value, insert)
        store = memref.StoreOp.get(value, op.target, indices)
        store.location = op.location
        block.add_ops([store, scf.YieldOp()])
        self._zones.put(scf.IfOp(guard, [], Region(block)), self._zones.inner)

    def _combine_carried(self, op: WriteOp) -> None:
        element = element_of(op, self._zones.ranges)
        carried = next((c for e, c in self._carried if e.is_same(element)), None)
        if carried is None:
            carried = self._nest.carry(op.target, self._indices(op))
            self._carried.append((element, carried))
        insert = self._zones.inserter(self._zones.inner)
        value = combine(op.combine, carried.current, op.value, insert)
        if op.guard is not None:
            value = insert(arith.SelectOp(op.guard, value, carried.current))
        carried.current = value

    def _forget(self, element: Element) -> None:
        self._known = [entry for entry in self._known if entry[0].is_apart(element)]

    def _store_unless_apart(self, element: Element) -> None:
        """Store the pending elements that may be this one."""
        kept = [p for p in self._pending if p.element.is_apart(element)]
        for pending in self._pending:
            if pending not in kept:
                self._store(pending)
        self._pending = kept

    def store(self) -> None:
        """Store what is pending."""
        for pending in self._pending:
            self._store(pending)
        self._pending = []

    def _store(self, pending: Pending) -> None:
        store = memref.StoreOp.get(pending.value, pending.element.array, pending.indices)
        store.location = pending.location
        self._zones.put(store, self._zones.inner)
