"""Pass `insert-sync`: the barriers and flags that order every dependence the queues do not."""

from collections.abc import Iterable
from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Block
from xdsl.passes import ModulePass
from xdsl.rewriter import InsertPoint

from ..dialect.ascendc import BarrierOp
from ..dialect.tile.ops import CoresOp
from .chips import Chip
from .index_facts import Facts
from .pipe_hazards import EMPTY, HazardPlan
from .scalar_flags import ScalarFlags, insert
from .targets import chip_of


@dataclass(frozen=True)
class InsertSyncPass(ModulePass):
    """Order all uses of on-chip tensors that conflict, on every path.

    Vector instructions get a barrier of the vector pipe where the chip does not order them itself and their rows may
    overlap; copies that fill overlapping rows of one tensor a barrier of the copy pipe. The scalar unit gets flags to
    and from the pipe that fills what it reads.

    Attributes:
        target: name of the chip.
    """

    name = "insert-sync"

    target: str

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        chip, facts = chip_of(self.target, op), Facts.of(op)
        for cores in [inner for inner in op.walk() if isinstance(inner, CoresOp)]:
            order_stage(cores.body.block, chip, facts)


def order_stage(stage: Block, chip: Chip, facts: Facts) -> None:
    """Insert the flags and barriers of one stage."""
    plans = plan_barriers(stage, chip, facts)
    ScalarFlags(stage, {}).place_all()
    for plan in plans:
        _insert_barriers(plan)


def plan_barriers(stage: Block, chip: Chip, facts: Facts) -> list[HazardPlan]:
    """Return the barriers that a stage lacks, one plan a pipe that does not order itself."""
    plans = [HazardPlan(facts, "MTE2", queued_only=True)]
    if chip.vector_barrier:
        plans.append(HazardPlan(facts, "V"))
    for plan in plans:
        plan.block(stage, EMPTY)
    return plans


def _insert_barriers(plan: HazardPlan) -> None:
    for op in plan.before:
        insert([BarrierOp(plan.pipe)], InsertPoint.before(op), op)


def count_barriers(stage: Block, pipes: Iterable[str] = ("V", "MTE2", "ALL")) -> int:
    """Return how many barriers of some pipes stand in a stage's text."""
    wanted = set(pipes)
    return sum(isinstance(op, BarrierOp) and op.pipe.data in wanted for op in stage.walk())
