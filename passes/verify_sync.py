"""Pass `verify-sync`: refuse IR in which conflicting uses of a memory are not ordered."""

from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Block
from xdsl.passes import ModulePass

from ..dialect.diagnostics import Diagnostic
from ..dialect.tile.ops import CoresOp
from .chips import Chip
from .flag_order import FlagOrder
from .index_facts import Facts
from .insert_sync import plan_barriers
from .targets import chip_of


@dataclass(frozen=True)
class VerifySyncPass(ModulePass):
    """Check that every read after write, write after read and write after write is ordered; change nothing.

    Raises:
        Diagnostic: OPW376 at the first use that is not.

    Attributes:
        target: name of the chip.
    """

    name = "verify-sync"

    target: str

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        chip, facts = chip_of(self.target, op), Facts.of(op)
        for cores in [inner for inner in op.walk() if isinstance(inner, CoresOp)]:
            verify_stage(cores.body.block, chip, facts)


def verify_stage(stage: Block, chip: Chip, facts: Facts) -> None:
    """Verify the order of one stage."""
    FlagOrder().block(stage)
    for plan in plan_barriers(stage, chip, facts):
        for op, tensor in plan.before.items():
            raise Diagnostic(
                "OPW376",
                f"what pipe {plan.pipe} does to '{tensor.name_hint or 'a tensor'}' may overlap what it did before",
                op,
                f'put ascendc.barrier "{plan.pipe}" in front of it',
            )
