"""Hand-written vector functions of the register level: right bits in every mode, and what is said against bad ones."""

from pathlib import Path
from typing import Any

import ml_dtypes
import numpy as np
import numpy.typing as npt
import pytest

import opwright as ow
from opwright.codegen.emulator.launch import EmulatedKernel, read_only
from opwright.codegen.native import CompileError
from opwright.dialect.diagnostics import Diagnostic
from opwright.passes.chips import get_chip

Array = npt.NDArray[Any]
CHIP = get_chip("ascend950")

KERNELS = """
#include "kernel_operator.h"
using namespace AscendC;
using namespace AscendC::MicroAPI;
constexpr uint32_t L = 64;
static constexpr CastTrait widen{RegLayout::ZERO, SatMode::UNKNOWN, MaskMergeMode::ZEROING, RoundMode::UNKNOWN};

template <typename T>
__ubuf__ T* At(const LocalTensor<T>& tensor) { return (__ubuf__ T*)tensor.GetPhyAddr(); }

template <typename T>
__simd_vf__ inline void AddVF(__ubuf__ T* z, __ubuf__ T* x, __ubuf__ T* y, uint32_t count, uint16_t loops) {
    RegTensor<T> a, b;
    for (uint16_t i = 0; i < loops; i++) {
        MaskReg mask = UpdateMask<T>(count);
        DataCopy(a, x + i * L);
        DataCopy(b, y + i * L);
        Add(a, a, b, mask);
        DataCopy(z + i * L, a, mask);
    }
}

__simd_vf__ inline void SoftmaxVF(__ubuf__ float* z, __ubuf__ float* x, uint16_t rows, uint32_t columns,
                                  uint32_t pitch) {
    const uint16_t loops = (columns + L - 1) / L;
    MaskReg full = CreateMask<float>();
    for (uint16_t r = 0; r < rows; r++) {
        RegTensor<float> top, sum, v;
        Duplicate(top, -3e38f);
        Duplicate(sum, 0.0f);
        uint32_t left = columns;
        for (uint16_t i = 0; i < loops; i++) {
            MaskReg mask = UpdateMask<float>(left);
            LoadAlign(v, x + r * pitch + i * L);
            Max<float, MaskMergeMode::MERGING>(top, top, v, mask);
        }
        Reduce<ReduceType::MAX>(top, top, full);
        Duplicate(top, top, full);
        left = columns;
        for (uint16_t i = 0; i < loops; i++) {
            MaskReg mask = UpdateMask<float>(left);
            LoadAlign(v, x + r * pitch + i * L);
            FusedExpSub(v, v, top, mask);
            StoreAlign(z + r * pitch + i * L, v, mask);
            Add(sum, sum, v, full);
        }
        Reduce<ReduceType::SUM>(sum, sum, full);
        Duplicate(sum, sum, full);
        LocalMemBar<MemType::VEC_STORE, MemType::VEC_LOAD>();
        left = columns;
        for (uint16_t i = 0; i < loops; i++) {
            MaskReg mask = UpdateMask<float>(left);
            LoadAlign(v, z + r * pitch + i * L);
            Div(v, v, sum, mask);
            StoreAlign(z + r * pitch + i * L, v, mask);
        }
    }
}

__simd_vf__ inline void SumVF(__ubuf__ float* z, __ubuf__ bfloat16_t* x, uint16_t rows, uint32_t columns,
                              uint32_t pitch) {
    MaskReg full = CreateMask<float>();
    UnalignReg stream;
    __ubuf__ float* out = z;
    for (uint16_t r = 0; r < rows; r++) {
        RegTensor<bfloat16_t> narrow;
        RegTensor<float> wide, sum;
        Duplicate(sum, 0.0f, full);
        uint32_t left = columns;
        for (uint16_t i = 0; i < static_cast<uint16_t>((columns + L - 1) / L); i++) {
            MaskReg mask = UpdateMask<float>(left);
            LoadAlign<bfloat16_t, LoadDist::DIST_UNPACK_B16>(narrow, x + r * pitch + i * L);
            Cast<float, bfloat16_t, widen>(wide, narrow, mask);
            Add(sum, sum, wide, full);
        }
        ReduceSum(sum, sum, full);
        StoreUnAlign(out, sum, stream, 1);
    }
    StoreUnAlignPost(out, stream, 0);
}

struct Sizes { int32_t rows, columns, pitch, sync; };

extern "C" __global__ __aicore__ void reg(GM_ADDR x, GM_ADDR y, GM_ADDR z, GM_ADDR tiling) {
    KERNEL_TASK_TYPE_DEFAULT(KERNEL_TYPE_AIV_ONLY);
    GET_TILING_DATA_WITH_STRUCT(Sizes, s, tiling);
    TPipe pipe;
    TBuf<> xBuf, yBuf, zBuf;
    const uint32_t n = s.rows * s.pitch;
    pipe.InitBuffer(xBuf, n * 4);
    pipe.InitBuffer(yBuf, n * 4);
    pipe.InitBuffer(zBuf, n * 4);
    LocalTensor<float> a = xBuf.Get<float>(), b = yBuf.Get<float>(), c = zBuf.Get<float>();
    GlobalTensor<float> gm;
    const bool wide = !TILING_KEY_IS(2);
    const DataCopyExtParams rows{uint16_t(s.rows), uint32_t(s.columns * (wide ? 4 : 2)), 0, 0, 0};
    const uint8_t gap = (s.pitch - s.columns) * (wide ? 4 : 2) / 32;
    DataCopyExtParams in = rows;
    in.dstStride = gap;
    if (wide) {
        const DataCopyPadExtParams<float> pad{false, 0, 0, 0};
        gm.SetGlobalBuffer((__gm__ float*)x);
        DataCopyPad(a, gm, in, pad);
        gm.SetGlobalBuffer((__gm__ float*)y);
        if (TILING_KEY_IS(0)) DataCopyPad(b, gm, in, pad);
    } else {
        GlobalTensor<bfloat16_t> halves;
        halves.SetGlobalBuffer((__gm__ bfloat16_t*)x);
        DataCopyPad(a.ReinterpretCast<bfloat16_t>(), halves, in, DataCopyPadExtParams<bfloat16_t>{false, 0, 0, {}});
    }
    if (s.sync != 1) {
        SetFlag<HardEvent::MTE2_V>(0);
        WaitFlag<HardEvent::MTE2_V>(0);
    }
    if (TILING_KEY_IS(0)) asc_vf_call<AddVF<float>>(At(c), At(a), At(b), s.columns, (s.columns + L - 1) / L);
    if (TILING_KEY_IS(1)) SoftmaxVF(At(c), At(a), s.rows, s.columns, s.pitch);
    if (TILING_KEY_IS(2)) VF_CALL<SumVF>(At(c), (__ubuf__ bfloat16_t*)a.GetPhyAddr(), s.rows, s.columns, s.pitch);
    if (s.sync != 2) {
        SetFlag<HardEvent::V_MTE3>(0);
        WaitFlag<HardEvent::V_MTE3>(0);
    }
    gm.SetGlobalBuffer((__gm__ float*)z);
    if (TILING_KEY_IS(2)) {
        DataCopyPad(gm, c, DataCopyExtParams{1, uint32_t(s.rows * 4), 0, 0, 0});
    } else {
        DataCopyExtParams out = rows;
        out.srcStride = gap;
        DataCopyPad(gm, c, out);
    }
}
"""

