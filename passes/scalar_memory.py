"""Scalar accesses to global memory go through a cache that no other unit sees: where it is written back and emptied.

What a stage stores by scalars is written back at the end of the branch that stores it. A stage that reads by scalars
what an earlier stage wrote empties the cache first. Inside a stage scalars and copies do not share what is written.
A line of the cache is written back whole, so only one core of a stage stores.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from xdsl.dialects import arith, memref, scf
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Operation, SSAValue
from xdsl.rewriter import InsertPoint, Rewriter

from ..dialect.ascendc import CleanCacheOp
from ..dialect.diagnostics import Diagnostic
from ..dialect.tile import CoresOp, LoadRowsOp, SearchOp, StoreRowsOp
from .copy_lowering import Globals
from .index_facts import Facts
from .ub_access import is_on_chip

ScalarRead = memref.LoadOp | SearchOp

EQUAL = arith.CMPI_COMPARISON_OPERATIONS.index("eq")


@dataclass
class ScalarMemory:
    """Orders the scalar accesses of one kernel.

    Attributes:
        globals: the tensors in global memory.
        facts: what is known of index values.
        written: what the stages before wrote.
    """

    globals: Globals
    facts: Facts
    written: set[SSAValue] = field(default_factory=set[SSAValue])

    def order(self, module: ModuleOp) -> None:
        """Clean the caches of all stages.

        Raises:
            Diagnostic: OPW378 where no cleaning would do.
        """
        for op in list(module.walk()):
            if isinstance(op, CoresOp):
                self._stage(op)

    def _stage(self, stage: CoresOp) -> None:
        reads, stores = list(self._reads(stage)), list(self._stores(stage))
        copies = [op for op in stage.body.walk() if isinstance(op, LoadRowsOp | StoreRowsOp)]
        copied_in = {op.source for op in copies if isinstance(op, LoadRowsOp)}
        copied_out = {op.target for op in copies if isinstance(op, StoreRowsOp)}
        stored = {op.memref for op in stores}
        for op in reads:
            self._refuse(op, _tensor(op), copied_out, "copies write it")
        for op in stores:
            self._refuse(op, op.memref, copied_in | copied_out, "copies use it")
        branches = self._branches(stage, stores, [op for op in reads if _tensor(op) in stored])
        stale = next((_tensor(op) for op in reads if _tensor(op) in self.written), None)
        if stale is not None:
            _insert(stale, InsertPoint.at_start(stage.body.block), stage)
        for branch, tensor in branches.items():
            end = branch.true_region.block.last_op
            assert end is not None
            _insert(tensor, InsertPoint.before(end), branch)
        self.written |= stored | copied_out

    def _reads(self, stage: CoresOp) -> Iterator[ScalarRead]:
        for op in stage.body.walk():
            if isinstance(op, ScalarRead) and self._is_global(_tensor(op), op):
                yield op

    def _stores(self, stage: CoresOp) -> Iterator[memref.StoreOp]:
        for op in stage.body.walk():
            if isinstance(op, memref.StoreOp) and self._is_global(op.memref, op):
                yield op

    def _is_global(self, tensor: SSAValue, at: Operation) -> bool:
        if is_on_chip(tensor) or isinstance(tensor.owner, memref.AllocaOp):
            return False
        self.globals.argument(tensor, at)
        return True

    def _refuse(self, op: Operation, tensor: SSAValue, copied: set[SSAValue], why: str) -> None:
        if tensor in copied:
            name = self.globals.argument(tensor, op).name
            verb = "reads" if isinstance(op, ScalarRead) else "writes"
            text = f"a scalar {verb} '{name}' in a stage in which {why}"
            raise Diagnostic("OPW378", text, op, "scalars have a cache of their own: use rows, or two stages")

    def _branches(
        self, stage: CoresOp, stores: Sequence[memref.StoreOp], reads: Sequence[ScalarRead]
    ) -> dict[scf.IfOp, SSAValue]:
        """Return the branches in which one core stores, each with what it stores."""
        found: dict[scf.IfOp, SSAValue] = {}
        cores: set[int] = set()
        for op in (*stores, *reads):
            branch, core = self._one_core(op, stage)
            cores.add(core)
            if isinstance(op, memref.StoreOp):
                found.setdefault(branch, op.memref)
            if len(cores) > 1:
                self._refuse_cores(op)
        return found

    def _one_core(self, op: memref.StoreOp | ScalarRead, stage: CoresOp) -> tuple[scf.IfOp, int]:
        """Return the branch around an access that one core takes, and which core."""
        inner, outer = op.parent_block(), op.parent_op()
        while outer is not None and outer is not stage and inner is not None:
            if isinstance(outer, scf.IfOp) and inner.parent is outer.true_region:
                core = self._core(outer.cond, stage)
                if core is not None:
                    return outer, core
            inner, outer = outer.parent_block(), outer.parent_op()
        return self._refuse_cores(op)

    def _core(self, condition: SSAValue, stage: CoresOp) -> int | None:
        test = condition.owner
        if not isinstance(test, arith.CmpiOp) or test.lhs is not stage.body.block.args[0]:
            return None
        return self.facts.constant(test.rhs) if test.predicate.value.data == EQUAL else None

    def _refuse_cores(self, op: memref.StoreOp | ScalarRead) -> tuple[scf.IfOp, int]:
        name = self.globals.argument(_tensor(op), op).name
        text = f"more than one core uses '{name}' by scalars in a stage that writes it so"
        raise Diagnostic("OPW378", text, op, "cores overwrite each other's cache lines: let one core do it")


def _tensor(op: memref.StoreOp | ScalarRead) -> SSAValue:
    return op.source if isinstance(op, SearchOp) else op.memref


def _insert(tensor: SSAValue, point: InsertPoint, at: Operation) -> None:
    op = CleanCacheOp(tensor)
    op.location = at.location
    Rewriter.insert_op(op, point)
