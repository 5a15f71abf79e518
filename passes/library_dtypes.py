"""The dtypes of the high-level library's APIs, chip by chip: part of the chip table.

Rows are as in the table of the vector APIs. Sources: the library's public documentation, page by page.
"""

from collections.abc import Mapping
from types import MappingProxyType

DTypes = frozenset[tuple[str, ...]]


def _same(arity: int, names: str) -> DTypes:
    """Return the dtype tuples of an API whose operands all have one type."""
    return frozenset((name,) * arity for name in names.split())


def _rows(text: str) -> DTypes:
    """Return dtype tuples written "dst/src0/src1 ..."."""
    return frozenset(tuple(row.split("/")) for row in text.split())


def _each(apis: str, rows: DTypes) -> dict[str, DTypes]:
    return dict.fromkeys(apis.split(), rows)


_COMMON: Mapping[str, DTypes] = {
    **_each("Tanh Sin Cos Tan Asin Acos Atan Sinh Cosh Asinh Acosh Atanh Log Log2 Log10 Erf Erfc", _same(2, "h f")),
    **_each("Lgamma Digamma Trunc Frac Floor Ceil Round ClampMax ClampMin Exp", _same(2, "h f")),
    **_each("Sigmoid Silu Swish Gelu FasterGelu FasterGeluV2", _same(2, "h f")),
    **_each("Fmod GeGLU SwiGLU", _same(3, "h f")),
    "ReGlu": _same(3, "h bf f"),
    "Xor": _same(3, "i16 u16"),
    "ReduceXorSum": _same(3, "i16"),
    **_each("SoftMax SimpleSoftMax SoftmaxFlash SoftmaxFlashV2", _rows("h/h f/f h/f")),
    **_each("SoftmaxGrad SoftmaxGradFront LogSoftMax", _same(2, "h f")),
    "AdjustSoftMaxRes": _rows("h/h f/f h/f f/h"),
    **_each("DeepNorm RmsNorm Sum Mean CumSum TopK", _same(2, "h f")),
    "AscendQuant": _rows("i8/h i8/f"),
    "AscendDequant": _rows("h/i32/u64 f/i32/f f/i32/bf bf/i32/bf bf/i32/f"),
    "Select/bytes": frozenset((t, m) for t in ("h", "f") for m in ["b8", "i8", "u8", "i16", "u16", "i32", "u32"]),
    **_each("ReduceMean/pattern ReduceProd/pattern", _same(2, "f")),
    **_each("ReduceAny/pattern ReduceAll/pattern", _same(2, "u8 f")),
}
_NORMS = _rows("h/h h/f f/f")
_WELFORD = _rows("f/h f/f")
_ALL = "i8 u8 i16 u16 h bf i32 u32 f i64 u64"
_INTEGERS = "i8 u8 i16 u16 i32 u32 i64 u64"

LIBRARY_A2: Mapping[str, DTypes] = MappingProxyType(
    {
        **_COMMON,
        "Sign": _same(2, "h f"),
        "Power": _same(3, "h i32 f"),
        **_each("LayerNorm Normalize", _NORMS),
        "WelfordUpdate": _WELFORD,
        "DropOut": _same(2, "h f"),
        "ReduceSum/pattern": _same(2, "f"),
        **_each("ReduceMax/pattern ReduceMin/pattern", _same(2, "h f")),
    }
)
LIBRARY_950: Mapping[str, DTypes] = MappingProxyType(
    {
        **_COMMON,
        "Sign": _same(2, "h f i64"),
        "Power": _same(3, "i8 u8 i16 u16 h bf i32 u32 f"),
        **_each("LayerNorm Normalize", _NORMS | _rows("bf/bf bf/f")),
        "WelfordUpdate": _WELFORD | _rows("f/bf"),
        "DropOut": _same(2, "h bf f"),
        "ReduceSum/pattern": _same(2, "i32 u32 f i64 u64"),
        **_each("ReduceMax/pattern ReduceMin/pattern", _same(2, _ALL)),
        "Hypot": _same(3, "h bf f"),
        "IsFinite": _rows("h/h b8/h f/f b8/f bf/bf b8/bf"),
        **_each("IsNan IsInf", _rows("h/h b8/h f/f b8/f")),
        **_each("Rint SinCos", _same(2, "h f")),
        "Fma": _same(3, "h f"),
        "Clamp": _same(2, _ALL),
        "LogicalNot": frozenset(("b8", t) for t in f"b8 {_ALL}".split()),
        **_each(
            "LogicalAnd LogicalOr LogicalXor LogicalAnds LogicalOrs",
            frozenset(("b8", t, t) for t in f"b8 {_ALL}".split()),
        ),
        "BitwiseNot": _same(2, _INTEGERS),
        **_each("BitwiseAnd BitwiseOr BitwiseXor", _same(3, _INTEGERS)),
        "Where": frozenset((t, t, "b8") for t in f"b8 {_ALL}".split()),
    }
)