KERNEL = EmulatedKernel({"reg.cpp": KERNELS}, "reg", ["x", "y", "z", "tiling"], CHIP)
MODES: list[dict[str, Any]] = [{}, *({"strict": True, "seed": seed} for seed in range(6))]


def _sizes(rows: int, columns: int, pitch: int, sync: int = 0) -> bytes:
    return np.array([rows, columns, pitch, sync], np.int32).tobytes()


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("count", [1, 63, 64, 200])
def test_add_with_a_tail(count: int, mode: dict[str, Any]) -> None:
    generator = np.random.default_rng(count)
    x, y = (generator.standard_normal(count).astype(np.float32) for _ in range(2))
    z = np.zeros_like(x)
    report = KERNEL.run([read_only(x), read_only(y), z, _sizes(1, count, 256)], 1, **mode)
    assert report.clean, report
    assert np.array_equal(z, x + y)


@pytest.mark.parametrize("mode", MODES)
def test_softmax_of_rows(mode: dict[str, Any]) -> None:
    x = np.random.default_rng(1).standard_normal((5, 150)).astype(np.float32)
    z = np.zeros_like(x)
    report = KERNEL.run([read_only(x), read_only(x), z, _sizes(5, 150, 192)], 1, tiling_key=1, **mode)
    assert report.clean, report
    wide = np.exp(x.astype(np.float64) - x.max(axis=1, keepdims=True))
    assert np.allclose(z, wide / wide.sum(axis=1, keepdims=True), rtol=1e-6)


