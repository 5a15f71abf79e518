"""The emitter of Ascend C: a lowered module to the files of one kernel and its host tiling."""

from xdsl.dialects.builtin import ModuleOp

from ...dialect.tile.kernel import find_kernel
from ...passes.chips import Chip
from ...passes.verify_ascendc import verify_limits
from .host import source_text
from .kernel import KernelText
from .tiling import TilingData, header_name, header_text


def emit(module: ModuleOp, chip: Chip) -> dict[str, str]:
    """Return the files by name: NAME.cpp (the kernel), NAME_tiling.h (shared) and NAME_tiling.cpp (the host).

    Args:
        module: the module after the pass lower-to-ascendc.
        chip: the target; the module is verified against its limits.

    Raises:
        Diagnostic: OPW360-389 for what breaks a limit, OPW420-449 for what has no form in Ascend C.
        LookupError: the module holds no kernel.
    """
    verify_limits(module, chip)
    name = find_kernel(module).sym_name.data
    return {
        f"{name}.cpp": KernelText.of(module, TilingData.of(module)).text(),
        header_name(name): header_text(module),
        f"{name}_tiling.cpp": source_text(module, chip.preferred_row_bytes),
    }
