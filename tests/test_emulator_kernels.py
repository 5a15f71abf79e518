"""Whole hand-written kernels on several core counts: right bits, no findings."""

from typing import Any

import ml_dtypes
import numpy as np
import numpy.typing as npt
import pytest

from opwright.codegen.emulator.launch import EmulatedKernel, Role, read_only
from opwright.passes.chips import get_chip

Array = npt.NDArray[Any]

CORES = [1, 3, 7, 40, 64]
CHIPS = ["ascend910b", "ascend950"]

HEAD = """
#include "kernel_operator.h"
using namespace AscendC;
struct Tiling { int64_t total, perCore, tile; };
__aicore__ inline int64_t Smaller(int64_t a, int64_t b) { return a < b ? a : b; }
"""

ADD = (
    HEAD
    + """
extern "C" __global__ __aicore__ void add(GM_ADDR x, GM_ADDR y, GM_ADDR z, GM_ADDR workspace, GM_ADDR tiling) {
    KERNEL_TASK_TYPE_DEFAULT(KERNEL_TYPE_AIV_ONLY);
    REGISTER_TILING_DEFAULT(Tiling);
    GET_TILING_DATA(t, tiling);
    TPipe pipe;
    TQue<QuePosition::VECIN, 1> xQue, yQue;
    TQue<QuePosition::VECOUT, 1> zQue;
    pipe.InitBuffer(xQue, 2, t.tile * sizeof(half));
    pipe.InitBuffer(yQue, 2, t.tile * sizeof(half));
    pipe.InitBuffer(zQue, 2, t.tile * sizeof(half));
    GlobalTensor<half> xGm, yGm, zGm;
    xGm.SetGlobalBuffer((__gm__ half*)x, t.total);
    yGm.SetGlobalBuffer((__gm__ half*)y, t.total);
    zGm.SetGlobalBuffer((__gm__ half*)z, t.total);
    const int64_t begin = GetBlockIdx() * t.perCore;
    const int64_t end = Smaller(begin + t.perCore, t.total);
    for (int64_t at = begin; at < end; at += t.tile) {
        const int64_t n = Smaller(end - at, t.tile);
        const DataCopyExtParams copy{1, static_cast<uint32_t>(n * sizeof(half)), 0, 0, 0};
        const DataCopyPadExtParams<half> pad{false, 0, 0, half(0)};
        LocalTensor<half> a = xQue.AllocTensor<half>();
        LocalTensor<half> b = yQue.AllocTensor<half>();
        DataCopyPad(a, xGm[at], copy, pad);
        DataCopyPad(b, yGm[at], copy, pad);
        xQue.EnQue(a);
        yQue.EnQue(b);
        a = xQue.DeQue<half>();
        b = yQue.DeQue<half>();
        LocalTensor<half> c = zQue.AllocTensor<half>();
        Add(c, a, b, n);
        zQue.EnQue(c);
        xQue.FreeTensor(a);
        yQue.FreeTensor(b);
        c = zQue.DeQue<half>();
        DataCopyPad(zGm[at], c, copy);
        zQue.FreeTensor(c);
    }
}
"""
)

