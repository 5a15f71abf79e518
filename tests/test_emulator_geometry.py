"""Masks, repeats and strides: any parameters against the reference loop of the API documentation."""

from typing import Any

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from opwright.codegen.emulator.launch import EmulatedKernel, Role, read_only
from opwright.passes.chips import get_chip

Array = npt.NDArray[Any]

BYTES = 8192
SOURCE = """
#include "kernel_operator.h"
using namespace AscendC;

struct Call { uint64_t mask[2]; int64_t isArray, repeat, dstBlk, aBlk, bBlk, dstRep, aRep, bRep; };

template <typename D, typename A, typename Body>
void run(GM_ADDR dst, GM_ADDR a, GM_ADDR b, Body body) {
    TPipe pipe;
    TBuf<> dstBuf, aBuf, bBuf;
    for (TBuf<>* buffer : {&dstBuf, &aBuf, &bBuf}) pipe.InitBuffer(*buffer, 8192);
    GlobalTensor<int8_t> gm;
    gm.SetGlobalBuffer((__gm__ int8_t*)dst);
    DataCopy(dstBuf.Get<int8_t>(), gm, 8192);
    gm.SetGlobalBuffer((__gm__ int8_t*)a);
    DataCopy(aBuf.Get<int8_t>(), gm, 8192);
    gm.SetGlobalBuffer((__gm__ int8_t*)b);
    DataCopy(bBuf.Get<int8_t>(), gm, 8192);
    PipeBarrier<PIPE_ALL>();
    body(dstBuf.Get<D>(), aBuf.Get<A>(), bBuf.Get<A>());
    PipeBarrier<PIPE_ALL>();
    gm.SetGlobalBuffer((__gm__ int8_t*)dst);
    DataCopy(gm, dstBuf.Get<int8_t>(), 8192);
}

template <typename T>
void add(GM_ADDR dst, GM_ADDR a, GM_ADDR b, const Call& c) {
    const BinaryRepeatParams p(c.dstBlk, c.aBlk, c.bBlk, c.dstRep, c.aRep, c.bRep);
    run<T, T>(dst, a, b, [&](auto d, auto x, auto y) {
        if (c.isArray) Add(d, x, y, c.mask, c.repeat, p);
        else Add(d, x, y, c.mask[0], c.repeat, p);
    });
}

template <typename D, typename S>
void cast(GM_ADDR dst, GM_ADDR a, GM_ADDR b, const Call& c, RoundMode mode) {
    const UnaryRepeatParams p(c.dstBlk, c.aBlk, c.dstRep, c.aRep);
    run<D, S>(dst, a, b, [&](auto d, auto x, auto) {
        if (c.isArray) Cast(d, x, mode, c.mask, c.repeat, p);
        else Cast(d, x, mode, c.mask[0], c.repeat, p);
    });
}

extern "C" __global__ __aicore__ void geometry(GM_ADDR a, GM_ADDR b, GM_ADDR dst, GM_ADDR tiling) {
    GET_TILING_DATA_WITH_STRUCT(Call, c, tiling);
    if (TILING_KEY_IS(0)) add<int16_t>(dst, a, b, c);
    if (TILING_KEY_IS(1)) add<int32_t>(dst, a, b, c);
    if (TILING_KEY_IS(2)) cast<int32_t, int16_t>(dst, a, b, c, RoundMode::CAST_NONE);
    if (TILING_KEY_IS(3)) cast<int16_t, int32_t>(dst, a, b, c, RoundMode::CAST_NONE);
}
"""
KERNEL = EmulatedKernel({"geometry.cpp": SOURCE}, "geometry", ["a", "b", "dst", "tiling"], get_chip("ascend950"))
TYPES = [(np.int16, np.int16), (np.int32, np.int32), (np.int32, np.int16), (np.int16, np.int32)]


def lane_byte(lane: int, repeat: int, size: int, block_stride: int, repeat_stride: int) -> int:
    per_block = 32 // size
    return (repeat * repeat_stride + lane // per_block * block_stride) * 32 + lane % per_block * size


def reference(key: int, lanes: list[int], call: list[int], a: Array, b: Array, dst: Array) -> tuple[Array, int]:
    """The documented loop, and the largest byte it reaches."""
    to, source = (np.dtype(kind) for kind in TYPES[key])
    repeat, dst_blk, a_blk, b_blk, dst_rep, a_rep, b_rep = call
    out, far = dst.copy(), 0

    def load(data: Array, at: int) -> int:
        return int(data[at : at + source.itemsize].view(source)[0]) if at + source.itemsize <= BYTES else 0

    for r in range(repeat):
        for lane in lanes:
            at = lane_byte(lane, r, to.itemsize, dst_blk, dst_rep)
            at_a = lane_byte(lane, r, source.itemsize, a_blk, a_rep)
            at_b = lane_byte(lane, r, source.itemsize, b_blk, b_rep) if key < 2 else 0
            far = max(far, at + to.itemsize, at_a + source.itemsize, at_b + source.itemsize)
            value = load(a, at_a) + (load(b, at_b) if key < 2 else 0)
            if key == 3:
                value = min(max(value, -(1 << 15)), (1 << 15) - 1)
            if at + to.itemsize <= BYTES:
                code = (value % (1 << 8 * to.itemsize)).to_bytes(to.itemsize, "little")
                out[at : at + to.itemsize] = np.frombuffer(code, np.uint8)
    return out, far


@settings(max_examples=150)
@given(data=st.data())
@pytest.mark.parametrize("key", range(4))
def test_mask_forms(key: int, data: st.DataObject) -> None:
    width = 256 // max(np.dtype(kind).itemsize for kind in TYPES[key])
    is_array = data.draw(st.booleans())
    if is_array:
        bits = data.draw(st.integers(1, (1 << width) - 1))
        lanes = [lane for lane in range(width) if bits >> lane & 1]
        mask = [bits & ((1 << 64) - 1), bits >> 64]
    else:
        mask = [data.draw(st.integers(1, width)), 0]
        lanes = list(range(mask[0]))
    repeat = data.draw(st.integers(0, 12))
    blocks = [data.draw(st.integers(1, 3)) for _ in range(3)]
    repeats = [data.draw(st.integers(0, 24)) for _ in range(3)]
    generator = np.random.default_rng(data.draw(st.integers(0, 99)))
    a, b, dst = (generator.integers(0, 256, BYTES, np.uint8) for _ in range(3))
    call = [repeat, *blocks, *repeats]
    want, far = reference(key, lanes, call, a, b, dst)
    tiling = np.array([*mask], np.uint64).tobytes() + np.array([int(is_array), *call], np.int64).tobytes()
    before = dst.copy()
    report = KERNEL.run([read_only(a), read_only(b), dst, tiling], 1, roles={"dst": Role.INOUT}, tiling_key=key)
    if far > BYTES:
        assert report.codes == {"ub-extent"}
        assert np.array_equal(dst, before)
    else:
        assert report.clean, report
        assert np.array_equal(dst, want)
