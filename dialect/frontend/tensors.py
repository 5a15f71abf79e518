"""Tensors of a spec file: inputs, and results that one equation defines."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeAlias

from xdsl.dialects.builtin import IndexType
from xdsl.ir import SSAValue

from ..diagnostics import Diagnostic, Location
from ..spec.attrs import TensorType, compute_type
from .exprs import INDEX, Expr, Operand, Read, Search, lift, to_index
from .source import here, names

Define: TypeAlias = "Callable[[Tensor, tuple[Expr, ...], Operand, bool], SSAValue]"


@dataclass(eq=False)
class Tensor:
    """A tensor; reading `t[i, j]` is an expression, setting `t[i, j] = ...` defines it."""

    type: TensorType
    at: Location
    define: Define
    value: SSAValue | None = None

    def __getitem__(self, where: "Operand | tuple[Operand, ...]") -> Read:
        at = here()
        if self.value is None:
            hint = "equations stand in order: define a tensor before it is read"
            raise Diagnostic("OPW153", f"{self._name()} is read before it is defined", at, hint)
        return Read(compute_type(self.type.element_type), at, self, self.places(where, at))

    def search(self, value: Operand) -> Search:
        """Return how many entries of an ordered list are at most a value: of row ends, the segment of a row.

        Raises:
            Diagnostic: OPW153 for a tensor that is not yet defined, OPW106 for a value that is no integer.
        """
        at = here()
        if self.value is None:
            raise Diagnostic("OPW153", f"{self._name()} is searched before it is defined", at)
        wanted = to_index(lift(value, INDEX, at))
        if not isinstance(wanted.type, IndexType):
            raise Diagnostic("OPW106", f"a search is for an integer, not for {wanted.type}", at)
        return Search(INDEX, at, self, wanted)

    def __setitem__(self, where: "Operand | tuple[Operand, ...]", value: Operand) -> None:
        self.set(where, value, unique=False)

    @property
    def scatter(self) -> "Scatter":
        """Return the view whose equations may name computed places, each at most once."""
        return Scatter(self)

    def set(self, where: "Operand | tuple[Operand, ...]", value: Operand, *, unique: bool) -> None:
        """Define the tensor by one equation."""
        at = here()
        if self.value is not None:
            raise Diagnostic("OPW153", f"{self._name()} is defined twice", at, "one equation defines a tensor")
        self.value = self.define(self, self.places(where, at), value, unique)

    def places(self, where: "Operand | tuple[Operand, ...]", at: Location) -> tuple[Expr, ...]:
        """Return the indices as integers that place elements.

        Raises:
            Diagnostic: OPW104 for a wrong number of indices, OPW106 for an index that is no integer.
        """
        given = where if isinstance(where, tuple) else (where,)
        if len(given) != self.type.rank:
            dims = ", ".join(str(dim) for dim in self.type.dims)
            text = f"{self._name()} has rank {self.type.rank}, here it has {len(given)} indices"
            raise Diagnostic("OPW104", text, at, f"give one index for each of its dims [{dims}]")
        exprs = tuple(to_index(lift(index, INDEX, at)) for index in given)
        for expr in exprs:
            if not isinstance(expr.type, IndexType):
                raise Diagnostic("OPW106", f"an index of {self._name()} is of type {expr.type}, not an integer", at)
        return exprs

    def _name(self) -> str:
        name = names().get(id(self))
        return f"'{name}'" if name else "a tensor"


@dataclass(frozen=True)
class Scatter:
    """A tensor as the target of computed places."""

    tensor: Tensor

    def __setitem__(self, where: "Operand | tuple[Operand, ...]", value: Operand) -> None:
        self.tensor.set(where, value, unique=True)
