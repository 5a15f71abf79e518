"""Constraints on the elements of lists: an operator of their own computes both sides, from the lists alone.

It is compiled like any other, so that the host tests with the arithmetic that the spec defines.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from xdsl.dialects.builtin import ArrayAttr, IndexType, StringAttr
from xdsl.ir import SSAValue
from xdsl.rewriter import InsertPoint, Rewriter

from ...dialect.index_expr import Const, Ref
from ...dialect.index_map import IndexMapAttr
from ...dialect.spec.attrs import TensorType, tensor_type
from ...dialect.spec.equations import first_lines
from ...dialect.spec.front_end import drop_front_end
from ...dialect.spec.ops import AttrOp, CheckOp, ComputeOp, DimOp, InputOp, OperatorOp, OutputOp, PositionsOp, RequireOp
from ...dialect.spec.signature import dim_labels


@dataclass(frozen=True)
class ListSides:
    """One constraint, and the names of the outputs that hold its sides."""

    op: CheckOp
    lhs: str
    rhs: str
    text: str

    @property
    def type(self) -> TensorType:
        """Return the type of both sides."""
        return tensor_type(self.op.lhs)


WRAPPING_FLAG = "-fwrapv"
"""The flag of the kernel, which computes with whatever integers a caller gives: results beyond 64 bits are defined."""

SIZE_OF = "size_of_"
"""How the name of the attribute starts that holds the size of a dim."""


UNIT = "unit"
"""The dim of a side that is one number."""

UNIT_RANGE = ", for one < 1"
"""How equations tell the loop over it."""


def list_checks(operator: OperatorOp) -> list[ListSides]:
    """Return the constraints on lists, in order."""
    checks = [op for op in operator.body.block.ops if isinstance(op, CheckOp)]
    names, lines = _names(checks), first_lines(operator)
    return [
        ListSides(
            op, names[op.lhs], names[op.rhs], f"{_side(op.lhs, lines)} {op.comparison.data} {_side(op.rhs, lines)}"
        )
        for op in checks
    ]


def _names(checks: Sequence[CheckOp]) -> dict[SSAValue, str]:
    values = dict.fromkeys(value for op in checks for value in (op.lhs, op.rhs))
    return {value: f"side{number}" for number, value in enumerate(values)}


def _side(value: SSAValue, lines: Mapping[ComputeOp | PositionsOp, str]) -> str:
    """Return the right side of the equation that defines a tensor, its name where there is none."""
    owner = value.owner
    line = lines.get(owner, "") if isinstance(owner, ComputeOp | PositionsOp) else ""
    return line.partition(" = ")[2].replace(UNIT_RANGE, "") or value.name_hint or "a prefix sum"


def sides_operator(operator: OperatorOp) -> OperatorOp | None:
    """Return the operator that computes both sides of every constraint on lists; None where there are none.

    Its dims are attributes, but for the lengths of lists; its inputs are the lists.
    """
    made = operator.clone()
    block = made.body.block
    checks = [op for op in block.ops if isinstance(op, CheckOp)]
    if not checks:
        return None
    made.sym_name = StringAttr(f"{operator.sym_name.data}Lists")
    for op in [op for op in block.ops if isinstance(op, OutputOp)]:
        Rewriter.erase_op(op)
    for value, name in _names(checks).items():
        block.add_op(OutputOp(name, value))
    drop_front_end(made)
    _keep_needed(made)
    _make_dims_attributes(made)
    _name_units(made)
    return made


def _keep_needed(operator: OperatorOp) -> None:
    """Erase what the outputs do not depend on, users before what they use."""
    for op in reversed(list(operator.body.block.ops)):
        kept = isinstance(op, OutputOp | AttrOp | DimOp | RequireOp) or any(result.uses for result in op.results)
        if not kept:
            Rewriter.erase_op(op)


def _make_dims_attributes(operator: OperatorOp) -> None:
    """Give each dim that no list has the size that an attribute says."""
    ops = list(operator.body.block.ops)
    named = {label for op in ops if isinstance(op, InputOp) for label in dim_labels(op.result.type)}
    for op in ops:
        if isinstance(op, DimOp) and op.definition is None and op.label.data not in named:
            attribute = AttrOp(SIZE_OF + op.label.data, IndexType())
            Rewriter.insert_op(attribute, InsertPoint.before(op))
            op.definition = IndexMapAttr((Ref(0),))
            op.operands = [attribute.result]


def _name_units(operator: OperatorOp) -> None:
    """Give sides that are one number a named dim: loops of one iteration are written out, which leaves no loop."""
    computes = [op for op in operator.body.block.ops if isinstance(op, ComputeOp) and _is_unit(op)]
    if not computes:
        return
    attribute = AttrOp(SIZE_OF + UNIT, IndexType())
    unit = DimOp(UNIT, IndexMapAttr((Ref(0),)), [attribute.result])
    first = operator.body.block.first_op
    assert first is not None
    Rewriter.insert_op([attribute, unit], InsertPoint.before(first))
    for op in computes:
        op.upper = ArrayAttr([IndexMapAttr((Ref(len(op.bound_values)),)), *op.upper.data[1:]])
        op.operands = [*op.operands, unit.result]
        element = tensor_type(op.results_[0]).element_type
        Rewriter.replace_value_with_new_type(op.results_[0], TensorType.of([UNIT], element))


def _is_unit(op: ComputeOp) -> bool:
    shapes = [tensor_type(result).dims for result in op.results_]
    return shapes == [(1,)] and op.upper.data[0].data == (Const(1),) and op.lower.data[0].data == (Const(0),)
