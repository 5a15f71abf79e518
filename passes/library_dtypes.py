"""The dtypes of the high-level library's APIs, chip by chip: part of the chip table.

Rows are as in the table of the vector APIs. Sources: the library's public documentation, page by page.
"""

from collections.abc import Mapping
from types import MappingProxyType

from .api_rows import DTypes, each, rows, same

_COMMON: Mapping[str, DTypes] = {
    **each("Tanh Sin Cos Tan Asin Acos Atan Sinh Cosh Asinh Acosh Atanh Log Log2 Log10 Erf Erfc", same(2, "h f")),
    **each("Lgamma Digamma Trunc Frac Floor Ceil Round ClampMax ClampMin Exp", same(2, "h f")),
    **each("Sigmoid Silu Swish Gelu FasterGelu FasterGeluV2", same(2, "h f")),
    **each("Fmod GeGLU SwiGLU", same(3, "h f")),
    "ReGlu": same(3, "h bf f"),
    "Xor": same(3, "i16 u16"),
    "ReduceXorSum": same(3, "i16"),
    **each("SoftMax SimpleSoftMax SoftmaxFlash SoftmaxFlashV2", rows("h/h f/f h/f")),
    **each("SoftmaxGrad SoftmaxGradFront LogSoftMax", same(2, "h f")),
    "AdjustSoftMaxRes": rows("h/h f/f h/f f/h"),
    **each("DeepNorm RmsNorm Sum Mean CumSum TopK", same(2, "h f")),
    "AscendQuant": rows("i8/h i8/f"),
    "AscendDequant": rows("h/i32/u64 f/i32/f f/i32/bf bf/i32/bf bf/i32/f"),
    "Select/bytes": frozenset((t, m) for t in ("h", "f") for m in ["b8", "i8", "u8", "i16", "u16", "i32", "u32"]),
    **each("ReduceMean/pattern ReduceProd/pattern", same(2, "f")),
    **each("ReduceAny/pattern ReduceAll/pattern", same(2, "u8 f")),
}
_NORMS = rows("h/h h/f f/f")
_WELFORD = rows("f/h f/f")
_ALL = "i8 u8 i16 u16 h bf i32 u32 f i64 u64"
_INTEGERS = "i8 u8 i16 u16 i32 u32 i64 u64"

LIBRARY_A2: Mapping[str, DTypes] = MappingProxyType(
    {
        **_COMMON,
        "Sign": same(2, "h f"),
        "Power": same(3, "h i32 f"),
        **each("LayerNorm Normalize", _NORMS),
        "WelfordUpdate": _WELFORD,
        "DropOut": same(2, "h f"),
        "ReduceSum/pattern": same(2, "f"),
        **each("ReduceMax/pattern ReduceMin/pattern", same(2, "h f")),
    }
)
LIBRARY_950: Mapping[str, DTypes] = MappingProxyType(
    {
        **_COMMON,
        "Sign": same(2, "h f i64"),
        "Power": same(3, "i8 u8 i16 u16 h bf i32 u32 f"),
        **each("LayerNorm Normalize", _NORMS | rows("bf/bf bf/f")),
        "WelfordUpdate": _WELFORD | rows("f/bf"),
        "DropOut": same(2, "h bf f"),
        "ReduceSum/pattern": same(2, "i32 u32 f i64 u64"),
        **each("ReduceMax/pattern ReduceMin/pattern", same(2, _ALL)),
        "Hypot": same(3, "h bf f"),
        "IsFinite": rows("h/h b8/h f/f b8/f bf/bf b8/bf"),
        **each("IsNan IsInf", rows("h/h b8/h f/f b8/f")),
        **each("Rint SinCos", same(2, "h f")),
        "Fma": same(3, "h f"),
        "Clamp": same(2, _ALL),
        "LogicalNot": frozenset(("b8", t) for t in f"b8 {_ALL}".split()),
        **each(
            "LogicalAnd LogicalOr LogicalXor LogicalAnds LogicalOrs",
            frozenset(("b8", t, t) for t in f"b8 {_ALL}".split()),
        ),
        "BitwiseNot": same(2, _INTEGERS),
        **each("BitwiseAnd BitwiseOr BitwiseXor", same(3, _INTEGERS)),
        "Where": frozenset((t, t, "b8") for t in f"b8 {_ALL}".split()),
    }
)
