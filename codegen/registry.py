"""Targets by name, imported only when used."""

from collections.abc import Callable

from xdsl.utils.target import Target


def get_all_targets() -> dict[str, Callable[[], type[Target]]]:
    """Return the factories of the code that Opwright emits."""
    return {}
