import os
from pathlib import Path

import pytest
from hypothesis import settings

settings.register_profile("opwright", deadline=None, derandomize=True, database=None)
settings.load_profile("opwright")

ROOT = Path(__file__).resolve().parents[1]


SHORT = os.environ.get("OPWRIGHT_TESTS") == "short"
"""Whether tests marked long are left out, and those of Atlas A3 that Atlas A2 has too: its cores are the same."""


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Run each file of the emulator's tests on one worker: its tests share compiled kernels."""
    for item in items:
        path = item.path.relative_to(ROOT)
        if path.parent.name == "conformance" or path.name.startswith("test_emulator_"):
            item.add_marker(pytest.mark.xdist_group(path.stem))
    if SHORT:
        every = {item.nodeid for item in items}
        left_out = [item for item in items if _is_long(item) or _of_atlas_a2(item.nodeid) in every - {item.nodeid}]
        config.hook.pytest_deselected(items=left_out)
        items[:] = [item for item in items if item not in left_out]


def _is_long(item: pytest.Item) -> bool:
    return item.get_closest_marker("long") is not None


def _of_atlas_a2(name: str) -> str:
    return name.replace("ascend910_93", "ascend910b")


@pytest.fixture(scope="session")
def root() -> Path:
    """The folder of the checkout."""
    return ROOT
