"""Compile operator specifications to Ascend C kernels with host tiling, and to C and NumPy that prove them.

`load` finds an operator; `compile` returns a function of NumPy arrays by the document's names:

>>> import opwright as ow
>>> conv = ow.compile("MaskedCausalConv1dBackward", backend="c")
>>> out = conv(gradY=grad_y, x=x, weight=weight)
>>> out.gradXOut, out["gradWeightOut"]
>>> conv.sources, conv.ir("tile")
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path

    from .codegen.reference import Precision
    from .compiled import CompiledOperator
    from .loading import Operator

__all__ = ["compile", "load"]


def load(name_or_path: str | Path) -> Operator:
    """Return an operator of the library by its name, or the one in a spec file (.py or .mlir).

    Raises:
        opwright.dialect.diagnostics.Diagnostic: there is no such operator, or its spec is not valid.
        OSError: the file cannot be read.
    """
    from .loading import load

    return load(name_or_path)


def compile(
    op: Operator | str | Path,
    backend: str = "numpy",
    target: str | None = None,
    cores: int | None = None,
    precision: Precision = "f32",
) -> CompiledOperator:
    """Return an operator compiled for a backend: a function of arrays and attributes by the document's names.

    Args:
        op: what `load` returns, or what it takes.
        backend: reference, numpy, c, or ascendc (which runs on an emulator, not on a chip).
        target: the chip whose schedule is run, or cpu. By default cpu; for ascendc ascend910b.
        cores: the number of cores that share the work; the target's usual number by default. No result depends on it.
        precision: f32 or f64, of the reference only.

    Raises:
        opwright.dialect.diagnostics.Diagnostic: unknown names, or a backend that cannot run the target.
    """
    from .compiled import compile_operator

    return compile_operator(op, backend, target, cores, precision)
