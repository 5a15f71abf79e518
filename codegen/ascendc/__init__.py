"""Kernels as Ascend C text with their host tiling, and their execution on the emulator."""

from .emitter import emit
from .executable import AscendcExecutable, compile_module

__all__ = ["AscendcExecutable", "compile_module", "emit"]
