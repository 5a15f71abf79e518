"""The printer of kernels: camelCase names, and what a stage's class needs."""

from collections.abc import Mapping
from dataclasses import dataclass

from xdsl.ir import Operation, SSAValue

from ...dialect.ascendc import CopyOp, VectorOp
from ..cfamily import ExpressionRule, Language, Printer, Rules
from ..cfamily.memory import memref_type
from ..cfamily.printer import fallback_name
from .names import CamelNames


class CppPrinter(Printer):
    """A printer of C++ in camelCase."""

    def __init__(self, language: Language, rules: Rules) -> None:
        """Create an empty file in a language."""
        super().__init__(language, rules)
        self.names = CamelNames(language.reserved | {helper.name for helper in language.helpers.values()})

    def forget_place(self) -> None:
        """Let the next operation print whose equation it serves, whichever it is."""
        self._place = ""


COPY_ROLES = {4: "blocks", 5: "length", 6: "gap", 7: "block_gap"}
"""Names by the operand of a copy."""


@dataclass(frozen=True)
class Method:
    """A loop's body as a method of a stage's class.

    Attributes:
        name: the method's name.
        parameters: the values it is called with, the loop's variable first.
    """

    name: str
    parameters: tuple[SSAValue, ...]


class KernelPrinter(CppPrinter):
    """A printer of one stage after the other.

    Attributes:
        globals: the members that stand for tensors in global memory.
        methods: the loops whose bodies are methods of their own.
        declared: values whose variables are members, declared elsewhere.
    """

    def __init__(self, language: Language, rules: Rules) -> None:
        """Create an empty file."""
        super().__init__(language, rules)
        self.globals: dict[SSAValue, str] = {}
        self.methods: Mapping[Operation, Method] = {}
        self.declared: set[SSAValue] = set()

    def element_name(self, tensor: SSAValue, op: Operation) -> str:
        """Return the spelling of a tensor's element type."""
        return self.type_name(memref_type(tensor).element_type, op)

    def assign(self, value: SSAValue, type_name: str, text: str) -> None:
        """Print the definition of a value: of a new variable, or of a member."""
        if value in self.declared:
            self.line(f"{self.text(value)} = {text};")
            return
        self.line(f"{type_name} {self.define(value)} = {text};")

    def declare(self, value: SSAValue, initial: str, hint: str, op: Operation) -> None:
        """Declare the variable of a value; a member is declared already."""
        if value not in self.declared:
            super().declare(value, initial, hint, op)
        elif initial:
            self.line(f"{self.text(value)} = {initial};")

    def declare_array(self, array: SSAValue, count: int, op: Operation) -> None:
        """Declare a local array; a member is declared already."""
        if array not in self.declared:
            super().declare_array(array, count, op)

    def _expression(self, op: Operation, rule: ExpressionRule) -> None:
        """Print an expression operation; one whose result is a member assigns it."""
        result = op.results[0]
        if result in self.declared:
            self.line(f"{self.text(result)} = {rule(self, op)};")
            return
        if result.name_hint is None:
            self._plan.fallback[result] = role(result)
        super()._expression(op, rule)


def role(value: SSAValue) -> str:
    """Return a name for a value by what it is used for."""
    for use in value.uses:
        if isinstance(use.operation, CopyOp):
            return COPY_ROLES.get(use.index, "start")
        if isinstance(use.operation, VectorOp) and value in use.operation.starts:
            return "start"
    return fallback_name(value.type)
