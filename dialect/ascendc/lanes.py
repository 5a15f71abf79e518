"""Vector instructions whose lanes do not stay in their place: one partner for a row, one result a row, one lane a row.

    ascendc.by_row "Mul" %y[%a], %x[%b], %s[%c] lanes %n repeat %r strides [%p, %p, %q] : ...
    ascendc.reduce "WholeReduceSum" %t[%a], %f[%b] lanes %n repeat %r strides [%c1, %p] : ...
    ascendc.spread "Brcb" %s[%a], %t[%b] lanes %c8 repeat %r strides [%p, %q] : ...

They have the repeat form only.
"""

from typing import ClassVar

from xdsl.irdl import irdl_op_definition
from xdsl.utils.exceptions import VerifyException

from .vector import VectorOp


class RepeatedOp(VectorOp):
    """The base of the instructions that have the repeat form only."""

    def verify_(self) -> None:
        super().verify_()
        if self.repeat is None:
            raise VerifyException("the instruction has the repeat form only")


@irdl_op_definition
class ByRowOp(RepeatedOp):
    """Combine the lanes of each repeat with one block, lane e with element e mod the elements of a block.

    `ascendc.by_row "Mul" %y[%a], %x[%b], %s[%c] lanes %n repeat %r strides [%p, %p, %q] : ...` becomes
    `Mul(y[a], x[b], s[c], n, r, BinaryRepeatParams(1, 1, 0, p, p, q));`.
    """

    name = "ascendc.by_row"
    APIS: ClassVar[tuple[str, ...]] = ("Add", "Sub", "Mul", "Div", "Max", "Min")
    SOURCES: ClassVar[int] = 2


@irdl_op_definition
class ReduceOp(RepeatedOp):
    """Combine the lanes of each repeat to one element: neighbours, then neighbouring results.

    The target's stride counts elements. `ascendc.reduce "WholeReduceSum" %t[%a], %f[%b] lanes %n repeat %r strides
    [%c1, %p] : ...` becomes `WholeReduceSum<float>(t[a], f[b], n, r, 1, 1, p);`, a maximum or minimum
    `WholeReduceMax<float>(..., ReduceOrder::ORDER_ONLY_VALUE);`.
    """

    name = "ascendc.reduce"
    APIS: ClassVar[tuple[str, ...]] = ("WholeReduceSum", "WholeReduceMax", "WholeReduceMin")
    SOURCES: ClassVar[int] = 1


SPREAD = 8
"""Elements that one repeat of a spread takes."""


@irdl_op_definition
class SpreadOp(RepeatedOp):
    """Fill a block of the target with each element of the source; each repeat takes the next `lanes`, which is SPREAD.

    The strides are the target's, in blocks: from one element's block to the next, and from one repeat to the next.
    `ascendc.spread "Brcb" %s[%a], %t[%b] lanes %c8 repeat %r strides [%p, %q] : ...` becomes
    `Brcb(s[a], t[b], r, BrcbRepeatParams(p, q));`.
    """

    name = "ascendc.spread"
    APIS: ClassVar[tuple[str, ...]] = ("Brcb",)
    SOURCES: ClassVar[int] = 1
