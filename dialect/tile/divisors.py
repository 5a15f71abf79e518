"""What divides an index for certain: a lower bound on its common divisor, from the arithmetic that computes it."""

from collections.abc import Sequence
from math import gcd
from typing import cast

from xdsl.dialects import arith, scf
from xdsl.dialects.builtin import IntegerAttr, ModuleOp
from xdsl.dialects.func import FuncOp, ReturnOp
from xdsl.ir import Block, BlockArgument, Operation, SSAValue

from ..index_expr import Binary, Const, IndexExpr, Ref
from .kernel import TILING, find_tiling, kernel_arguments, tiling_result_names
from .lane_rows import FOLD
from .tiling import FitLanesOp


def divisor_of(expr: IndexExpr, operands: Sequence[SSAValue]) -> int:
    """Return a number that divides the expression whatever its operands are; 0 where it is always 0."""
    match expr:
        case Const(value):
            return abs(value)
        case Ref(position):
            return divisor(operands[position])
        case Binary(kind, lhs, rhs):
            by = rhs.value if isinstance(rhs, Const) else None
            return _combine(kind, divisor_of(lhs, operands), divisor_of(rhs, operands), by)
        case _:
            return 1


def _combine(kind: str, lhs: int, rhs: int, by: int | None) -> int:
    """Return what divides `lhs kind rhs`, from what divides each side; `by` is the right side where it is constant."""
    match kind:
        case "*":
            return lhs * rhs
        case "floordiv" | "ceildiv":
            return lhs // abs(by) if by and lhs % by == 0 else 1
        case _:
            return gcd(lhs, rhs)


KINDS: dict[type[Operation], str] = {
    arith.AddiOp: "+",
    arith.SubiOp: "-",
    arith.MuliOp: "*",
    arith.RemSIOp: "mod",
    arith.RemUIOp: "mod",
    arith.MinSIOp: "min",
    arith.MaxSIOp: "max",
    arith.MinUIOp: "min",
    arith.MaxUIOp: "max",
    arith.DivSIOp: "floordiv",
    arith.DivUIOp: "floordiv",
    arith.FloorDivSIOp: "floordiv",
    arith.CeilDivSIOp: "ceildiv",
    arith.CeilDivUIOp: "ceildiv",
}
"""What an operation does to the divisors of its operands."""


def divisor(value: SSAValue) -> int:
    """Return a number that divides an index; 0 where it is always 0, 1 where nothing is known.

    A tiling value of a kernel is what the module's tiling function returns by that name.
    """
    match value.owner:
        case Block():
            return _of_argument(cast("BlockArgument", value))
        case arith.ConstantOp(value=IntegerAttr(value=number)):
            return abs(number.data)
        case FitLanesOp():
            return FOLD
        case arith.SelectOp() as op:
            return gcd(divisor(op.lhs), divisor(op.rhs))
        case Operation() as op if type(op) in KINDS:
            lhs, rhs = op.operands
            return _combine(KINDS[type(op)], divisor(lhs), divisor(rhs), constant(rhs))
        case _:
            return 1


def constant(value: SSAValue) -> int | None:
    """Return the number that a value always is, or None."""
    match value.owner:
        case arith.ConstantOp(value=IntegerAttr(value=number)):
            return number.data
        case _:
            return None


def _of_argument(value: BlockArgument) -> int:
    match value.block.parent_op():
        case scf.ForOp() as loop if value.index == 0:
            return gcd(divisor(loop.lb), divisor(loop.step))
        case FuncOp() as function:
            returned = _tiling_value(function, value)
            return 1 if returned is None else divisor(returned)
        case _:
            return 1


def _tiling_value(kernel: FuncOp, value: BlockArgument) -> SSAValue | None:
    """Return what the tiling function returns for a tiling argument of a kernel."""
    module = kernel.parent_op()
    if kernel.arg_attrs is None or not isinstance(module, ModuleOp):
        return None
    name = next((a.name for a in kernel_arguments(kernel) if a.value is value and a.role == TILING), None)
    try:
        tiling = find_tiling(module)
    except LookupError:
        return None
    results = tiling_result_names(tiling)
    last = tiling.body.blocks[-1].last_op if tiling.body.blocks else None
    if name not in results or not isinstance(last, ReturnOp):
        return None
    return last.arguments[results.index(name)]
