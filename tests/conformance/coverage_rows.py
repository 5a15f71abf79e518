"""What the conformance tests cover; docs/emulator_coverage.md is generated from these rows.

To add an API: append a row to the tuple of its family (or a new family). The dtypes are those of the chip table unless
a row says otherwise. `test` is a file beside this one that names the API.
"""

from collections.abc import Mapping
from dataclasses import dataclass

from opwright.passes.chips import CHIPS


@dataclass(frozen=True)
class Row:
    """One API.

    Attributes:
        api: its name, as the chip table writes it if it is there.
        forms: the call forms, e.g. "count, mask, mask array".
        test: the test file without `test_` and `.py`.
        dtypes: what to print in place of the chip table's dtypes, e.g. "any type of 1, 2, 4 or 8 bytes".
    """

    api: str
    forms: str
    test: str
    dtypes: str = ""


def _registers(api: str, forms: str, test: str, table: str = "") -> Row:
    """A row of the register level with the dtypes of its own chip table."""
    found = ((chip.name, chip.register_dtypes.get(table or api)) for chip in CHIPS.values())
    listed = "; ".join(f"{name}: {_listed(rows)}" for name, rows in found if rows)
    return Row(api, forms, test, listed or "any type of the width")


def _listed(rows: frozenset[tuple[str, ...]]) -> str:
    return ", ".join(sorted(row[0] if len(set(row)) == 1 else "<-".join((row[0], "/".join(row[1:]))) for row in rows))


