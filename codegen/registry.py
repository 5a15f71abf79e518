"""Targets by name, imported only when used."""

from collections.abc import Callable

from xdsl.utils.target import Target


def get_all_targets() -> dict[str, Callable[[], type[Target]]]:
    """Return the factories of the code that Opwright emits."""

    def get_ascendc() -> type[Target]:
        from .ascendc.target import AscendcTarget

        return AscendcTarget

    def get_c() -> type[Target]:
        from .c.target import CTarget

        return CTarget

    def get_numpy() -> type[Target]:
        from .numpy.target import NumpyTarget

        return NumpyTarget

    return {"ascendc": get_ascendc, "c": get_c, "numpy": get_numpy}
