"""Whether uses of one memory by different pipes are ordered by flags, on every path.

An open item says: a pipe used a memory, and another pipe is not known to have waited for it. Setting a flag captures
the items that its first pipe is done with; waiting for it closes them for the second pipe. Between the two pipes of a
queue the queue's own steps order everything.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field, replace

from xdsl.dialects import scf
from xdsl.ir import Block, Operation, SSAValue

from ..dialect.ascendc import BarrierOp, DequeOp, EnqueOp, QueueOp, SetFlagOp, WaitFlagOp
from ..dialect.diagnostics import Diagnostic
from ..dialect.tile.buffers import LoadRowsOp, StoreRowsOp
from ..dialect.tile.selection import IotaOp
from .scalar_flags import memory_of
from .ub_access import accesses

PIPES = ("S", "V", "MTE2", "MTE3")

QUEUE_PIPES = {"VECIN": ("MTE2", "V"), "VECOUT": ("V", "MTE3"), "VECBIND": ("MTE2", "MTE3")}
"""The pipes that a queue orders: the one that fills its tensors, and the one that uses them."""


@dataclass(frozen=True)
class Item:
    """A use of a memory that a pipe is not known to have waited for.

    Attributes:
        memory: the queue, buffer or tensor in global memory.
        label: what messages call it.
        pipe: the pipe that used it.
        writes: whether it changed it.
        waiter: the other pipe.
        flag: the flag that promises the end of the use, once set.
    """

    memory: SSAValue
    label: str
    pipe: str
    writes: bool
    waiter: str
    flag: SSAValue | None = None


@dataclass(frozen=True)
class Use:
    """One use of a memory by one pipe."""

    memory: SSAValue
    label: str
    pipe: str
    writes: bool
    trusted: frozenset[str] = frozenset()


State = frozenset[Item]


@dataclass
class FlagOrder:
    """Follows the open items through a stage and refuses a use that meets one."""

    state: State = field(default_factory=frozenset[Item])

    def block(self, block: Block) -> None:
        """Follow a block."""
        for op in block.ops:
            match op:
                case scf.ForOp():
                    self._loop(op)
                case scf.IfOp():
                    self._branches(op)
                case SetFlagOp():
                    first, second = op.pair.split("_")
                    self._promise(first, second, op.event)
                case WaitFlagOp():
                    self._close(op.event)
                case EnqueOp():
                    first, second = _ends(op.queue)
                    self._promise(first, second, op.queue)
                case DequeOp():
                    self._close(op.queue)
                case BarrierOp() if op.pipe.data == "ALL":
                    self.state = frozenset()
                case _:
                    self._uses(op)

    def _loop(self, op: scf.ForOp) -> None:
        entry = self.state
        while True:
            self.block(op.body.block)
            if self.state <= entry:
                break
            entry = self.state = self.state | entry
        self.state = entry

    def _branches(self, op: scf.IfOp) -> None:
        entry, ends = self.state, list[State]()
        for region in op.regions:
            self.state = entry
            if region.blocks:
                self.block(region.block)
            ends.append(self.state)
        self.state = ends[0].union(*ends[1:])

    def _promise(self, first: str, second: str, flag: SSAValue) -> None:
        """Let a flag or queue promise what its first pipe did, and what that pipe has itself waited for."""
        unknown = {(item.memory, item.pipe, item.writes) for item in self.state if item.waiter == first}

        def promised(item: Item) -> bool:
            known = item.pipe == first or (item.memory, item.pipe, item.writes) not in unknown
            return item.waiter == second and item.flag is None and known

        self.state = frozenset(replace(item, flag=flag) if promised(item) else item for item in self.state)

    def _close(self, flag: SSAValue) -> None:
        self.state = frozenset(item for item in self.state if item.flag is not flag)

    def _uses(self, op: Operation) -> None:
        uses = list(_uses_of(op))
        for use in uses:
            self._check(op, use)
        for use in uses:
            waiters = [pipe for pipe in PIPES if pipe != use.pipe and pipe not in use.trusted]
            self.state |= {Item(use.memory, use.label, use.pipe, use.writes, waiter) for waiter in waiters}

    def _check(self, op: Operation, use: Use) -> None:
        for item in self.state:
            if item.memory is use.memory and item.waiter == use.pipe and (item.writes or use.writes):
                done = "fills" if item.writes else "uses"
                raise Diagnostic(
                    "OPW376",
                    f"pipe {use.pipe} does not wait until pipe {item.pipe}, which {done} '{item.label}', is done",
                    op,
                    f"set and wait for a flag {item.pipe}_{use.pipe} in between",
                )


def _ends(queue: SSAValue) -> tuple[str, str]:
    assert isinstance(queue.owner, QueueOp)
    return QUEUE_PIPES[queue.owner.position]


def _uses_of(op: Operation) -> Iterator[Use]:
    for access in accesses(op):
        memory = memory_of(access.tensor)
        pipes = frozenset(QUEUE_PIPES[memory.position]) if isinstance(memory, QueueOp) else frozenset[str]()
        trusted = pipes - {access.pipe} if access.pipe in pipes else frozenset[str]()
        yield Use(memory.result, memory.label.data, access.pipe, access.writes, trusted)
    if isinstance(op, IotaOp):
        memory = memory_of(op.target)
        yield Use(memory.result, memory.label.data, "S", True, frozenset({"V"}))
    if isinstance(op, LoadRowsOp):
        yield Use(op.source, op.source.name_hint or "a tensor", "MTE2", False)
    if isinstance(op, StoreRowsOp):
        yield Use(op.target, op.target.name_hint or "a tensor", "MTE3", True)
