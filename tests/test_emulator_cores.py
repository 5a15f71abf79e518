"""Barriers, flags and atomic writes between cores: right on any number of cores, in any order; a hang is a finding."""

from typing import Any

import ml_dtypes
import numpy as np
import numpy.typing as npt
import pytest

from opwright.codegen.emulator.launch import EmulatedKernel, Role, read_only
from opwright.codegen.emulator.report import EmulationReport
from opwright.passes.chips import get_chip

Array = npt.NDArray[Any]

CORES = [1, 3, 48, 200]

# Case by case: x, y have 64 floats a core; s is zeroed memory for synchronisation.
SOURCE = """
#include "kernel_operator.h"
using namespace AscendC;

struct Bench {
    TPipe pipe;
    TBuf<> bufA, bufB, bufS;
    LocalTensor<float> a, b;
    LocalTensor<int32_t> scratch;
    GlobalTensor<float> x, y;
    GlobalTensor<int32_t> s;
    int64_t core = GetBlockIdx(), cores = GetBlockNum();

    Bench(GM_ADDR xAddr, GM_ADDR yAddr, GM_ADDR sAddr) {
        x.SetGlobalBuffer((__gm__ float*)xAddr);
        y.SetGlobalBuffer((__gm__ float*)yAddr);
        s.SetGlobalBuffer((__gm__ int32_t*)sAddr);
        pipe.InitBuffer(bufA, 256);
        pipe.InitBuffer(bufB, 256);
        pipe.InitBuffer(bufS, (cores + 1) * 32);
        a = bufA.Get<float>();
        b = bufB.Get<float>();
        scratch = bufS.Get<int32_t>();
    }
    __aicore__ inline int64_t Next() { return (core + 1) % cores; }
    __aicore__ inline void Load(LocalTensor<float>& to, GlobalTensor<float> from) {
        DataCopy(to, from, 64);
        PipeBarrier<PIPE_ALL>();
    }
    // y[core] = x[core], then a = y[next] once everybody is that far, then y[core] = a when everybody has read.
    template <typename Barrier>
    __aicore__ inline void Rotate(Barrier barrier) {
        Load(a, x[core * 64]);
        DataCopy(y[core * 64], a, 64);
        barrier();
        Load(a, y[Next() * 64]);
        barrier();
        DataCopy(y[core * 64], a, 64);
    }
};

static void hard(GM_ADDR x, GM_ADDR y, GM_ADDR s) { Bench t(x, y, s); t.Rotate([] { SyncAll(); }); }

static void soft(GM_ADDR x, GM_ADDR y, GM_ADDR s) {
    Bench t(x, y, s);
    t.Rotate([&] { SyncAll(t.s, t.scratch); });
}

static void flags(GM_ADDR x, GM_ADDR y, GM_ADDR s) {
    Bench t(x, y, s);
    t.Rotate([&] {
        SetFlag<HardEvent::MTE2_MTE3>(0);
        WaitFlag<HardEvent::MTE2_MTE3>(0);
        CrossCoreSetFlag<0, PIPE_MTE3>(1);
        CrossCoreWaitFlag(1);
    });
}

// Core after core: each adds its numbers to what the core before has left.
static void chain(GM_ADDR x, GM_ADDR y, GM_ADDR s) {
    Bench t(x, y, s);
    t.Load(t.a, t.x[t.core * 64]);
    if (t.core > 0) {
        IBWait(t.s, t.scratch, t.core - 1, 0);
        t.Load(t.b, t.y[(t.core - 1) * 64]);
        Add(t.a, t.a, t.b, 64);
        PipeBarrier<PIPE_ALL>();
    }
    DataCopy(t.y[t.core * 64], t.a, 64);
    IBSet(t.s, t.scratch, t.core, 0);
    if (t.core + 1 == t.cores) IBWait(t.s, t.scratch, t.core, 0);
}

// All cores add to the same 64 floats, in the order of their numbers, twice.
static void turns(GM_ADDR x, GM_ADDR y, GM_ADDR s) {
    Bench t(x, y, s);
    InitDetermineComputeWorkspace(t.s, t.scratch);
    t.Load(t.a, t.x[t.core * 64]);
    for (int round = 0; round < 2; round++) {
        WaitPreBlock(t.s, t.scratch);
        SetAtomicAdd<float>();
        DataCopy(t.y, t.a, 64);
        SetAtomicNone();
        NotifyNextBlock(t.s, t.scratch);
    }
}

// Core 0 publishes by a flag that the others poll.
static void poll(GM_ADDR x, GM_ADDR y, GM_ADDR s) {
    Bench t(x, y, s);
    __gm__ int32_t* flag = t.s.GetPhyAddr();
    if (t.core == 0) {
        t.Load(t.a, t.x);
        DataCopy(t.y, t.a, 64);
        PipeBarrier<PIPE_ALL>();
        DataSyncBarrier<MemDsbT::DDR>();
        WriteGmByPassDCache(flag, 1);
        return;
    }
    while (ReadGmByPassDCache(flag) == 0) continue;
    t.Load(t.a, t.y);
    DataCopy(t.y[t.core * 64], t.a, 64);
}

template <typename T>
__aicore__ inline void Combine(GM_ADDR x, GM_ADDR y, int32_t how) {
    TPipe pipe;
    TBuf<> buffer;
    pipe.InitBuffer(buffer, 256);
    LocalTensor<T> a = buffer.Get<T>();
    GlobalTensor<T> from, to;
    from.SetGlobalBuffer((__gm__ T*)x + GetBlockIdx() * 64);
    to.SetGlobalBuffer((__gm__ T*)y);
    DataCopy(a, from, 64);
    PipeBarrier<PIPE_ALL>();
    if (how == 0) SetAtomicAdd<T>();
    if (how == 1) SetAtomicMax<T>();
    if (how == 2) SetAtomicMin<T>();
    DataCopyPad(to, a, {1, 63 * sizeof(T), 0, 0, 0});
    SetAtomicNone();
}

extern "C" __global__ __aicore__ void bench(GM_ADDR x, GM_ADDR y, GM_ADDR s, int32_t which, int32_t how) {
    if (which == 0) hard(x, y, s);
    if (which == 1) soft(x, y, s);
    if (which == 2) flags(x, y, s);
    if (which == 3) chain(x, y, s);
    if (which == 4) turns(x, y, s);
    if (which == 5) poll(x, y, s);
    if (which == 6) Combine<float>(x, y, how);
    if (which == 7) Combine<half>(x, y, how);
    if (which == 8) Combine<bfloat16_t>(x, y, how);
    if (which == 9) Combine<int32_t>(x, y, how);
    if (which == 10) Combine<int16_t>(x, y, how);
    if (which == 11) Combine<int8_t>(x, y, how);
}
"""
ROTATIONS = {"hard": 0, "soft": 1, "flags": 2}
DTYPES = {
    np.dtype(np.float32): 6,
    np.dtype(np.float16): 7,
    np.dtype(ml_dtypes.bfloat16): 8,
    np.dtype(np.int32): 9,
    np.dtype(np.int16): 10,
    np.dtype(np.int8): 11,
}

