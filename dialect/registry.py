"""Dialects by name, imported only when used."""

from collections.abc import Callable

from xdsl.context import Context
from xdsl.dialects import get_all_dialects as get_xdsl_dialects
from xdsl.ir import Dialect

UPSTREAM = ("affine", "arith", "builtin", "cf", "func", "math", "memref", "scf", "vector")
"""The dialects of xDSL that Opwright's IR uses."""


def get_own_dialects() -> dict[str, Callable[[], Dialect]]:
    """Return the factories of the dialects that Opwright adds."""

    def get_ascendc() -> Dialect:
        from .ascendc import AscendC

        return AscendC

    def get_spec() -> Dialect:
        from .spec import Spec

        return Spec

    def get_tile() -> Dialect:
        from .tile import Tile

        return Tile

    return {"ascendc": get_ascendc, "spec": get_spec, "tile": get_tile}


def get_all_dialects() -> dict[str, Callable[[], Dialect]]:
    """Return the factories of all dialects that Opwright's tools read: its own and the upstream ones it uses."""
    upstream = get_xdsl_dialects()
    return {name: upstream[name] for name in UPSTREAM} | get_own_dialects()


def new_context() -> Context:
    """Return a context that knows all dialects of `get_all_dialects`."""
    ctx = Context()
    for name, factory in get_all_dialects().items():
        ctx.register_dialect(name, factory)
    return ctx
