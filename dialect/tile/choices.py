"""Choices between lanes: of one point, and as a row instruction.

    %v = tile.choose "lt" %a, %b, %x, %y : f32
    tile.select "lt" %a[%c0], %b[%c0] step 0, %x[%c0], %y[%c0] to %z[%c0] rows %rows width %width : (...) -> ...

Comparisons hold between numbers only: with NaN on either side the second value is chosen. -0 equals 0.
"""

from collections.abc import Mapping
from typing import ClassVar

from xdsl.dialects.builtin import AnyFloatConstr, StringAttr
from xdsl.ir import SSAValue
from xdsl.irdl import (
    IRDLOperation,
    VarConstraint,
    irdl_op_definition,
    operand_def,
    prop_def,
    result_def,
    traits_def,
)
from xdsl.traits import Pure

from ..diagnostics import Diagnostic
from .rows import RowsOp

CHOICES: Mapping[str, str] = {"eq": "==", "lt": "<", "le": "<=", "gt": ">", "ge": ">="}
"""What the first two operands are tested for, as it is written."""


@irdl_op_definition
class ChooseOp(IRDLOperation):
    """Return the third value where the first two compare as the kind says, else the fourth: floats of one type."""

    name = "tile.choose"

    T: ClassVar = VarConstraint("T", AnyFloatConstr)

    lhs = operand_def(T)
    rhs = operand_def(T)
    chosen = operand_def(T)
    other = operand_def(T)
    result = result_def(T)
    kind = prop_def(StringAttr)

    traits = traits_def(Pure())

    assembly_format = "$kind $lhs `,` $rhs `,` $chosen `,` $other attr-dict `:` type($result)"

    def __init__(self, kind: str, lhs: SSAValue, rhs: SSAValue, chosen: SSAValue, other: SSAValue) -> None:
        super().__init__(
            operands=[lhs, rhs, chosen, other], result_types=[chosen.type], properties={"kind": StringAttr(kind)}
        )

    def verify_(self) -> None:
        if self.kind.data not in CHOICES:
            text = f"'{self.name}' has the unknown kind '{self.kind.data}'"
            raise Diagnostic("OPW310", text, self, f"kinds: {', '.join(CHOICES)}")


@irdl_op_definition
class SelectOp(RowsOp):
    """Choose each element: `target[row + r, e] = x[r, e] if a[r, e] < b[r, e] else y[r, e]`, with `lt` for `<`.

    The sources are a, b, x and y, floats of the target's type.
    """

    name = "tile.select"
    KINDS: ClassVar[tuple[str, ...]] = tuple(CHOICES)
    SOURCES: ClassVar[int] = 4