@pytest.mark.parametrize("mode", MODES)
def test_cast_and_sum_of_rows(mode: dict[str, Any]) -> None:
    x = np.random.default_rng(2).standard_normal((7, 100)).astype(ml_dtypes.bfloat16)
    z = np.zeros(7, np.float32)
    report = KERNEL.run([read_only(x), read_only(x), z, _sizes(7, 100, 128)], 1, tiling_key=2, **mode)
    assert report.clean, report
    lanes = np.zeros((7, 128), np.float32)
    lanes[:, :100] = x.astype(np.float32)
    sums = lanes[:, :64] + lanes[:, 64:]
    while sums.shape[1] > 1:
        sums = sums[:, ::2] + sums[:, 1::2]
    assert np.array_equal(z, sums[:, 0])


@pytest.mark.parametrize("sync", [1, 2])
@pytest.mark.parametrize("key", [0, 1, 2])
def test_a_missing_flag_around_a_vector_function(key: int, sync: int) -> None:
    x = np.ones((2, 100), np.float32 if key < 2 else ml_dtypes.bfloat16)
    z = np.zeros((2, 100) if key < 2 else 2, np.float32)
    rows = 1 if key == 0 else 2
    arguments = [read_only(x[:rows]), read_only(x[:rows]), z[:rows], _sizes(rows, 100, 128, sync)]
    for strict in (False, True):
        report = KERNEL.run(arguments, 1, tiling_key=key, strict=strict, seed=3)
        assert "ub-race" in report.codes, report


