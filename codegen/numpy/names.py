"""Python names for values, from their name hints."""

import keyword
import re
from collections.abc import Generator, Iterable
from contextlib import contextmanager

BUILTINS = frozenset(
    ("abs", "bool", "float", "int", "len", "max", "min", "range", "reversed", "slice", "tuple", "np", "Any")
)
"""What emitted text uses by these names."""


class Names:
    """Unique names in nested scopes: `rows`, then `rows_1`, `rows_2`; sibling scopes may use a name again.

    Python has one scope a function, so this is sound only because a value is never read before it is set.
    """

    def __init__(self, reserved: Iterable[str] = ()) -> None:
        """Create names other than the keywords, the builtins that emitted text uses, and `reserved`."""
        self._taken = {*keyword.kwlist, *BUILTINS, *reserved}
        self._scopes: list[list[str]] = [[]]

    @contextmanager
    def scope(self) -> Generator[None]:
        """Open a scope; its names are free again when it closes."""
        self._scopes.append([])
        try:
            yield
        finally:
            self._taken.difference_update(self._scopes.pop())

    def fresh(self, hint: str) -> str:
        """Return a free name like the hint, and take it."""
        base = identifier(hint)
        name, count = base, 0
        while name in self._taken:
            count += 1
            name = f"{base}_{count}"
        self._taken.add(name)
        self._scopes[-1].append(name)
        return name


def identifier(hint: str) -> str:
    """Return the hint as a Python identifier of ASCII letters, digits and underscores."""
    text = re.sub(r"\W", "_", hint, flags=re.ASCII)
    return text if text.isidentifier() else f"v{text}"
