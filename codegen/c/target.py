"""The target `c` of the command line."""

from dataclasses import dataclass
from typing import IO

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.utils.target import Target

from .emitter import emit_c


@dataclass(frozen=True)
class CTarget(Target):
    """Print a module of func, scf, memref, arith and math as C11."""

    name = "c"

    def emit(self, ctx: Context, module: ModuleOp, output: IO[str]) -> None:
        """Write the C text."""
        output.write(emit_c(module))
