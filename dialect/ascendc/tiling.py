"""Operations that the tiling function gets where a kernel's limits cannot be proven from its text alone."""

from xdsl.dialects.builtin import StringAttr, i1
from xdsl.ir import SSAValue
from xdsl.irdl import IRDLOperation, irdl_op_definition, operand_def, prop_def, traits_def
from xdsl.traits import MemoryWriteEffect


@irdl_op_definition
class RequireOp(IRDLOperation):
    """Refuse shapes the kernel cannot run: the tiling function ends with the message unless the condition holds.

    `ascendc.require %fits "a row of x is longer than a copy can skip"` becomes
    `if (!fits) { return "a row of x is longer than a copy can skip"; }`.
    """

    name = "ascendc.require"

    condition = operand_def(i1)
    message = prop_def(StringAttr)

    traits = traits_def(MemoryWriteEffect())
    assembly_format = "$condition $message attr-dict"

    def __init__(self, condition: SSAValue, message: str) -> None:
        super().__init__(operands=[condition], properties={"message": StringAttr(message)})
