"""Strict mode: a kernel that is right by luck gives wrong bits with some seed; a right one gives the same with all."""

from typing import Any

import numpy as np
import numpy.typing as npt
import pytest

from opwright.codegen.emulator.launch import EmulatedKernel, Role, read_only
from opwright.codegen.emulator.report import EmulationReport
from opwright.passes.chips import get_chip

Array = npt.NDArray[Any]

FEW = range(6)
MANY = range(25)
TARGET = "ascend910b"

HEAD = """
#include "kernel_operator.h"
using namespace AscendC;

template <HardEvent event>
__aicore__ inline void Order(bool wanted) {
    if (!wanted) return;
    SetFlag<event>(0);
    WaitFlag<event>(0);
}

// Four buffers of 64 floats; every core works on its own 64 floats of x, y and the workspace w.
struct Bench {
    TPipe pipe;
    TBuf<> buffers[4];
    LocalTensor<float> a, b, c, d;
    GlobalTensor<float> x, y, w;

    Bench(GM_ADDR xAddr, GM_ADDR yAddr, GM_ADDR wAddr) {
        const int64_t at = GetBlockIdx() * 64;
        x.SetGlobalBuffer((__gm__ float*)xAddr + at);
        y.SetGlobalBuffer((__gm__ float*)yAddr + at);
        w.SetGlobalBuffer((__gm__ float*)wAddr + at);
        LocalTensor<float>* tensors[] = {&a, &b, &c, &d};
        for (int i = 0; i < 4; i++) {
            pipe.InitBuffer(buffers[i], 256);
            *tensors[i] = buffers[i].Get<float>();
        }
    }
    __aicore__ inline void Finish() {
        PipeBarrier<PIPE_ALL>();
        DataCopy(y, b, 64);
    }
};
"""

