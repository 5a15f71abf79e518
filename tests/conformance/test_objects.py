"""Tensors, queues, pools, placed tensors, copies of slices, fills of global memory, scalar helpers and output."""

import struct

import numpy as np
import pytest
from harness import Array

from opwright.codegen.emulator.launch import EmulatedKernel, read_only
from opwright.codegen.emulator.report import EmulationReport
from opwright.passes.chips import get_chip

SOURCE = """
#include "kernel_operator.h"
#include "kernel_tiling/kernel_tiling.h"
#include "register/tilingdata_base.h"
using namespace AscendC;

BEGIN_TILING_DATA_DEF(Inner)
TILING_DATA_FIELD_DEF(int32_t, a);
END_TILING_DATA_DEF;
BEGIN_TILING_DATA_DEF(Fields)
TILING_DATA_FIELD_DEF(int8_t, small);
TILING_DATA_FIELD_DEF_ARR(uint16_t, 3, row);
TILING_DATA_FIELD_DEF_STRUCT(Inner, inner);
TILING_DATA_FIELD_DEF(float, last);
END_TILING_DATA_DEF;
REGISTER_TILING_DATA_CLASS(Objects, Fields)

using F = LocalTensor<float>;
using X = GlobalTensor<float>;
constexpr uint32_t n = 64;

template <typename Que>
void AddOne(Que& que, TQue<TPosition::VECOUT, 1>& out, X& x, X& y, uint32_t at) {
    F in = que.template AllocTensor<float>();
    DataCopy(in, x[at], n);
    que.EnQue(in);
    in = que.template DeQue<float>();
    F result = out.AllocTensor<float>();
    Adds(result, in, 1.0f, n);
    que.FreeTensor(in);
    out.EnQue(result);
    result = out.DeQue<float>();
    DataCopy(y[at], result, n);
    out.FreeTensor(result);
}

void Depth0(X& x, X& y) {
    TPipe pipe;
    TQue<TPosition::VECIN, 0> que;
    pipe.InitBuffer(que, 2, n * sizeof(float));
    F in;
    for (int i = 0; i < 4; i++) {
        que.AllocTensor<float>(in);
        DataCopy(in, x[i * n], n);
        que.EnQue(in);
        que.DeQue<float>(in);
        Adds(in, in, 1.0f, n);
        TEventID id = GetTPipePtr()->FetchEventID(HardEvent::V_MTE3);
        SetFlag<HardEvent::V_MTE3>(id);
        WaitFlag<HardEvent::V_MTE3>(id);
        DataCopy(y[i * n], in, n);
        SetFlag<HardEvent::MTE3_V>(EVENT_ID0);
        WaitFlag<HardEvent::MTE3_V>(EVENT_ID0);
        que.FreeTensor(in);
    }
}

void Bound(X& x, X& y) {
    TPipe pipe;
    TQueBind<TPosition::VECIN, TPosition::VECOUT, 1> que;
    pipe.InitBuffer(que, 2, n * sizeof(float));
    for (int i = 0; i < 4; i++) {
        F in = que.AllocTensor<float>();
        DataCopy(in, x[i * n], n);
        que.EnQue<TPosition::GM, TPosition::VECIN, float>(in);
        in = que.DeQue<TPosition::GM, TPosition::VECIN, float>();
        Adds(in, in, 1.0f, n);
        que.EnQue<TPosition::VECOUT, TPosition::GM, float>(in);
        in = que.DeQue<TPosition::VECOUT, TPosition::GM, float>();
        DataCopy(y[i * n], in, n);
        que.FreeTensor(in);
    }
    que.FreeAllEvent();
}

void Pools(X& x, X& y, bool tooMany) {
    TPipe pipe;
    TBufPool<TPosition::VECCALC, 4> first, second;
    TBufPool<TPosition::VECIN, 2> inner;
    pipe.InitBufPool(first, 8 * n * sizeof(float));
    pipe.InitBufPool(second, 8 * n * sizeof(float), first);
    TQue<TPosition::VECIN, 1> que, other;
    TQue<TPosition::VECOUT, 1> out, outOther;
    first.InitBufPool(inner, 3 * n * sizeof(float));
    inner.InitBuffer(que, tooMany ? 3 : 2, n * sizeof(float));
    first.InitBuffer(out, 2, n * sizeof(float));
    AddOne(que, out, x, y, 0);
    AddOne(que, out, x, y, n);
    first.Reset();
    second.InitBuffer(other, 1, n * sizeof(float));
    second.InitBuffer(outOther, 1, n * sizeof(float));
    PipeBarrier<PIPE_ALL>();
    AddOne(other, outOther, x, y, 2 * n);
    AddOne(other, outOther, x, y, 3 * n);
    second.Reset();
}

void Again(X& x, X& y) {
    TPipe pipe;
    TQue<TPosition::VECIN, 1> que;
    TQue<TPosition::VECOUT, 1> out;
    for (int round = 0; round < 2; round++) {
        pipe.InitBuffer(que, 1, n * sizeof(float));
        pipe.InitBuffer(out, 1, n * sizeof(float));
        AddOne(que, out, x, y, 2 * round * n);
        AddOne(que, out, x, y, (2 * round + 1) * n);
        PipeBarrier<PIPE_ALL>();
        if (round == 0) pipe.Reset();
    }
    pipe.Destroy();
    pipe.Init();
}

void Placed(X& x, X& y, bool tooLarge) {
    InitSocState();
    LocalMemAllocator<Hardware::UB> memory;
    F a = memory.Alloc<float, 2 * n>(), b = memory.Alloc<TPosition::VECOUT, float>(2 * n);
    F whole(TPosition::VECCALC, 0, 4 * n), rest(static_cast<uint32_t>(GetUBSizeInBytes()) - 32);
    if (tooLarge) F past(TPosition::VECCALC, 0, GetUBSizeInBytes());
    assert(memory.GetCurAddr() == 4 * n * sizeof(float) && rest.GetSize() == 8 && whole.GetSize() == 4 * n);
    DataCopy(whole, x, 4 * n);
    SetFlag<HardEvent::MTE2_V>(EVENT_ID1);
    WaitFlag<HardEvent::MTE2_V>(EVENT_ID1);
    Adds(a, a, 1.0f, 2 * n);
    Adds(b, b, 1.0f, 2 * n);
    SetFlag<HardEvent::V_MTE3>(EVENT_ID1);
    WaitFlag<HardEvent::V_MTE3>(EVENT_ID1);
    DataCopy(y, whole, 4 * n);
    PipeBarrier<PIPE_ALL>();
}

void Views(X& x, X& y) {
    TPipe pipe;
    TBuf<> buffer;
    pipe.InitBuffer(buffer, 4 * n * sizeof(float));
    F t = buffer.Get<float>();
    DataCopy(t, x, 4 * n);
    PipeBarrier<PIPE_ALL>();
    for (uint32_t i = 0; i < t.GetSize(); i++) t(i) = t(i) + 1.0f;
    t(0) += 1.0f;
    t(0) -= 1.0f;
    F part;
    part.SetAddrWithOffset(t, 8);
    part.SetUserTag(5);
    uint32_t dims[2] = {4, 16};
    part.SetShapeInfo(ShapeInfo(2, dims, DataFormat::ND));
    F copy = part[8];
    ascendc_assert(copy.GetUserTag() == 5 && copy.GetShapeInfo().shape[1] == 16);
    assert(GetShapeSize(copy.GetShapeInfo()) == 64, "size %d", GetShapeSize(copy.GetShapeInfo()));
    assert(copy.GetPhyAddr() == t.GetPhyAddr(16) && copy.GetPosition() == static_cast<int32_t>(TPosition::VECCALC));
    copy.SetSize(7);
    assert(copy.GetLength() == 28 && copy.ReinterpretCast<half>().GetSize() == 14);
    assert(x.ReinterpretCast<half>().GetSize() == 8 * n && x.GetPhyAddr(3) == x[3].GetPhyAddr());
    assert(float(x(2)) == x.GetValue(2));
    x.SetL2CacheHint(CacheMode::CACHE_MODE_DISABLE);
    PipeBarrier<PIPE_ALL>();
    DataCopy(y, t, 4 * n);
}

void Scalars(X& x, X& y) {
    assert(CountLeadingZero(1) == 63 && CountLeadingZero(0) == 64 && GetBitCount<1>(7) == 3 && GetBitCount<0>(7) == 61);
    assert(GetSFFValue<1>(0x1000000000000100ULL) == 8 && GetSFFValue<1>(0) == -1 && GetSFFValue<0>(3) == 2);
    assert(CountBitsCntSameAsSignBit(0x0100000000000020LL) == 6 && CeilDivision(7, 2) == 4 && AlignUp(33, 32) == 64);
    assert((ScalarCast<float, int32_t, RoundMode::CAST_RINT>(2.5f) == 2));
    assert((Cast<float, int32_t, RoundMode::CAST_CEIL>(2.1f) == 3));
    assert(float(Cast<float, half, RoundMode::CAST_NONE>(0.1f)) == float(half(0.1f)) && Cast(Cast(1.0f)) == 1.0f);
    assert(GetSubBlockIdx() == 0 && GetSubBlockNum() == 1 && GetTaskRatio() == 1 && GetBlockNum() == 1);
    assert((Std::is_same<int, int>::value && IsSameType<half, half>::value && !IsSameType<half, float>::value));
    assert(Std::min(2, 3) == 2 && Std::get<1>(Std::make_tuple(1, 2.0)) == 2.0);
    assert(float(NumericLimits<half>::Max()) == 65504.0f && NumericLimits<float>::Infinity() > 1e38f);
    uint32_t version = 0;
    GetArchVersion(version);
    assert(version == __NPU_ARCH__);
    Placed(x, y, false);
}

void Slices(X& x, X& y) {
    LocalMemAllocator<Hardware::UB> memory;
    F t = memory.Alloc<float, 4 * n>();
    SliceInfo rows[] = {{8, 31, 8, 1, 64}, {1, 3, 1, 1, 4}};
    SliceInfo line[] = {{0, 15, 0, 1, 64}};
    Duplicate(t, 0.0f, 4 * n);
    PipeBarrier<PIPE_ALL>();
    SliceInfo two[] = {{0, 15, 0, 1, 16}, {0, 1, 0, 1, 2}};
    DataCopy(t, x, two, rows, 2);
    PipeBarrier<PIPE_ALL>();
    DataCopy(t[n], t, DataCopyParams(2, 1, 1, 0));
    PipeBarrier<PIPE_ALL>();
    DataCopy(y, t, 4 * n);
    PipeBarrier<PIPE_ALL>();
    DataCopy(y[2 * n], t, line, line, 1);
    PipeBarrier<PIPE_ALL>();
}

void Filled(X& x, X& y) {
    TPipe pipe;
    TBuf<> buffer;
    Fill(y, 4 * n, 3.0f);
    pipe.InitBuffer(buffer, n * sizeof(float));
    PipeBarrier<PIPE_ALL>();
    InitGlobalMemory(y, 5, 7.0f);
    PipeBarrier<PIPE_ALL>();
    GlobalTensor<float> tail = y[3 * n];
    InitOutput<float>(tail, 3, 9);
    PipeBarrier<PIPE_ALL>();
    (void)x;
}

void Printed(X& x, X& y) {
    Fill(y, 4 * n, 0.0f);
    printf("block %d of %d\\n", static_cast<int>(GetBlockIdx()), static_cast<int>(GetBlockNum()));
    AscendC::printf("half %f\\n", half(1.5f));
    AscendC::PRINTF("%s %x\\n", "text", 255);
    DumpTensor(x, 5, 3);
    F t(TPosition::VECCALC, 0, 8);
    PipeBarrier<PIPE_ALL>();
    Duplicate(t, 2.0f, 8);
    uint32_t dims[1] = {4};
    DumpTensor(t, 6, 2, ShapeInfo(1, dims));
    DumpAccChkPoint(t, 7, 4, 2);
    PipeBarrier<PIPE_ALL>();
}

extern "C" __global__ __aicore__ void objects(GM_ADDR xGm, GM_ADDR yGm, GM_ADDR tiling) {
    KERNEL_TASK_TYPE_DEFAULT(KERNEL_TYPE_MIX_AIV_1_0);
    KERNEL_TASK_TYPE(0, KERNEL_TYPE_AIV_ONLY);
    X x, y;
    x.SetGlobalBuffer((__gm__ float*)xGm, 4 * n);
    y.SetGlobalBuffer((__gm__ float*)yGm, 4 * n);
    if (TILING_KEY_IS(0)) Depth0(x, y);
    if (TILING_KEY_IS(1)) Bound(x, y);
    if (TILING_KEY_IS(2)) Pools(x, y, false);
    if (TILING_KEY_IS(3)) Again(x, y);
    if (TILING_KEY_IS(4)) Placed(x, y, false);
    if (TILING_KEY_IS(5)) Views(x, y);
    if (TILING_KEY_IS(6)) Scalars(x, y);
    if (TILING_KEY_IS(10)) Slices(x, y);
    if (TILING_KEY_IS(11)) Filled(x, y);
    if (TILING_KEY_IS(12)) Printed(x, y);
    if (TILING_KEY_IS(20)) Pools(x, y, true);
    if (TILING_KEY_IS(21)) Placed(x, y, true);
    if (TILING_KEY_IS(22)) assert(x.GetValue(0) < -1e30f, "x[0] is %f", x.GetValue(0));
    if (TILING_KEY_IS(23)) Trap();
    if (TILING_KEY_IS(24)) F{}.SetValue(0, 1.0f);
    if (TILING_KEY_LIST(30, 31)) {
        REGISTER_TILING_DEFAULT(TilingOf_Objects);
        GET_TILING_DATA(all, tiling);
        GET_TILING_DATA_MEMBER(Fields, inner, inner, tiling);
        Fields copy;
        COPY_TILING_WITH_STRUCT(Fields, tiling, &copy);
        assert(all.small == -3 && all.row[2] == 30 && inner.get_a() == 77 && copy.last == 1.5f);
        Placed(x, y, false);
    }
}
"""

