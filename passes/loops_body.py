"""What the body of a foreach does with memory: the analysis that comes before any change."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import combinations

from xdsl.dialects import memref
from xdsl.ir import Operation, SSAValue
from xdsl.traits import is_side_effect_free

from ..dialect.tile import ForeachOp, ReadOp, SearchOp, WriteOp
from .loops_access import Element
from .loops_nest import Nest
from .loops_ranges import Ranges


@dataclass(frozen=True)
class BodyPlan:
    """How the body of a foreach is lowered.

    Attributes:
        written: arrays that the body writes; None stands for any array.
        carried: arrays of which the innermost loop carries the elements it combines into.
        lanes: the iterations of the innermost loop are independent.
        guarded: one condition, known before the innermost loop, guards all that the body does.
    """

    written: frozenset[SSAValue | None]
    carried: frozenset[SSAValue]
    lanes: bool
    guarded: bool

    @staticmethod
    def of(op: ForeachOp, nest: Nest) -> "BodyPlan":
        """Analyze a body whose loop variables are those of the nest."""
        written = frozenset(_written(op))
        inner = nest.zones.inner
        level = _levels(op, nest, written)
        writes = [w for w in op.walk() if isinstance(w, WriteOp)]
        elements = [element_of(w, nest.zones.ranges) for w in writes]
        if not nest.loops:
            return BodyPlan(written, frozenset(), lanes=False, guarded=False)

        def fixed(value: SSAValue) -> bool:
            return level(value) < inner

        carried = _carried(op, writes, elements, fixed)
        lanes = _are_lanes(nest, written, elements, fixed)
        return BodyPlan(written, carried, lanes, not carried and _one_guard(op, writes, written, fixed))

    def may_write(self, array: SSAValue) -> bool:
        """Return whether the body may write to an array."""
        return array in self.written or None in self.written


def element_of(op: ReadOp | WriteOp, ranges: Ranges) -> Element:
    """Return the element that an operation reads or writes."""
    array = op.source if isinstance(op, ReadOp) else op.target
    return Element.of(array, op.indices.data, op.operands_, ranges)


def is_transparent(op: Operation) -> bool:
    """Return whether an operation has no effect and nothing inside."""
    return not op.regions and is_side_effect_free(op)


def _written(op: ForeachOp) -> Iterator[SSAValue | None]:
    for inner in op.walk():
        match inner:
            case WriteOp():
                yield inner.target
            case ReadOp() | SearchOp() | memref.LoadOp():
                pass
            case _ if not inner.regions and not is_side_effect_free(inner):
                yield None
            case _:
                pass


def _levels(op: ForeachOp, nest: Nest, written: frozenset[SSAValue | None]) -> Callable[[SSAValue], int]:
    """Return a function that gives the zone in which a value of the body will stand."""
    inner = nest.zones.inner
    known: dict[SSAValue, int] = {}

    def level(value: SSAValue) -> int:
        return known.get(value, nest.zones.level(value))

    for place in op.body.block.ops:
        operands = max((level(v) for v in place.operands), default=0)
        reads = isinstance(place, ReadOp | SearchOp) and place.source not in written and None not in written
        free = is_transparent(place) or (reads and isinstance(place, SearchOp))
        own = operands if free else max(operands, inner - 1) if reads else inner
        known |= dict.fromkeys(place.results, own)
        for nested in place.walk():
            known |= dict.fromkeys(nested.results, own if nested is place else inner)
            for region in nested.regions:
                known |= {arg: inner for block in region.blocks for arg in block.args}
    return level


def _are_lanes(
    nest: Nest,
    written: frozenset[SSAValue | None],
    elements: list[Element],
    fixed: Callable[[SSAValue], bool],
) -> bool:
    variable = nest.loops[-1].body.block.args[0]
    by_writes = {element.array for element in elements}
    return written <= by_writes and all(element.moves_with(variable, fixed) for element in elements)


def _one_guard(
    op: ForeachOp, writes: list[WriteOp], written: frozenset[SSAValue | None], fixed: Callable[[SSAValue], bool]
) -> bool:
    guards = {write.guard for write in writes}
    guard = next(iter(guards), None)
    direct = all(write.parent is op.body.block for write in writes) and written <= {w.target for w in writes}
    return direct and len(guards) == 1 and guard is not None and fixed(guard)


def _carried(
    op: ForeachOp, writes: list[WriteOp], elements: list[Element], fixed: Callable[[SSAValue], bool]
) -> frozenset[SSAValue]:
    """Return the arrays into which all lanes combine, and which nothing else in the body touches."""
    found: set[SSAValue] = set()
    for array in {write.target for write in writes}:
        users = [inner for inner in op.walk() if array in inner.operands]
        mine = [(w, e) for w, e in zip(writes, elements, strict=True) if w.target is array]
        alone = len(users) == len(mine) and all(w.parent is op.body.block and w.combine for w, _ in mine)
        kinds = {w.combine for w, _ in mine}
        uniform = all(fixed(v) for w, _ in mine for v in w.operands_)
        clear = all(a.is_same(b) or a.is_apart(b) for (_, a), (_, b) in combinations(mine, 2))
        if alone and len(kinds) == 1 and uniform and clear:
            found.add(array)
    return frozenset(found)
