"""The life of queue tensors and flags, followed along every path of a stage.

A path may go through a loop any number of times and through either branch of a condition, so a loop's body and both
branches have to leave queues and flags as they found each other's.
"""

from abc import ABC, abstractmethod
from dataclasses import dataclass, replace
from typing import Generic, TypeVar

from xdsl.dialects.scf import IfOp
from xdsl.ir import Block, Operation, Region, SSAValue

from ..diagnostics import Diagnostic
from ..tile.ops import CoresOp
from .queues import AllocTensorOp, DequeOp, EnqueOp, FreeTensorOp, QueueOp, ReserveOp
from .stage import StageOp
from .sync import EventOp, ReleaseEventOp, SetFlagOp, WaitFlagOp

State = TypeVar("State")


@dataclass(frozen=True)
class Walk(ABC, Generic[State]):
    """Follows one queue or flag through a block: `step` applies an operation to a state.

    Attributes:
        name: what messages call it.
        owner: the value that stands for it.
    """

    name: str
    owner: SSAValue

    @abstractmethod
    def step(self, state: State, op: Operation) -> State:
        """Return the state after an operation that has no regions."""

    def block(self, state: State, block: Block) -> State:
        """Return the state after a block."""
        for op in block.ops:
            state = self.step(state, op)
            if op.regions:
                state = self.regions(state, op)
        return state

    def regions(self, state: State, op: Operation) -> State:
        """Return the state after the regions of an operation: one of two branches, or a loop's body."""
        ends = [self.region(state, region) for region in op.regions]
        expected = ends[0] if isinstance(op, IfOp) else state
        if any(end != expected for end in ends):
            what = "the two branches leave" if isinstance(op, IfOp) else "the loop's body does not leave"
            tail = "in different states" if isinstance(op, IfOp) else "as it found it"
            raise Diagnostic("OPW363", f"{what} '{self.name}' {tail}", op, "close on each path what was opened on it")
        return expected

    def region(self, state: State, region: Region) -> State:
        """Return the state after a region, which is empty or one block."""
        return self.block(state, region.block) if region.blocks else state


@dataclass(frozen=True)
class Tensors:
    """The tensors of a queue by what happened to them last."""

    allocated: tuple[SSAValue, ...] = ()
    waiting: tuple[SSAValue, ...] = ()
    taken: tuple[SSAValue, ...] = ()

    @property
    def count(self) -> int:
        """Return how many buffers of the queue are not free."""
        return len(self.allocated) + len(self.waiting) + len(self.taken)


@dataclass(frozen=True)
class QueueWalk(Walk[Tensors]):
    """Follows the tensors of one queue.

    Attributes:
        times: the number of buffers of the queue.
    """

    times: int

    def step(self, state: Tensors, op: Operation) -> Tensors:
        for operand in op.operands:
            self.check_use(state, operand, op)
        match op:
            case AllocTensorOp() if op.queue is self.owner:
                return self.alloc(state, op)
            case EnqueOp() if op.queue is self.owner:
                return self.enque(state, op)
            case DequeOp() if op.queue is self.owner:
                return self.deque(state, op)
            case FreeTensorOp() if op.queue is self.owner:
                return self.free(state, op)
            case _:
                return state

    def check_use(self, state: Tensors, value: SSAValue, op: Operation) -> None:
        """Refuse a tensor of this queue that was handed over or given back."""
        origin = value.owner
        if not isinstance(origin, AllocTensorOp | DequeOp) or origin.queue is not self.owner:
            return
        if value not in state.allocated and value not in state.taken:
            raise Diagnostic("OPW364", f"a tensor of '{self.name}' is used after it was handed over or given back", op)

    def alloc(self, state: Tensors, op: AllocTensorOp) -> Tensors:
        """Take a free buffer."""
        if state.count >= self.times:
            raise Diagnostic(
                "OPW367",
                f"all {self.times} buffers of '{self.name}' are in use here: the core would wait for ever",
                op,
                "free a tensor first, or reserve the queue with more buffers",
            )
        return replace(state, allocated=(*state.allocated, op.tensor))

    def enque(self, state: Tensors, op: EnqueOp) -> Tensors:
        """Hand a tensor over."""
        if op.tensor not in state.allocated:
            raise Diagnostic("OPW360", f"what goes into '{self.name}' was not allocated from it", op)
        if state.waiting:
            raise Diagnostic("OPW360", f"'{self.name}' has depth 1 and a tensor waits in it already", op)
        rest = tuple(t for t in state.allocated if t is not op.tensor)
        return replace(state, allocated=rest, waiting=(*state.waiting, op.tensor))

    def deque(self, state: Tensors, op: DequeOp) -> Tensors:
        """Take the oldest tensor handed over."""
        if not state.waiting:
            raise Diagnostic("OPW361", f"nothing waits in '{self.name}': the core would wait for ever", op)
        return replace(state, waiting=state.waiting[1:], taken=(*state.taken, op.tensor))

    def free(self, state: Tensors, op: FreeTensorOp) -> Tensors:
        """Give a tensor back."""
        if op.tensor not in state.taken:
            raise Diagnostic("OPW362", f"what goes back to '{self.name}' was not taken from it", op)
        return replace(state, taken=tuple(t for t in state.taken if t is not op.tensor))


@dataclass(frozen=True)
class FlagWalk(Walk[bool]):
    """Follows one flag: whether it is set."""

    def step(self, state: bool, op: Operation) -> bool:
        if not isinstance(op, SetFlagOp | WaitFlagOp | ReleaseEventOp) or op.event is not self.owner:
            return state
        if isinstance(op, SetFlagOp):
            if state:
                raise Diagnostic("OPW369", f"{self.name} is set a second time before a wait", op)
            return True
        if isinstance(op, WaitFlagOp):
            if not state:
                raise Diagnostic("OPW370", f"{self.name} is waited for but not set: the core would hang", op)
            return False
        if state:
            raise Diagnostic("OPW371", f"{self.name} is given back while it is set", op)
        return state


def verify_place(op: ReserveOp | EventOp) -> Block:
    """Return the stage's body, in which memory and event ids are reserved; refuse any other place."""
    block = op.parent_block()
    if block is None or not isinstance(op.parent_op(), StageOp | CoresOp):
        raise Diagnostic("OPW366", f"'{op.name}' stands outside the body of a stage", op, "move it to the start")
    return block


def verify_queue(op: QueueOp) -> None:
    """Verify that every path allocates, hands over, takes and frees each tensor of the queue in this order."""
    if op.times.data < 1:
        raise Diagnostic("OPW367", f"'{op.label.data}' has no buffer", op)
    end = QueueWalk(op.label.data, op.result, op.times.data).block(Tensors(), verify_place(op))
    if end.count:
        open_tensor = (*end.allocated, *end.waiting, *end.taken)[0]
        place = open_tensor.owner
        raise Diagnostic(
            "OPW362",
            f"a tensor of '{op.label.data}' is never freed",
            place if isinstance(place, Operation) else op,
            "free it behind its last use",
        )


def verify_event(op: EventOp) -> None:
    """Verify that sets and waits alternate on every path."""
    name = f"the flag {op.event.name_hint or op.pair}"
    if FlagWalk(name, op.event).block(False, verify_place(op)):
        raise Diagnostic("OPW371", f"{name} is still set at the end of the stage", op, "wait for it")