FAULTS = {
    "a load after a store without a barrier": ("LoadAlign(x, a); StoreAlign(d, x, all); LoadAlign(y, d);", "vf-order"),
    "a store over the bytes of a load": ("LoadAlign(x, a); Duplicate(y, 0.0f); StoreAlign(a, y, all);", "vf-order"),
    "two stores to one place": (
        "Duplicate(x, 0.0f); Duplicate(y, 1.0f); StoreAlign(d, x, all); StoreAlign(d, y, all);",
        "vf-order",
    ),
    "an address off its boundary": ("LoadAlign(x, a + 1);", "ub-alignment"),
    "a stride off its boundary": ("LoadAlign<float, PostLiteral::POST_MODE_UPDATE>(x, a, 65);", "ub-alignment"),
    "a store past a buffer": ("Duplicate(x, 0.0f); StoreAlign(d + 224, x, all);", "ub-extent"),
    "a store into the next buffer": ("Duplicate(x, 0.0f); StoreAlign(a + 256, x, all);", "ub-extent"),
    "a load out of the next buffer": (
        "Duplicate(x, 0.0f); StoreAlign(d, x, all); LocalMemBar<MemType::VEC_STORE, MemType::VEC_LOAD>();"
        " LoadAlign(y, a + 256);",
        "ub-extent",
    ),
    "a stream into the next buffer": (
        "UnalignReg u; Address to = a + 224; Duplicate(x, 0.0f); StoreUnAlign(to, x, u, 60);"
        " StoreUnAlignPost(to, u, 0);",
        "ub-extent",
    ),
    "a scatter into the next buffer": (
        "RegTensor<uint32_t> at; Duplicate(x, 0.0f); Arange((RegTensor<int32_t>&)at, 250); Scatter(a, x, at, all);",
        "ub-extent",
    ),
    "a load past all memory": ("LoadAlign(x, a + (1 << 20));", "ub-extent"),
    "a load of bytes never written": ("LoadAlign(x, d);", "ub-uninitialized"),
    "a stored tail never written": ("LoadAlign(x, a + 64); StoreAlign(d, x, all);", "reg-undefined"),
    "a register never written": ("Add(x, x, y, all);", "reg-unwritten"),
    "a mask of another width": (
        "RegTensor<half> h; Duplicate(h, half(1)); StoreAlign((__ubuf__ half*)d, h, all);",
        "reg-undefined",
    ),
    "a stream never flushed": ("UnalignReg u; Duplicate(x, 0.0f); StoreUnAlign(d, x, u, 3);", "reg-stream"),
    "a stream never primed": ("UnalignReg u; LoadUnAlign(x, u, a);", "reg-stream"),
    "nine streams": ("UnalignReg u[9];", "reg-limit"),
    "a barrier outside": ("", "vf-call"),
    "a pointer from elsewhere": ("", "vf-call"),
}
MENDED = {
    "a barrier": (
        "LoadAlign(x, a); StoreAlign(d, x, all); LocalMemBar<MemType::VEC_STORE, MemType::VEC_LOAD>(); LoadAlign(y, d);"
    ),
    "in place": "LoadAlign(x, a); Adds(y, x, 1.0f, all); StoreAlign(a, y, all);",
    "a tail at the end of a buffer": (
        "Duplicate(x, 0.0f); StoreAlign(a + 192, x, all); LocalMemBar<MemType::VEC_STORE, MemType::VEC_LOAD>();"
        " uint32_t n = 32; MaskReg tail = UpdateMask<float>(n); LoadAlign(y, a + 224); StoreAlign(d, y, tail);"
    ),
    "one register": "Duplicate(x, 0.0f); StoreAlign(d, x, all); Duplicate(x, 1.0f); StoreAlign(d, x, all);",
    "a masked tail": (
        "uint32_t n = 36; MaskReg tail = UpdateMask<float>(n); LoadAlign(x, a + 64); Exp(x, x, all);"
        " StoreAlign(d, x, tail);"
    ),
}


def _faulty() -> str:
    bodies = [*(body for body, _ in FAULTS.values()), *MENDED.values()]
    functions = "\n".join(
        f"__simd_vf__ inline void Fault{key}(Address d, Address a) {{ RegTensor<float> x, y;"
        f" MaskReg all = CreateMask<float>(); {body} }}"
        for key, body in enumerate(bodies)
    )
    calls = "\n".join(
        f"    if (TILING_KEY_IS({key})) asc_vf_call<Fault{key}>((Address)d.GetPhyAddr(), (Address)a.GetPhyAddr());"
        for key in range(len(bodies))
    )
    special = list(FAULTS).index("a barrier outside")
    return f"""#include "kernel_operator.h"
using namespace AscendC;
using namespace AscendC::Reg;
using Address = __ubuf__ float*;
{functions}
extern "C" __global__ __aicore__ void faulty(GM_ADDR z) {{
    TPipe pipe;
    TBuf<> aBuf, dBuf;
    pipe.InitBuffer(aBuf, 1024);
    pipe.InitBuffer(dBuf, 1024);
    LocalTensor<float> a = aBuf.Get<float>(), d = dBuf.Get<float>();
    Duplicate(a, 1.0f, 100);
{calls}
    if (TILING_KEY_IS({special})) LocalMemBar<MemType::VEC_STORE, MemType::VEC_LOAD>();
    if (TILING_KEY_IS({special + 1})) asc_vf_call<Fault{special}>((Address)z, (Address)a.GetPhyAddr());
    PipeBarrier<PIPE_ALL>();
    GlobalTensor<float> out;
    out.SetGlobalBuffer((__gm__ float*)z);
    DataCopy(out, a, 8);
}}
"""