KERNELS = {
    chip: EmulatedKernel({"objects.cpp": SOURCE}, "objects", ("x", "y", "tiling"), get_chip(chip))
    for chip in ("ascend910b", "ascend950")
}
X = np.random.default_rng(0).standard_normal(256).astype(np.float32)


def _run(
    chip: str, key: int, tiling: bytes = bytes(64), *, strict: bool = False, seed: int = 0
) -> tuple[Array, EmulationReport]:
    y = np.zeros(256, np.float32)
    report = KERNELS[chip].run([read_only(X), y, tiling], 1, tiling_key=key, strict=strict, seed=seed)
    return y, report


@pytest.mark.parametrize("chip", KERNELS)
@pytest.mark.parametrize("key", range(7))
def test_objects_work(chip: str, key: int) -> None:
    y, report = _run(chip, key)
    assert report.clean, report
    assert np.array_equal(y, X + np.float32(1))
    for seed in range(4):
        y, report = _run(chip, key, strict=True, seed=seed)
        assert report.clean, report
        assert np.array_equal(y, X + np.float32(1))


def test_slices_and_block_copies() -> None:
    y, report = _run("ascend910b", 10)
    assert report.clean, report
    rows = X.reshape(4, 64)[1::2]
    packed = np.concatenate([np.concatenate([row[8:16], row[24:32]]) for row in rows])
    assert np.array_equal(y[:32], packed)
    assert np.array_equal(y[64:72], packed[:8])
    assert np.array_equal(y[72:80], packed[16:24])
    assert np.array_equal(y[128:144], packed[:16])


