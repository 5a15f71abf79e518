from pathlib import Path

import pytest
from hypothesis import settings

settings.register_profile("opwright", deadline=None, derandomize=True, database=None)
settings.load_profile("opwright")


@pytest.fixture(scope="session")
def root() -> Path:
    """The folder of the checkout."""
    return Path(__file__).resolve().parents[1]
