"""Element types that the register level of the vector unit takes, by API.

A row lists the operands of an API, destination first, in the short names of the chip table. APIs that only move bits
(loads, stores, moves, selection, interleaving) take any type of their widths and have no row.
"""

from collections.abc import Mapping
from types import MappingProxyType

Rows = frozenset[tuple[str, ...]]
"""Legal operand types of one API."""

_INTEGERS = "i8 u8 i16 u16 i32 u32 i64 u64"
_FLOATS = "h bf f"


def _same(arity: int, names: str) -> Rows:
    """Return the rows of an API whose operands all have one type."""
    return frozenset((name,) * arity for name in names.split())


def _rows(text: str) -> Rows:
    """Return rows written "dst/src/src ..."."""
    return frozenset(tuple(row.split("/")) for row in text.split())


def _each(apis: str, rows: Rows) -> dict[str, Rows]:
    """Give several APIs the same rows."""
    return dict.fromkeys(apis.split(), rows)


_ALL = f"{_INTEGERS} {_FLOATS}"
_WIDE = "i16 u16 i32 u32 i64 u64"

REG_DTYPES: Mapping[str, Rows] = MappingProxyType(
    {
        **_each("Add Sub Max Min", _same(3, _ALL)),
        "Mul": _same(3, f"{_WIDE} {_FLOATS}"),
        "Div": _same(3, f"{_WIDE} h f"),
        **_each("And Or Xor", _same(3, _INTEGERS)),
        "Prelu": _same(3, "h f"),
        "AbsSub": _same(3, "h f i64"),
        **_each("Adds Maxs Mins", _same(2, _ALL)),
        "Muls": _same(2, f"{_WIDE} h f"),
        **_each("Abs Neg", _same(2, "i8 i16 i32 i64 h f")),
        "Relu": _same(2, "i32 i64 h f"),
        "Not": _same(2, f"{_INTEGERS} h f"),
        **_each("LeakyRelu Exp Ln Log Log2 Log10 Sqrt PairReduceElem", _same(2, "h f")),
        **_each("ShiftLeft ShiftRight", _same(2, _INTEGERS)),
        "MulAddDst": _same(3, f"{_WIDE} {_FLOATS}"),
        "MulDstAdd": _same(3, _FLOATS),
        "Axpy": _same(2, "h f i64 u64"),
        "ExpSub": _rows("f/h/h f/f/f"),
        "MulsCast": _rows("h/f"),
        "Mull": _same(3, "i32 u32"),
        **_each("AddC SubC", _same(1, "i32 u32")),
        "Compare": _same(2, _ALL),
        "Cast": _rows(
            "h/f bf/f f/h f/bf bf/h h/bf i32/f i16/f i64/f i16/h i8/h u8/h i32/h i32/bf f/i32 h/i16 f/i64 f/i16 h/i8 "
            "h/u8 e4m3/f e5m2/f f/e4m3 f/e5m2 i16/i8 u16/u8 i32/i8 u32/u8 i32/i16 u32/i16 u32/u16 u8/i16 u8/u16 "
            "u8/i32 u8/u32 i16/i32 u16/i32 i16/u32 u16/u32 i64/i32 i32/i64"
        ),
        "Truncate": _same(2, _FLOATS),
        "ReduceSum": _rows("h/h f/f i32/i32 u32/u32 i64/i64 u64/u64 i32/i16 u32/u16"),
        "ReduceMax": _same(2, f"{_WIDE} h f"),
        "ReduceDataBlockSum": _rows("h/h f/f i32/i32 u32/u32 i32/i16 u32/u16"),
        "ReduceDataBlockMax": _same(2, "i16 u16 i32 u32 h f"),
        "Pack": _rows("u8/i16 u8/u16 u16/i32 u16/u32 u32/i64 u32/u64"),
        "UnPack": _rows("i16/i8 u16/u8 i32/i16 u32/u16 i64/i32 u64/u32"),
        "Arange": _same(1, "i8 i16 i32 i64 h f"),
        "Squeeze": _same(2, "i8 u8 i16 u16 i32 u32 h f"),
        "Unsqueeze": _same(1, "i8 u8 i16 u16 i32 u32"),
        "Histograms": _rows("u16/u8"),
    }
)
"""The register level as its public pages list it, without 4-bit, complex and logarithmic 8-bit types."""
