"""How many rows of a ragged stage's tile fit on chip: buffers there may grow with any size of the operator."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass

from xdsl.dialects import arith
from xdsl.dialects.builtin import FixedBitwidthType
from xdsl.ir import BlockArgument, SSAValue

from ..dialect.diagnostics import Diagnostic
from ..dialect.index_expr import Binary, Const, IndexExpr, linear
from ..dialect.tile import FOLD, AllocOp, CoresOp, FitLanesOp, FitRowsOp
from .chips import Chip
from .index_code import Code

Monomial = tuple[SSAValue, ...]
"""A product of kernel arguments; the empty one is 1."""


@dataclass(frozen=True)
class RaggedFit:
    """The buffers of a stage as functions of the rows of a tile.

    Attributes:
        stage: the stage.
        rows: the kernel arguments that are the rows of a tile, or the lanes of a strip.
        values: what the tiling function calls the kernel's arguments.
    """

    stage: CoresOp
    rows: frozenset[SSAValue]
    values: Mapping[BlockArgument, SSAValue]

    def formula(self, fit: FitRowsOp, chip: Chip, code: Code) -> SSAValue:
        """Append a number of rows, from 1 to the cap, whose buffers fit and that cuts the cap into even tiles."""
        fits = self._most(chip, code)
        if fits is None:
            return fit.cap
        fits = code.binary("max", fits, code.constant(1))
        tiles = code.binary("ceildiv", fit.cap, fits)
        return code.binary("ceildiv", fit.cap, tiles)

    def lanes(self, fit: FitLanesOp, chip: Chip, code: Code) -> SSAValue:
        """Append a number of lanes, in whole folds, whose buffers fit and that cuts the cap into even strips."""
        one, fold = code.constant(1), code.constant(FOLD)
        wanted = code.binary("max", code.binary("ceildiv", fit.cap, fold), one)
        most = self._most(chip, code)
        if most is None:
            return code.binary("*", wanted, fold)
        fits = code.binary("max", code.binary("div", most, fold), one)
        strips = code.binary("ceildiv", wanted, fits)
        return code.binary("*", code.binary("ceildiv", wanted, strips), fold)

    def _most(self, chip: Chip, code: Code) -> SSAValue | None:
        """Append how many of what `rows` counts fit; None where nothing grows with it."""
        bytes_of = self._polynomial(chip)
        growing = {m: n for m, n in bytes_of.items() if self.rows & set(m)}
        if not chip.staged or not growing:
            return None
        fixed = self._sum({m: n for m, n in bytes_of.items() if m not in growing}, code, "fixed_bytes")
        per_row = {tuple(v for v in m if v not in self.rows): n for m, n in growing.items()}
        free = code.binary("-", code.constant(chip.ub_bytes), fixed)
        return code.binary("div", free, self._sum(per_row, code, "row_bytes"))

    def fits(self, chip: Chip, code: Code) -> SSAValue:
        """Append 1 where all buffers fit with one row a tile, else 0; without on-chip memory they always do."""
        if not chip.staged:
            return code.constant(1)
        single = Counter[Monomial]()
        for monomial, count in self._polynomial(chip).items():
            single[tuple(v for v in monomial if v not in self.rows)] += count
        total = self._sum(single, code, f"{self.stage.label.data}_bytes")
        enough = code.add(arith.CmpiOp(total, code.constant(chip.ub_bytes), "sle")).result
        return code.add(arith.SelectOp(enough, code.constant(1), code.constant(0))).result

    def _polynomial(self, chip: Chip) -> Counter[Monomial]:
        """Return the bytes that all buffers take at most: a coefficient for each product of arguments."""
        total = Counter[Monomial]()
        for alloc in (op for op in self.stage.body.block.ops if isinstance(op, AllocOp)):
            element = alloc.result.type.element_type
            assert isinstance(element, FixedBitwidthType)
            total[()] += chip.block_bytes * alloc.times.data
            height, pitch = (_terms(expr, alloc) for expr in alloc.sizes.data)
            for left, n in height.items():
                for right, m in pitch.items():
                    total[*left, *right] += n * m * element.size * alloc.times.data
        return total

    def _sum(self, terms: Mapping[Monomial, int], code: Code, name: str) -> SSAValue:
        """Append a sum of products, of which none is negative."""
        parts: list[SSAValue] = []
        for monomial, count in ((m, n) for m, n in terms.items() if n):
            factors = [self._value(value) for value in monomial]
            parts.append(code.fold("*", [*factors, code.constant(count)]))
        total = parts[0] if parts else code.constant(0)
        for part in parts[1:]:
            total = code.binary("+", total, part)
        total.name_hint = name
        return total

    def _value(self, value: SSAValue) -> SSAValue:
        if not isinstance(value, BlockArgument) or value not in self.values:
            text = (
                f"the size of a buffer of stage '{self.stage.label.data}' does not follow from the kernel's arguments"
            )
            raise Diagnostic("OPW338", text, self.stage)
        return self.values[value]


def _terms(expr: IndexExpr, alloc: AllocOp) -> dict[Monomial, int]:
    """Return an upper bound of a size as a sum of arguments and a constant."""
    form = linear(linear_bound(expr))
    if form is None:
        text = f"the size of buffer '{alloc.label.data}' must be linear in the kernel's arguments"
        raise Diagnostic("OPW338", text, alloc)
    return {(): form[1]} | {(alloc.operands_[n],): count for n, count in form[0].items()}


def linear_bound(expr: IndexExpr) -> IndexExpr:
    """Return a linear expression that is never smaller: `x ceildiv c * c` is at most `x + c - 1`."""
    match expr:
        case Binary("*", Binary("ceildiv", inner, Const(by)), Const(again)) if by == again:
            return linear_bound(inner) + (by - 1)
        case Binary(kind, lhs, rhs):
            return Binary(kind, linear_bound(lhs), linear_bound(rhs))
        case _:
            return expr
