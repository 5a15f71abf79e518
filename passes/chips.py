"""The chip table: every fact about a target that a pass, an emitter or the emulator may use.

One frozen `Chip` a target. No other file of passes/ or codegen/ holds a chip's name or number. Sources are the
public Ascend C documentation and platform files; see docs/chips.md for each figure.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType

from .api_rows import DTypes, each, rows, same
from .costs import CopyCost, Costs, VectorCost
from .library_dtypes import LIBRARY_950, LIBRARY_A2
from .reg_dtypes import REG_DTYPES

_CASTS_A2 = frozenset(
    {
        *(("h", src) for src in ("i8", "u8", "i16", "f")),
        *(("f", src) for src in ("h", "bf", "i16", "i32", "i64", "f")),
        *(("bf", "f"), ("i32", "h"), ("i32", "bf"), ("i32", "f"), ("i32", "i64"), ("i64", "f"), ("i64", "i32")),
        *(("i8", "h"), ("u8", "h"), ("i16", "h"), ("i16", "f"), ("i16", "i32")),
        *(("h", "i4"), ("i4", "h")),
    }
)
_CASTS_950 = (_CASTS_A2 - {("i32", "i64")}) | frozenset(
    {
        *(("bf", "h"), ("h", "bf"), ("i16", "i8"), ("i32", "i8"), ("u16", "u8"), ("u32", "u8"), ("i32", "i16")),
        *(("u8", "i16"), ("u32", "i16"), ("u8", "u16"), ("u32", "u16"), ("u8", "i32"), ("u16", "i32"), ("u8", "u32")),
        *(("u16", "u32"), ("i16", "u32"), ("i32", "i64")),
        *(("u16", "i32"), ("i16", "i4"), ("bf", "i4"), ("i4", "i16")),
    }
)

_ARITH_A2 = "i16 h i32 f"
_ARITH_950 = "i16 u16 h bf i32 u32 f"


_TABLE_A2: Mapping[str, DTypes] = {
    **each("Add Sub Mul Max Min", same(3, _ARITH_A2)),
    "Div": same(3, "h f"),
    **each("And Or", same(3, "i16 u16")),
    **each("And/count Or/count", same(3, "i32 u32")),
    **each("Adds Muls Maxs Mins", same(2, _ARITH_A2)),
    **each("Exp Ln Sqrt Rsqrt Reciprocal Abs LeakyRelu", same(2, "h f")),
    "Relu": same(2, "h i32 f"),
    "Not": same(2, "i16 u16"),
    **each("ShiftLeft ShiftRight", same(2, "i16 u16 i32 u32")),
    **each("Axpy", rows("h/h f/f f/h")),
    **each("MulAddDst", rows("h/h/h f/f/f f/h/h")),
    **each("FusedMulAdd FusedMulAddRelu", same(3, "h f")),
    **each("AddRelu SubRelu", same(3, "i16 h f")),
    **each("AddReluCast SubReluCast", rows("i8/h/h i8/i16/i16 h/f/f")),
    "MulCast": rows("i8/h/h u8/h/h"),
    "AddDeqRelu": rows("h/i32/i32"),
    "CastDequant": rows("h/i32 i8/i16 u8/i16"),
    **each("Duplicate", same(1, "i16 u16 h bf i32 u32 f")),
    **each("Copy Brcb", same(2, "i16 u16 h bf i32 u32 f")),
    **each("CreateVecIndex Arange", same(1, "i16 h i32 f")),
    "Broadcast": same(2, "i8 u8 h f"),
    "Compare": rows("i8/h/h i8/f/f i8/i32/i32 u8/h/h u8/f/f u8/i32/i32"),
    "Compares": rows("u8/h u8/f u8/i32"),
    "CompareRegister": same(2, "h f"),
    "Select": same(3, "h f"),
    **each("WholeReduceSum RepeatReduceSum WholeReduceMax WholeReduceMin", same(2, "h f")),
    **each("BlockReduceSum BlockReduceMax BlockReduceMin PairReduceSum", same(2, "h f")),
    **each("ReduceSum ReduceMax ReduceMin", same(2, "h f")),
    "Cast": _CASTS_A2,
    **each("Gather GatherMask", same(2, "i16 u16 h bf i32 u32 f")),
    "Gatherb": same(2, "u16 u32"),
    "Transpose": same(2, "i16 u16 h"),
    **each("TransposeExt TransDataTo5HD", same(2, "i8 u8 i16 u16 h i32 u32 f")),
    **each("Sort32 MrgSort", same(2, "h f")),
    "Fill": same(1, "i16 u16 h i32 u32 f"),
    "Cast/scaled": rows("h/i32"),
}
_TABLE_950: Mapping[str, DTypes] = {
    **each("Add Sub Mul Max Min", same(3, _ARITH_950)),
    **each("Add/count Sub/count Max/count Min/count", same(3, "i8 u8 i64 u64")),
    "Div": same(3, "i16 u16 h i32 u32 f"),
    **each("Mul/count Div/count", same(3, "i64 u64")),
    **each("And Or", same(3, "i16 u16 i32 u32")),
    **each("And/count Or/count", same(3, "i8 u8 i64 u64")),
    **each("Adds Muls Maxs Mins", same(2, "i16 h bf i32 f")),
    **each("Adds/count Maxs/count Mins/count", same(2, "i8 u8 i64 u64")),
    "Muls/count": same(2, "i64 u64"),
    "Subs": same(2, "i16 h bf i32 f"),
    "Divs": same(2, "h f"),
    **each("Subs/count Divs/count", same(2, "i64 u64")),
    **each("Ands Ors", same(2, "i16 u16")),
    **each("Ands/count Ors/count", same(2, "i64 u64")),
    **each("Exp Ln Sqrt Rsqrt Reciprocal LeakyRelu", same(2, "h f")),
    "Reciprocal/count": same(2, "i64 u64"),
    "Abs": same(2, "i16 h i32 f"),
    "Abs/count": same(2, "i8 i64"),
    "Relu": same(2, "h i32 f"),
    "Relu/count": same(2, "i64"),
    "Neg/count": same(2, "i8 i16 h i32 f i64"),
    "Truncate/count": same(2, "h f bf"),
    "Not": same(2, "i16 u16 h i32 u32 f"),
    "Not/count": same(2, "i8 u8 i64 u64"),
    **each("ShiftLeft ShiftRight", same(2, "i16 u16 i32 u32")),
    **each(
        "ShiftLeft/count ShiftRight/count",
        rows("i8/i8 u8/u8 i64/i64 u64/u64")
        | rows("i8/i8/i8 u8/u8/i8 i16/i16/i16 u16/u16/i16 i32/i32/i32 u32/u32/i32 i64/i64/i64 u64/u64/i64"),
    ),
    "Axpy": rows("h/h f/f f/h bf/bf"),
    "Axpy/count": same(2, "i64 u64"),
    "MulAddDst": rows("h/h/h f/f/f f/h/h"),
    "FusedMulAdd": same(3, "h bf f"),
    "FusedMulAddRelu": same(3, "h f"),
    **each("AddRelu SubRelu", same(3, "i16 h f")),
    **each("MulAddDst/count FusedMulAdd/count FusedMulAddRelu/count AddRelu/count SubRelu/count", same(3, "i64 u64")),
    **each("AddReluCast SubReluCast", rows("i8/h/h i8/i16/i16 h/f/f")),
    "MulCast": rows("i8/h/h u8/h/h"),
    **each("AddReluCast/count SubReluCast/count MulCast/count", rows("f/i64/i64 i32/i64/i64")),
    "AddDeqRelu": rows("h/i32/i32"),
    "CastDequant": rows("h/i32 i8/i16 u8/i16"),
    **each("AbsSub/count Prelu/count", same(3, "h f")),
    "ExpSub/count": rows("f/h/h f/f/f"),
    "Duplicate": same(1, "i16 u16 h bf i32 u32 f"),
    "Duplicate/count": same(1, "i8 u8 i64 u64"),
    "Copy": same(2, "i8 u8 i16 u16 h bf i32 u32 f i64 u64"),
    "Brcb": same(2, "i8 u8 i16 u16 h bf i32 u32 f i64 u64"),
    "CreateVecIndex": same(1, "i16 h i32 f"),
    "CreateVecIndex/count": same(1, "i8 i64"),
    "Arange": same(1, "i16 h i32 f i64"),
    "Broadcast": same(2, "i8 u8 i16 u16 h bf i32 u32 f i64 u64"),
    "Compare": frozenset((b, t, t) for b in ("i8", "u8") for t in _ARITH_950.split()),
    "Compare/count": frozenset((b, t, t) for b in ("i8", "u8") for t in ("i8", "u8", "i64", "u64", "d")),
    "Compares": frozenset(("u8", t) for t in _ARITH_950.split()),
    "Compares/count": frozenset(("u8", t) for t in ("i8", "u8", "i64", "u64", "d")),
    "CompareRegister": same(2, "h f"),
    "Select": same(3, _ARITH_950),
    "Select/count": same(3, "i8 u8 i64 u64"),
    **each("WholeReduceSum RepeatReduceSum", rows("h/h f/f i32/i16 i32/i32 u32/u16 u32/u32")),
    **each("WholeReduceMax WholeReduceMin ReduceMax ReduceMin", same(2, "i16 u16 h i32 u32 f")),
    **each("BlockReduceSum BlockReduceMax BlockReduceMin PairReduceSum", same(2, "h f")),
    "ReduceSum": same(2, "h i32 u32 f"),
    **each("ReduceSum/count ReduceMax/count ReduceMin/count", same(2, "i64 u64")),
    "Cast": _CASTS_950,
    **each("Gather Scatter", same(2, "i16 u16 h bf i32 u32 f i64 u64")),
    **each("Gather/count Scatter/count", same(2, "i8 u8")),
    "Gatherb": same(2, "i8 u8 i16 u16 h bf i32 u32 f i64 u64"),
    "GatherMask": same(2, "i8 u8 i16 u16 h bf i32 u32 f"),
    "Transpose": same(2, "i16 u16 h"),
    **each("TransposeExt TransDataTo5HD", same(2, "i8 u8 i16 u16 h bf i32 u32 f")),
    **each("Sort32 MrgSort", same(2, "h f")),
    "Fill": same(1, "i8 u8 i16 u16 h bf i32 u32 f i64 u64"),
    "Interleave": same(3, "i8 u8 i16 u16 h bf i32 u32 f i64 u64"),
    "Cast/scaled": rows("h/i32"),
    "Cast/count": rows("f/d bf/d i32/d i64/d d/i64"),
}
_VECTOR_A2: Mapping[str, DTypes] = MappingProxyType(_TABLE_A2)
_VECTOR_950: Mapping[str, DTypes] = MappingProxyType(_TABLE_950)


_SLOW = 45
"""Cycles from the end of Exp, Ln, Div or Sqrt to its result."""

_COSTS_A2 = Costs(
    clock_mhz=1850,
    gm_bytes_per_us=1.5e6,
    copy_in=CopyCost(floor=21, rate=126, latency=193),
    copy_out=CopyCost(floor=21, rate=73, latency=88),
    launch_us=3.0,
    launch_core_us=0.05,
    vector=MappingProxyType(
        {
            **each("Abs Relu Not LeakyRelu Adds Muls Maxs Mins ShiftLeft ShiftRight", VectorCost(1, 1)),
            **each("Duplicate Brcb Copy DataCopy Cast PairReduceSum Reciprocal Rsqrt", VectorCost(1, 1)),
            **each("Add Sub Mul Max Min And Or AddRelu SubRelu Axpy Select Compare", VectorCost(2, 2)),
            **each("Compares CompareScalar", VectorCost(1, 1, floor=7)),
            **each("Exp Ln Sqrt", VectorCost(4, 2, latency=_SLOW)),
            "Div": VectorCost(4, 4, floor=4, latency=_SLOW),
            **each("MulAddDst FusedMulAdd FusedMulAddRelu", VectorCost(6, 6, floor=6)),
            **each("WholeReduceSum RepeatReduceSum", VectorCost(7, 3)),
            **each("WholeReduceMax WholeReduceMin", VectorCost(7, 7, floor=7)),
            **each("BlockReduceSum BlockReduceMax BlockReduceMin", VectorCost(7, 1)),
            **each("ReduceSum ReduceMax ReduceMin", VectorCost(7, 3, floor=60)),
            "Gather": VectorCost(24, 12, floor=14),
            "Gatherb": VectorCost(2, 2, floor=11),
            "GatherMask": VectorCost(14, 14, floor=14),
            "MrgSort": VectorCost(16, 16, floor=22),
            "Transpose": VectorCost(21, 21, floor=21),
        }
    ),
)
_COSTS_950 = Costs(
    clock_mhz=1650,
    gm_bytes_per_us=1.6e6,
    copy_in=CopyCost(floor=39, rate=93, latency=160),
    copy_out=CopyCost(floor=39, rate=66, latency=221),
    launch_us=3.2,
    launch_core_us=0.0,
    vector=MappingProxyType(
        {
            **each("Exp Ln Sqrt Div", VectorCost(8, 4, latency=19)),
            **each("Gather Scatter", VectorCost(33, 33)),
        }
    ),
    other_vector=VectorCost(2, 2, latency=8),
    setup_us=0.5,
)


@dataclass(frozen=True)
class Chip:
    """Describe one target.

    Sizes are in bytes, strides and limits in the units the vector API documents (blocks of `block_bytes`).

    Attributes:
        name: the target's name, as users write it.
        products: the products it stands for.
        npu_arch: the value of `__NPU_ARCH__`, 0 for the host CPU.
        soc_version: what CANN's query of the platform answers on the host; chips may share it.
        macros: what else its compiler defines for the vector core, as "NAME=value".
        cores: default number of vector cores (a real host asks the platform); 0 means the machine's own.
        ub_bytes: on-chip memory a kernel may use for its buffers; on a CPU the cache a tile should fit.
        preferred_row_bytes: row length of a global-memory copy that reaches full bandwidth.
        vector_barrier: dependent vector instructions need a pipe barrier.
        cross_wait_stops_all: a wait for a flag of other cores stops every pipe, not only the one it names.
        register_based: vector calls are loops over vector registers instead of single instructions (counts and masks
            do not go through the mask register, multiply-adds round once).
        staged: operands are copied to on-chip buffers before use.
        chunk_rows: fewest and most points of a chunk of a reduction.
        chunk_parts: number of chunks that gives every core work; larger reductions get larger chunks.
        jam_rows: rows of a sum that one loop over lanes takes together; 1 where rows are instructions anyway.
        fold_lanes: partial results that the lanes of a row fold onto where they are combined.
        held_places: places whose owners a core finds at once.
        sums_inside: a chunk also sums over the other reduced dims, which keeps rows that lie together in one item.
        max_repeat, max_repeat_stride, max_wide_stride, max_block_count, max_block_bytes, max_gap_bytes: limits of call
            parameters; the wide stride is that of reductions of repeats and of Brcb.
        max_events: event ids a pipe pair has.
        vector_dtypes: legal dtypes of each vector API.
        library_dtypes: legal dtypes of each API of the high-level library.
        register_dtypes: legal dtypes of each API of the register level; empty where the chip has no such level.
        costs: estimates of time, None where there are none.
    """

    name: str
    products: str
    npu_arch: int
    soc_version: str
    cores: int
    ub_bytes: int
    preferred_row_bytes: int
    vector_barrier: bool
    staged: bool
    register_based: bool = False
    cross_wait_stops_all: bool = True
    macros: tuple[str, ...] = ()
    block_bytes: int = 32
    repeat_bytes: int = 256
    chunk_rows: tuple[int, int] = (16, 128)
    chunk_parts: int = 128
    fold_lanes: int = 64
    held_places: int = 1 << 13
    sums_inside: bool = False
    jam_rows: int = 1
    max_repeat: int = 255
    max_repeat_stride: int = 255
    max_wide_stride: int = 65535
    max_block_count: int = 4095
    max_block_bytes: int = 2097151
    max_gap_bytes: int = 2**32 - 1
    max_events: int = 8
    vector_dtypes: Mapping[str, DTypes] = field(default_factory=lambda: MappingProxyType({}))
    library_dtypes: Mapping[str, DTypes] = field(default_factory=lambda: MappingProxyType({}))
    register_dtypes: Mapping[str, DTypes] = field(default_factory=lambda: MappingProxyType({}))
    costs: Costs | None = None

    def __hash__(self) -> int:
        """Hash by name: the table holds one chip a name."""
        return hash(self.name)

    def supports(self, api: str, *dtypes: str) -> bool:
        """Return whether the vector API takes operands of these dtypes (destination first)."""
        return dtypes in self.vector_dtypes.get(api, frozenset())


_A2 = Chip(
    name="ascend910b",
    products="Atlas A2",
    npu_arch=2201,
    soc_version="ASCEND910B",
    cores=40,
    ub_bytes=188160,
    preferred_row_bytes=512,
    vector_barrier=True,
    staged=True,
    macros=("__CCE_AICORE__=220", "__DAV_C220__=1", "__DAV_C220_VEC__=1"),
    vector_dtypes=_VECTOR_A2,
    library_dtypes=LIBRARY_A2,
    costs=_COSTS_A2,
)
_A3 = Chip(
    name="ascend910_93",
    products="Atlas A3",
    npu_arch=2201,
    soc_version="ASCEND910B",
    cores=40,
    ub_bytes=188160,
    preferred_row_bytes=512,
    vector_barrier=True,
    staged=True,
    macros=("__CCE_AICORE__=220", "__DAV_C220__=1", "__DAV_C220_VEC__=1"),
    vector_dtypes=_VECTOR_A2,
    library_dtypes=LIBRARY_A2,
    costs=_COSTS_A2,
)
_950 = Chip(
    name="ascend950",
    products="Ascend 950PR/950DT",
    npu_arch=3510,
    soc_version="ASCEND950",
    cores=64,
    ub_bytes=253952,
    preferred_row_bytes=512,
    vector_barrier=False,
    staged=True,
    register_based=True,
    cross_wait_stops_all=False,
    macros=("__CCE_AICORE__=310", "__DAV_C310__=1", "__DAV_C310_VEC__=1"),
    vector_dtypes=_VECTOR_950,
    library_dtypes=LIBRARY_950,
    register_dtypes=REG_DTYPES,
    costs=_COSTS_950,
)
_CPU = Chip(
    name="cpu",
    products="the host, through C or NumPy",
    npu_arch=0,
    soc_version="",
    cores=0,
    ub_bytes=1 << 20,
    preferred_row_bytes=4096,
    vector_barrier=False,
    staged=False,
    chunk_rows=(16, 256),
    chunk_parts=64,
    fold_lanes=16,
    held_places=1 << 17,
    sums_inside=True,
    jam_rows=4,
)

CHIPS: Mapping[str, Chip] = MappingProxyType({chip.name: chip for chip in (_CPU, _A2, _A3, _950)})
"""All targets by name."""


def get_chip(name: str) -> Chip:
    """Return the chip of that name.

    Raises:
        KeyError: no such target; the message lists the known ones.
    """
    if name not in CHIPS:
        raise KeyError(f"unknown target '{name}'; known targets: {', '.join(CHIPS)}")
    return CHIPS[name]