# Each computes y = 2 x, or what EXPECTED says; `ok` false leaves one thing out that program order hides.
BODIES = {
    "MTE2-V": """
    DataCopy(t.a, t.x, 64); Order<HardEvent::MTE2_V>(ok);
    Muls(t.b, t.a, 2.0f, 64); t.Finish();""",
    "V-MTE3": """
    DataCopy(t.a, t.x, 64); Order<HardEvent::MTE2_V>(true);
    Muls(t.b, t.a, 2.0f, 64); Order<HardEvent::V_MTE3>(ok);
    DataCopy(t.y, t.b, 64);""",
    "V-MTE2": """
    DataCopy(t.a, t.x, 64); Order<HardEvent::MTE2_V>(true);
    Muls(t.b, t.a, 2.0f, 64); Order<HardEvent::V_MTE2>(ok);
    DataCopyPad(t.a, t.x[1], {1, 4, 0, 0, 0}, {false, 0, 0, 0.0f}); t.Finish();""",
    "MTE3-V": """
    DataCopy(t.a, t.x, 64); Order<HardEvent::MTE2_V>(true);
    Muls(t.b, t.a, 2.0f, 64); Order<HardEvent::V_MTE3>(true);
    DataCopy(t.y, t.b, 64); Order<HardEvent::MTE3_V>(ok);
    Duplicate(t.b, 0.0f, 64);""",
    "V-V": """
    DataCopy(t.a, t.x, 64); Order<HardEvent::MTE2_V>(true);
    Adds(t.c, t.a, 0.0f, 64);
    if (ok) PipeBarrier<PIPE_V>();
    Muls(t.b, t.c, 2.0f, 64); t.Finish();""",
    "MTE2-MTE2": """
    Duplicate(t.a, 0.0f, 64); PipeBarrier<PIPE_ALL>();
    DataCopyPad(t.a, t.x, {1, 4, 0, 0, 0}, {false, 0, 0, 0.0f});
    if (ok) PipeBarrier<PIPE_MTE2>();
    DataCopy(t.a, t.x, 64); Order<HardEvent::MTE2_V>(true);
    Muls(t.b, t.a, 2.0f, 64); t.Finish();""",
    "V-S": """
    DataCopy(t.a, t.x, 64); Duplicate(t.c, 2.0f, 64); Order<HardEvent::V_S>(ok);
    const float factor = t.c.GetValue(3);
    PipeBarrier<PIPE_ALL>();
    Muls(t.b, t.a, factor, 64); t.Finish();""",
    "S-V": """
    DataCopy(t.a, t.x, 64); Order<HardEvent::MTE2_S>(true);
    t.a.SetValue(5, t.a.GetValue(5)); t.c.SetValue(0, 2.0f); Order<HardEvent::S_V>(ok);
    Duplicate(t.d, 2.0f, 64); PipeBarrier<PIPE_V>();
    Adds(t.d, t.c, 0.0f, 1); PipeBarrier<PIPE_V>();
    Order<HardEvent::MTE2_V>(true);
    Mul(t.b, t.a, t.d, 64); t.Finish();""",
    "MTE3-MTE2": """
    DataCopy(t.a, t.x, 64); Order<HardEvent::MTE2_MTE3>(true);
    DataCopy(t.w, t.a, 64); Order<HardEvent::MTE3_MTE2>(ok);
    DataCopy(t.c, t.w, 64); Order<HardEvent::MTE2_V>(true);
    Muls(t.b, t.c, 2.0f, 64); t.Finish();""",
    "cache": """
    DataCopy(t.a, t.x, 64); Order<HardEvent::MTE2_S>(true);
    for (int i = 0; i < 64; i++) t.w.SetValue(i, t.a.GetValue(i));
    if (ok) {
        for (int i = 0; i < 64; i += 16) DataCacheCleanAndInvalid<float, CacheLine::SINGLE_CACHE_LINE>(t.w[i]);
    }
    Order<HardEvent::S_MTE2>(true);
    DataCopy(t.c, t.w, 64); Order<HardEvent::MTE2_V>(true);
    if (!ok) DataCacheCleanAndInvalid<float, CacheLine::ENTIRE_DATA_CACHE>(t.w);
    Muls(t.b, t.c, 2.0f, 64); t.Finish();""",
    "unwritten": """
    DataCopy(t.a, t.x, 64); Order<HardEvent::MTE2_V>(true);
    if (ok) Duplicate(t.c, 0.0f, 64);
    PipeBarrier<PIPE_V>();
    Maxs(t.c, t.c, 2.0f, 64); PipeBarrier<PIPE_V>();
    Mul(t.b, t.a, t.c, 64); t.Finish();""",
    "neighbour": """
    DataCopy(t.a, t.x, 64); Order<HardEvent::MTE2_MTE3>(true);
    DataCopy(t.w, t.a, 64);
    if (ok) SyncAll(); else PipeBarrier<PIPE_ALL>();
    const int64_t other = GetBlockNum() - 1 - 2 * GetBlockIdx();
    DataCopy(t.c, t.w[other * 64], 64); Order<HardEvent::MTE2_V>(true);
    Muls(t.b, t.c, 2.0f, 64); t.Finish();""",
    "freed": """
    TQue<TPosition::VECIN, 1> queue; t.pipe.InitBuffer(queue, 1, 256);
    auto v = queue.AllocTensor<float>(); DataCopy(v, t.x, 64); queue.EnQue(v);
    v = queue.DeQue<float>();
    if (!ok) queue.FreeTensor(v);
    Muls(t.b, v, 2.0f, 64);
    if (ok) queue.FreeTensor(v);
    v = queue.AllocTensor<float>(); DataCopy(v, t.x[8], 8); queue.EnQue(v);
    v = queue.DeQue<float>(); queue.FreeTensor(v); t.Finish();""",
}
CODES = {
    "neighbour": {"gm-race", "gm-uninitialized"},
    "MTE3-MTE2": {"gm-race"},
    "cache": {"gm-dirty-cache"},
    "unwritten": {"ub-uninitialized"},
    "freed": {"tensor-state", "ub-race"},
}


def source() -> str:
    functions = "".join(
        f"static void body{n}(GM_ADDR x, GM_ADDR y, GM_ADDR w, bool ok) {{\n    Bench t(x, y, w);{body}\n}}\n"
        for n, body in enumerate(BODIES.values())
    )
    calls = "".join(f"    if (TILING_KEY_IS({n})) body{n}(x, y, w, ok);\n" for n in range(len(BODIES)))
    entry = "void bench(GM_ADDR x, GM_ADDR y, GM_ADDR w, bool ok)"
    return f'{HEAD}{functions}extern "C" __global__ __aicore__ {entry} {{\n{calls}}}\n'


KERNEL = EmulatedKernel({"strict.cpp": source()}, "bench", ["x", "y", "workspace", "ok"], get_chip(TARGET))


def run(name: str, cores: int, *, ok: bool, strict: bool, seed: int) -> tuple[bool, EmulationReport]:
    """Return whether y is right, and the report."""
    x = np.arange(1, 64 * cores + 1, dtype=np.float32)
    y, w = np.zeros_like(x), np.zeros_like(x)
    key = list(BODIES).index(name)
    report = KERNEL.run([read_only(x), y, w, bytes([ok])], cores, tiling_key=key, strict=strict, seed=seed)
    expected = x.reshape(cores, 64)[::-1].ravel() if name == "neighbour" else x
    return np.array_equal(y, 2 * expected), report


