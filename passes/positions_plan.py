"""What the pass tile decides about the places of true elements."""

from dataclasses import dataclass

from xdsl.ir import SSAValue

from ..dialect.spec import PositionsOp
from .chips import Chip


@dataclass(frozen=True)
class PositionsPlan:
    """A stage that lists where the rows of a mask are true.

    Attributes:
        op: the operation.
        label: the stage's name.
        staged: whether rows are copied to on-chip buffers.
    """

    op: PositionsOp
    label: str
    staged: bool

    @property
    def results(self) -> tuple[SSAValue, ...]:
        """Return the tensor that the stage computes."""
        return (self.op.result,)

    @property
    def rows_name(self) -> str:
        """Return the name of the rows of a tile."""
        return f"{self.label}_rows"

    @property
    def blocks_name(self) -> str:
        """Return the name of the blocks of lanes of a row on chip."""
        return f"{self.label}_blocks"

    @property
    def tile_names(self) -> tuple[str, ...]:
        """Return the names of the tile's sizes."""
        return (self.rows_name, self.blocks_name) if self.staged else (self.rows_name,)

    @staticmethod
    def analyze(op: PositionsOp, label: str, chip: Chip) -> "PositionsPlan":
        """Return the plan."""
        return PositionsPlan(op, label, chip.staged)
