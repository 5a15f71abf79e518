"""Pieces of C++ text."""

from collections.abc import Callable, Iterable, Mapping, Sequence

from ...dialect.index_expr import Binary, Const, IndexExpr, Ref
from .interface import Formula

WIDTH = 120


def quoted(text: str) -> str:
    """Return a text as a C string."""
    escapes = {"\\": "\\\\", '"': '\\"', "\n": "\\n", "\t": "\\t"}
    return '"' + "".join(escapes.get(char, char) for char in text) + '"'


def braced(items: Iterable[str]) -> str:
    """Return a list in braces."""
    return "{" + ", ".join(items) + "}"


def wrapped(start: str, items: Sequence[str], end: str, indent: str = "") -> list[str]:
    """Return `start(items)end` as lines, broken between items where it is too long."""
    lines: list[str] = []
    line = f"{indent}{start}("
    margin = " " * len(line)
    for place, item in enumerate(items):
        piece = item + (", " if place + 1 < len(items) else f"){end}")
        if len(line) + len(piece.rstrip()) > WIDTH and line.strip():
            lines.append(line.rstrip())
            line = margin
        line += piece
    return [*lines, line if items else f"{line}){end}"]


FUNCTIONS = {"floordiv": "floordiv", "ceildiv": "ceildiv", "mod": "mod", "max": "larger", "min": "smaller"}
LEVELS = {"+": 1, "-": 1, "*": 2}


def number(formula: Formula) -> str:
    """Return a formula as C++ that computes a `Number` from the sizes of a call."""
    text = expression_text(formula, lambda name: f"call.at({quoted(name)})", FUNCTIONS)
    return text if formula.names else f"Number({text})"


def expression_text(formula: Formula, name: Callable[[str], str], functions: Mapping[str, str]) -> str:
    """Return a formula as C++, given how its names are written and what its functions are called."""
    return _expression(formula.expr, [name(each) for each in formula.names], functions, 0)


def _expression(expr: IndexExpr, names: Sequence[str], functions: Mapping[str, str], outer: int) -> str:
    match expr:
        case Const(value):
            return str(value)
        case Ref(position):
            return names[position]
        case Binary(kind, lhs, rhs) if kind in LEVELS:
            level = LEVELS[kind]
            left, right = _expression(lhs, names, functions, level), _expression(rhs, names, functions, level + 1)
            text = f"{left} {kind} {right}"
            return f"({text})" if level < outer else text
        case Binary(kind, lhs, rhs):
            left, right = _expression(lhs, names, functions, 0), _expression(rhs, names, functions, 0)
            return f"{functions[kind]}({left}, {right})"
        case _:
            raise TypeError(f"not an index expression: {expr}")
