"""Names as the emitted C++ spells them: values in camelCase, classes in PascalCase."""

import re

from ..cfamily import Names


def camel(hint: str) -> str:
    """Return `row_blocks` as `rowBlocks`; capitals stay as they are given, so `N` stays `N`."""
    first, *others = [word for word in re.split(r"[^0-9A-Za-z]+", hint) if word] or ["v"]
    return first + "".join(word[:1].upper() + word[1:] for word in others)


def pascal(hint: str) -> str:
    """Return `blur_rows` as `BlurRows`."""
    name = camel(hint)
    return name[:1].upper() + name[1:]


class CamelNames(Names):
    """Unique names in camelCase."""

    def fresh(self, hint: str) -> str:
        """Return a free name like the hint, in camelCase."""
        return super().fresh(camel(hint))
