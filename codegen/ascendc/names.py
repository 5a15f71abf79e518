"""Names as the emitted C++ spells them: values in camelCase, classes in PascalCase."""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from ...dialect.tile.kernel import WORKSPACE, KernelArgument
from ..cfamily import Names

_API_NAMES = """
    GM_ADDR TPipe TilingData bfloat16_t block_idx block_num data half pipe tPipe tiling workspace
"""
API_NAMES = frozenset(_API_NAMES.split())
"""Names that emitted kernels use beside values."""


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


@dataclass(frozen=True)
class Spelling:
    """How a kernel's arguments are called in C++, the same in all its files.

    Attributes:
        names: by the argument's name; different from each other and from all keywords.
        offsets: for each workspace tensor but the first, which starts the workspace, the field with its offset.
    """

    names: Mapping[str, str]
    offsets: Mapping[str, str]

    @staticmethod
    def of(arguments: Iterable[KernelArgument]) -> "Spelling":
        """Choose names in the order of the arguments."""
        arguments, names = list(arguments), CamelNames(API_NAMES)
        chosen = {argument.name: names.fresh(argument.name) for argument in arguments}
        spaces = [argument.name for argument in arguments if argument.role == WORKSPACE]
        return Spelling(chosen, {name: names.fresh(f"{name}_offset") for name in spaces[1:]})

    def size(self, dim: str | int, prefix: str = "") -> str:
        """Return an extent: an integer, or the name of an argument behind a prefix such as `data.`."""
        return str(dim) if isinstance(dim, int) else f"{prefix}{self.names[dim]}"
