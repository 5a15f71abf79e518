"""Unique names for values, from their name hints."""

import re
from collections.abc import Generator, Iterable
from contextlib import contextmanager

from .macros import is_macro

_KEYWORDS = """
    alignas alignof and and_eq asm auto bitand bitor bool break case catch char char16_t char32_t char8_t class co_await
    co_return co_yield compl concept const const_cast consteval constexpr constinit continue decltype default delete do
    double dynamic_cast else enum explicit export extern false float for friend goto if inline int long mutable
    namespace new noexcept not not_eq nullptr operator or or_eq private protected public register reinterpret_cast
    requires restrict return short signed sizeof static static_assert static_cast struct switch template this
    thread_local throw true try typedef typeid typename union unsigned using virtual void volatile wchar_t while xor
    xor_eq
"""
KEYWORDS = frozenset(_KEYWORDS.split())
"""The keywords of C11 and C++20."""

_LIBRARY = """
    INFINITY NAN NULL aligned_alloc free int16_t int32_t int64_t int8_t main size_t std uint16_t uint32_t uint64_t
    uint8_t
"""
LIBRARY = frozenset(_LIBRARY.split())
"""Names of the standard library that emitted code uses beside values."""


class Names:
    """Names in nested scopes: a name is taken while the scope that took it, or one inside it, is open."""

    def __init__(self, reserved: Iterable[str] = ()) -> None:
        """Create names that avoid the keywords, the library's names and `reserved`."""
        self._reserved = KEYWORDS | LIBRARY | frozenset(reserved)
        self._scopes: list[set[str]] = [set()]
        self._taken: set[str] = set()

    @contextmanager
    def scope(self) -> Generator[None]:
        """Open a scope; its names are free again when it closes."""
        self._scopes.append(set())
        try:
            yield
        finally:
            self._taken -= self._scopes.pop()

    def fresh(self, hint: str) -> str:
        """Return a name like `hint` that is free, and take it: `rows`, then `rows_1`, `rows_2`."""
        base = identifier(hint)
        if base in self._reserved or is_macro(base):
            base += "_"
        name, count = base, 0
        while name in self._taken or name in self._reserved:
            count += 1
            name = f"{base}_{count}"
        self._take(name)
        return name

    def reserve(self, name: str) -> str:
        """Take a name as it is, in the innermost scope, and return it."""
        self._take(name)
        return name

    def _take(self, name: str) -> None:
        if name not in self._taken:
            self._scopes[-1].add(name)
            self._taken.add(name)


def identifier(hint: str) -> str:
    """Return the hint as an identifier that C does not reserve: letters, digits, single underscores."""
    text = re.sub(r"[\W_]+", "_", hint, flags=re.ASCII).strip("_")
    return text if re.match(r"[A-Za-z]", text) else f"v{text}"