SCALE = (
    HEAD
    + """
extern "C" __global__ __aicore__ void scale(GM_ADDR x, GM_ADDR z, GM_ADDR workspace, GM_ADDR tiling) {
    GET_TILING_DATA_WITH_STRUCT(Tiling, t, tiling);
    TPipe pipe;
    TBuf<TPosition::VECCALC> inBuf, wideBuf, outBuf;
    pipe.InitBuffer(inBuf, t.tile * sizeof(bfloat16_t));
    pipe.InitBuffer(wideBuf, t.tile * sizeof(float));
    pipe.InitBuffer(outBuf, t.tile * sizeof(bfloat16_t));
    LocalTensor<bfloat16_t> in = inBuf.Get<bfloat16_t>();
    LocalTensor<float> wide = wideBuf.Get<float>();
    LocalTensor<bfloat16_t> out = outBuf.Get<bfloat16_t>();
    GlobalTensor<bfloat16_t> xGm, zGm;
    xGm.SetGlobalBuffer((__gm__ bfloat16_t*)x, t.total);
    zGm.SetGlobalBuffer((__gm__ bfloat16_t*)z, t.total);
    const event_t arrived = pipe.AllocEventID<HardEvent::MTE2_V>();
    const event_t consumed = pipe.AllocEventID<HardEvent::V_MTE2>();
    const event_t ready = pipe.AllocEventID<HardEvent::V_MTE3>();
    const event_t stored = pipe.AllocEventID<HardEvent::MTE3_V>();
    SetFlag<HardEvent::V_MTE2>(consumed);
    SetFlag<HardEvent::MTE3_V>(stored);
    const int64_t begin = GetBlockIdx() * t.perCore;
    const int64_t end = Smaller(begin + t.perCore, t.total);
    for (int64_t at = begin; at < end; at += t.tile) {
        const int64_t n = Smaller(end - at, t.tile);
        const DataCopyExtParams copy{1, static_cast<uint32_t>(n * sizeof(bfloat16_t)), 0, 0, 0};
        WaitFlag<HardEvent::V_MTE2>(consumed);
        DataCopyPad(in, xGm[at], copy, DataCopyPadExtParams<bfloat16_t>{});
        SetFlag<HardEvent::MTE2_V>(arrived);
        WaitFlag<HardEvent::MTE2_V>(arrived);
        PipeBarrier<PIPE_V>();
        Cast(wide, in, RoundMode::CAST_NONE, n);
        SetFlag<HardEvent::V_MTE2>(consumed);
        PipeBarrier<PIPE_V>();
        Muls(wide, wide, 0.3f, n);
        PipeBarrier<PIPE_V>();
        WaitFlag<HardEvent::MTE3_V>(stored);
        Cast(out, wide, RoundMode::CAST_RINT, n);
        SetFlag<HardEvent::V_MTE3>(ready);
        WaitFlag<HardEvent::V_MTE3>(ready);
        DataCopyPad(zGm[at], out, copy);
        SetFlag<HardEvent::MTE3_V>(stored);
    }
    WaitFlag<HardEvent::V_MTE2>(consumed);
    WaitFlag<HardEvent::MTE3_V>(stored);
    pipe.ReleaseEventID<HardEvent::MTE2_V>(arrived);
    pipe.ReleaseEventID<HardEvent::V_MTE2>(consumed);
    pipe.ReleaseEventID<HardEvent::V_MTE3>(ready);
    pipe.ReleaseEventID<HardEvent::MTE3_V>(stored);
}
"""
)

# Column sums of a [rows, 64] matrix: partial sums of fixed row chunks in the workspace, then one ordered second stage.
COLUMNS = (
    HEAD
    + """
extern "C" __global__ __aicore__ void columns(GM_ADDR x, GM_ADDR z, GM_ADDR workspace, GM_ADDR tiling) {
    KERNEL_TASK_TYPE_DEFAULT(KERNEL_TYPE_MIX_AIV_1_0);
    GET_TILING_DATA_WITH_STRUCT(Tiling, t, tiling);
    constexpr int64_t width = 64;
    const int64_t chunks = (t.total + t.tile - 1) / t.tile;
    TPipe pipe;
    TBuf<> rowBuf, accBuf;
    pipe.InitBuffer(rowBuf, 255 * width * sizeof(float));
    pipe.InitBuffer(accBuf, width * sizeof(float));
    LocalTensor<float> rows = rowBuf.Get<float>();
    LocalTensor<float> acc = accBuf.Get<float>();
    GlobalTensor<float> xGm, zGm, wGm;
    xGm.SetGlobalBuffer((__gm__ float*)x, t.total * width);
    zGm.SetGlobalBuffer((__gm__ float*)z, width);
    wGm.SetGlobalBuffer((__gm__ float*)workspace, chunks * width);
    for (int64_t chunk = GetBlockIdx(); chunk < chunks; chunk += GetBlockNum()) {
        const int64_t first = chunk * t.tile;
        const int64_t n = Smaller(t.tile, t.total - first);
        DataCopy(rows, xGm[first * width], n * width);
        Duplicate(acc, 0.0f, width);
        PipeBarrier<PIPE_ALL>();
        Add(acc, rows, acc, width, n, {1, 1, 1, 0, 8, 0});
        PipeBarrier<PIPE_ALL>();
        DataCopy(wGm[chunk * width], acc, width);
        PipeBarrier<PIPE_ALL>();
    }
    SyncAll();
    if (GetBlockIdx() != 0) return;
    DataCopy(rows, wGm, chunks * width);
    Duplicate(acc, 0.0f, width);
    PipeBarrier<PIPE_ALL>();
    Add(acc, rows, acc, width, chunks, {1, 1, 1, 0, 8, 0});
    PipeBarrier<PIPE_ALL>();
    DataCopy(zGm, acc, width);
}
"""
)