FAMILIES: Mapping[str, tuple[Row, ...]] = {
    "Element by element": (
        Row("Add", "count, mask, mask array, isSetMask=false, operator", "elementwise"),
        Row("Sub", "count, mask, mask array, isSetMask=false, operator", "elementwise"),
        Row("Mul", "count, mask, mask array, isSetMask=false, operator", "elementwise"),
        Row("Div", "count, mask, mask array, isSetMask=false, operator", "elementwise"),
        Row("Max", "count, mask, mask array, isSetMask=false", "elementwise"),
        Row("Min", "count, mask, mask array, isSetMask=false", "elementwise"),
        Row("And", "count, mask, mask array, isSetMask=false, operator", "elementwise"),
        Row("Or", "count, mask, mask array, isSetMask=false, operator", "elementwise"),
        Row("Abs", "count, mask, mask array, isSetMask=false", "elementwise"),
        Row("Exp", "count, mask, mask array, isSetMask=false", "elementwise"),
        Row("Ln", "count, mask, mask array, isSetMask=false", "elementwise"),
        Row("Sqrt", "count, mask, mask array, isSetMask=false", "elementwise"),
        Row("Rsqrt", "count, mask, mask array, isSetMask=false", "elementwise"),
        Row("Reciprocal", "count, mask, mask array, isSetMask=false", "elementwise"),
        Row("Relu", "count, mask, mask array, isSetMask=false", "elementwise"),
        Row("Not", "count, mask, mask array, isSetMask=false", "elementwise"),
        Row("Neg", "count", "elementwise"),
        Row("Adds", "count, mask, mask array, isSetMask=false; scalar first on chips that have it", "elementwise"),
        Row("Muls", "count, mask, mask array, isSetMask=false; scalar first on chips that have it", "elementwise"),
        Row("Maxs", "count, mask, mask array, isSetMask=false; scalar first on chips that have it", "elementwise"),
        Row("Mins", "count, mask, mask array, isSetMask=false; scalar first on chips that have it", "elementwise"),
        Row("Subs", "count, mask, mask array, isSetMask=false; scalar first on chips that have it", "elementwise"),
        Row("Divs", "count, mask, mask array, isSetMask=false; scalar first on chips that have it", "elementwise"),
        Row("Ands", "count, mask, mask array, isSetMask=false; scalar first on chips that have it", "elementwise"),
        Row("Ors", "count, mask, mask array, isSetMask=false; scalar first on chips that have it", "elementwise"),
        Row("LeakyRelu", "count, mask, mask array, isSetMask=false", "elementwise"),
        Row("ShiftLeft", "count, mask, mask array, isSetMask=false; by a tensor on chips that have it", "elementwise"),
        Row("ShiftRight", "count, mask, mask array, isSetMask=false; by a tensor on chips that have it", "elementwise"),
        Row("AbsSub", "count", "elementwise"),
        Row("ExpSub", "count", "elementwise"),
        Row("Prelu", "count", "elementwise"),
    ),
    "Two steps in one": (
        Row("AddRelu", "count, mask, mask array, isSetMask=false", "elementwise"),
        Row("SubRelu", "count, mask, mask array, isSetMask=false", "elementwise"),
        Row("Axpy", "count, mask, mask array, isSetMask=false", "compound"),
        Row("MulAddDst", "count, mask, mask array, isSetMask=false", "compound"),
        Row("FusedMulAdd", "count, mask, mask array, isSetMask=false", "compound"),
        Row("FusedMulAddRelu", "count, mask, mask array, isSetMask=false", "compound"),
        Row("AddReluCast", "count, mask, mask array, isSetMask=false", "compound"),
        Row("SubReluCast", "count, mask, mask array, isSetMask=false", "compound"),
        Row("MulCast", "count, mask, mask array, isSetMask=false", "compound"),
        Row("AddDeqRelu", "count, mask, mask array, isSetMask=false", "compound"),
        Row("CastDequant", "count, mask, mask array, isSetMask=false", "compound"),
    ),
    "Conversion": (
        Row("Cast", "count, mask, mask array, isSetMask=false, every round mode", "cast"),
        Row("Truncate", "count", "cast"),
    ),
    "Comparison and selection": (
        Row("Compare", "count, mask, mask array, isSetMask=false, operators", "compare"),
        Row("CompareRegister", "Compare without destination: mask, mask array", "compare"),
        Row("Compares", "count, mask, mask array, isSetMask=false; also CompareScalar", "compare"),
        Row("GetCmpMask", "register to tensor", "compare", "any type"),
        Row("SetCmpMask", "tensor to register", "compare", "any type"),
        Row("Select", "three modes: count, mask, mask array, by register", "compare"),
    ),
    "Reduction": (
        Row("WholeReduceSum", "mask, mask array, isSetMask=false", "reduce"),
        Row("WholeReduceMax", "mask, mask array, isSetMask=false", "reduce"),
        Row("WholeReduceMin", "mask, mask array, isSetMask=false", "reduce"),
        Row("BlockReduceSum", "mask, mask array, isSetMask=false", "reduce"),
        Row("BlockReduceMax", "mask, mask array, isSetMask=false", "reduce"),
        Row("BlockReduceMin", "mask, mask array, isSetMask=false", "reduce"),
        Row("PairReduceSum", "mask, mask array, isSetMask=false", "reduce"),
        Row("RepeatReduceSum", "mask", "reduce"),
        Row(
            "ReduceRepeat",
            "SUM, MAX, MIN; mask, mask array, isSetMask=false",
            "library_rows",
            "as WholeReduceSum, WholeReduceMax",
        ),
        Row("ReduceDataBlock", "SUM, MAX, MIN; mask, mask array, isSetMask=false", "library_rows", "as BlockReduceSum"),
        Row("ReducePairElem", "SUM; mask, mask array, isSetMask=false", "library_rows", "as PairReduceSum"),
        Row("ReduceSum", "count, mask, mask array", "reduce"),
        Row("ReduceMax", "count, mask, mask array", "reduce"),
        Row("ReduceMin", "count, mask, mask array", "reduce"),
        Row("GetReduceRepeatSumSpr", "scalar; also GetAccVal", "reduce", "h, f"),
        Row("GetReduceRepeatMaxMinSpr", "scalar; also GetReduceMaxMinCount", "reduce", "chips with the register: h, f"),
    ),
    "Filling, moving, spreading": (
        Row(
            "Duplicate",
            "count, mask, mask array, isSetMask=false; a tensor's first element on chips that have it",
            "fill",
        ),
        Row("Copy", "mask, mask array, isSetMask=false; count on chips that have it", "fill"),
        Row("DataCopy", "count, DataCopyParams, inside the unified buffer", "fill", "any type of 1, 2, 4 or 8 bytes"),
        Row(
            "DataCopyPad",
            "DataCopyParams and DataCopyExtParams, with and without padding",
            "fill",
            "any type of 1, 2, 4 or 8 bytes",
        ),
        Row("Brcb", "repeat", "fill"),
        Row("Broadcast", "one and two dims, with and without temporary memory; also BroadCast", "fill"),
        Row("CreateVecIndex", "count, mask, mask array", "fill"),
        Row("Arange", "count; also ArithProgression", "fill"),
    ),
    "Mask register": (
        Row("SetMaskCount", "also SetMaskNorm", "fill", "none"),
        Row("SetVectorMask", "two words, or a length; NORMAL and COUNTER", "fill", "none"),
        Row("ResetMask", "all lanes", "fill", "none"),
    ),
    "Gather and transpose": (
        Row("Gather", "count, mask, mask array", "gather"),
        Row("Gatherb", "repeat", "gather"),
        Row("Scatter", "count, mask, mask array", "gather"),
        Row("GatherMask", "built-in pattern, pattern of bits; Normal and Counter", "gather"),
        Row("Transpose", "16x16", "transpose"),
        Row("TransposeExt", "Transpose with TransposeParamsExt: ND2ND_B16, NCHW2NHWC, NHWC2NCHW", "transpose"),
        Row("TransDataTo5HD", "addresses, tensors, addresses in tensors", "transpose"),
    ),
    "Sort": (
        Row("Sort32", "repeat", "sort"),
        Row("MrgSort", "MrgSort4Info; with counts", "sort"),
        Row("GetMrgSortResult", "scalar", "sort", "uint16_t"),
        Row("Concat", "repeat", "sort", "h, f"),
        Row("Sort", "isFullSort true and false", "sort", "h, f"),
        Row("Extract", "repeat", "sort", "h, f"),
        Row("GetSortLen", "also GetSortOffset", "sort", "h, f"),
    ),
    "Memory objects, output and scalars": (
        Row("TPipe", "Init, InitBuffer, InitBufPool, Reset, Destroy, event ids", "objects", "-"),
        Row("TQue", "depth 0 and above, other pipe pairs", "objects", "any type"),
        Row("TQueBind", "as TQue, FreeAllEvent", "objects", "any type"),
        Row("TBuf", "Get, GetWithOffset", "objects", "any type"),
        Row("TBufPool", "InitBuffer, InitBufPool, shared memory, Reset", "objects", "any type"),
        Row("LocalMemAllocator", "Alloc with and without position", "objects", "any type"),
        Row("LocalTensor", "views, scalar access, placed by address", "objects", "any type"),
        Row("GlobalTensor", "views, scalar access, hints", "objects", "any type"),
        Row("SliceInfo", "DataCopy of slices in both directions", "objects", "any type"),
        Row("DataCopyParams", "DataCopy of blocks inside the unified buffer", "objects", "any type"),
        Row("Fill", "also InitGlobalMemory, InitOutput", "objects"),
        Row("DumpTensor", "local, global, with a shape; DumpAccChkPoint", "objects", "any type"),
        Row("printf", "also PRINTF, assert, ascendc_assert, Trap", "objects", "-"),
        Row("CountLeadingZero", "GetBitCount, GetSFFValue, CountBitsCntSameAsSignBit, ScalarCast", "objects", "-"),
        Row("GET_TILING_DATA", "all macros of tiling data on the kernel's side", "objects", "-"),
        Row("GroupBarrier", "Arrive, Wait", "extras", "all chips"),
        Row("ListTensorDesc", "GetSize, GetDataPtr, GetDesc", "extras", "all chips"),
    ),
    "High-level library": (
        *(
            Row(api, "count, whole source; with and without temporary memory", "library_math")
            for api in [
                "Tanh",
                "Sin",
                "Cos",
                "Tan",
                "Asin",
                "Acos",
                "Atan",
                "Sinh",
                "Cosh",
                "Asinh",
                "Acosh",
                "Atanh",
                "Log2",
                "Erf",
                "Erfc",
                "Trunc",
                "Frac",
                "Sign",
                "Sigmoid",
                "Fmod",
                "Xor",
                "GeGLU",
                "ReGlu",
                "Hypot",
            ]
        ),
        *(Row(api, "count, whole source; without temporary memory", "library_math") for api in ("Log", "Log10")),
        Row("Power", "two tensors, a number as exponent or base; with and without temporary memory", "library_math"),
        Row("SwiGLU", "count, whole source; with and without temporary memory", "library_math"),
        *(
            Row(api, "count; with and without temporary memory", "library_math")
            for api in [
                "Lgamma",
                "Digamma",
                "Floor",
                "Ceil",
                "Round",
                "ClampMax",
                "ClampMin",
                "Gelu",
                "FasterGelu",
                "FasterGeluV2",
                "IsNan",
                "IsInf",
                "Rint",
                "SinCos",
                "Fma",
            ]
        ),
        *(
            Row(api, "count", "library_math")
            for api in [
                "Silu",
                "Swish",
                "IsFinite",
                "Clamp",
                "LogicalNot",
                "LogicalAnd",
                "LogicalOr",
                "LogicalXor",
                "LogicalAnds",
                "LogicalOrs",
                "BitwiseNot",
                "BitwiseAnd",
                "BitwiseOr",
                "BitwiseXor",
                "Where",
            ]
        ),
        Row("SoftMax", "with and without sums, maxima and temporary memory; ND", "library_rows"),
        *(
            Row(api, "with and without temporary memory; ND", "library_rows")
            for api in ["SimpleSoftMax", "SoftmaxFlash", "SoftmaxFlashV2", "SoftmaxGrad", "SoftmaxGradFront"]
        ),
        Row("LogSoftMax", "with temporary memory; ND", "library_rows"),
        Row("AdjustSoftMaxRes", "ND", "library_rows"),
        Row(
            "LayerNorm", "[B, S, H] with variance, [A, R] with rstd; with and without temporary memory", "library_rows"
        ),
        *(
            Row(api, "with and without temporary memory", "library_rows")
            for api in ["DeepNorm", "RmsNorm", "Normalize", "WelfordUpdate", "Sum", "Mean", "TopK", "CumSum"]
        ),
        Row("WelfordFinalize", "with and without counts and temporary memory", "library_rows", "f"),
        *(
            Row(f"{api}/pattern", "AR, RA; with and without temporary memory", "library_rows")
            for api in ["ReduceSum", "ReduceMean", "ReduceProd", "ReduceMax", "ReduceMin", "ReduceAny", "ReduceAll"]
        ),
        Row("ReduceXorSum", "with temporary memory", "library_rows"),
        Row("AscendQuant", "per tensor, per channel, to int8_t; with and without temporary memory", "library_rows"),
        Row("AscendDequant", "scales, one scale; with and without temporary memory", "library_rows"),
        Row("Select/bytes", "mask of whole elements; also SelectWithBytesMask", "library_rows"),
        Row("DropOut", "bytes, bits; with and without temporary memory", "library_rows"),
    ),
    "On chips built on vector registers": (
        Row("Interleave", "count", "extras"),
        Row("DeInterleave", "count, one source", "extras", "as Interleave"),
        Row("NdDmaParams", "DataCopy of 1 to 5 loops, constant and nearest padding", "extras", "any type"),
        Row("AtomicAdd", "scalar", "extras", "i32, u32, i64, u64, f"),
        Row("AtomicMax", "scalar", "extras", "i32, u32, i64, u64, f"),
        Row("AtomicMin", "scalar", "extras", "i32, u32, i64, u64, f"),
        Row("AtomicCas", "scalar", "extras", "u32, u64"),
        Row("AtomicExch", "scalar", "extras", "u32, u64"),
    ),
    "Register level (AscendC::Reg, AscendC::MicroAPI)": (
        _registers("Abs", "register", "reg_compute"),
        _registers("Neg", "register", "reg_compute"),
        _registers("Relu", "register", "reg_compute"),
        _registers("Not", "register", "reg_compute"),
        _registers("Exp", "register; precision modes", "reg_compute"),
        _registers("Ln", "register; precision modes", "reg_compute"),
        _registers("Log", "register; precision modes", "reg_compute"),
        _registers("Log2", "register; precision modes", "reg_compute"),
        _registers("Log10", "register; precision modes", "reg_compute"),
        _registers("Sqrt", "register; precision modes", "reg_compute"),
        _registers("Add", "registers; MERGING; carry (also AddC)", "reg_compute"),
        _registers("Sub", "registers; carry (also SubC)", "reg_compute"),
        _registers("Mul", "registers", "reg_compute"),
        _registers("Div", "registers; precision modes", "reg_compute"),
        _registers("Max", "registers; MERGING", "reg_compute"),
        _registers("Min", "registers; MERGING", "reg_compute"),
        _registers("And", "registers", "reg_compute"),
        _registers("Or", "registers", "reg_compute"),
        _registers("Xor", "registers", "reg_compute"),
        _registers("Prelu", "registers", "reg_compute"),
        _registers("Adds", "register and scalar", "reg_compute"),
        _registers("Maxs", "register and scalar", "reg_compute"),
        _registers("Mins", "register and scalar", "reg_compute"),
        _registers("Muls", "register and scalar", "reg_compute"),
        _registers("LeakyRelu", "register and scalar", "reg_compute"),
        _registers("AbsSub", "also FusedAbsSub", "reg_compute"),
        _registers("MulAddDst", "also Mula", "reg_compute"),
        _registers("MulDstAdd", "also FusedMulDstAdd", "reg_compute"),
        _registers("Axpy", "register and scalar", "reg_compute"),
        _registers("ExpSub", "also FusedExpSub; layouts ZERO and ONE", "reg_compute"),
        _registers("MulsCast", "also FusedMulsCast; layouts ZERO and ONE", "reg_compute"),
        _registers("Mull", "two results", "reg_compute"),
        _registers("ShiftLeft", "register; ShiftLefts by scalar", "reg_compute"),
        _registers("ShiftRight", "register; ShiftRights by scalar", "reg_compute"),
        _registers("Compare", "six modes", "reg_compute"),
        _registers("Compares", "also CompareScalar", "reg_compute", "Compare"),
        _registers("Select", "registers, masks", "reg_compute"),
        _registers("ReduceSum", "also Reduce with SUM", "reg_compute"),
        _registers("ReduceMax", "also Reduce with MAX; ReduceMin and MIN", "reg_compute"),
        _registers("PairReduceElem", "also PairReduceSum", "reg_compute"),
        _registers(
            "ReduceDataBlock", "SUM, MAX, MIN; also ReduceSumWithDataBlock, ...", "reg_compute", "ReduceDataBlockSum"
        ),
        _registers("Cast", "layouts ZERO to THREE, saturation, rounding", "reg_cast"),
        _registers("Truncate", "five modes", "reg_cast"),
        Row(
            "LoadAlign",
            "all distributions; post-update; AddrReg; two registers; blocks; masks; also DataCopy",
            "reg_memory",
            "any type of the width",
        ),
        Row(
            "StoreAlign",
            "all distributions; post-update; AddrReg; two registers; blocks; masks; also DataCopy",
            "reg_memory",
            "any type of the width",
        ),
        Row("LoadUnAlign", "LoadUnAlignPre; also DataCopyUnAlign", "reg_memory", "any type of the width"),
        Row(
            "StoreUnAlign",
            "count, AR, masks; StoreUnAlignPost; also DataCopyUnAlign",
            "reg_memory",
            "any type of the width",
        ),
        Row("Load", "any address; Store with and without count", "reg_memory", "any type of the width"),
        Row("Gather", "memory and register; also DataCopyGather", "reg_memory", "any type of the width"),
        Row("GatherB", "also DataCopyGatherB", "reg_memory", "any type of the width"),
        Row("Scatter", "also DataCopyScatter", "reg_memory", "any type of the width"),
        Row("CreateMask", "all patterns; one and two registers", "reg_memory", "any type of the width"),
        Row("UpdateMask", "one and two registers", "reg_memory", "any type of the width"),
        Row(
            "MaskOr",
            "And, Or, Xor, Not, Move, Select, Pack, UnPack, Interleave, DeInterleave of masks, both names",
            "reg_memory",
            "any type of the width",
        ),
        Row("MaskGenWithRegTensor", "16 and 32 bits", "reg_memory", "any type of the width"),
        Row("Interleave", "also DeInterleave", "reg_memory", "any type of the width"),
        Row("Duplicate", "scalar, lane 0; ZEROING, MERGING", "reg_memory", "any type of the width"),
        Row("Move", "with and without mask; also Copy", "reg_memory", "any type of the width"),
        _registers("Pack", "LOWEST, HIGHEST", "reg_memory"),
        _registers("UnPack", "LOWEST, HIGHEST", "reg_memory"),
        _registers("Arange", "both orders", "reg_memory"),
        _registers("Squeeze", "NO_STORE_REG, STORE_REG; also GatherMask", "reg_memory"),
        _registers("Unsqueeze", "also PrefixSum", "reg_memory"),
        _registers("Histograms", "BIN0, BIN1; FREQUENCY, ACCUMULATE", "reg_memory"),
    ),
}

