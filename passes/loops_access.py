"""Element access: reads with a value outside, and what is known of two elements."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from xdsl.dialects import arith, memref, scf
from xdsl.ir import Block, Region, SSAValue

from ..dialect.index_expr import IndexExpr
from .index_forms import Linear
from .loops_ranges import Ranges, Size
from .loops_zones import Zones


@dataclass(frozen=True)
class Element:
    """An element of an array, by the linear forms of its indices; None is an index that is not linear.

    Attributes:
        array: the array.
        forms: the form of each index.
    """

    array: SSAValue
    forms: tuple[Linear | None, ...]

    @staticmethod
    def of(array: SSAValue, indices: Sequence[IndexExpr], operands: Sequence[SSAValue], ranges: Ranges) -> "Element":
        """Return the element at some indices."""
        return Element(array, tuple(ranges.form(expr, operands) for expr in indices))

    def is_same(self, other: "Element") -> bool:
        """Return whether both are proven to be one element."""
        return self.array is other.array and None not in self.forms and self.forms == other.forms

    def is_apart(self, other: "Element") -> bool:
        """Return whether both are proven to be different elements."""
        pairs = zip(self.forms, other.forms, strict=False)
        return self.array is not other.array or any(
            a is not None and b is not None and a.terms == b.terms and a.constant != b.constant for a, b in pairs
        )

    def moves_with(self, dim: SSAValue, is_fixed: Callable[[SSAValue], bool]) -> bool:
        """Return whether different values of `dim` give different elements, other values that change being none."""
        return any(
            form is not None
            and any(value is dim for value, _ in form.terms)
            and all(value is dim or is_fixed(value) for value, _ in form.terms)
            for form in self.forms
        )


@dataclass(frozen=True)
class RangeTest:
    """What has to be tested of one index against an extent: nothing for an end that it is proven not to pass."""

    index: SSAValue
    size: Size
    low: bool
    high: bool

    @staticmethod
    def of(index: SSAValue, size: Size, ranges: Ranges) -> "RangeTest":
        """Decide for an index."""
        return RangeTest(index, size, not ranges.at_least(index, 0), not ranges.is_below(index, size))

    def has_element(self, ranges: Ranges) -> bool:
        """Return whether there is an index to use in place of one out of range."""
        return not (self.low or self.high) or ranges.has_element(self.size)

    def conditions(self, zones: Zones) -> list[SSAValue]:
        """Build the tests."""
        tests = [zones.once(not_below, self.index, zones.constant(0))] if self.low else []
        extent = zones.constant(self.size) if isinstance(self.size, int) else self.size
        return [*tests, zones.once(below, self.index, extent)] if self.high else tests

    def clamped(self, zones: Zones) -> SSAValue:
        """Build an index that is in range, and the same where the tests hold."""
        result = self.index
        if self.high:
            result = zones.once(arith.MinSIOp, result, _last(self.size, zones))
        return zones.once(arith.MaxSIOp, result, zones.constant(0)) if self.low else result


def _last(size: Size, zones: Zones) -> SSAValue:
    """Return the last index of an extent."""
    if isinstance(size, int):
        return zones.constant(size - 1)
    return zones.once(arith.SubiOp, size, zones.constant(1))


def below(lhs: SSAValue, rhs: SSAValue) -> arith.CmpiOp:
    """Return lhs < rhs."""
    return arith.CmpiOp(lhs, rhs, "slt")


def not_below(lhs: SSAValue, rhs: SSAValue) -> arith.CmpiOp:
    """Return lhs >= rhs."""
    return arith.CmpiOp(lhs, rhs, "sge")


@dataclass(frozen=True)
class Reader:
    """Builds reads in the zones of a nest.

    Attributes:
        zones: the zones.
        fixed: the array read from does not change in the nest, so that a read may go to an outer zone.
        has_elements: the array has an element wherever the nest has a point.
    """

    zones: Zones
    fixed: bool
    has_elements: bool = False

    def read(self, array: SSAValue, indices: Sequence[SSAValue]) -> SSAValue:
        """Read an element whose indices are in range."""
        return self.zones.put(memref.LoadOp.get(array, indices), self._level(*indices)).res

    def read_or(
        self, array: SSAValue, indices: Sequence[SSAValue], sizes: Sequence[Size], outside: SSAValue
    ) -> SSAValue:
        """Read an element, or return `outside` where an index is out of range.

        Where the array is known to have an element, an element is read in any case and then replaced, so that a loop
        around stays free of branches.
        """
        zones = self.zones
        tests = [RangeTest.of(index, size, zones.ranges) for index, size in zip(indices, sizes, strict=True)]
        conditions = [condition for test in tests for condition in test.conditions(zones)]
        if not conditions:
            return self.read(array, indices)
        inside, *others = conditions
        for condition in others:
            inside = zones.once(arith.AndIOp, inside, condition)
        if zones.level(inside) < zones.inner:
            inside.name_hint = inside.name_hint or "inside"
        if not self.has_elements and not all(test.has_element(zones.ranges) for test in tests):
            return self._branch(array, indices, inside, outside)
        value = self.read(array, [test.clamped(zones) for test in tests])
        return zones.place(arith.SelectOp(inside, value, outside))

    def _branch(self, array: SSAValue, indices: Sequence[SSAValue], inside: SSAValue, outside: SSAValue) -> SSAValue:
        load = memref.LoadOp.get(array, indices)
        load.location = self.zones.location
        read = Region(Block([load, scf.YieldOp(load.res)]))
        branch = scf.IfOp(inside, [outside.type], read, Region(Block([scf.YieldOp(outside)])))
        return self.zones.put(branch, self._level(*indices, inside, outside)).output[0]

    def _level(self, *values: SSAValue) -> int:
        return self.zones.risky(*values) if self.fixed else self.zones.inner
