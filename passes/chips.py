"""The chip table: every fact about a target that a pass, an emitter or the emulator may use.

One frozen `Chip` a target. No other file of passes/ or codegen/ holds a chip's name or number. Sources are the
public Ascend C documentation and platform files; see docs/chips.md for each figure.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType

DTypes = frozenset[tuple[str, ...]]
"""Legal operand dtypes of one vector API: (dst, src0[, src1]) in the short names h, bf, f, i8, u8, i16, ..."""


def _same(arity: int, names: str) -> DTypes:
    """Return the dtype tuples of an API whose operands all have one type."""
    return frozenset((name,) * arity for name in names.split())


_CASTS_A2 = frozenset(
    {
        *(("h", src) for src in ("i8", "u8", "i16", "f")),
        *(("f", src) for src in ("h", "bf", "i16", "i32", "i64", "f")),
        *(("bf", "f"), ("i32", "h"), ("i32", "bf"), ("i32", "f"), ("i32", "i64"), ("i64", "f"), ("i64", "i32")),
        *(("i8", "h"), ("u8", "h"), ("i16", "h"), ("i16", "f"), ("i16", "i32")),
    }
)
_CASTS_950 = (_CASTS_A2 - {("i32", "i64")}) | frozenset(
    {
        *(("bf", "h"), ("h", "bf"), ("i16", "i8"), ("i32", "i8"), ("u16", "u8"), ("u32", "u8"), ("i32", "i16")),
        *(("u8", "i16"), ("u32", "i16"), ("u8", "u16"), ("u32", "u16"), ("u8", "i32"), ("u16", "i32"), ("u8", "u32")),
        *(("u16", "u32"), ("i16", "u32"), ("i32", "i64")),
    }
)

_ARITH_A2 = "i16 h i32 f"
_ARITH_950 = "i16 u16 h bf i32 u32 f"

_VECTOR_A2: Mapping[str, DTypes] = MappingProxyType(
    {
        **{api: _same(3, _ARITH_A2) for api in ("Add", "Sub", "Mul", "Max", "Min")},
        "Div": _same(3, "h f"),
        **{api: _same(3, "i16 u16") for api in ("And", "Or")},
        **{api: _same(2, _ARITH_A2) for api in ("Adds", "Muls", "Maxs", "Mins")},
        **{api: _same(2, "h f") for api in ("Exp", "Ln", "Sqrt", "Rsqrt", "Reciprocal", "Abs")},
        "Relu": _same(2, "h i32 f"),
        "Not": _same(2, "i16 u16"),
        "Duplicate": _same(1, "i16 u16 h bf i32 u32 f"),
        "Copy": _same(2, "i16 u16 h bf i32 u32 f"),
        "Cast": _CASTS_A2,
    }
)
_VECTOR_950: Mapping[str, DTypes] = MappingProxyType(
    {
        **{api: _same(3, _ARITH_950) for api in ("Add", "Sub", "Mul", "Max", "Min")},
        "Div": _same(3, "i16 u16 h i32 u32 f"),
        **{api: _same(3, "i16 u16 i32 u32") for api in ("And", "Or")},
        **{api: _same(2, "i16 h bf i32 f") for api in ("Adds", "Muls", "Maxs", "Mins")},
        **{api: _same(2, "h f") for api in ("Exp", "Ln", "Sqrt", "Rsqrt", "Reciprocal")},
        "Abs": _same(2, "i16 h i32 f"),
        "Relu": _same(2, "h i32 f"),
        "Not": _same(2, "i16 u16 h i32 u32 f"),
        "Duplicate": _same(1, "i16 u16 h bf i32 u32 f"),
        "Copy": _same(2, "i8 u8 i16 u16 h bf i32 u32 f i64 u64"),
        "Cast": _CASTS_950,
    }
)


@dataclass(frozen=True)
class Chip:
    """Describe one target.

    Sizes are in bytes, strides and limits in the units the vector API documents (blocks of `block_bytes`).

    Attributes:
        name: the target's name, as users write it.
        products: the products it stands for.
        npu_arch: the value of `__NPU_ARCH__`, 0 for the host CPU.
        cores: default number of vector cores (a real host asks the platform); 0 means the machine's own.
        ub_bytes: on-chip memory a kernel may use for its buffers; on a CPU the cache a tile should fit.
        preferred_row_bytes: row length of a global-memory copy that reaches full bandwidth.
        vector_barrier: dependent vector instructions need a pipe barrier.
        staged: operands are copied to on-chip buffers before use.
        chunk_rows: fewest and most points of a chunk of a reduction.
        chunk_parts: number of chunks that gives every core work; larger reductions get larger chunks.
        jam_rows: rows of a sum that one loop over lanes takes together; 1 where rows are instructions anyway.
        sums_inside: a chunk also sums over the other reduced dims, which keeps rows that lie together in one item.
        max_repeat, max_repeat_stride, max_block_count, max_block_bytes, max_gap_bytes: limits of call parameters.
        max_events: event ids a pipe pair has.
        vector_dtypes: legal dtypes of each vector API.
    """

    name: str
    products: str
    npu_arch: int
    cores: int
    ub_bytes: int
    preferred_row_bytes: int
    vector_barrier: bool
    staged: bool
    block_bytes: int = 32
    repeat_bytes: int = 256
    chunk_rows: tuple[int, int] = (16, 128)
    chunk_parts: int = 128
    sums_inside: bool = False
    jam_rows: int = 1
    max_repeat: int = 255
    max_repeat_stride: int = 255
    max_block_count: int = 4095
    max_block_bytes: int = 2097151
    max_gap_bytes: int = 2**32 - 1
    max_events: int = 8
    vector_dtypes: Mapping[str, DTypes] = field(default_factory=lambda: MappingProxyType({}))

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
    cores=40,
    ub_bytes=188160,
    preferred_row_bytes=512,
    vector_barrier=True,
    staged=True,
    vector_dtypes=_VECTOR_A2,
)
_A3 = Chip(
    name="ascend910_93",
    products="Atlas A3",
    npu_arch=2201,
    cores=40,
    ub_bytes=188160,
    preferred_row_bytes=512,
    vector_barrier=True,
    staged=True,
    vector_dtypes=_VECTOR_A2,
)
_950 = Chip(
    name="ascend950",
    products="Ascend 950PR/950DT",
    npu_arch=3510,
    cores=64,
    ub_bytes=253952,
    preferred_row_bytes=512,
    vector_barrier=False,
    staged=True,
    vector_dtypes=_VECTOR_950,
)
_CPU = Chip(
    name="cpu",
    products="the host, through C or NumPy",
    npu_arch=0,
    cores=0,
    ub_bytes=1 << 20,
    preferred_row_bytes=4096,
    vector_barrier=False,
    staged=False,
    chunk_rows=(16, 256),
    chunk_parts=64,
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
