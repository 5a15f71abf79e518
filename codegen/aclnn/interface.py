"""The aclnn interface of an operator as plain data: parameters in order, sizes, and constraints with their statuses.

What reads it: the laptop's library (source.py), and whatever else prints the interface for a host. The order of checks
is that of the documents: null pointers (161001), then dtypes, formats and strides (161002), then shapes (561002); a
constraint of the spec stands where its own status does.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, TypeAlias

from ...dialect.index_expr import IndexExpr

NULL_POINTER = 161001
WRONG_TYPE = 161002
WRONG_SHAPE = 561002

Kind: TypeAlias = Literal["input", "list", "output"]
Scalar: TypeAlias = Literal["int", "bool", "float", "text", "integers"]
Value: TypeAlias = bool | int | float | str | tuple[int, ...]


@dataclass(frozen=True)
class Tensor:
    """A tensor, or a list of integers on the host.

    Attributes:
        name: the document's name.
        kind: input, list or output.
        optional: whether a call may give a null pointer.
        strided: whether the elements may lie apart in memory.
        dims: the name or the size of each dim.
        dtypes: for each dtype column, the names of the dtypes that are allowed, as in ACL_FLOAT16.
        codes: for each dim the status where its size disagrees.
    """

    name: str
    kind: Kind
    optional: bool
    strided: bool
    dims: tuple[str | int, ...]
    dtypes: tuple[tuple[str, ...], ...]
    codes: tuple[int, ...]


@dataclass(frozen=True)
class Attribute:
    """An attribute: its value where a null pointer is given, and the values that are allowed, all where there are none.

    `code` is the status for others.
    """

    name: str
    kind: Scalar
    default: Value | None
    allowed: tuple[Value, ...]
    code: int


@dataclass(frozen=True)
class Formula:
    """A whole number computed from sizes and attributes: `expr` over their names; kinds are those of index
    expressions, and max and min.
    """

    expr: IndexExpr
    names: tuple[str, ...]


@dataclass(frozen=True)
class Definition:
    """A dim that is computed; shapes that disagree are refused with `WRONG_SHAPE`."""

    dim: str
    value: Formula
    text: str


@dataclass(frozen=True)
class ListDefault:
    """The content of a list that is null or empty."""

    name: str
    content: tuple[Formula, ...]


@dataclass(frozen=True)
class Guard:
    """When a constraint counts: a tensor is given or a boolean attribute is true; or, if not `holds`, the opposite."""

    name: str
    is_tensor: bool
    holds: bool


def reason(guards: Sequence[Guard]) -> str:
    """Return when a constraint counts, as the end of a sentence: ` where probs is given and padded is not true`."""
    texts = [f"{g.name} is {'' if g.holds else 'not '}{'given' if g.is_tensor else 'true'}" for g in guards]
    return f" where {' and '.join(texts)}" if texts else ""


@dataclass(frozen=True)
class Constraint:
    """A condition of the document: `lhs comparison rhs` where all guards hold, else the status `code`."""

    lhs: Formula
    comparison: str
    rhs: Formula
    condition: str
    code: int
    guards: tuple[Guard, ...] = ()

    @property
    def text(self) -> str:
        """Return the condition, and where it counts."""
        return self.condition + reason(self.guards)

    @property
    def names(self) -> tuple[str, ...]:
        """Return the sizes and attributes that it is made of."""
        return tuple(dict.fromkeys((*self.lhs.names, *self.rhs.names)))


@dataclass(frozen=True)
class Presence:
    """An optional tensor that is required where all guards hold."""

    name: str
    code: int
    guards: tuple[Guard, ...] = ()

    @property
    def text(self) -> str:
        """Return the condition, and where it counts."""
        return f"{self.name} is given{reason(self.guards)}"


@dataclass(frozen=True)
class ListCheck:
    """A condition on the elements of lists, place by place.

    Attributes:
        lhs, rhs: names of the tensors that hold the two sides; list_checks.py says what computes them.
        dims: the name or size of each dim of both.
        dtype: the ACL name of their dtype.
    """

    lhs: str
    comparison: str
    rhs: str
    dims: tuple[str | int, ...]
    dtype: str
    text: str
    code: int


@dataclass(frozen=True)
class Places:
    """The elements of an input are from 0 to `below` - 1 where all guards hold; with `unused` also negative."""

    name: str
    below: Formula
    unused: bool
    guards: tuple[Guard, ...] = ()


@dataclass(frozen=True)
class Interface:
    """The two functions of an operator.

    Their parameters are the inputs, the attributes and the outputs, each in order, then those that all operators have.

    Attributes:
        name: the operator's name, as in the names of the functions.
        snake: its name in names of files.
        definitions: dims that are computed, in an order in which each uses earlier ones.
        constraints: conditions in the order of the spec.
        places: what elements of tensors may be, which only the device knows before the operator runs.
    """

    name: str
    snake: str
    inputs: tuple[Tensor, ...]
    attributes: tuple[Attribute, ...]
    outputs: tuple[Tensor, ...]
    definitions: tuple[Definition, ...]
    list_defaults: tuple[ListDefault, ...]
    constraints: tuple[Constraint | Presence | ListCheck, ...]
    places: tuple[Places, ...] = ()

    @property
    def function(self) -> str:
        """Return the name of the second function; that of the first ends in GetWorkspaceSize."""
        return f"aclnn{self.name}"

    @property
    def header(self) -> str:
        """Return the name of the header, as programs include it."""
        return f"aclnnop/aclnn_{self.snake}.h"

    @property
    def list_checks(self) -> tuple[ListCheck, ...]:
        """Return the constraints on the elements of lists."""
        return tuple(each for each in self.constraints if isinstance(each, ListCheck))

    @property
    def tensors(self) -> tuple[Tensor, ...]:
        """Return the inputs and outputs, in order."""
        return (*self.inputs, *self.outputs)


def snake_case(name: str) -> str:
    """Return an operator's name as CANN writes it in names of files: `GatherV2` is gather_v2, `Conv2D` conv2_d.

    A capital starts a word unless it follows a capital and no small letter follows it.
    """
    text = ""
    for place, letter in enumerate(name):
        before, after = name[place - 1 : place], name[place + 1 : place + 2]
        starts = letter.isupper() and place > 0 and (not before.isupper() or after.islower())
        text += ("_" if starts and not text.endswith("_") else "") + letter.lower()
    return text