FAULTY = EmulatedKernel({"faulty.cpp": _faulty()}, "faulty", ["z"], CHIP)


@pytest.mark.parametrize("name", FAULTS)
def test_faults(name: str) -> None:
    key = list(FAULTS).index(name)
    report = FAULTY.run([np.zeros(8, np.float32)], 1, tiling_key=key)
    assert report.codes == {FAULTS[name][1]}, report
    if FAULTS[name][0]:
        assert {finding.line for finding in report.findings} == {5 + key}, report


@pytest.mark.parametrize("name", MENDED)
def test_mended(name: str) -> None:
    key = len(FAULTS) + list(MENDED).index(name)
    report = FAULTY.run([np.zeros(8, np.float32)], 1, tiling_key=key)
    assert report.clean, report


REFUSED = {
    "Muls: the register level": "RegTensor<bfloat16_t> h; Muls(h, h, 2.0f, all);",
    "Sub: the register level cannot merge": "Sub<float, MaskMergeMode::MERGING>(x, x, y, all);",
    "LocalMemBar: the hardware": "LocalMemBar<MemType::VEC_LOAD, MemType::VEC_LOAD>();",
    "Cast: this pair of types needs SAT": "RegTensor<half> h; Cast<half, float, trait>(h, x, all);",
    "LoadAlign: 64-bit elements": "RegTensor<int64_t> l; LoadAlign<int64_t, LoadDist::DIST_BLK>(l, (int64_t*)a);",
}


@pytest.mark.parametrize("message", REFUSED)
def test_refused_by_the_compiler(message: str) -> None:
    body = f"static constexpr CastTrait trait{{RegLayout::ZERO}}; {REFUSED[message]}"
    source = _small(f"__simd_vf__ inline void F(float* a) {{ RegTensor<float> x, y; MaskReg all; {body} }}")
    with pytest.raises(CompileError, match=message):
        EmulatedKernel({"bad.cpp": source}, "bad", ["z"], CHIP).run([np.zeros(8, np.float32)], 1)


def _small(text: str) -> str:
    head = '#include "kernel_operator.h"\nusing namespace AscendC;\nusing namespace AscendC::Reg;\n'
    return f'{head}{text}\nextern "C" __global__ __aicore__ void bad(GM_ADDR z) {{}}\n'


@pytest.mark.parametrize(
    "text",
    [
        "void f() { RegTensor<float> x; }",
        "void f() { MaskReg m; }",
        "__simd_vf__ inline void F(float*) {} void f() { F(nullptr); }",
        "inline void F(float*) {} void f() { asc_vf_call<F>(nullptr); }",
        "void f() { __VEC_SCOPE__ {} }",
    ],
)
def test_other_chips_have_no_register_level(text: str) -> None:
    with pytest.raises(CompileError, match="no register level"):
        EmulatedKernel({"bad.cpp": _small(text)}, "bad", ["z"], get_chip("ascend910b")).run([np.zeros(8)], 1)


def test_what_follows_from_no_register_level_is_not_told(tmp_path: Path) -> None:
    text = (
        "__simd_vf__ inline void F(float*) {\n"
        "MicroAPI::RegTensor<float> x;\n"
        "MicroAPI::MaskReg m = MicroAPI::CreateMask<float>();\n"
        "MicroAPI::Adds(x, x, 1.0f, m); }"
    )
    path = tmp_path / "bad.cpp"
    path.write_text(_small(text))
    with pytest.raises(Diagnostic) as caught:
        ow.emulate(path, target="ascend910b", cores=1, args={"z": None})
    told = str(caught.value)
    assert told.count("this chip has no register level") == 2
    assert "CreateMask" not in told
    assert "incomplete" not in told


def test_a_vector_function_takes_no_structures() -> None:
    text = "struct S { int n; }; __simd_vf__ inline void F(S s) {} void f() { asc_vf_call<F>(S{}); }"
    with pytest.raises(CompileError, match="pointers and scalars"):
        EmulatedKernel({"bad.cpp": _small(text)}, "bad", ["z"], CHIP).run([np.zeros(8)], 1)
