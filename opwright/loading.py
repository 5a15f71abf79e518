"""Find operators: in the library, in a Python spec file, or in MLIR text."""

import importlib
import pkgutil
import traceback
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from pathlib import Path
from types import ModuleType

from xdsl.dialects.builtin import ModuleOp

from . import ops as library
from .dialect.diagnostics import Diagnostic, Location
from .dialect.frontend import Definition
from .dialect.parser import parse_module
from .dialect.registry import new_context
from .dialect.spec.ops import OperatorOp


@dataclass(frozen=True)
class Operator:
    """An operator, alone in a module of its own that passes may change."""

    name: str
    module: ModuleOp
    op: OperatorOp
    source: Path


def list_operators() -> list[str]:
    """Return the names of the library's operators, sorted."""
    return sorted(definition.name for definition, _ in _library())


def load(name_or_path: str | Path) -> Operator:
    """Return the one operator of that name in the library, or in that file (.py or .mlir).

    `file.py:Name` chooses among several in a file.

    Raises:
        Diagnostic: OPW160 no such operator, OPW161 not a spec file, OPW162 Python error in a spec file, OPW163 none or
            several operators in a file; what tracing, parsing and verifying raise.
        OSError: the file cannot be read.
    """
    text = str(name_or_path)
    path, _, chosen = text.partition(":")
    if not path.endswith((".py", ".mlir")):
        return _from_library(text)
    return _choose(load_all(path), Path(path), chosen)


def load_all(path: str | Path) -> list[Operator]:
    """Return all operators of a file, in its order; errors as in `load`."""
    source = Path(path)
    match source.suffix:
        case ".py":
            return [_operator(definition.module(), source) for definition in _definitions(_execute(source))]
        case ".mlir":
            return _from_mlir(source)
        case _:
            raise Diagnostic("OPW161", f"'{source}' is not a spec file", hint="spec files end in .py or .mlir")


def check_names(operators: Sequence[Operator]) -> None:
    """Refuse operators whose files would have the same names.

    Raises:
        Diagnostic: OPW462.
    """
    from .codegen.aclnn.interface import snake_case

    seen: dict[str, Operator] = {}
    for operator in operators:
        snake = snake_case(operator.name)
        other = seen.setdefault(snake, operator)
        if other is not operator:
            text = f"operators {other.name} and {operator.name} have one header, aclnnop/aclnn_{snake}.h"
            raise Diagnostic("OPW462", text, operator.op, "give them different names")


def _from_library(name: str) -> Operator:
    known = list(_library())
    for definition, module in known:
        if name in (definition.name, module.__name__.rpartition(".")[2]):
            return _operator(definition.module(), Path(str(module.__file__)))
    names = [definition.name for definition, _ in known]
    close = get_close_matches(name, names, n=1)
    hint = f"did you mean {close[0]}?" if close else "it has: " + ", ".join(sorted(names))
    raise Diagnostic("OPW160", f"the library has no operator '{name}'", hint=f"{hint}; a file ends in .py or .mlir")


def _library() -> Iterator[tuple[Definition, ModuleType]]:
    for info in pkgutil.iter_modules(library.__path__):
        module = importlib.import_module(f"{library.__name__}.{info.name}")
        for definition in _definitions(vars(module)):
            yield definition, module


def _definitions(namespace: dict[str, object]) -> list[Definition]:
    return list({id(value): value for value in namespace.values() if isinstance(value, Definition)}.values())


def _execute(source: Path) -> dict[str, object]:
    """Run a spec file and return its names; its faults become diagnostics at its lines."""
    text = source.read_text(encoding="utf-8")
    namespace: dict[str, object] = {"__name__": source.stem, "__file__": str(source)}
    try:
        exec(compile(text, str(source), "exec"), namespace)
    except Diagnostic:
        raise
    except SyntaxError as error:
        place = Location(str(source), error.lineno or 1, error.offset or 1)
        raise Diagnostic("OPW162", f"SyntaxError: {error.msg}", place) from error
    except KeyboardInterrupt:
        raise
    except BaseException as error:
        raise _python_error(error, source) from error
    return namespace


def _python_error(error: BaseException, source: Path) -> Diagnostic:
    frames = [f for f in traceback.extract_tb(error.__traceback__) if f.filename == str(source)]
    place = Location(str(source), frames[-1].lineno or 1, (frames[-1].colno or 0) + 1) if frames else None
    return Diagnostic("OPW162", f"{type(error).__name__}: {error}", place)


def _from_mlir(source: Path) -> list[Operator]:
    module = parse_module(new_context(), source.read_text(encoding="utf-8"), str(source))
    module.verify()
    operators = [op for op in module.body.block.ops if isinstance(op, OperatorOp)]
    return [_operator(ModuleOp([op.clone()]), source) for op in operators]


def _operator(module: ModuleOp, source: Path) -> Operator:
    op = next(op for op in module.body.block.ops if isinstance(op, OperatorOp))
    return Operator(op.sym_name.data, module, op, source)


def _choose(operators: list[Operator], source: Path, name: str) -> Operator:
    found = [op for op in operators if name in ("", op.name)]
    if len(found) == 1:
        return found[0]
    if not operators:
        raise Diagnostic("OPW163", f"'{source}' defines no operator")
    names = [op.name for op in operators]
    if name and not found:
        raise Diagnostic("OPW160", f"'{source}' defines no operator '{name}'", hint=f"it defines: {', '.join(names)}")
    hint = f"choose one, as in {source}:{names[0]}"
    raise Diagnostic("OPW163", f"'{source}' defines {len(found)} operators", hint=hint)
