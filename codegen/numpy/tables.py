"""The tables of emit functions by dialect, imported only when used.

To add a dialect: write a file with `EMITTERS: Table`, and name it here.
"""

from importlib import import_module

from xdsl.ir import Operation

from .writer import Emit, Table

FILES: dict[str, tuple[str, ...]] = {
    "arith": ("integers", "floats", "casts"),
    "ascendc": ("ascendc_memory", "ascendc_vector", "ascendc_selection"),
    "func": ("control",),
    "math": ("integers", "floats"),
    "memref": ("memory",),
    "scf": ("control",),
    "tile": ("rows", "row_instructions", "lane_rows", "selection", "foreach"),
}
"""The files of this folder that hold a dialect's tables."""

_loaded: dict[str, Table] = {}


def find_emit(op: Operation) -> Emit | None:
    """Return the function that writes an operation, or None where no table holds it."""
    dialect = op.name.split(".", 1)[0]
    if dialect not in _loaded:
        _loaded[dialect] = _load(dialect)
    return _loaded[dialect].get(type(op))


def _load(dialect: str) -> Table:
    table: Table = {}
    for file in FILES.get(dialect, ()):
        table.update(import_module(f".{file}", __package__).EMITTERS)
    return table
