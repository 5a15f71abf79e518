"""Flags between the scalar unit and the pipe that fills what it reads, and between copies out and in of one tensor.

The scalar unit waits for the copy (or the vector result) it reads; the next filling waits until it has read. A wait
that follows its set at once is right anywhere. Where filling and reading stand side by side in a block, the set goes
directly behind the filling, so that the scalar unit does not wait for what was issued in between.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from xdsl.builder import Builder
from xdsl.dialects import scf
from xdsl.ir import Block, Operation, SSAValue
from xdsl.rewriter import InsertPoint

from ..dialect.ascendc import (
    AllocTensorOp,
    BufferOp,
    DequeOp,
    EventOp,
    GetOp,
    QueueOp,
    ReleaseEventOp,
    SetFlagOp,
    WaitFlagOp,
)
from ..dialect.diagnostics import Diagnostic
from ..dialect.tile.buffers import LoadRowsOp, StoreRowsOp
from ..dialect.tile.selection import IotaOp
from .ub_access import Access, all_accesses

Memory = QueueOp | BufferOp


def memory_of(tensor: SSAValue) -> Memory:
    """Return the queue or buffer that a tensor was taken from.

    Raises:
        Diagnostic: OPW378 where the pass pipeline has not run.
    """
    taken = tensor.owner
    if not isinstance(taken, AllocTensorOp | DequeOp | GetOp):
        at = taken if isinstance(taken, Operation) else None
        raise Diagnostic("OPW378", "an on-chip tensor comes from no queue or buffer", at, "run the pass pipeline first")
    source = taken.buffer if isinstance(taken, GetOp) else taken.queue
    assert isinstance(source.owner, QueueOp | BufferOp)
    return source.owner


@dataclass
class ScalarFlags:
    """Places the flags of one stage.

    Attributes:
        stage: the stage's body.
        events: event ids by what they are for, in order of first use.
    """

    stage: Block
    events: dict[str, EventOp]

    def place_all(self) -> None:
        """Place the flags of all memory that scalars read, and of all global memory read after it was written."""
        uses = [use for op in self.stage.ops for use in all_accesses(op)]
        cached = {memory_of(use.tensor) for use in uses if _is_lookup(use)}
        for memory in dict.fromkeys(memory_of(use.tensor) for use in uses if use.pipe == "S"):
            if memory not in cached:
                self._place(memory, [use for use in uses if memory_of(use.tensor) is memory])
        self._place_caches()
        self._place_numbers()
        self._place_scalar_rows()
        self._place_passing()
        self._place_reloads()
        self._insert_events()

    def _place(self, memory: Memory, uses: Sequence[Access]) -> None:
        """Order what the scalar unit reads and writes of one memory with the pipes that fill it.

        A scalar store waits for a copy, too: what the copy leaves behind the data, up to a whole block, is undefined.
        """
        scalars = {use.op: use.writes for use in uses if use.pipe == "S"}
        writers = {use.op: use.pipe for use in uses if use.writes and use.pipe != "S"}
        if any(scalars.values()):
            self._place_readers(memory, uses, set(writers.values()))
        for pipe in dict.fromkeys(writers.values()):
            filled = {op for op, writer in writers.items() if writer == pipe}
            _PairFlags(self, memory.label.data, pipe, filled, set(scalars)).block(self.stage)

    def _place_readers(self, memory: Memory, uses: Sequence[Access], writers: set[str]) -> None:
        """Order what other pipes read behind the scalar unit, which stores to a memory.

        Copies out are ordered elsewhere. The vector pipe may read what it fills again before the next scalar store.
        """
        for use in uses:
            if use.writes or use.pipe in ("S", "MTE3"):
                continue
            if use.pipe != "V" or writers != {"V"}:
                text = f"'{memory.label.data}' is filled by scalars and read by other units"
                raise Diagnostic("OPW378", text, use.op)
            self.pause("S_V", use.op)

    def event(self, key: str, pair: str) -> SSAValue:
        """Return the event id for a purpose; one id serves all sets that are waited for at once."""
        if key not in self.events:
            self.events[key] = EventOp(pair, key)
        return self.events[key].event

    def pause(self, pair: str, at: Operation) -> None:
        """Let the second pipe wait for all the first has been given, in front of an operation."""
        event = self.event(pair.lower(), pair)
        insert([SetFlagOp(event), WaitFlagOp(event)], InsertPoint.before(at), at)

    def _place_caches(self) -> None:
        """Order the copies into a cache, which stand in branches, with what uses the cache around them."""
        uses = [use for op in self.stage.ops for use in all_accesses(op)]
        for use in [use for use in uses if _is_lookup(use)]:
            memory = memory_of(use.tensor)
            for pipe in dict.fromkeys(u.pipe for u in uses if memory_of(u.tensor) is memory and u.pipe in ("V", "S")):
                self.pause(f"{pipe}_MTE2", use.op)
                event = self.event(f"mte2_{pipe.lower()}", f"MTE2_{pipe}")
                insert([SetFlagOp(event), WaitFlagOp(event)], InsertPoint.after(use.op), use.op)

    def _place_scalar_rows(self) -> None:
        """Order the copies out of a plain buffer behind the scalar unit, and what fills it again behind them."""
        uses = [use for op in self.stage.ops for use in all_accesses(op)]
        copied = {memory_of(use.tensor) for use in uses if use.pipe == "MTE3"}
        for use in uses:
            memory = memory_of(use.tensor)
            if memory in copied and isinstance(memory, BufferOp):
                if use.pipe == "MTE3":
                    self.pause("S_MTE3", use.op)
                elif use.pipe == "V" and use.writes:
                    self.pause("MTE3_V", use.op)

    def _place_passing(self) -> None:
        """Order what is copied in, used, and copied out of the same tensor: its queue knows nothing of the copy out."""
        uses = [use for op in self.stage.ops for use in all_accesses(op)]
        passing = {memory_of(use.tensor) for use in uses if use.pipe == "MTE3" and _is_filled_by_copy(use.tensor)}
        changed = {memory_of(use.tensor) for use in uses if use.pipe == "V" and use.writes}
        for use in uses:
            memory = memory_of(use.tensor)
            if memory in passing and use.pipe == "MTE3":
                self.pause("V_MTE3" if memory in changed else "MTE2_MTE3", use.op)
            elif memory in passing and use.pipe == "MTE2":
                self.pause("MTE3_MTE2", use.op)

    def _place_reloads(self) -> None:
        """Order a copy in of global memory behind the copies out to it in the same stage."""
        ops = list(self.stage.walk())
        stored = {op.target for op in ops if isinstance(op, StoreRowsOp)}
        for op in ops:
            if isinstance(op, LoadRowsOp) and op.source in stored:
                self.pause("MTE3_MTE2", op)

    def _place_numbers(self) -> None:
        """Let the scalar unit, which writes the first numbers of lanes, wait for the vector pipe."""
        for op in [op for op in self.stage.walk() if isinstance(op, IotaOp)]:
            self.pause("V_S", op)

    def _insert_events(self) -> None:
        for event in self.events.values():
            event.location = self.stage.first_op.location if self.stage.first_op is not None else event.location
        Builder(InsertPoint.at_start(self.stage)).insert(list(self.events.values()))
        Builder(InsertPoint.at_end(self.stage)).insert([ReleaseEventOp(e.event) for e in self.events.values()])


@dataclass
class _PairFlags:
    """Places the flags between one pipe that fills a memory and the scalar unit that uses it.

    Attributes:
        owner: the stage's flags.
        label: the memory's name.
        pipe: the pipe.
        writers: what the pipe fills the memory with.
        readers: the uses by the scalar unit.
    """

    owner: ScalarFlags
    label: str
    pipe: str
    writers: set[Operation]
    readers: set[Operation]

    def block(self, block: Block) -> None:
        """Place the flags of a block: items that read, items that write, items that do both."""
        filled: Operation | None = None
        waited, read = False, self._in_reading_loop(block)
        for op in list(block.ops):
            writes, reads = _holds(op, self.writers), _holds(op, self.readers)
            if writes and reads:
                self._regions(op)
                filled, waited, read = None, False, True
            elif writes:
                if read:
                    self.owner.pause(f"S_{self.pipe}", op)
                filled, waited, read = op, False, False
            elif reads:
                if not waited:
                    self._wait(filled, op)
                waited, read = True, True

    def _regions(self, op: Operation) -> None:
        for region in op.regions:
            for inner in region.blocks:
                self.block(inner)

    def _in_reading_loop(self, block: Block) -> bool:
        """Return whether a loop around the block may have read before."""
        parent = block.parent_op()
        while parent is not None and parent is not self.owner.stage.parent_op():
            if isinstance(parent, scf.ForOp) and _holds(parent, self.readers):
                return True
            parent = parent.parent_op()
        return False

    def _wait(self, filled: Operation | None, reader: Operation) -> None:
        if filled is None:
            self.owner.pause(f"{self.pipe}_S", reader)
            return
        purpose = "loaded" if self.pipe == "MTE2" else "computed"
        event = self.owner.event(f"{self.label}_{purpose}", f"{self.pipe}_S")
        insert([SetFlagOp(event)], InsertPoint.after(filled), filled)
        insert([WaitFlagOp(event)], InsertPoint.before(reader), reader)


def _is_lookup(use: Access) -> bool:
    """Return whether a use fills a plain buffer by a copy that stands in a branch: a cache that lacked it."""
    in_branch = isinstance(use.op.parent_op(), scf.IfOp)
    return use.pipe == "MTE2" and in_branch and isinstance(memory_of(use.tensor), BufferOp)


def _is_filled_by_copy(tensor: SSAValue) -> bool:
    memory = memory_of(tensor)
    return isinstance(memory, QueueOp) and memory.position == "VECIN"


def _holds(op: Operation, wanted: set[Operation]) -> bool:
    return any(inner in wanted for inner in op.walk())


def insert(ops: Iterable[Operation], point: InsertPoint, at: Operation) -> None:
    """Insert operations that belong to what stands at `at`."""
    ops = list(ops)
    for op in ops:
        op.location = at.location
    Builder(point).insert(ops)
