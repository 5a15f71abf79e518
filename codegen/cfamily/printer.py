"""The printer: lines, names and expressions, and the dispatch to one small function an operation."""

from collections.abc import Callable, Generator, Iterable, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, cast

from xdsl.dialects.builtin import AnyFloat, IndexType, MemRefType, i1
from xdsl.ir import Attribute, Block, Operation, SSAValue

from ...dialect.diagnostics import Diagnostic, equation_of
from .expr import Expr, Level, call
from .inline import Plan, plan_block
from .language import Language
from .line_breaks import WIDTH, broken
from .names import Names

ExpressionRule = Callable[[Any, Any], Expr]
"""Takes the printer and the operation; a table pairs each rule with the class that it takes."""

StatementRule = Callable[[Any, Any], None]

INDENT = "    "
ROOM = 80
"""The most columns before the first of several items in a line."""


@dataclass(frozen=True)
class Rules:
    """What is printed for each operation class.

    Attributes:
        expressions: for operations with one result and no effect but reading: the expression of the result.
        statements: for all others: print the lines, and bind the results.
    """

    expressions: Mapping[type[Operation], ExpressionRule]
    statements: Mapping[type[Operation], StatementRule]

    def extended(
        self,
        expressions: Mapping[type[Operation], ExpressionRule] | None = None,
        statements: Mapping[type[Operation], StatementRule] | None = None,
    ) -> "Rules":
        """Return the rules with more classes, or with other functions for the same classes."""
        return Rules({**self.expressions, **(expressions or {})}, {**self.statements, **(statements or {})})