@pytest.mark.parametrize("name", BODIES)
def test_luck_is_found_by_a_rule_and_shown_by_a_seed(name: str) -> None:
    for strict, seeds in ((False, range(1)), (True, FEW)):
        results = [run(name, 3, ok=False, strict=strict, seed=seed) for seed in seeds]
        assert all(report.codes == CODES.get(name, {"ub-race"}) for _, report in results), results[0][1]
        assert not strict or not all(right for right, _ in results)


@pytest.mark.parametrize("name", BODIES)
def test_a_right_kernel_gives_the_same_bits_with_every_seed(name: str) -> None:
    for cores in (1, 3):
        results = [run(name, cores, ok=True, strict=True, seed=seed) for seed in MANY]
        assert all(report.clean for _, report in results), results[0][1]
        assert all(right for right, _ in results)


@pytest.mark.parametrize("name", [name for name in BODIES if name not in ("neighbour", "cache", "unwritten")])
def test_program_order_hides_it(name: str) -> None:
    right, _ = run(name, 1, ok=False, strict=False, seed=0)
    assert right


QUEUES = """
#include "kernel_operator.h"
using namespace AscendC;
extern "C" __global__ __aicore__ void add(GM_ADDR x, GM_ADDR y, GM_ADDR z, GM_ADDR workspace, int64_t total) {
    constexpr int64_t tile = 96;
    TPipe pipe;
    TQue<QuePosition::VECIN, 1> xQue, yQue;
    TQue<QuePosition::VECOUT, 1> zQue;
    pipe.InitBuffer(xQue, 2, tile * 4);
    pipe.InitBuffer(yQue, 2, tile * 4);
    pipe.InitBuffer(zQue, 2, tile * 4);
    GlobalTensor<float> xGm, yGm, zGm;
    xGm.SetGlobalBuffer((__gm__ float*)x, total);
    yGm.SetGlobalBuffer((__gm__ float*)y, total);
    zGm.SetGlobalBuffer((__gm__ float*)z, total);
    for (int64_t at = GetBlockIdx() * tile; at < total; at += GetBlockNum() * tile) {
        const int64_t n = total - at < tile ? total - at : tile;
        const DataCopyExtParams copy{1, static_cast<uint32_t>(n * 4), 0, 0, 0};
        LocalTensor<float> a = xQue.AllocTensor<float>(), b = yQue.AllocTensor<float>();
        DataCopyPad(a, xGm[at], copy, {false, 0, 0, 0.0f});
        DataCopyPad(b, yGm[at], copy, {false, 0, 0, 0.0f});
        xQue.EnQue(a); yQue.EnQue(b);
        a = xQue.DeQue<float>(); b = yQue.DeQue<float>();
        LocalTensor<float> c = zQue.AllocTensor<float>();
        Add(c, a, b, n);
        zQue.EnQue(c);
        xQue.FreeTensor(a); yQue.FreeTensor(b);
        c = zQue.DeQue<float>();
        DataCopyPad(zGm[at], c, copy);
        zQue.FreeTensor(c);
    }
}
"""


@pytest.mark.parametrize("cores", [1, 3, 48])
def test_double_buffered_queues(cores: int) -> None:
    kernel = EmulatedKernel({"add.cpp": QUEUES}, "add", ["x", "y", "z", "workspace", "total"], get_chip(TARGET))
    x = np.random.default_rng(0).standard_normal(5003).astype(np.float32)
    for seed in range(10):
        z = np.zeros_like(x)
        args = [read_only(x), read_only(-x[::-1]), z, None, np.int64(x.size).tobytes()]
        report = kernel.run(args, cores, strict=True, seed=seed)
        assert report.clean, report
        assert np.array_equal(z, x - x[::-1])


def test_a_seed_gives_the_same_run_again() -> None:
    x = np.arange(192, dtype=np.float32)
    runs: list[bytes] = []
    for seed in (3, 3, 4):
        y, w = np.zeros_like(x), np.zeros_like(x)
        KERNEL.run([read_only(x), y, w, b"\0"], 3, roles={"y": Role.WORKSPACE}, strict=True, seed=seed)
        runs.append(y.tobytes() + w.tobytes())
    assert runs[0] == runs[1]
    assert runs[0] != runs[2]
