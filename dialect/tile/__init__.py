"""The tile dialect: how a chip computes an operator, from point loops to on-chip buffers and row instructions."""

from xdsl.ir import Dialect

from .buffers import AllocOp, LoadRowsOp, StoreRowsOp
from .choices import ChooseOp, SelectOp
from .lane_rows import FOLD as FOLD
from .lane_rows import ByRowOp, FoldOp, SplatOp, TreeOp
from .ops import CoresOp, ForeachOp, ReadOp, WriteOp
from .positions import PositionsOp
from .rows import AccumulateOp, BinaryOp, CastOp, FillOp, ScalarOp, UnaryOp
from .search import SearchOp
from .selection import CompressOp, IotaOp, NonzeroOp
from .tiling import FitLanesOp, FitRowsOp, FitsOp

Tile = Dialect(
    "tile",
    [
        AccumulateOp,
        AllocOp,
        BinaryOp,
        ByRowOp,
        CastOp,
        ChooseOp,
        CompressOp,
        CoresOp,
        FillOp,
        FitLanesOp,
        FitRowsOp,
        FitsOp,
        FoldOp,
        ForeachOp,
        IotaOp,
        LoadRowsOp,
        NonzeroOp,
        PositionsOp,
        ReadOp,
        ScalarOp,
        SearchOp,
        SelectOp,
        SplatOp,
        StoreRowsOp,
        TreeOp,
        UnaryOp,
        WriteOp,
    ],
    [],
)
