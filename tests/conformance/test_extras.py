"""What one chip alone has: Interleave, DeInterleave, copies of several loops, scalar atomics; and on all chips group
barriers and lists of tensors."""

from typing import Any

import numpy as np
import pytest
from harness import Array

from opwright.codegen.emulator.launch import EmulatedKernel, Role, read_only
from opwright.passes.chips import get_chip

EXTRAS = """
#include "kernel_operator.h"
using namespace AscendC;
constexpr uint32_t N = 64;

__aicore__ void mix(GM_ADDR x, GM_ADDR z) {
    GlobalTensor<float> from, to;
    from.SetGlobalBuffer((__gm__ float*)x);
    to.SetGlobalBuffer((__gm__ float*)z);
    LocalTensor<float> a(TPosition::VECIN, 0, N), b(TPosition::VECIN, 4 * N, N);
    LocalTensor<float> out[6] = {{TPosition::VECOUT, 1024, N}, {TPosition::VECOUT, 1280, N},
                                 {TPosition::VECOUT, 1536, N}, {TPosition::VECOUT, 1792, N},
                                 {TPosition::VECOUT, 2048, N}, {TPosition::VECOUT, 2304, N}};
    DataCopy(a, from, N);
    DataCopy(b, from[N], N);
    PipeBarrier<PIPE_ALL>();
    Interleave(out[0], out[1], a, b, N);
    DeInterleave(out[2], out[3], a, b, N);
    DeInterleave(out[4], out[5], a, N);
    PipeBarrier<PIPE_ALL>();
    for (int i = 0; i < 6; i++) DataCopy(to[i < 4 ? i * N : (i + 4) * N / 2], out[i], i < 4 ? N : N / 2);
    PipeBarrier<PIPE_ALL>();
}

template <const NdDmaConfig& config>
__aicore__ void loops(GM_ADDR x, GM_ADDR z, const NdDmaLoopInfo<2>& info, uint32_t size) {
    GlobalTensor<int16_t> from, to;
    from.SetGlobalBuffer((__gm__ int16_t*)x);
    to.SetGlobalBuffer((__gm__ int16_t*)z);
    LocalTensor<int16_t> a(TPosition::VECIN, 4096, size);
    NdDmaDci();
    DataCopy<int16_t, 2, config>(a, from, NdDmaParams<int16_t, 2>{info, 9});
    PipeBarrier<PIPE_ALL>();
    DataCopy(to, a, size);
    PipeBarrier<PIPE_ALL>();
}

static constexpr NdDmaConfig constant, nearest{true}, wide{false, 2, 2};

extern "C" __global__ __aicore__ void extras(GM_ADDR x, GM_ADDR z, GM_ADDR y, GM_ADDR w, GM_ADDR counters) {
    if (GetBlockIdx() == 0) {
        mix(x, z);
        loops<constant>(y, w, {{1, 5}, {1, 16}, {5, 4}, {7, 3}, {4, 1}}, 128);
        loops<nearest>(y, w + 256, {{1, 5}, {1, 16}, {5, 4}, {7, 3}, {4, 1}}, 128);
        loops<constant>(y, w + 512, {{1, 4}, {16, 1}, {4, 16}, {0, 0}, {0, 0}}, 64);
        loops<wide>(y, w + 640, {{1, 0}, {1, 16}, {12, 4}, {0, 0}, {0, 0}}, 128);
    }
    auto* at = (__gm__ int64_t*)counters;
    AtomicAdd(at, GetBlockIdx() + 1);
    AtomicMax(at + 1, GetBlockIdx());
    AtomicMin((__gm__ float*)(at + 2), -2.5f);
    AtomicCas((__gm__ uint64_t*)(at + 3), 7, 70);
    if (GetBlockIdx() == block_num - 1) AtomicExch((__gm__ uint32_t*)(at + 4), 5);
}
"""


def padded(rows: Array, above: int, below: int, left: int, right: int, nearest: bool) -> Array:
    """Rows with padding around them, of 9 or of the nearest element."""
    i: Array = np.arange(-above, len(rows) + below)
    j: Array = np.arange(-left, len(rows[0]) + right)
    inner_i: Array = i.clip(0, len(rows) - 1)
    inner_j: Array = j.clip(0, len(rows[0]) - 1)
    inside: Array = (i == inner_i)[:, None] & (j == inner_j)[None, :]
    return np.where(inside | nearest, rows[inner_i[:, None], inner_j[None, :]], 9).astype(rows.dtype)


def copied(y: Array) -> Array:
    """What the copies of several loops bring."""
    part = y[:20].reshape(4, 5)
    wide = padded(np.tile(y[:12], (4, 1)), 2, 2, 2, 2, nearest=False)
    blocks = [padded(part, 3, 1, 7, 4, nearest=n) for n in (False, True)]
    return np.concatenate([*(block.ravel() for block in blocks), y[:64].reshape(16, 4).T.ravel(), wide.ravel()])


