"""What Opwright adds to stock `xdsl-opt`, found through the entry point group `xdsl.universe`."""

from xdsl.universe import Universe

from .codegen.registry import get_all_targets
from .dialect.registry import get_own_dialects
from .passes.registry import get_own_passes

UNIVERSE = Universe(all_dialects=get_own_dialects(), all_passes=get_own_passes(), all_targets=get_all_targets())
