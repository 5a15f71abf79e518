"""Passes by name, imported only when used."""

from collections.abc import Callable
from functools import partial
from importlib import import_module

from xdsl.passes import ModulePass
from xdsl.transforms import get_all_passes as get_xdsl_passes

UPSTREAM = ("canonicalize", "cse", "dce", "licm")
"""The passes of xDSL that Opwright's pipelines use."""


Factory = Callable[[], type[ModulePass]]


def _load(name: str) -> type[ModulePass]:
    """Import passes/<name>.py and return its pass class."""
    words = name.split("-")
    module = import_module(f".{'_'.join(words)}", __package__)
    found: type[ModulePass] = getattr(module, "".join(word.capitalize() for word in words) + "Pass")
    return found


OWN = (
    "fuse",
    "hoist-dims",
    "hoist-functions",
    "hoist-rows",
    "inline-producers",
    "insert-sync",
    "join-lane-loops",
    "join-nests",
    "legalize-lanes",
    "legalize-types",
    "lower-to-ascendc",
    "lower-to-loops",
    "pipeline",
    "promote",
    "simplify",
    "size-tiles",
    "specialize",
    "split-reductions",
    "strip-tile-attributes",
    "tile",
    "unroll",
    "vectorize",
    "verify-ascendc",
    "verify-sync",
)
"""The passes that Opwright adds; pass `a-b` is class `ABPass` in passes/a_b.py."""


def get_own_passes() -> dict[str, Factory]:
    """Return the factories of the passes that Opwright adds."""
    return {name: partial(_load, name) for name in OWN}


def get_all_passes() -> dict[str, Callable[[], type[ModulePass]]]:
    """Return the factories of all passes that Opwright's tools run: its own and the upstream ones it uses."""
    upstream = get_xdsl_passes()
    return {name: upstream[name] for name in UPSTREAM} | get_own_passes()
