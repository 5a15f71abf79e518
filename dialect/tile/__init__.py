"""The tile dialect: how a chip computes an operator, from point loops to on-chip buffers and row instructions."""

from xdsl.ir import Dialect

from .buffers import AllocOp, LoadRowsOp, StoreRowsOp
from .ops import CoresOp, ForeachOp, ReadOp, WriteOp
from .rows import AccumulateOp, BinaryOp, CastOp, FillOp, ScalarOp, UnaryOp
from .tiling import FitRowsOp

Tile = Dialect(
    "tile",
    [
        AccumulateOp,
        AllocOp,
        BinaryOp,
        CastOp,
        CoresOp,
        FillOp,
        FitRowsOp,
        ForeachOp,
        LoadRowsOp,
        ReadOp,
        ScalarOp,
        StoreRowsOp,
        UnaryOp,
        WriteOp,
    ],
    [],
)
