from pathlib import Path

import pytest
from hypothesis import settings

settings.register_profile("opwright", deadline=None, derandomize=True, database=None)
settings.load_profile("opwright")

ROOT = Path(__file__).resolve().parents[1]


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Run each file of the emulator's tests on one worker: its tests share compiled kernels."""
    for item in items:
        path = item.path.relative_to(ROOT)
        if path.parent.name == "conformance" or path.name.startswith("test_emulator_"):
            item.add_marker(pytest.mark.xdist_group(path.stem))


@pytest.fixture(scope="session")
def root() -> Path:
    """The folder of the checkout."""
    return ROOT
