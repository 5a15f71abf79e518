"""NumPy backend: the module at loop level or lower as a readable NumPy module, and the same text executed."""

from .compile import NumpyExecutable, compile_module, load
from .module import emit
from .writer import Options

__all__ = ["NumpyExecutable", "Options", "compile_module", "emit", "load"]
