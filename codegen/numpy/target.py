"""The target `numpy`: print a module as NumPy text."""

from dataclasses import dataclass
from typing import IO, ClassVar

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.utils.target import Target

from .module import emit
from .writer import Options


@dataclass(frozen=True)
class NumpyTarget(Target):
    """Print the module as a NumPy module; the fields are those of `Options`."""

    name: ClassVar[str] = "numpy"

    fit_rows: int = 5
    lanes: bool = True
    reverse_cores: bool = False

    def emit(self, ctx: Context, module: ModuleOp, output: IO[str]) -> None:
        output.write(emit(module, Options(self.fit_rows, self.lanes, self.reverse_cores)))