_HEAD = """# What the emulator covers

Each API with the call forms that exist, the dtypes that compile for each chip (destination first; one name where all
operands agree; `+` marks dtypes of the count form alone), and the file of tests/conformance/ that compares its results
with NumPy, bit by bit. "mask" is the number of leading elements of each repeat, "mask array" two words of bits;
`isSetMask=false` stands for the forms that leave the mask register as it is. Everything else is a compile error that
names the API. Written from `tests/conformance/coverage_rows.py`.
"""


def page() -> str:
    """Return the text of docs/emulator_coverage.md."""
    return _HEAD + "".join(_family(title, rows) for title, rows in FAMILIES.items())


def _family(title: str, rows: tuple[Row, ...]) -> str:
    lines = [f"\n## {title}\n", "| API | forms | dtypes | test |", "|---|---|---|---|"]
    lines += [f"| {row.api} | {row.forms} | {row.dtypes or _dtypes(row.api)} | {row.test} |" for row in rows]
    return "\n".join(lines) + "\n"


def _dtypes(api: str) -> str:
    """Return the chip table's dtypes of an API; chips that agree are named together."""
    by_list: dict[str, list[str]] = {}
    for chip in CHIPS.values():
        found = {**chip.library_dtypes, **chip.vector_dtypes}
        common = _listed(found.get(api, frozenset()))
        counted = _listed(found.get(f"{api}/count", frozenset()))
        listed = " + ".join(part for part in (common, counted) if part)
        if listed:
            by_list.setdefault(listed, []).append(chip.name)
    return "; ".join(f"{', '.join(names)}: {listed}" for listed, names in by_list.items())
