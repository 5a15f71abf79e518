"""The spec dialect: what an operator computes."""

from xdsl.ir import Dialect

from ..index_map import IndexMapAttr
from .attrs import DTypeVar, StringType, TensorType
from .ops import (
    AttrOp,
    ColumnsOp,
    ComputeOp,
    DimOp,
    EachOp,
    GivenOp,
    IndexOp,
    InputOp,
    OperatorOp,
    OutputOp,
    ReadOp,
    RequireOp,
    ScanOp,
    WriteOp,
)

Spec = Dialect(
    "spec",
    [
        AttrOp,
        ColumnsOp,
        ComputeOp,
        DimOp,
        EachOp,
        GivenOp,
        IndexOp,
        InputOp,
        OperatorOp,
        OutputOp,
        ReadOp,
        RequireOp,
        ScanOp,
        WriteOp,
    ],
    [DTypeVar, IndexMapAttr, StringType, TensorType],
)
