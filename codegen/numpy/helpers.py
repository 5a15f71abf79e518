"""The text of a whole module, with the functions of support.py that it uses."""

import inspect
from collections.abc import Callable, Iterable
from typing import Any, TypeAlias

from . import support

Helper: TypeAlias = Callable[..., Any]

HELPERS: dict[str, Helper] = {
    name: function
    for name, function in inspect.getmembers(support, inspect.isfunction)
    if function.__module__ == support.__name__
}
"""The functions that an emitted module may carry, by name."""


def module_text(docstring: str, helpers: Iterable[str], body: str, *, bf16: bool) -> str:
    """Return a module that stands alone.

    Args:
        docstring: what the module says of itself; may be empty.
        helpers: names of the functions of support.py that the body calls.
        body: the module's own functions.
        bf16: whether the body names bfloat16.
    """
    sources = "".join(f"\n\n{_source(HELPERS[name])}" for name in sorted(_closure(helpers)))
    escaped = docstring.replace("\\", "\\\\").replace('"', '\\"')
    head = f'"""{escaped}"""\n\n' if docstring else ""
    standard = "import math\n\n" if "math." in sources else ""
    own = "from ml_dtypes import bfloat16\n" if bf16 else ""
    return f"{head}{standard}import numpy as np\n{own}{sources}\n\n{body}\n"


def _closure(helpers: Iterable[str]) -> set[str]:
    """Return the functions, and those that they call."""
    found: set[str] = set()
    todo = list(helpers)
    while todo:
        name = todo.pop()
        if name not in found:
            found.add(name)
            todo.extend(called for called in HELPERS[name].__code__.co_names if called in HELPERS)
    return found


def _source(function: Helper) -> str:
    """Return the source of a function without annotations."""
    signature = inspect.signature(function)
    bare = [p.replace(annotation=inspect.Parameter.empty) for p in signature.parameters.values()]
    head = signature.replace(parameters=bare, return_annotation=inspect.Signature.empty)
    body = inspect.getsource(function).split("\n", 1)[1]
    return f"def {function.__name__}{head}:\n{body}"