KERNEL = EmulatedKernel({"cores.cpp": SOURCE}, "bench", ["x", "y", "s", "which", "how"], get_chip("ascend910b"))


def launch(
    x: Array, y: Array, which: int, cores: int, how: int = 0, *, seed: int = 0, strict: bool = False, adds: bool = False
) -> EmulationReport:
    """Run one case; y holds what it has if the kernel adds to it."""
    s = np.zeros((cores + 1) * 8, np.int32)
    args = [read_only(x), y, s, np.int32(which).tobytes(), np.int32(how).tobytes()]
    roles = {"s": Role.INOUT, "y": Role.INOUT if adds else Role.OUTPUT}
    return KERNEL.run(args, cores, roles=roles, seed=seed, strict=strict)


def numbers(cores: int) -> Array:
    return np.random.default_rng(cores).integers(-100, 100, (cores, 64)).astype(np.float32)


@pytest.mark.parametrize("cores", CORES)
@pytest.mark.parametrize("name", ROTATIONS)
def test_barriers(name: str, cores: int) -> None:
    x = numbers(cores)
    for strict, seed in ((False, 0), (False, 3), (True, 0), (True, 5)):
        y = np.zeros_like(x)
        report = launch(x, y, ROTATIONS[name], cores, strict=strict, seed=seed)
        assert report.clean, report
        assert np.array_equal(y, np.roll(x, -1, axis=0))


@pytest.mark.parametrize("cores", CORES)
def test_pairs_of_cores(cores: int) -> None:
    x = numbers(cores)
    for strict, seed in ((False, 0), (False, 3), (True, 0), (True, 5)):
        y = np.zeros_like(x)
        report = launch(x, y, 3, cores, strict=strict, seed=seed)
        assert report.clean, report
        assert np.array_equal(y, np.cumsum(x, axis=0))


@pytest.mark.parametrize("cores", CORES)
def test_turns(cores: int) -> None:
    x = np.random.default_rng(cores).standard_normal((cores, 64)).astype(np.float32)
    expected = np.zeros(64, np.float32)
    for row in (*x, *x):
        expected = expected + row
    for strict, seed in ((False, 0), (False, 3), (True, 5)):
        y = np.zeros(64, np.float32)
        report = launch(x, y, 4, cores, strict=strict, seed=seed, adds=True)
        assert report.clean, report
        assert np.array_equal(y, expected)


@pytest.mark.parametrize("cores", CORES)
def test_polling_around_the_cache(cores: int) -> None:
    x = numbers(cores)
    for strict, seed in ((False, 0), (False, 3), (True, 5)):
        y = np.zeros_like(x)
        report = launch(x, y, 5, cores, strict=strict, seed=seed)
        assert report.clean, report
        assert np.array_equal(y, np.broadcast_to(x[0], x.shape))


@pytest.mark.parametrize("how", [0, 1, 2])
@pytest.mark.parametrize("dtype", DTYPES, ids=str)
def test_atomic_writes(dtype: np.dtype[Any], how: int) -> None:
    cores = 3
    x = np.random.default_rng(how).integers(-20, 20, (cores, 64)).astype(dtype)
    combine = (np.add, np.maximum, np.minimum)[how]
    for seed in (0, 1, 2):
        y = np.arange(64).astype(dtype)
        report = launch(x, y, DTYPES[dtype], cores, how, seed=seed, adds=True, strict=seed > 0)
        expected = np.arange(64).astype(dtype)
        for row in x[:, :63]:
            expected[:63] = combine(expected[:63], row)
        assert np.array_equal(y, expected)
        inexact = how == 0 and dtype.kind != "i"
        assert report.codes == ({"atomic-order"} if inexact else set())
        assert report.clean


def test_the_order_of_atomic_sums_shows() -> None:
    x = np.array([[1e8] * 64, [-1e8] * 64, [1.0] * 64], np.float32)
    results = set[float]()
    for seed in range(12):
        y = np.zeros(64, np.float32)
        launch(x, y, DTYPES[np.dtype(np.float32)], 3, seed=seed, adds=True)
        results.add(float(y[0]))
    assert results == {0.0, 1.0}