def tiling(total: int, per_core: int, tile: int) -> bytes:
    return np.array([total, per_core, tile], np.int64).tobytes()


def add_kernel(chip: str) -> EmulatedKernel:
    return EmulatedKernel({"add.cpp": ADD}, "add", ["x", "y", "z", "workspace", "tiling"], get_chip(chip))


@pytest.mark.parametrize("cores", CORES)
@pytest.mark.parametrize("chip", CHIPS)
def test_add_with_tails(chip: str, cores: int) -> None:
    total = 10007
    generator = np.random.default_rng(0)
    x, y = (generator.standard_normal(total).astype(np.float16) for _ in range(2))
    z = np.zeros(total, np.float16)
    plan = tiling(total, -(-total // cores), 1024)
    report = add_kernel(chip).run([read_only(x), read_only(y), z, None, plan], cores)
    assert report.clean, report
    assert np.array_equal(z, x + y)


@pytest.mark.parametrize("cores", CORES)
@pytest.mark.parametrize("chip", CHIPS)
def test_cast_and_scale(chip: str, cores: int) -> None:
    total = 5003
    x = np.random.default_rng(1).standard_normal(total).astype(ml_dtypes.bfloat16)
    z = np.zeros_like(x)
    kernel = EmulatedKernel({"scale.cpp": SCALE}, "scale", ["x", "z", "workspace", "tiling"], get_chip(chip))
    report = kernel.run([read_only(x), z, None, tiling(total, -(-total // cores), 256)], cores)
    assert report.clean, report
    assert np.array_equal(z, (x.astype(np.float32) * np.float32(0.3)).astype(ml_dtypes.bfloat16))


def column_sums(x: Array, chunk: int) -> Array:
    """The same sums in the same order."""

    def ordered(rows: Array) -> Array:
        total = np.zeros(rows.shape[1], np.float32)
        for row in rows:
            total = row + total
        return total

    return ordered(np.stack([ordered(x[i : i + chunk]) for i in range(0, len(x), chunk)]))


@pytest.mark.parametrize("seed", [0, 5])
@pytest.mark.parametrize("cores", CORES)
@pytest.mark.parametrize("chip", CHIPS)
def test_two_stage_column_sums(chip: str, cores: int, seed: int) -> None:
    rows, chunk = 1234, 17
    x = np.random.default_rng(2).standard_normal((rows, 64)).astype(np.float32)
    z = np.zeros(64, np.float32)
    workspace = np.zeros(-(-rows // chunk) * 64, np.float32)
    kernel = EmulatedKernel({"columns.cpp": COLUMNS}, "columns", ["x", "z", "workspace", "tiling"], get_chip(chip))
    report = kernel.run([read_only(x), z, workspace, tiling(rows, 0, chunk)], cores, seed=seed)
    assert report.clean, report
    assert np.array_equal(z, column_sums(x, chunk))


def test_an_output_left_alone_holds_the_pattern() -> None:
    x = np.ones(100, np.float16)
    z = np.zeros(100, np.float16)
    report = add_kernel("ascend950").run([read_only(x), read_only(x), z, None, tiling(100, 60, 64)], 1)
    assert report.codes == {"gm-unwritten"}
    assert np.array_equal(z[:60], np.full(60, 2, np.float16))
    assert z[60:].tobytes() == b"\xff" * 80


def test_a_read_only_array_cannot_be_written() -> None:
    data = np.ones(4, np.float16)
    data.flags.writeable = False
    with pytest.raises(ValueError, match="read-only"):
        add_kernel("ascend950").run([data, data, data, data, b""], 1, roles={"workspace": Role.WORKSPACE})


def test_wrong_number_of_arguments() -> None:
    with pytest.raises(ValueError, match="5 parameters, 1 arguments"):
        add_kernel("ascend950").run([b""], 1)
