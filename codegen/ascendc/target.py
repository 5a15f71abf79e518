"""The target `ascendc` of the command line."""

from dataclasses import dataclass
from typing import IO

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.utils.target import Target

from ...passes.targets import chip_of
from .emitter import emit


@dataclass(frozen=True)
class AscendcTarget(Target):
    """Print a module after lower-to-ascendc as Ascend C: kernel, shared header and host tiling.

    Attributes:
        target: name of the chip.
    """

    name = "ascendc"

    target: str

    def emit(self, ctx: Context, module: ModuleOp, output: IO[str]) -> None:
        """Write the files, each below a comment with its name."""
        for name, text in emit(module, chip_of(self.target, module)).items():
            output.write(f"// ===== {name} =====\n{text}\n")
