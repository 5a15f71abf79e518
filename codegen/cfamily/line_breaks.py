"""Breaking lines that are too long, at a comma or in front of an operator, the outermost possible one."""

from collections.abc import Iterator

WIDTH = 120
"""The longest line, in columns."""

OPERATORS = (" + ", " - ", " * ", " / ", " && ", " || ", " ? ", " : ", " = ")


def broken(line: str) -> Iterator[str]:
    """Yield a line in pieces of at most WIDTH columns; what follows a break lines up with the open parenthesis."""
    while len(line) > WIDTH and not line.lstrip().startswith(("//", "#")):
        place = _best_break(line)
        if place is None:
            break
        at, column = place
        yield line[:at].rstrip()
        line = " " * column + line[at:].lstrip()
    yield line


def _best_break(line: str) -> tuple[int, int] | None:
    """Return where to break and the column to go on at: the last place of the least depth that leaves a short line."""
    margin = len(line) - len(line.lstrip())
    best: tuple[int, int, int] | None = None
    for at, depth, column in _places(line, margin):
        if at <= WIDTH and at > margin + 8 and (best is None or depth <= best[1]):
            best = (at, depth, column)
    return None if best is None else (best[0], best[2])


def _places(line: str, margin: int) -> Iterator[tuple[int, int, int]]:
    """Yield (position, depth, column of the parenthesis around it) of every place to break, outside of strings."""
    opened: list[int] = []
    quoted = False
    for at, char in enumerate(line):
        if char == '"':
            quoted = not quoted
        if quoted:
            continue
        if char == "(":
            opened.append(at + 1)
        elif char == ")" and opened:
            opened.pop()
        column = opened[-1] if opened else margin + 4
        if char == "," and line[at + 1 : at + 2] == " ":
            yield at + 1, len(opened), column
        elif at > margin and line.startswith(OPERATORS, at):
            is_assignment = line.startswith(" = ", at)
            yield (at + 2 if is_assignment else at), len(opened) + is_assignment, column