@pytest.mark.parametrize("strict", [False, True])
def test_extras(strict: bool) -> None:
    kernel = EmulatedKernel({"extras.cpp": EXTRAS}, "extras", ["x", "z", "y", "w", "counters"], get_chip("ascend950"))
    x = np.arange(128, dtype=np.float32)
    y = np.arange(100, 180, dtype=np.int16)
    z, w = np.empty(320, np.float32), np.empty(448, np.int16)
    counters = np.array([100, 1, 0, 7, 1], np.int64)
    args: list[Any] = [read_only(x), z, read_only(y), w, counters]
    report = kernel.run(args, 3, roles={"counters": Role.INOUT}, strict=strict, seed=5)
    assert report.clean, report
    mixed = np.stack([x[:64], x[64:]], 1).ravel()
    assert np.array_equal(z, np.concatenate([mixed, x[::2], x[1::2], x[:64:2], x[1:64:2]]))
    assert np.array_equal(w.reshape(-1), copied(y))
    least = np.array([-2.5, 0], np.float32).view(np.int64)[0]
    assert counters.tolist() == [106, 2, least, 70, 5]


GROUP = """
#include "kernel_operator.h"
#include "kernel_operator_list_tensor_intf.h"
using namespace AscendC;

extern "C" __global__ __aicore__ void group(GM_ADDR space, GM_ADDR z, GM_ADDR list, GM_ADDR sizes, uint32_t arrivals) {
    GroupBarrier<PipeMode::MTE3_MODE> barrier(space, arrivals, GetBlockNum() - arrivals);
    GlobalTensor<int32_t> out;
    out.SetGlobalBuffer((__gm__ int32_t*)z);
    LocalTensor<int32_t> line(TPosition::VECCALC, 0, 8);
    WaitPreTaskEnd();
    if (block_idx < arrivals) {
        Duplicate(line, (int32_t)block_idx + 1, 8);
        PipeBarrier<PIPE_ALL>();
        DataCopy(out[8 * block_idx], line, 8);
        barrier.Arrive(block_idx);
    } else {
        barrier.Wait(block_idx - arrivals);
        DataCopy(line, out[8 * (block_idx - arrivals)], 8);
        PipeBarrier<PIPE_ALL>();
        DataCopy(out[8 * block_idx], line, 8);
    }
    SetNextTaskStart();
    if (block_idx != 0) return;
    ListTensorDesc tensors(list, 64, 2);
    uint64_t shape[8] = {0};
    TensorDesc<float> desc;
    desc.SetShapeAddr(shape);
    tensors.GetDesc(desc, 1);
    GlobalTensor<uint64_t> found;
    found.SetGlobalBuffer((__gm__ uint64_t*)sizes, 8);
    const uint64_t words[8] = {tensors.GetSize(), desc.GetDim(), desc.GetIndex(), desc.GetShape(0), desc.GetShape(1),
                               (uint64_t)desc.GetDataPtr(), (uint64_t)tensors.GetDataPtr<float>(0), GetUBSizeInBytes()};
    for (int i = 0; i < 8; i++) found.SetValue(i, words[i]);
    DataCacheCleanAndInvalid<uint64_t, CacheLine::ENTIRE_DATA_CACHE>(found);
}
"""
LIST = np.array([48, 1, 3, 2 | 1 << 32, 5, 6, 1000, 2000], np.int64)
"""Addresses from byte 48 on; a tensor of rank 1 and size [3] at 1000, one of rank 2 and sizes [5, 6] at 2000."""


def group(arrivals: int, space: Array) -> tuple[Any, Array, Array]:
    kernel = EmulatedKernel(
        {"group.cpp": GROUP}, "group", ["space", "z", "list", "sizes", "arrivals"], get_chip("ascend910b")
    )
    z, sizes = np.empty(32, np.int32), np.empty(8, np.uint64)
    args: list[Any] = [space, z, read_only(LIST), sizes, np.uint32(arrivals).tobytes()]
    return kernel.run(args, 4, roles={"space": Role.INOUT}, strict=True, seed=3), z, sizes


def test_group_barrier_and_list() -> None:
    report, z, sizes = group(2, np.zeros(1024, np.uint8))
    assert report.clean, report
    assert z.reshape(4, 8)[:, 0].tolist() == [1, 2, 1, 2]
    assert sizes.tolist()[:7] == [2, 2, 1, 5, 6, 2000, 1000]


def test_group_barrier_needs_zeros() -> None:
    report, *_ = group(2, np.ones(1024, np.uint8))
    assert report.codes == {"sync-workspace"}
