"""The text that each backend makes of a lowered module, without compiling or running it."""

from collections.abc import Mapping

from xdsl.dialects.builtin import ModuleOp

from .backends import Engine
from .dialect.tile.kernel import find_kernel
from .passes.chips import get_chip


def emit(module: ModuleOp, engine: Engine) -> Mapping[str, str]:
    """Return the files, by name, of a module that has run through the engine's pipeline.

    Raises:
        Diagnostic: OPW4xx, the module holds what the emitter has no form for.
    """
    kernel = find_kernel(module).sym_name.data
    match engine.backend:
        case "c":
            from .codegen.c.emitter import emit_c

            return {f"{kernel}.c": emit_c(module)}
        case "numpy":
            from .codegen.numpy import emit as emit_numpy

            return {f"{kernel}.py": emit_numpy(module)}
        case "ascendc":
            from .codegen.ascendc import emit as emit_ascendc

            return emit_ascendc(module, get_chip(engine.target))
        case "reference":
            return {}
