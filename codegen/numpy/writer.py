"""The text of an emitted module as it grows: lines, names of values, and what it needs from outside."""

import inspect
from collections.abc import Callable, Generator, Iterable, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np
from xdsl.dialects.builtin import BFloat16Type, IndexType, i1
from xdsl.ir import Attribute, Block, Operation, SSAValue

from ...dialect.diagnostics import Diagnostic
from ..dtypes import DTYPES
from . import support
from .names import Names

Emit: TypeAlias = Callable[["Writer", Any], None]
"""Writes one operation."""

Table: TypeAlias = dict[type[Operation], Emit]
"""What writes the operations of a dialect."""

Helper: TypeAlias = Callable[..., Any]

HELPERS: dict[str, Helper] = {
    name: member for name, member in inspect.getmembers(support, inspect.isfunction) if member.__module__ == support.__name__
}
"""The functions that an emitted module may carry, by name."""


@dataclass(frozen=True)
class Options:
    """How to emit.

    Attributes:
        fit_rows: the most rows that `tile.fit_rows` answers; the results may not depend on it.
        lanes: write the last dim of `tile.foreach` as array operations where that is exact; otherwise as a loop.
        reverse_cores: run the cores from the last to the first; the results may not depend on it.
    """

    fit_rows: int = 5
    lanes: bool = True
    reverse_cores: bool = False


class Writer:
    """The context of the emit functions.

    Attributes:
        options: how to emit.
        lanes: the values that are arrays with one element a lane of the `tile.foreach` being written.
    """

    def __init__(self, lookup: Callable[[Operation], Emit | None], options: Options, reserved: Iterable[str] = ()) -> None:
        """Create a writer that writes each operation as `lookup` says, and gives none of the reserved names away."""
        self.options = options
        self.lanes: set[SSAValue] = set()
        self._lookup = lookup
        self._lines: list[str] = []
        self._indent = 0
        self._names = Names((*HELPERS, *reserved, "bfloat16"))
        self._texts: dict[SSAValue, str] = {}
        self._helpers: set[str] = set()
        self._uses_bf16 = False

    # Lines

    def line(self, text: str) -> None:
        """Write one line at the current indentation; an empty text writes an empty line."""
        self._lines.append(("    " * self._indent + text).rstrip())

    @contextmanager
    def block(self, header: str) -> Generator[None]:
        """Write `header:` and indent what follows; names given inside end with it."""
        self.line(f"{header}:")
        self._indent += 1
        start = len(self._lines)
        with self._names.scope():
            yield
        if len(self._lines) == start:
            self.line("pass")
        self._indent -= 1

    @contextmanager
    def loop(self, index: SSAValue, values: str) -> Generator[None]:
        """Write `for index in values:` and indent what follows."""
        with self._names.scope():
            name = self.name(index, "i")
            with self.block(f"for {name} in {values}"):
                yield

    # Values

    def text(self, value: SSAValue) -> str:
        """Return the expression of a value: a name, or a literal."""
        return self._texts[value]

    def texts(self, values: Iterable[SSAValue]) -> list[str]:
        """Return the expression of each value."""
        return [self._texts[value] for value in values]

    def bind(self, value: SSAValue, text: str) -> None:
        """Let a value be written as an expression, which must need no parentheses anywhere."""
        self._texts[value] = text

    def name(self, value: SSAValue, hint: str = "v") -> str:
        """Give a value a name, after its own hint if it has one, and return it."""
        name = self._names.fresh(value.name_hint or hint)
        self._texts[value] = name
        return name

    def temporary(self, hint: str) -> str:
        """Return a new name that belongs to no value."""
        return self._names.fresh(hint)

    def assign(self, value: SSAValue, text: str) -> None:
        """Write `name = text` with a new name for the value."""
        self.line(f"{self.name(value)} = {text}")

    def assign_all(self, names: Sequence[str], values: Iterable[SSAValue]) -> None:
        """Write `a, b = x, y`, all at once, without what would not change."""
        pairs = [(name, text) for name, text in zip(names, self.texts(values), strict=True) if name != text]
        if pairs:
            self.line(f"{', '.join(name for name, _ in pairs)} = {', '.join(text for _, text in pairs)}")

    def is_lane(self, *values: SSAValue | None) -> bool:
        """Return whether one of the values is an array with one element a lane."""
        return any(value in self.lanes for value in values)

    # Types

    def dtype(self, element_type: Attribute, op: Operation) -> str:
        """Return the NumPy type of an element type, as text.

        Raises:
            Diagnostic: OPW411, NumPy has none.
        """
        if element_type not in DTYPES:
            raise Diagnostic("OPW411", f"NumPy has no type for {element_type}", op, "use f16, bf16, f32, f64, i1, i8-i64")
        if isinstance(element_type, BFloat16Type):
            self._uses_bf16 = True
            return "bfloat16"
        name = np.dtype(DTYPES[element_type]).name
        return "np.bool_" if element_type == i1 else f"np.{name}"

    def convert(self, value: SSAValue, target: Attribute, op: Operation) -> str:
        """Return the expression of a value converted to another scalar type, as NumPy converts."""
        text, source = self.text(value), value.type
        if isinstance(target, IndexType) and not self.is_lane(value):
            return f"int({text})"
        if self.is_lane(value) or not (isinstance(source, IndexType) or source == i1):
            return f"{text}.astype({self.dtype(target, op)})"
        if isinstance(source, IndexType) and self.dtype(target, op) != "np.int64":
            return f"np.int64({text}).astype({self.dtype(target, op)})"
        return f"{self.dtype(target, op)}({text})"

    def helper(self, function: Helper) -> str:
        """Return the name of a function of support.py; the module will carry it."""
        self._helpers.add(function.__name__)
        return function.__name__

    # Operations

    def emit(self, op: Operation) -> None:
        """Write an operation.

        Raises:
            Diagnostic: OPW410, no table holds the operation.
        """
        emit = self._lookup(op)
        if emit is None:
            raise Diagnostic("OPW410", f"'{op.name}' cannot be written as NumPy", op, "lower it first")
        emit(self, op)

    def emit_block(self, block: Block) -> None:
        """Write all operations of a block."""
        for op in block.ops:
            self.emit(op)

    # The module

    def module_text(self, docstring: str) -> str:
        """Return the whole module: docstring, imports, the functions of support.py that are used, and the lines."""
        helpers = "".join(f"\n\n{source}" for source in self._helper_sources())
        body = "\n".join(self._lines)
        head = f'"""{docstring}"""\n\n' if docstring else ""
        return f"{head}{self._imports(helpers)}{helpers}\n\n{body}\n"

    def _imports(self, helpers: str) -> str:
        standard = [line for line, mark in (("import math\n", "math."), ("from typing import Any\n", "Any")) if mark in helpers]
        bf16 = "from ml_dtypes import bfloat16\n" if self._uses_bf16 else ""
        return "".join(standard) + ("\n" if standard else "") + "import numpy as np\n" + bf16

    def _helper_sources(self) -> list[str]:
        """Return the source of each function used, and of those they use, by name."""
        found: set[str] = set()
        todo = sorted(self._helpers)
        while todo:
            name = todo.pop()
            if name not in found:
                found.add(name)
                todo.extend(n for n in HELPERS[name].__code__.co_names if n in HELPERS)
        return [inspect.getsource(HELPERS[name]) for name in sorted(found)]
