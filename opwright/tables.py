"""Tables as text: columns as wide as their widest cell, numbers to the right."""

from collections.abc import Sequence
from unicodedata import east_asian_width

Row = Sequence[str]


def format_table(header: Row, rows: Sequence[Row], right: Sequence[str] = ()) -> str:
    """Return a table with a line under its header.

    Args:
        header: the names of the columns.
        rows: as many cells each as the header has.
        right: names of the columns that are aligned to the right.
    """
    widths = [max(_width(row[n]) for row in (header, *rows)) for n in range(len(header))]
    flush_right = [name in right for name in header]
    lines = [_line(row, widths, flush_right) for row in (header, *rows)]
    return "\n".join((lines[0], "  ".join("-" * width for width in widths), *lines[1:]))


def _line(row: Row, widths: Sequence[int], flush_right: Sequence[bool]) -> str:
    cells = [_pad(cell, width, right) for cell, width, right in zip(row, widths, flush_right, strict=True)]
    return "  ".join(cells).rstrip()


def _pad(cell: str, width: int, right: bool) -> str:
    fill = " " * (width - _width(cell))
    return fill + cell if right else cell + fill


def _width(cell: str) -> int:
    return sum(2 if east_asian_width(char) in "WF" else 1 for char in cell)
