"""Which member of a kernel's class each buffer becomes: a queue, by the pipes it connects, or a plain buffer."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from xdsl.dialects import scf
from xdsl.ir import Operation

from ..dialect.diagnostics import Diagnostic
from ..dialect.tile.buffers import AllocOp
from .buffer_lives import Life, find_life
from .chips import Chip


@dataclass(frozen=True)
class QueuePlan:
    """How one buffer is held.

    Attributes:
        life: the buffer and its uses.
        position: the queue's position, or an empty string for a plain buffer.
        times: how many copies of it there are.
    """

    life: Life
    position: str
    times: int

    @property
    def alloc_at(self) -> Operation:
        """Return the operation in front of which a tensor is taken."""
        return self.life.uses[0][0]

    @property
    def enque_at(self) -> Operation:
        """Return the operation behind which the tensor is handed over."""
        producer = "V" if self.position == "VECOUT" else "MTE2"
        return self.life.last(producer)

    @property
    def deque_at(self) -> Operation:
        """Return the operation in front of which the tensor is taken over."""
        return self.life.first(*self.consumers)

    @property
    def consumers(self) -> tuple[str, ...]:
        """Return the pipes that use the tensor once it was handed over."""
        return ("V", "S", "MTE3") if self.position == "VECIN" else ("MTE3",)

    @property
    def free_at(self) -> Operation:
        """Return the operation behind which the tensor is given back."""
        return self.life.uses[-1][0]


def plan_buffers(allocs: Sequence[AllocOp], chip: Chip) -> list[QueuePlan]:
    """Plan all buffers of one stage; buffers without a use are left out.

    Raises:
        Diagnostic: OPW377 where more tensors would be held at a time than a position has event ids; OPW378, OPW379
            where the uses of a buffer fit no queue.
    """
    lives = [life for alloc in allocs if (life := find_life(alloc)) is not None]
    plans = [_plan(life) for life in lives]
    return _limit(_limit(plans, ("VECIN", "VECBIND"), chip), ("VECOUT",), chip)


def _plan(life: Life) -> QueuePlan:
    loads, stores = life.uses_of("MTE2"), life.uses_of("MTE3")
    vector, scalar = life.uses_of("V"), life.uses_of("S")
    times = life.alloc.times.data
    if life.alloc.role.data == "cache" or (stores and any(use.writes for use in scalar)):
        return QueuePlan(life, "", 1)
    if loads and stores and not (vector or scalar):
        plan = QueuePlan(life, "VECBIND", times)
    elif loads and (vector or stores):
        plan = QueuePlan(life, "VECIN", times)
    elif stores:
        plan = QueuePlan(life, "VECOUT", times)
    else:
        return QueuePlan(life, "", 1)
    _check_order(plan)
    return plan


def _check_order(plan: QueuePlan) -> None:
    """Refuse a buffer whose producer goes on after its consumer has started."""
    life = plan.life
    consumed = life.holders(*plan.consumers)
    order = {op: n for n, op in enumerate(life.block.ops)}
    for holder, use in life.uses:
        if use.pipe not in plan.consumers and order[holder] >= order[consumed[0]]:
            raise _unfit(
                life,
                "is filled again after it was read" if plan.position != "VECOUT" else "is used after it was copied out",
                "give each filling a buffer of its own",
                use.op,
            )
    stored = [order[holder] for holder, use in life.uses if use.pipe == "MTE3"]
    for holder, use in life.uses:
        if plan.position == "VECIN" and use.pipe == "V" and use.writes and stored and order[holder] >= stored[0]:
            raise _unfit(life, "is changed after it was copied out", "change a copy of it", use.op)
    first = life.uses[0]
    if life.alloc.role.data == "resident" and isinstance(first[0], scf.IfOp) and life.holders("V")[-1] is not first[0]:
        raise _unfit(life, "is filled on some paths only", "fill it wherever it is used", first[1].op)


def _unfit(life: Life, what: str, hint: str, at: Operation | None = None) -> Diagnostic:
    return Diagnostic("OPW379", f"the on-chip buffer '{life.label}' {what}: no queue does that", at or life.alloc, hint)


def _limit(plans: list[QueuePlan], positions: tuple[str, ...], chip: Chip) -> list[QueuePlan]:
    """Take double buffering from the last queues until the event ids of a position suffice."""
    queues = [n for n, plan in enumerate(plans) if plan.position in positions]
    if len(queues) > chip.max_events:
        life = plans[queues[chip.max_events]].life
        raise Diagnostic(
            "OPW377",
            f"{len(queues)} buffers of one stage are queues of position {positions[0]}; '{chip.name}' has event ids "
            f"for {chip.max_events}",
            life.alloc,
            "split the operator, or leave one of its tensors out",
        )
    result = list(plans)
    for n in reversed(queues):
        excess = sum(result[m].times for m in queues) - chip.max_events
        if excess > 0:
            result[n] = replace(result[n], times=max(1, result[n].times - excess))
    return result
