"""Names that nothing else has."""

from collections.abc import Callable, Collection, Iterator
from itertools import count


def unique(name: str, taken: Collection[str]) -> str:
    """Return the name, or the name with the first number that makes it different from all that are taken."""
    return first_free(name, lambda candidate: candidate not in taken)


def first_free(name: str, is_free: Callable[[str], bool]) -> str:
    """Return the first of `name`, `name_1`, `name_2`, ... that is free."""
    return next(candidate for candidate in _candidates(name) if is_free(candidate))


def _candidates(name: str) -> Iterator[str]:
    yield name
    yield from (f"{name}_{number}" for number in count(1))