@pytest.mark.parametrize("chip", KERNELS)
def test_global_memory_is_filled(chip: str) -> None:
    y, report = _run(chip, 11)
    assert report.clean, report
    want = np.full(256, 3, np.float32)
    want[:5] = 7
    want[192:195] = 9
    assert np.array_equal(y, want)


def test_what_a_kernel_prints_is_handed_over() -> None:
    _, report = _run("ascend910b", 12)
    assert report.clean, report
    lines = report.output.splitlines()
    assert lines[:3] == ["block 0 of 1", "half 1.500000", "text ff"]
    assert lines[3] == "DumpTensor: desc=5, addr=0, position=GM, dump_size=3"
    assert lines[4] == "[" + ", ".join(f"{value:f}" for value in X[:3]) + "]"
    assert lines[5:7] == ["DumpTensor: desc=6, addr=0, position=UB, dump_size=2", "[2.000000, 2.000000, -, -]"]
    assert lines[7:] == ["DumpAccChkPoint: desc=7, addr=10, position=UB, dump_size=2", "[2.000000, 2.000000]"]


@pytest.mark.parametrize(
    ("key", "code"),
    [(20, "buffer-limit"), (21, "ub-capacity"), (22, "kernel-assert"), (23, "kernel-assert"), (24, "tensor-invalid")],
)
def test_faults_are_named(key: int, code: str) -> None:
    _, report = _run("ascend910b", key)
    assert code in report.codes
    assert report.findings[0].file == "objects.cpp"


def test_tiling_structures_have_the_layout_of_the_host() -> None:
    packed = struct.pack("=bx3Hi4xf", -3, 10, 20, 30, 77, 1.5)
    y, report = _run("ascend910b", 30, packed + bytes(64))
    assert report.clean, report
    assert np.array_equal(y, X + np.float32(1))
