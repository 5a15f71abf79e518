"""Every name in the registries leads to the thing of that name."""

from collections.abc import Callable

import pytest
from xdsl.ir import Dialect
from xdsl.passes import ModulePass
from xdsl.universe import Universe
from xdsl.utils.target import Target

from opwright.codegen.registry import get_all_targets
from opwright.dialect.registry import get_all_dialects, new_context
from opwright.passes.registry import get_all_passes


@pytest.mark.parametrize(("name", "factory"), get_all_dialects().items())
def test_dialect(name: str, factory: Callable[[], Dialect]) -> None:
    assert factory().name == name


@pytest.mark.parametrize(("name", "factory"), (get_all_passes() | get_all_targets()).items())
def test_pass_or_target(name: str, factory: Callable[[], type[ModulePass | Target]]) -> None:
    assert factory().name == name


def test_context_knows_all_dialects() -> None:
    assert new_context().registered_dialect_names == get_all_dialects().keys()


def test_xdsl_opt_finds_all() -> None:
    """`get_multiverse` refuses names that xDSL has too."""
    multiverse = Universe.get_multiverse()
    assert multiverse.all_dialects.keys() >= get_all_dialects().keys()
    assert multiverse.all_passes.keys() >= get_all_passes().keys()
    assert multiverse.all_targets.keys() >= get_all_targets().keys()
