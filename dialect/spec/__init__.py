"""The spec dialect: what an operator computes."""

from xdsl.ir import Dialect

from ..index_map import IndexMapAttr
from .attrs import DTypeVar, IntegersType, StringType, TensorType
from .ops import (
    AttrOp,
    CheckOp,
    ColumnsOp,
    ComputeOp,
    DimOp,
    EachOp,
    GivenOp,
    IndexOp,
    InputOp,
    LengthOp,
    NeedOp,
    OperatorOp,
    OutputOp,
    PlacesOp,
    PositionsOp,
    ReadOp,
    RequireOp,
    ScanOp,
    SearchOp,
    WhenOp,
    WriteOp,
)

Spec = Dialect(
    "spec",
    [
        AttrOp,
        CheckOp,
        ColumnsOp,
        ComputeOp,
        DimOp,
        EachOp,
        GivenOp,
        IndexOp,
        InputOp,
        LengthOp,
        NeedOp,
        OperatorOp,
        OutputOp,
        PlacesOp,
        PositionsOp,
        ReadOp,
        RequireOp,
        ScanOp,
        SearchOp,
        WhenOp,
        WriteOp,
    ],
    [DTypeVar, IndexMapAttr, IntegersType, StringType, TensorType],
)
