"""Vector instructions that select lanes: numbers of lanes, a bit a lane, and the lanes whose bit is set.

    ascendc.index "CreateVecIndex" %order[%a] (%zero) lanes %n : memref<?xi32, "ub">, i32
    ascendc.compare "NE" %bits[%a], %x[%b] (%zero) lanes %n : memref<?xi8, "ub">, memref<?xf16, "ub">, f16
    ascendc.gather_mask "GatherMask" %y[%a], %x[%b], %bits[%c] lanes %n : memref<?xi32, "ub">, ...

    ascendc.select "LT" %y[%a], %p[%b], %q[%c], %x[%d], %z[%e] lanes %n : memref<?xf32, "ub">, ...

They have the count form only.
"""

from typing import ClassVar

from xdsl.irdl import irdl_op_definition
from xdsl.utils.exceptions import VerifyException

from .vector import VectorOp


class CountedOp(VectorOp):
    """The base of the instructions that have the count form only."""

    def verify_(self) -> None:
        super().verify_()
        if self.repeat is not None:
            raise VerifyException("the instruction has the count form only")


@irdl_op_definition
class IndexOp(CountedOp):
    """Number lanes: `ascendc.index "CreateVecIndex" %y[%a] (%v) lanes %n : ...` becomes `CreateVecIndex(y[a], v, n);`.

    The scalar unit may write the first ones: it must have waited for what used them before.
    """

    name = "ascendc.index"
    APIS: ClassVar[tuple[str, ...]] = ("CreateVecIndex",)
    SOURCES: ClassVar[int] = 0
    SCALARS: ClassVar[int] = 1


@irdl_op_definition
class CompareOp(CountedOp):
    """Compare lanes with a scalar; bit e mod 8 of byte e / 8 holds the result of lane e.

    The lanes fill whole instructions. `ascendc.compare "NE" %b[%a], %x[%c] (%v) lanes %n : ...` becomes
    `CompareScalar(b[a].ReinterpretCast<uint8_t>(), x[c], v, CMPMODE::NE, n);`.
    """

    name = "ascendc.compare"
    APIS: ClassVar[tuple[str, ...]] = ("NE",)
    SOURCES: ClassVar[int] = 1
    SCALARS: ClassVar[int] = 1


@irdl_op_definition
class GatherMaskOp(CountedOp):
    """Put the lanes whose bit is set side by side; the second source holds the bits.

    What stands behind them, up to a whole block, may change. `ascendc.gather_mask "GatherMask" %y[%a], %x[%b], %m[%c]
    lanes %n : ...` becomes `GatherMask(y[a], x[b], m[c].ReinterpretCast<uint32_t>(), true, n, GatherMaskParams(1, 1,
    0, 0), kept);`, where `kept` receives how many they are.
    """

    name = "ascendc.gather_mask"
    APIS: ClassVar[tuple[str, ...]] = ("GatherMask",)
    SOURCES: ClassVar[int] = 2


@irdl_op_definition
class SelectOp(CountedOp):
    """Choose each lane from the third or the fourth source by how the first two compare, in one instruction each.

    Lanes with NaN take the fourth. The lanes are at most those of an instruction. `ascendc.select "LT" %y[%a], %p[%b],
    %q[%c], %x[%d], %z[%e] lanes %n : ...` becomes

        Compare(p[b], q[c], CMPMODE::LT, n, BinaryRepeatParams(1, 1, 1, 8, 8, 8));
        PipeBarrier<PIPE_V>();
        SetVectorMask<float>(n);
        Select<float, SELMODE::VSEL_CMPMASK_SPR>(y[a], x[d], z[e], 1, BinaryRepeatParams(1, 1, 1, 8, 8, 8));
        ResetMask();

    There is no `NE`: chips disagree on NaN.
    """

    name = "ascendc.select"
    APIS: ClassVar[tuple[str, ...]] = ("EQ", "LT", "LE", "GT", "GE")
    SOURCES: ClassVar[int] = 4
