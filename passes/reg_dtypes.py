"""Element types that the register level of the vector unit takes, by API.

A row lists the operands of an API, destination first, in the short names of the chip table. APIs that only move bits
(loads, stores, moves, selection, interleaving) take any type of their widths and have no row.
"""

from collections.abc import Mapping
from types import MappingProxyType

from .api_rows import DTypes, each, rows, same

_INTEGERS = "i8 u8 i16 u16 i32 u32 i64 u64"
_FLOATS = "h bf f"


_ALL = f"{_INTEGERS} {_FLOATS}"
_WIDE = "i16 u16 i32 u32 i64 u64"

REG_DTYPES: Mapping[str, DTypes] = MappingProxyType(
    {
        **each("Add Sub Max Min", same(3, _ALL)),
        "Mul": same(3, f"{_WIDE} {_FLOATS}"),
        "Div": same(3, f"{_WIDE} h f"),
        **each("And Or Xor", same(3, _INTEGERS)),
        "Prelu": same(3, "h f"),
        "AbsSub": same(3, "h f i64"),
        **each("Adds Maxs Mins", same(2, _ALL)),
        "Muls": same(2, f"{_WIDE} h f"),
        **each("Abs Neg", same(2, "i8 i16 i32 i64 h f")),
        "Relu": same(2, "i32 i64 h f"),
        "Not": same(2, f"{_INTEGERS} h f"),
        **each("LeakyRelu Exp Ln Log Log2 Log10 Sqrt PairReduceElem", same(2, "h f")),
        **each("ShiftLeft ShiftRight", same(2, _INTEGERS)),
        "MulAddDst": same(3, f"{_WIDE} {_FLOATS}"),
        "MulDstAdd": same(3, _FLOATS),
        "Axpy": same(2, "h f i64 u64"),
        "ExpSub": rows("f/h/h f/f/f"),
        "MulsCast": rows("h/f"),
        "Mull": same(3, "i32 u32"),
        **each("AddC SubC", same(1, "i32 u32")),
        "Compare": same(2, _ALL),
        "Cast": rows(
            "h/f bf/f f/h f/bf bf/h h/bf i32/f i16/f i64/f i16/h i8/h u8/h i32/h i32/bf f/i32 h/i16 f/i64 f/i16 h/i8 "
            "h/u8 e4m3/f e5m2/f f/e4m3 f/e5m2 i16/i8 u16/u8 i32/i8 u32/u8 i32/i16 u32/i16 u32/u16 u8/i16 u8/u16 "
            "u8/i32 u8/u32 i16/i32 u16/i32 i16/u32 u16/u32 i64/i32 i32/i64"
        ),
        "Truncate": same(2, _FLOATS),
        "ReduceSum": rows("h/h f/f i32/i32 u32/u32 i64/i64 u64/u64 i32/i16 u32/u16"),
        "ReduceMax": same(2, f"{_WIDE} h f"),
        "ReduceDataBlockSum": rows("h/h f/f i32/i32 u32/u32 i32/i16 u32/u16"),
        "ReduceDataBlockMax": same(2, "i16 u16 i32 u32 h f"),
        "Pack": rows("u8/i16 u8/u16 u16/i32 u16/u32 u32/i64 u32/u64"),
        "UnPack": rows("i16/i8 u16/u8 i32/i16 u32/u16 i64/i32 u64/u32"),
        "Arange": same(1, "i8 i16 i32 i64 h f"),
        "Squeeze": same(2, "i8 u8 i16 u16 i32 u32 h f"),
        "Unsqueeze": same(1, "i8 u8 i16 u16 i32 u32"),
        "Histograms": rows("u16/u8"),
    }
)
"""The register level as its public pages list it, without 4-bit, complex and logarithmic 8-bit types."""
