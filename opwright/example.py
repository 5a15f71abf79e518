"""Sizes for an example of a call: small ones that hold all constraints of a spec."""

from collections.abc import Iterator, Mapping, Sequence
from math import prod
from operator import eq, ge, gt, le, lt, ne

from .codegen.aclnn.interface import Attribute, Constraint, Formula, Guard, Interface, Value
from .codegen.project.example import ExampleCall
from .dialect.index_expr import Binary, Const, IndexExpr, evaluate
from .loading import Operator

PREFERRED = (4, 2, 1, 3, 8, 16, 32, 64, 128)
"""Sizes in the order in which they are tried; numbers that constraints name come behind them."""

MOST_ELEMENTS = 1 << 20
"""How many elements a tensor has at most."""

MOST_TRIES = 200_000
"""How many partial choices are looked at."""


def example_call(operator: Operator, interface: Interface) -> ExampleCall | None:
    """Return arguments that every constraint allows; None where none are found, or a list has no default."""
    lists = {tensor.name for tensor in interface.inputs if tensor.kind == "list"}
    if lists - {default.name for default in interface.list_defaults}:
        return None
    search = _Search(operator, interface)
    return next(search.calls(), None)


class _Search:
    """A search through the values of dims and numeric attributes."""

    def __init__(self, operator: Operator, interface: Interface) -> None:
        self._operator = operator
        self._interface = interface
        self._tries = 0
        self._constraints = [c for c in interface.constraints if isinstance(c, Constraint) and _counts(c.guards)]
        self._candidates = _candidates(self._constraints)

    def calls(self) -> Iterator[ExampleCall]:
        """Yield calls that hold the constraints."""
        interface = self._interface
        lists = {default.name: default for default in interface.list_defaults}
        lengths = {str(t.dims[0]): len(lists[t.name].content) for t in interface.inputs if t.name in lists}
        attributes = {a.name: _fixed(a) for a in interface.attributes if a.kind != "int" or a.default is not None}
        whole = {a.name for a in interface.attributes if a.kind == "int"}
        numbers = {name: int(value) for name, value in attributes.items() if name in whole and isinstance(value, int)}
        free = [a.name for a in interface.attributes if a.name not in attributes]
        used = {name for default in interface.list_defaults for formula in default.content for name in formula.names}
        settled = {definition.dim for definition in interface.definitions}
        settled |= _determined(self._operator, interface) - used
        dims = [d for t in interface.tensors for d in t.dims if isinstance(d, str)]
        free += [dim for dim in dict.fromkeys(dims) if dim not in settled and dim not in lengths]
        names = [a.name for a in interface.attributes]
        for values in self._assign(free, {**numbers, **lengths}):
            known = {name: value for name, value in values.items() if name not in names}
            yield ExampleCall(known, {name: values.get(name, attributes.get(name, 0)) for name in names})

    def _assign(self, names: Sequence[str], known: Mapping[str, int]) -> Iterator[Mapping[str, int]]:
        if not names:
            complete = self._complete(known)
            if complete is not None:
                yield complete
            return
        for value in self._candidates:
            self._tries += 1
            if self._tries > MOST_TRIES:
                return
            chosen = {**known, names[0]: value}
            if self._holds(chosen):
                yield from self._assign(names[1:], chosen)

    def _holds(self, known: Mapping[str, int]) -> bool:
        """Return whether no constraint that is made of known values alone is broken, and tensors are small."""
        known = {**known, **self._defined(known)}
        return all(
            _compare(c.comparison, _value(c.lhs, known), _value(c.rhs, known))
            for c in self._constraints
            if known.keys() >= set(c.names)
        )

    def _defined(self, known: Mapping[str, int]) -> dict[str, int]:
        found: dict[str, int] = {}
        for definition in self._interface.definitions:
            if {**known, **found}.keys() >= set(definition.value.names):
                found[definition.dim] = _value(definition.value, {**known, **found})
        return found

    def _complete(self, known: Mapping[str, int]) -> Mapping[str, int] | None:
        """Return all values, with dims that follow from lists; None where tensors are empty, large, or lists wrong."""
        values = {**known, **self._defined(known)}
        follow = _determined(self._operator, self._interface)
        if follow:
            lists = self._with_lists({**dict.fromkeys(follow, 0), **values})
            if any(values.get(name, lists[name]) != lists[name] for name in follow):
                return None
            values |= {name: lists[name] for name in follow}
        sizes = [[d if isinstance(d, int) else values[d] for d in t.dims] for t in self._interface.tensors]
        return values if all(0 < prod(shape) <= MOST_ELEMENTS for shape in sizes) and self._holds(values) else None

    def _with_lists(self, values: Mapping[str, int]) -> dict[str, int]:
        """Return the dims that follow from the lists' defaults."""
        from .codegen.lists import default_lists
        from .verification.lists import determine

        op = self._operator.op
        return determine(op, 0, values, values, default_lists(op, values, values, {}))


def _determined(operator: Operator, interface: Interface) -> frozenset[str]:
    """Return the dims that follow from lists."""
    if not interface.list_checks:
        return frozenset()
    from .verification.lists import determined_dims

    return frozenset(each.dim for each in determined_dims(operator.op))


def _counts(guards: Sequence[Guard]) -> bool:
    """Return whether a constraint counts where all tensors are given and booleans are false."""
    return all(guard.is_tensor == guard.holds for guard in guards)


def _candidates(constraints: Sequence[Constraint]) -> list[int]:
    named = {n for c in constraints for side in (c.lhs, c.rhs) for n in _numbers(side.expr) if 0 < n <= MOST_ELEMENTS}
    return [*PREFERRED, *sorted(named - set(PREFERRED))]


def _numbers(expr: IndexExpr) -> Iterator[int]:
    match expr:
        case Const(value):
            yield value
        case Binary(_, lhs, rhs):
            yield from _numbers(lhs)
            yield from _numbers(rhs)
        case _:
            pass


def _value(formula: Formula, known: Mapping[str, int]) -> int:
    """Return a formula's value; -1 where a division by 0 leaves it undefined."""
    try:
        return evaluate(formula.expr, [known[name] for name in formula.names])
    except ZeroDivisionError:
        return -1


COMPARISONS = {"<=": le, "<": lt, ">=": ge, ">": gt, "==": eq, "!=": ne}


def _compare(comparison: str, lhs: int, rhs: int) -> bool:
    return COMPARISONS[comparison](lhs, rhs)


def _fixed(attribute: Attribute) -> Value:
    """Return the value of an attribute that is not searched for: the first that is allowed, its default, or nothing."""
    if attribute.allowed:
        return attribute.allowed[0]
    if attribute.default is not None:
        return attribute.default
    match attribute.kind:
        case "text":
            return ""
        case "integers":
            return ()
        case "float":
            return 1.0
        case "int" | "bool":
            return False
