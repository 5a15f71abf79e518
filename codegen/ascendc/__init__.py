"""Kernels as Ascend C text with their host tiling (emitter.py), and their execution on the emulator (executable.py)."""

from .emitter import emit

__all__ = ["emit"]
