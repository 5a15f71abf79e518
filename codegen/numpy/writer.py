"""The text of an emitted module as it grows: lines, names of values, and what it needs from outside."""

from collections.abc import Callable, Generator, Iterable, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np
from xdsl.dialects.builtin import BFloat16Type, IndexType, i1
from xdsl.ir import Attribute, Block, Operation, SSAValue

from ...dialect.diagnostics import Diagnostic
from ..dtypes import DTYPES
from .access import Lanes
from .expr import LONGEST, Expr, Level, joins_user
from .helpers import HELPERS, Helper, module_text
from .names import Names

Emit: TypeAlias = Callable[["Writer", Any], None]
"""Writes one operation."""

Table: TypeAlias = dict[type[Operation], Emit]
"""What writes the operations of a dialect."""


@dataclass(frozen=True)
class Options:
    """How to emit.

    Attributes:
        fit_rows: the most rows that `tile.fit_rows` answers, and folds of lanes `tile.fit_lanes`; `tile.fits` says yes
            above 1. The results may not depend on it.
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
        lanes: the lanes of the `tile.foreach` being written; outside one there are none.
    """

    def __init__(
        self, lookup: Callable[[Operation], Emit | None], options: Options, reserved: Iterable[str] = ()
    ) -> None:
        """Create a writer that writes each operation as `lookup` says, and gives none of the reserved names away."""
        self.options = options
        self.lanes = Lanes()
        self._lookup = lookup
        self._lines: list[str] = []
        self._indent = 0
        self._names = Names((*HELPERS, *reserved, "bfloat16"))
        self._exprs: dict[SSAValue, Expr] = {}
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

    @contextmanager
    def counting(self, hint: str, count: str) -> Generator[str]:
        """Write `for r in range(count):` over a new name, and indent what follows."""
        with self._names.scope():
            name = self._names.fresh(hint)
            with self.block(f"for {name} in range({count})"):
                yield name

    @contextmanager
    def function(self, name: str, arguments: Sequence[SSAValue], comments: Sequence[str]) -> Generator[None]:
        """Write the head of a function, an argument a line where there are comments, and indent what follows."""
        with self._names.scope():
            names = [self.name(argument) for argument in arguments]
            if any(comments):
                self.line(f"def {name}(")
                for argument, comment in zip(names, comments, strict=True):
                    self.line(f"    {argument},  # {comment}" if comment else f"    {argument},")
                head = ")"
            else:
                head = f"def {name}({', '.join(names)})"
            with self.block(head):
                yield

    # Values

    def text(self, value: SSAValue, level: Level = Level.ATOM) -> str:
        """Return the expression of a value, in parentheses if it binds looser than `level`."""
        return self._exprs[value].at(level)

    def argument(self, value: SSAValue) -> str:
        """Return the expression of a value where it stands alone: assigned, or between commas."""
        return self.text(value, Level.TERNARY)

    def arguments(self, values: Iterable[SSAValue]) -> list[str]:
        """Return the expression of each value where it stands alone."""
        return [self.argument(value) for value in values]

    def once(self, value: SSAValue) -> str:
        """Return a name or literal for a value, which may then stand in a line several times."""
        if not _is_simple(self._exprs[value].text):
            self.assign_name(value, self.argument(value))
        return self.text(value)

    def texts(self, values: Iterable[SSAValue]) -> list[str]:
        """Return a name or literal for each value; see `once`."""
        return [self.once(value) for value in values]

    def bind(self, value: SSAValue, text: str) -> None:
        """Let a value be written as a name or literal."""
        self._exprs[value] = Expr(text)

    def name(self, value: SSAValue, hint: str = "v") -> str:
        """Give a value a name, after its own hint if it has one, and return it."""
        name = self._names.fresh(value.name_hint or hint)
        self._exprs[value] = Expr(name)
        return name

    def temporary(self, hint: str) -> str:
        """Return a new name that belongs to no value."""
        return self._names.fresh(hint)

    def assign(self, value: SSAValue, text: str, level: Level = Level.ATOM) -> None:
        """Let a value be an expression: part of its only user where that changes nothing, else `name = text`.

        Args:
            level: how strongly the text's outermost operator binds.
        """
        if len(text) <= LONGEST and joins_user(value):
            self._exprs[value] = Expr(text, level)
        else:
            self.assign_name(value, text)

    def assign_name(self, value: SSAValue, text: str) -> None:
        """Write `name = text` with a new name for the value."""
        self.line(f"{self.name(value)} = {text}")

    def assign_all(self, targets: Sequence[SSAValue], values: Iterable[SSAValue]) -> None:
        """Write `a, b = x, y` for named targets, all at once, without what would not change."""
        pairs = [(self.argument(t), self._like(t, v)) for t, v in zip(targets, values, strict=True)]
        changed = [(name, text) for name, text in pairs if name != text]
        if changed:
            self.line(f"{', '.join(name for name, _ in changed)} = {', '.join(text for _, text in changed)}")

    def _like(self, target: SSAValue, value: SSAValue) -> str:
        return self.repeated(value) if self.is_lane(target) and not self.is_lane(value) else self.argument(value)

    def repeated(self, value: SSAValue) -> str:
        """Return a value that is the same in all lanes as an array."""
        start, stop = self.lanes.start, self.lanes.stop
        return f"np.full({stop if start == '0' else f'{stop} - {start}'}, {self.argument(value)})"

    def is_lane(self, *values: SSAValue | None) -> bool:
        """Return whether one of the values is an array with one element a lane."""
        return any(value in self.lanes.values for value in values)

    # Types

    def dtype(self, element_type: Attribute, op: Operation) -> str:
        """Return the NumPy type of an element type, as text.

        Raises:
            Diagnostic: OPW411, NumPy has none.
        """
        name = dtype_of(element_type, op).name
        if isinstance(element_type, BFloat16Type):
            self._uses_bf16 = True
            return name
        return "np.bool_" if element_type == i1 else f"np.{name}"

    def convert(self, value: SSAValue, target: Attribute, op: Operation) -> str:
        """Return the expression of a value converted to another scalar type, as NumPy converts."""
        source = value.type
        if isinstance(target, IndexType) and not self.is_lane(value):
            return f"int({self.argument(value)})"
        dtype = self.dtype(target, op)
        if self.is_lane(value) or not (isinstance(source, IndexType) or source == i1):
            return f"{self.text(value)}.astype({dtype})"
        if isinstance(source, IndexType) and dtype != "np.int64":
            return f"np.int64({self.argument(value)}).astype({dtype})"
        return f"{dtype}({self.argument(value)})"

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
        return module_text(docstring, self._helpers, "\n".join(self._lines), bf16=self._uses_bf16)


def dtype_of(element_type: Attribute, op: Operation) -> np.dtype[Any]:
    """Return the dtype of an element type.

    Raises:
        Diagnostic: OPW411, NumPy has none.
    """
    if element_type not in DTYPES:
        raise Diagnostic("OPW411", f"NumPy has no type for {element_type}", op, "use f16, bf16, f32, f64, i1, i8-i64")
    return DTYPES[element_type]


def _is_simple(text: str) -> bool:
    return text.isidentifier() or text.lstrip("-").isdigit()
