"""Pieces of C++ text."""

from collections.abc import Sequence

from ..aclnn.interface import Formula, Tensor
from ..aclnn.text import WIDTH, expression_text, quoted

GE_NAMES = {
    "ACL_FLOAT16": "ge::DT_FLOAT16",
    "ACL_BF16": "ge::DT_BF16",
    "ACL_FLOAT": "ge::DT_FLOAT",
    "ACL_DOUBLE": "ge::DT_DOUBLE",
    "ACL_BOOL": "ge::DT_BOOL",
    "ACL_INT8": "ge::DT_INT8",
    "ACL_INT16": "ge::DT_INT16",
    "ACL_INT32": "ge::DT_INT32",
    "ACL_INT64": "ge::DT_INT64",
}
"""The graph's name of each dtype."""

FUNCTIONS = {
    "floordiv": "call::FloorDiv",
    "ceildiv": "call::CeilDiv",
    "mod": "call::Mod",
    "max": "std::max<int64_t>",
    "min": "std::min<int64_t>",
}
"""The functions of formulas."""


ROOM = 80
"""A longer start stands on a line of its own."""


def filled(start: str, items: Sequence[str], end: str, between: str = ",") -> list[str]:
    """Return `start item, item end` as lines, broken between items where it is too long, lined up behind the start."""
    lines: list[str] = []
    line, margin = start, " " * len(start)
    if len(start) > ROOM:
        lines, line = [start], " " * (len(start) - len(start.lstrip()) + 8)
        margin = line
    for place, item in enumerate(items):
        piece = item + (f"{between} " if place + 1 < len(items) else end)
        if place and len(line) + len(piece.rstrip()) > WIDTH:
            lines.append(line.rstrip())
            line = margin
        line += piece
    return [*lines, line if items else f"{start}{end}"]


def block(head: str, lines: Sequence[str], indent: str = "    ") -> list[str]:
    """Return `head { lines }`."""
    return [f"{indent}{head} {{", *(f"{indent}    {line}" for line in lines), f"{indent}}}"]


def refuse_if(tests: Sequence[str], why: str) -> list[str]:
    """Return the lines of a function that return a text where all tests hold."""
    head = filled("    if (", tests, ") {", " &&")
    return [*head, f"        return {quoted(why)};", "    }"]


def formula_text(formula: Formula) -> str:
    """Return a formula over the members of `sizes`."""
    return expression_text(formula, lambda name: f"sizes.{name}", FUNCTIONS)


def dims_text(tensor: Tensor) -> str:
    """Return the dims of a tensor as the argument of call::Match and call::Set."""
    return "{" + ", ".join(str(dim) if isinstance(dim, int) else f"sizes.{dim}" for dim in tensor.dims) + "}"


def shape_text(tensor: Tensor) -> str:
    """Return the dims of a tensor as a message tells them."""
    return "[" + ", ".join(str(dim) for dim in tensor.dims) + "]"
