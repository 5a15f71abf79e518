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
    from collections.abc import Mapping, Sequence
    from pathlib import Path
    from typing import Unpack

    from .codegen.reference import Precision
    from .compiled import CompiledOperator
    from .emulation import Emulation, Options
    from .emulation_arguments import Given
    from .loading import Operator

__all__ = ["compile", "emulate", "load"]


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


def emulate(
    source: str | Path | Sequence[str | Path],
    kernel: str | None = None,
    *,
    target: str = "ascend910b",
    cores: int | None = None,
    args: Mapping[str, Given],
    **options: Unpack[Options],
) -> Emulation:
    """Return what a hand-written Ascend C kernel does on emulated cores: outputs, findings and figures.

    Args:
        source: the text, or the path of a file, or the paths of several.
        kernel: which one, as in "add" or "scale<float, 64>"; not needed where there is only one.
        target: the chip whose limits are checked.
        cores: the number of vector cores; the target's usual number by default.
        args: the arguments in the order of the kernel's parameters, by names that only name them: an array is an
            input, a NumPy scalar a value, bytes are raw data; "float16[8,2048]" is an output, and so are the other
            forms of `opwright emulate`.
        options: strict (execute the pipes in adversarial legal orders), seed (chooses these orders, and that of the
            cores), tiling_key (what TILING_KEY_IS compares with), auto_sync (trust the compiler's automatic order of
            V-V, V-S and MTE-S), trace (record the estimated time line, for `figures.trace_events()`), include_dirs
            (folders of headers, besides those of the files), defines (macros, NAME or NAME=VALUE).

    Raises:
        opwright.dialect.diagnostics.Diagnostic: wrong use, or a kernel that does not compile (OPW025).
        OSError: a file cannot be read.
    """
    from .emulation import KernelFiles, Settings, run_kernel

    settings = Settings(target, cores, **options)
    return run_kernel(KernelFiles.read(source), kernel, list(args.items()), settings)
