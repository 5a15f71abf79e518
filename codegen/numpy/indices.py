"""Index expressions as Python text."""

from collections.abc import Sequence

from ...dialect.index_expr import Binary, Const, IndexExpr, Ref, simplify

LEVELS = {"+": 10, "-": 10, "*": 20, "floordiv": 20, "mod": 20, "ceildiv": 30}
SYMBOLS = {"floordiv": "//", "mod": "%"}


def index_text(expr: IndexExpr, names: Sequence[str], outer: int = 0) -> str:
    """Return the expression over the names of its operands, with parentheses only where needed."""
    match expr:
        case Const(value):
            return str(value)
        case Ref(position):
            return names[position]
        case Binary("ceildiv", lhs, rhs):
            return f"-(-{index_text(lhs, names, 30)} // {index_text(rhs, names, 30)})"
        case Binary("+", lhs, Const(value)) if value < 0:
            return index_text(Binary("-", lhs, Const(-value)), names, outer)
        case Binary(kind, lhs, rhs):
            level = LEVELS[kind]
            lhs_text, rhs_text = index_text(lhs, names, level), index_text(rhs, names, level + 1)
            text = f"{lhs_text} {SYMBOLS.get(kind, kind)} {rhs_text}"
            return f"({text})" if level < outer else text
        case _:
            raise TypeError(f"not an index expression: {expr}")


def slice_text(start: IndexExpr, stop: IndexExpr, names: Sequence[str], step: int = 1) -> str:
    """Return `start:stop`, or `start:stop:step`, in its shortest form."""
    begin = simplify(start)
    first = "" if begin == Const(0) else index_text(begin, names)
    text = f"{first}:{index_text(simplify(stop), names)}"
    return text if step == 1 else f"{text}:{step}"


def as_exprs(texts: Sequence[str]) -> list[IndexExpr]:
    """Return each text as an expression over all of them: a constant where it is a literal, the same for the same."""
    return [Const(int(text)) if text.lstrip("-").isdigit() else Ref(texts.index(text)) for text in texts]


def add_text(a: str, b: str) -> str:
    """Return `a + b`, folded where one is a literal."""
    first, second = as_exprs((a, b))
    return index_text(simplify(first + second), (a, b))