class Printer:
    """Prints operations of one file in one language.

    Attributes:
        language: the data of the language.
        rules: the functions by operation class.
        names: the names in use; reserve those of functions and types in the outermost scope.
        extents: the sizes of memrefs that their types do not give.
        result_type: spelling of what the current function returns, if that is several values.
    """

    def __init__(self, language: Language, rules: Rules) -> None:
        self.language = language
        self.rules = rules
        self.names = Names(language.reserved | {helper.name for helper in language.helpers.values()})
        self.extents: dict[SSAValue, Sequence[Expr]] = {}
        self.result_type = ""
        self._exprs: dict[SSAValue, Expr] = {}
        self._plan = Plan()
        self._helpers: set[str] = set()
        self._headers = set(language.headers)
        self._lines: list[str] = []
        self._depth = 0
        self._place = ""

    def line(self, text: str) -> None:
        """Print one line at the current indentation."""
        self._lines.append(f"{INDENT * self._depth}{text}" if text else "")

    def wrapped(self, head: str, items: Iterable[str], end: str) -> None:
        """Print `head(items)end` in lines of at most WIDTH columns, lined up with the parenthesis if there is room."""
        margin = INDENT * self._depth
        line = f"{margin}{head}("
        indent = " " * len(line)
        if len(line) > ROOM:
            self._lines.append(line)
            line = indent = margin + INDENT * 2
        for position, item in enumerate(items):
            separator = ", " if position else ""
            if position and len(line) + len(separator) + len(item) + len(end) + 1 > WIDTH:
                self._lines.append(f"{line},")
                line, separator = indent, ""
            line += separator + item
        self._lines.append(f"{line}){end}")

    def place(self, *ops: Operation) -> None:
        """Print whose equations operations serve, by their left sides, where that is another than printed last."""
        text = ", ".join(dict.fromkeys(side for op in ops if (side := equation_of(op))))
        if text and text != self._place:
            self.line(self.language.comment.format(text))
            self._place = text

    @contextmanager
    def braces(self, header: str, end: str = "}") -> Generator[None]:
        """Print `header {`, the lines of the body one step further in, and `end`; names of the body end with it."""
        self.line(f"{header} {{".lstrip())
        self._depth += 1
        with self.scope():
            yield
        self._depth -= 1
        self.line(end)

    @contextmanager
    def scope(self) -> Generator[None]:
        """Open a scope for names."""
        with self.names.scope():
            yield

    def reopen(self, header: str) -> None:
        """Print a line that ends one block and starts the next, such as `} else {`."""
        self._lines.append(f"{INDENT * (self._depth - 1)}{header}")

    def block(self, block: Block) -> None:
        """Print the operations of a block."""
        outer, self._plan = self._plan, plan_block(block, self.rules.expressions)
        for op in block.ops:
            self.operation(op)
        self._plan = outer

    def folds(self, block: Block) -> bool:
        """Return whether all operations of a block become part of its last one; if so, bind their results."""
        plan = plan_block(block, self.rules.expressions)
        *ops, _ = block.ops
        if any(op not in plan.inlined and op not in plan.dead for op in ops):
            return False
        outer, self._plan = self._plan, plan
        for op in ops:
            self.operation(op)
        self._plan = outer
        return True

    def operation(self, op: Operation) -> None:
        """Print an operation as a statement, or bind its result to an expression.

        Raises:
            Diagnostic: OPW440 for an operation that the rules do not know.
        """
        kind = type(op)
        if kind in self.rules.statements:
            self.rules.statements[kind](self, op)
        elif kind in self.rules.expressions:
            self._expression(op, self.rules.expressions[kind])
        else:
            raise Diagnostic(
                "OPW440", f"'{op.name}' has no form in this language", op, "lower it before the code is emitted"
            )

    def _expression(self, op: Operation, rule: ExpressionRule) -> None:
        if op in self._plan.dead:
            return
        result = op.results[0]
        expr = rule(self, op)
        if op in self._plan.inlined:
            self.bind(result, expr)
        else:
            name = self.define(result, self._plan.fallback.get(result, fallback_name(result.type)))
            self.line(f"const {self.type_name(result.type, op)} {name} = {expr};")

    def define(self, value: SSAValue, fallback: str = "number") -> str:
        """Give a value a name of its own, from its name hint or else `fallback`, and return it."""
        name = self.names.fresh(value.name_hint or fallback)
        self.bind(value, Expr(name))
        return name

    def declare(self, value: SSAValue, initial: str, hint: str, op: Operation) -> None:
        """Declare the variable of a value that is assigned later, or set now where `initial` is not empty."""
        name = self.define(value, hint)
        self.line(f"{self.type_name(value.type, op)} {name}{f' = {initial}' if initial else ''};")

    def declare_array(self, array: SSAValue, count: int, op: Operation) -> None:
        """Declare a local array of `count` elements."""
        element = cast("MemRefType[Attribute]", array.type).element_type
        self.line(f"{self.type_name(element, op)} {self.define(array, 'cells')}[{count}];")

    def bind(self, value: SSAValue, expr: Expr) -> None:
        """Say by which expression a value is known."""
        self._exprs[value] = expr

    def value(self, value: SSAValue) -> Expr:
        """Return the expression of a value."""
        return self._exprs[value]

    def text(self, value: SSAValue, level: Level = Level.COMMA) -> str:
        """Return the text of a value where operators bind as tightly as `level`."""
        return self._exprs[value].at(level)

    def type_name(self, scalar: Attribute, op: Operation) -> str:
        """Return the spelling of a scalar type.

        Raises:
            Diagnostic: OPW441 where the language has no such type.
        """
        name = self.language.types.get(scalar)
        if name is None:
            raise Diagnostic("OPW441", f"type {scalar} of '{op.name}' has no form in this language", op)
        return name

    def helper(self, key: str, arguments: Iterable[Expr], op: Operation) -> Expr:
        """Return a call of a helper, which is then part of the file.

        Raises:
            Diagnostic: OPW442 where the language has no such helper.
        """
        helper = self.language.helpers.get(key)
        if helper is None:
            text = f"'{op.name}' needs '{key}', which this language does not have"
            raise Diagnostic("OPW442", text, op, self.language.otherwise)
        self._use(key)
        return call(helper.name, arguments)

    def _use(self, key: str) -> None:
        if key not in self._helpers:
            self._helpers.add(key)
            for needed in self.language.helpers[key].needs:
                self._use(needed)

    def include(self, headers: Iterable[str]) -> None:
        """Say that the file needs some headers."""
        self._headers.update(headers)

    def convert(self, expr: Expr, source: Attribute, target: Attribute, op: Operation) -> Expr:
        """Return a value of type `source` converted to `target`.

        Raises:
            Diagnostic: OPW441 where the language cannot convert between the types.
        """
        if source == target:
            return expr
        key = self.language.conversions.get((source, target))
        if key is not None:
            return self.helper(key, [expr], op)
        if {source, target} & self.language.stored:
            raise Diagnostic("OPW441", f"'{op.name}' from {source} to {target} has no form in this language", op)
        return self.language.cast.apply(self.type_name(target, op), expr)

    def body(self) -> str:
        """Return the lines printed so far, none longer than WIDTH where it can be broken."""
        return "\n".join(part for line in self._lines for part in broken(line)) + "\n"

    def helper_code(self) -> list[str]:
        """Return the definitions of the helpers that were used, in the order of the language's table."""
        used = (helper for key, helper in self.language.helpers.items() if key in self._helpers)
        return [helper.code for helper in used if helper.code]

    def headers(self) -> list[str]:
        """Return the headers that the file needs, sorted."""
        used = (helper for key, helper in self.language.helpers.items() if key in self._helpers)
        return sorted(self._headers.union(*(helper.headers for helper in used)))


def fallback_name(scalar: Attribute) -> str:
    """Return a name for a value that has none."""
    if isinstance(scalar, AnyFloat):
        return "v"
    return "holds" if scalar == i1 else "number"


def type_key(scalar: Attribute) -> str:
    """Return the name of a type in the key of a helper: an index is 64 bits wide."""
    return "i64" if isinstance(scalar, IndexType) else str(scalar)
