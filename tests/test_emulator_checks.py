"""One faulty kernel a rule: the emulator reports that rule, at that line, and nothing else."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
import pytest

from opwright.codegen.emulator.launch import EmulatedKernel, Role, read_only
from opwright.codegen.emulator.report import EmulationReport
from opwright.passes.chips import Chip, get_chip

MARK = "/*!*/"

_HEAD = r"""
#include <stdexcept>
#include "kernel_operator.h"
using namespace AscendC;

// Two defined buffers of 256 floats, and three GM tensors of 256 floats.
struct Bench {
    TPipe pipe;
    TBuf<> bufA, bufB;
    LocalTensor<float> a, b;
    GlobalTensor<float> x, y, w;

    Bench(GM_ADDR xAddr, GM_ADDR yAddr, GM_ADDR wAddr) {
        x.SetGlobalBuffer((__gm__ float*)xAddr, 256);
        y.SetGlobalBuffer((__gm__ float*)yAddr, 256);
        w.SetGlobalBuffer((__gm__ float*)wAddr, 256);
        pipe.InitBuffer(bufA, 1024);
        pipe.InitBuffer(bufB, 1024);
        a = bufA.Get<float>();
        b = bufB.Get<float>();
        Duplicate(a, 1.0f, 256);
        Duplicate(b, 2.0f, 256);
        PipeBarrier<PIPE_ALL>();
    }
};
"""

_ENTRY = """
extern "C" __global__ __aicore__ void bench(GM_ADDR x, GM_ADDR y, GM_ADDR workspace) {{
{calls}
}}
"""


@dataclass(frozen=True)
class Cases:
    """Named kernel bodies; each is compiled once, as one case of the kernel `bench`."""

    bodies: Mapping[str, str]
    chip: Chip
    head: str = _HEAD

    @cached_property
    def source(self) -> str:
        """The kernel source."""
        functions = "".join(
            f"static void case{key}(GM_ADDR x, GM_ADDR y, GM_ADDR workspace) {{\n{body}\n}}\n"
            for key, body in enumerate(self.bodies.values())
        )
        calls = "\n".join(
            f"    if (TILING_KEY_IS({key})) return case{key}(x, y, workspace);" for key in range(len(self.bodies))
        )
        return self.head + functions + _ENTRY.format(calls=calls)

    @cached_property
    def kernel(self) -> EmulatedKernel:
        """The kernel that holds all cases."""
        return EmulatedKernel({"bench.cpp": self.source}, "bench", ["x", "y", "workspace"], self.chip)

    def key(self, name: str) -> int:
        """The tiling key of a case."""
        return list(self.bodies).index(name)

    def marked_line(self, name: str) -> int:
        """The line of the case's mark in the source."""
        start = self.source.index(f"static void case{self.key(name)}(")
        return self.source.count("\n", 0, self.source.index(MARK, start)) + 1


BENCH = "    Bench t(x, y, workspace);\n"
QUEUE = """    TPipe pipe;
    TQue<TPosition::VECIN, 1> q;
    GlobalTensor<float> gm;
    gm.SetGlobalBuffer((__gm__ float*)x, 256);
"""

CASES = {
    "ub-alignment": BENCH + "Muls(t.b, t.a[1], 2.0f, 8); /*!*/",
    "ub-alignment/copy": BENCH + "DataCopy(t.b[4], t.x, 64); /*!*/",
    "ub-capacity": "TPipe pipe; TBuf<> big; pipe.InitBuffer(big, 1 << 20); /*!*/",
    "ub-extent": BENCH + "Muls(t.b, t.a, 2.0f, 300); /*!*/",
    "ub-extent/strided": BENCH + "Muls(t.b, t.a, 2.0f, 64, 4, {1, 1, 8, 9}); /*!*/",
    "ub-extent/view": BENCH + "TBuf<> c; auto v = t.bufB.Get<float>(64);\nMuls(v, t.a, 2.0f, 65); /*!*/",
    "ub-extent/get": BENCH + "t.bufB.Get<float>(257); /*!*/",
    "ub-extent/copy": BENCH + "DataCopyPad(t.b, t.x, {33, 4, 0, 0, 0}, {false, 0, 0, 0.0f}); /*!*/",
    "ub-uninitialized": BENCH + "TBuf<> c; t.pipe.InitBuffer(c, 256);\nMuls(t.b, c.Get<float>(), 2.0f, 64); /*!*/",
    "ub-uninitialized/dummy": BENCH
    + """DataCopyPad(t.b, t.x, {1, 4, 0, 0, 0}, {false, 0, 0, 0.0f});
    PipeBarrier<PIPE_ALL>();
    Muls(t.a, t.b, 2.0f, 2); /*!*/""",
    "ub-uninitialized/strided": BENCH
    + """TBuf<> c; t.pipe.InitBuffer(c, 512);
    Duplicate(c.Get<float>(), 1.0f, 64, 1, 2, 8); PipeBarrier<PIPE_V>();
    Muls(t.b, c.Get<float>(), 2.0f, 64, 1, {1, 2, 8, 8}); PipeBarrier<PIPE_V>();
    Muls(t.b, c.Get<float>(), 2.0f, 64, 1, {1, 1, 8, 8}); /*!*/""",
    "ub-uninitialized/mask": BENCH
    + """TBuf<> c; t.pipe.InitBuffer(c, 256);
    uint64_t even[2] = {0x5555555555555555u, 0}, odd[2] = {2, 0};
    Duplicate(c.Get<float>(), 1.0f, even, 1, 1, 8); PipeBarrier<PIPE_V>();
    Muls(t.b, c.Get<float>(), 2.0f, even, 1, {1, 1, 8, 8}); PipeBarrier<PIPE_V>();
    Muls(t.b, c.Get<float>(), 2.0f, odd, 1, {1, 1, 8, 8}); /*!*/""",
    "ub-uninitialized/realloc": QUEUE
    + """pipe.InitBuffer(q, 1, 256);
    TBuf<> c; pipe.InitBuffer(c, 256);
    auto v = q.AllocTensor<float>(); DataCopy(v, gm, 64); q.EnQue(v);
    v = q.DeQue<float>(); q.FreeTensor(v);
    v = q.AllocTensor<float>(); q.EnQue(v); v = q.DeQue<float>();
    Muls(c.Get<float>(), v, 2.0f, 64); /*!*/
    q.FreeTensor(v);""",
    "ub-race": BENCH + "Muls(t.b, t.a, 2.0f, 64);\nDataCopy(t.y, t.b, 64); /*!*/",
    "ub-race/V-V": BENCH + "Muls(t.b, t.a, 2.0f, 64);\nMuls(t.b, t.b, 2.0f, 64); /*!*/",
    "ub-race/WAR": BENCH + "Muls(t.b, t.a, 2.0f, 64);\nDataCopy(t.a, t.x, 64); /*!*/",
    "ub-race/MTE2-MTE2": BENCH + "DataCopy(t.a, t.x, 64);\nDataCopy(t.a[8], t.x, 64); /*!*/",
    "ub-race/V-S": BENCH + "Muls(t.b, t.a, 2.0f, 64);\nt.b.GetValue(0); /*!*/",
    "ub-race/S-V": BENCH + "t.a.SetValue(0, 3.0f);\nMuls(t.b, t.a, 2.0f, 64); /*!*/",
    "ub-race/wrong-flag": BENCH
    + """Muls(t.b, t.a, 2.0f, 64);
    SetFlag<HardEvent::V_MTE2>(0); WaitFlag<HardEvent::V_MTE2>(0);
    DataCopy(t.y, t.b, 64); /*!*/""",
    "ub-race/skip-deque": QUEUE
    + """pipe.InitBuffer(q, 1, 256);
    TBuf<> c; pipe.InitBuffer(c, 256);
    auto v = q.AllocTensor<float>(); DataCopy(v, gm, 64);
    Muls(c.Get<float>(), v, 2.0f, 64); /*!*/
    q.FreeTensor(v);""",
    "ub-overlap": BENCH + "Muls(t.b[8], t.b, 2.0f, 8, 2, {1, 1, 1, 1}); /*!*/",
    "ub-overlap/part": BENCH + "Muls(t.b[8], t.b, 2.0f, 64); /*!*/",
    "ub-overlap/accumulate-i16": BENCH
    + """auto a = t.a.ReinterpretCast<int16_t>(); auto b = t.b.ReinterpretCast<int16_t>();
    Add(b, a, b, 64, 3, {1, 1, 1, 0, 8, 0}); /*!*/""",
    "ub-overlap/repeat": BENCH + "Add(t.b, t.b, t.a, 64, 3, {1, 1, 1, 8, 4, 8}); /*!*/",
    "tensor-invalid": BENCH + "LocalTensor<float> none;\nMuls(none, t.a, 2.0f, 64); /*!*/",
    "tensor-state/freed": QUEUE
    + """pipe.InitBuffer(q, 1, 256);
    auto v = q.AllocTensor<float>(); q.FreeTensor(v);
    DataCopy(v, gm, 64); /*!*/""",
    "tensor-state/enqueued": QUEUE
    + """pipe.InitBuffer(q, 1, 256);
    auto v = q.AllocTensor<float>(); q.EnQue(v);
    DataCopy(v, gm, 64); /*!*/
    v = q.DeQue<float>(); q.FreeTensor(v);""",
    "repeat-range/blocks": BENCH + "Adds(t.b, t.a, 1.0f, 64, 2, {0, 1, 8, 8}); /*!*/",
    "cast-mode/hybrid": BENCH + "Cast(t.b.ReinterpretCast<half>(), t.a, RoundMode::CAST_HYBRID, 64); /*!*/",
    "repeat-range": BENCH + "Muls(t.b, t.a, 2.0f, 64, 256, {1, 1, 0, 0}); /*!*/",
    "mask-range": BENCH + "Muls(t.b, t.a, 2.0f, 65, 1, {1, 1, 8, 8}); /*!*/",
    "mask-range/array": BENCH + "uint64_t m[2] = {1, 1};\nMuls(t.b, t.a, 2.0f, m, 1, {1, 1, 8, 8}); /*!*/",
    "mask-range/none": BENCH + "uint64_t m[2] = {0, 0};\nMuls(t.b, t.a, 2.0f, m, 1, {1, 1, 8, 8}); /*!*/",
    "mask-unset": BENCH + "Adds<float, false>(t.b, t.a, 2.0f, MASK_PLACEHOLDER, 1, {1, 1, 8, 8}); /*!*/",
    "mask-unset/count": BENCH
    + """SetVectorMask<float>(64);
    Muls(t.b, t.a, 2.0f, 64);
    Adds<float, false>(t.b[64], t.a, 2.0f, MASK_PLACEHOLDER, 1, {1, 1, 8, 8}); /*!*/""",
    "mask-mode": BENCH + "SetMaskCount();\nMuls(t.b, t.a, 2.0f, 64, 1, {1, 1, 8, 8}); /*!*/\nSetMaskNorm();",
    "mask-mode/length": BENCH + "SetVectorMask<float, MaskMode::COUNTER>(100); /*!*/",
    "mask-left": BENCH + "SetMaskCount();\nt.a.GetValue(0); /*!*/",
    "count-range": BENCH + "Muls(t.b, t.a, 2.0f, -1); /*!*/",
    "copy-range": BENCH + "DataCopyPad(t.y, t.b, {4096, 4, 0, 0, 0}); /*!*/",
    "copy-range/length": BENCH + "DataCopyPad(t.y, t.b, {1, 1 << 21, 0, 0, 0}); /*!*/",
    "copy-range/element": BENCH + "DataCopyPad(t.y, t.b, {1, 6, 0, 0, 0}); /*!*/",
    "copy-range/gap": BENCH + "DataCopyPad(t.y, t.b, {1, 4, -1, 0, 0}); /*!*/",
    "copy-range/blocks": BENCH + "DataCopy(t.b, t.x, DataCopyParams{4096, 1, 0, 0}); /*!*/",
    "copy-alignment": BENCH + "DataCopy(t.b, t.x, 9); /*!*/",
    "copy-padding": BENCH + "DataCopyPad(t.b, t.x, {1, 4, 0, 0, 0}, {true, 9, 0, 0.0f}); /*!*/",
    "copy-padding/8-byte": BENCH
    + """GlobalTensor<int64_t> g; g.SetGlobalBuffer((__gm__ int64_t*)x, 128);
    DataCopyPad(t.b.ReinterpretCast<int64_t>(), g, {1, 8, 0, 0, 0}, {true, 0, 1, 7}); /*!*/""",
    "cast-mode": BENCH + "Cast(t.b.ReinterpretCast<bfloat16_t>(), t.a, RoundMode::CAST_NONE, 64); /*!*/",
    "chip-dependent": BENCH
    + """t.a.SetValue(3, __builtin_nanf("")); PipeBarrier<PIPE_ALL>();
    Compare(t.b.ReinterpretCast<uint8_t>(), t.a, t.a, CMPMODE::NE, 64); /*!*/""",
    "chip-dependent/mask": BENCH
    + "Compare(t.b.ReinterpretCast<uint8_t>(), t.a, t.a, CMPMODE::EQ, 8, 1, {1, 1, 1, 8, 8, 8}); /*!*/",
    "count-range/compare": BENCH + """Compare(t.b.ReinterpretCast<uint8_t>(), t.a, t.a, CMPMODE::EQ, 63); /*!*/""",
    "ub-overlap/broadcast": BENCH + "Brcb(t.a, t.a[32], 1, {1, 8}); /*!*/",
    "ub-overlap/compare": BENCH + """Compare(t.b.ReinterpretCast<uint8_t>(), t.a, t.b, CMPMODE::EQ, 64); /*!*/""",
    "ub-alignment/reduce": BENCH + "BlockReduceSum(t.b[4], t.a, 1, 64, 1, 1, 8); /*!*/",
    "gm-bounds": BENCH + "DataCopy(t.b, t.x[200], 64); /*!*/",
    "gm-bounds/negative": BENCH
    + """GlobalTensor<float> g; g.SetGlobalBuffer((__gm__ float*)x - 8);
    DataCopy(t.b, g, 8); /*!*/""",
    "gm-bounds/far": BENCH + "DataCopyPad(t.b, t.x[int64_t{1} << 32], {1, 4, 0, 0, 0}, {false, 0, 0, 0.0f}); /*!*/",
    "gm-bounds/scalar": BENCH + "t.x.GetValue(256); /*!*/",
    "gm-declared-size": BENCH
    + """GlobalTensor<float> g; g.SetGlobalBuffer((__gm__ float*)x, 8);
    DataCopy(t.b, g, 64); /*!*/""",
    "gm-alignment": BENCH
    + """GlobalTensor<float> g; g.SetGlobalBuffer((__gm__ float*)(x + 2));
    DataCopy(t.b, g, 8); /*!*/""",
    "gm-uninitialized": BENCH + "DataCopy(t.b, t.w, 64); /*!*/",
    "gm-write-input": BENCH + "DataCopy(t.x, t.b, 64); /*!*/",
    "gm-race": BENCH + "DataCopy(t.y, t.b, 64);\nDataCopy(t.a, t.y, 64); /*!*/",
    "gm-race/WAW": BENCH + "DataCopy(t.y, t.b, 64);\nDataCopy(t.y, t.a, 64); /*!*/",
    "gm-race/WAR": BENCH
    + """DataCopy(t.y, t.b, 64); PipeBarrier<PIPE_ALL>();
    DataCopy(t.b, t.y, 64);
    DataCopy(t.y, t.a, 64); /*!*/""",
    "gm-dirty-cache": BENCH + "t.y.SetValue(0, 1.0f); /*!*/",
    "queue-uninitialized": QUEUE + "q.AllocTensor<float>(); /*!*/",
    "queue-uninitialized/buffer": "TPipe pipe; TBuf<> c;\nc.Get<float>(); /*!*/",
    "queue-reinitialized": QUEUE + "pipe.InitBuffer(q, 1, 256);\npipe.InitBuffer(q, 1, 256); /*!*/",
    "queue-no-free-buffer": QUEUE
    + """pipe.InitBuffer(q, 1, 256);
    auto v = q.AllocTensor<float>();
    q.AllocTensor<float>(); /*!*/""",
    "queue-empty": QUEUE + "pipe.InitBuffer(q, 1, 256);\nq.DeQue<float>(); /*!*/",
    "queue-state": QUEUE
    + """pipe.InitBuffer(q, 1, 256);
    auto v = q.AllocTensor<float>(); q.FreeTensor(v);
    q.FreeTensor(v); /*!*/""",
    "queue-state/free-enqueued": QUEUE
    + """pipe.InitBuffer(q, 1, 256);
    auto v = q.AllocTensor<float>(); q.EnQue(v);
    q.FreeTensor(v); /*!*/""",
    "queue-depth": QUEUE
    + """pipe.InitBuffer(q, 2, 256);
    auto v = q.AllocTensor<float>(); auto u = q.AllocTensor<float>();
    q.EnQue(v);
    q.EnQue(u); /*!*/
    v = q.DeQue<float>(); q.FreeTensor(v); v = q.DeQue<float>(); q.FreeTensor(v);""",
    "queue-foreign": QUEUE
    + """TQue<TPosition::VECIN, 1> p; pipe.InitBuffer(q, 1, 256); pipe.InitBuffer(p, 1, 256);
    auto v = q.AllocTensor<float>();
    p.EnQue(v); /*!*/""",
    "queue-leak": QUEUE + "pipe.InitBuffer(q, 1, 256); /*!*/\nauto v = q.AllocTensor<float>();",
    "queue-live-limit": QUEUE
    + """pipe.InitBuffer(q, 9, 32);
    LocalTensor<float> v[9];
    for (auto& one : v) {
        one = q.AllocTensor<float>(); /*!*/
    }
    for (auto& one : v) q.FreeTensor(one);""",
    "pipe-second": "TPipe pipe;\nTPipe second; /*!*/",
    "buffer-limit": "TPipe pipe; TBuf<> c[65];\nfor (auto& one : c) pipe.InitBuffer(one, 32); /*!*/",
    "buffer-size": "TPipe pipe; TBuf<> c;\npipe.InitBuffer(c, 0); /*!*/",
    "event-id": "SetFlag<HardEvent::V_MTE3>(8); /*!*/",
    "event-double-set": """SetFlag<HardEvent::V_MTE3>(0);
    SetFlag<HardEvent::V_MTE3>(0); /*!*/
    WaitFlag<HardEvent::V_MTE3>(0);""",
    "event-wait-without-set": "WaitFlag<HardEvent::V_MTE3>(0); /*!*/",
    "event-leftover": "SetFlag<HardEvent::V_MTE3>(0); /*!*/",
    "event-exhausted": """TPipe pipe;
    for (int i = 0; i < 9; i++) pipe.AllocEventID<HardEvent::V_MTE3>(); /*!*/""",
    "event-not-held": "TPipe pipe;\npipe.ReleaseEventID<HardEvent::V_MTE3>(0); /*!*/",
    "sync-kernel-type": "KERNEL_TASK_TYPE_DEFAULT(KERNEL_TYPE_AIV_ONLY);\nSyncAll(); /*!*/",
    "memory-fault": BENCH + "t.a.GetValue(0); /*!*/\nt.a.SetValue(0, *((__gm__ float*)x + (1 << 30)));",
    "memory-fault/null": BENCH + "t.a.GetValue(0); /*!*/\nt.a.SetValue(0, *(__gm__ volatile float*)nullptr);",
    "kernel-exception": BENCH + 't.a.GetValue(0); /*!*/\nthrow std::runtime_error("stop");',
    "budget": BENCH + "for (;;) t.a.GetValue(0); /*!*/",
    "gather-offset": BENCH
    + """auto at = t.b.ReinterpretCast<uint32_t>(); Duplicate(at, uint32_t(1024), 8); PipeBarrier<PIPE_ALL>();
    Gather(t.b[64], t.a, at, uint32_t(0), 8); /*!*/""",
    "gather-offset/alignment": BENCH
    + """auto at = t.b.ReinterpretCast<uint32_t>(); Duplicate(at, uint32_t(2), 8); PipeBarrier<PIPE_ALL>();
    Gather(t.b[64], t.a, at, uint32_t(0), 8); /*!*/""",
    "sort-range": BENCH
    + """MrgSort4Info info; info.validBit = 5;
    MrgSort(t.b, MrgSortSrcList<float>(t.a, t.a, t.a, t.a), info); /*!*/""",
    "buffer-pool": """TPipe pipe; TBufPool<TPosition::VECCALC> pool; TBuf<> c;
    pipe.InitBufPool(pool, 64);
    pool.InitBuffer(c, 96); /*!*/""",
    "kernel-assert": BENCH + "assert(t.a.GetValue(0) > 5.0f); /*!*/",
    "kernel-assert/trap": BENCH + "Trap(); /*!*/",
    "event-id/pipes": "set_flag(PIPE_V, PIPE_V, 0); wait_flag(PIPE_V, PIPE_V, 0);\nset_flag(PIPE_S, PIPE_S, 0); /*!*/",
    "event-wait-without-set/queue-sync": "TQueSync<PIPE_V, PIPE_MTE3> sync;\nsync.WaitFlag(0); /*!*/",
    "gm-dirty-cache/copy": BENCH
    + """t.y.SetValue(0, 1.0f); PipeBarrier<PIPE_ALL>();
    DataCopyPad(t.b, t.y, {1, 4, 0, 0, 0}, {false, 0, 0, 0.0f}); /*!*/
    DataCacheCleanAndInvalid<float, CacheLine::SINGLE_CACHE_LINE, DcciDst::CACHELINE_OUT>(t.y);""",
    "gm-dirty-cache/around": BENCH
    + """t.y.SetValue(0, 1.0f);
    ReadGmByPassDCache((__gm__ int32_t*)y); /*!*/
    DataCacheCleanAndInvalid<float, CacheLine::ENTIRE_DATA_CACHE>(t.y);""",
    "gm-stale-cache": BENCH
    + """DataCopy(t.y, t.b, 64); PipeBarrier<PIPE_ALL>(); t.y.GetValue(0); PipeBarrier<PIPE_ALL>();
    DataCopy(t.y, t.a, 64); PipeBarrier<PIPE_ALL>();
    t.y.GetValue(0); /*!*/""",
    "gm-bounds/around": BENCH + "WriteGmByPassDCache((__gm__ int32_t*)y + 256, 1); /*!*/",
    "gm-uninitialized/around": BENCH + "ReadGmByPassDCache((__gm__ int32_t*)y); /*!*/",
    "gm-uninitialized/atomic": BENCH + "SetAtomicMax<float>();\nDataCopy(t.y, t.b, 64); /*!*/\nSetAtomicNone();",
    "gm-race/atomic": BENCH
    + """DataCopy(t.y, t.b, 64); SetAtomicAdd<float>();
    DataCopy(t.y, t.b, 64); /*!*/
    SetAtomicNone();""",
    "atomic-type": BENCH + "SetAtomicAdd<half>();\nDataCopy(t.y, t.b, 64); /*!*/\nDisableDmaAtomic();",
    "atomic-left": BENCH + "SetAtomicMin<int32_t>(); /*!*/",
    "sync-hang": BENCH + "CrossCoreWaitFlag(3); /*!*/",
    "sync-hang/turn": BENCH
    + """TBuf<> c; t.pipe.InitBuffer(c, 64); auto u = c.Get<int32_t>();
    GlobalTensor<int32_t> g; g.SetGlobalBuffer((__gm__ int32_t*)workspace, 8);
    InitDetermineComputeWorkspace(g, u); WaitPreBlock(g, u);
    WaitPreBlock(g, u); /*!*/""",
    "sync-workspace": BENCH
    + """GlobalTensor<int32_t> g; g.SetGlobalBuffer((__gm__ int32_t*)workspace);
    auto u = t.a.ReinterpretCast<int32_t>();
    SyncAll(g, u); /*!*/""",
    "sync-workspace/size": BENCH
    + """GlobalTensor<int32_t> g; g.SetGlobalBuffer((__gm__ int32_t*)workspace, 7);
    auto u = t.a.ReinterpretCast<int32_t>();
    InitDetermineComputeWorkspace(g, u); /*!*/""",
    "sync-workspace/pair": BENCH
    + """GlobalTensor<int32_t> g; g.SetGlobalBuffer((__gm__ int32_t*)workspace);
    auto u = t.a.ReinterpretCast<int32_t>();
    IBSet(g, u, 0, 0); /*!*/""",
    "sync-flag-id": BENCH + "CrossCoreSetFlag<0, PIPE_MTE3>(16); /*!*/",
    "sync-flag-count": BENCH + "for (int i = 0; i < 16; i++) CrossCoreSetFlag<0, PIPE_MTE3>(0); /*!*/",
    "sync-kernel-type/mode": """KERNEL_TASK_TYPE_DEFAULT(KERNEL_TYPE_MIX_AIV_1_0);
    CrossCoreSetFlag<1, PIPE_V>(0); /*!*/
    CrossCoreWaitFlag(0);""",
}

MORE_APIS = {
    "Compare": frozenset({("u8", "f", "f")}),
    "BlockReduceSum": frozenset({("f", "f")}),
    "Brcb": frozenset({("f", "f")}),
}


def extended(chip: Chip) -> Chip:
    """The chip with the APIs whose checks are tested here, whether its table lists them or not."""
    return replace(chip, vector_dtypes={**chip.vector_dtypes, **MORE_APIS})


ONE_CORE = Cases(CASES, extended(get_chip("ascend910b")))

MANY_CORES = Cases(
    {
        "gm-race": BENCH + "DataCopy(t.y, t.b, 64); /*!*/",
        "gm-race/read": BENCH
        + """if (GetBlockIdx() == 0) DataCopy(t.y, t.b, 64);
    else DataCopy(t.b, t.y, 64); /*!*/""",
        "gm-race/shared-read": BENCH
        + """if (GetBlockIdx() == 0) DataCopy(t.y, t.b, 64);
    SyncAll();
    DataCopy(t.b, t.y, 64); PipeBarrier<PIPE_ALL>();
    if (GetBlockIdx() == 2) DataCopy(t.y, t.a, 64); /*!*/""",
        "sync-mismatch": """if (GetBlockIdx() == 1) return;
    SyncAll(); /*!*/""",
        "sync-mismatch/count": """SyncAll();
    if (GetBlockIdx() == 2) SyncAll(); /*!*/""",
        "gm-shared-line": BENCH
        + """t.y.SetValue(GetBlockIdx(), 1.0f);
    SyncAll();
    DataCacheCleanAndInvalid<float, CacheLine::SINGLE_CACHE_LINE>(t.y); /*!*/""",
        "gm-race/atomic-read": BENCH
        + """if (GetBlockIdx() > 0) SetAtomicAdd<int32_t>(); else DataCopy(t.y, t.b, 64);
    SyncAll();
    auto whole = t.y.ReinterpretCast<int32_t>();
    if (GetBlockIdx() == 0) DataCopy(t.a, t.y, 64);
    else DataCopy(whole, t.b.ReinterpretCast<int32_t>(), 64); /*!*/
    SetAtomicNone();""",
        "atomic-order": BENCH
        + """if (GetBlockIdx() == 0) DataCopy(t.y, t.b, 64);
    SyncAll();
    SetAtomicAdd<float>();
    DataCopy(t.y, t.b, 64); /*!*/
    SetAtomicNone();""",
        "sync-mismatch/turns": BENCH
        + """TBuf<> c; t.pipe.InitBuffer(c, 256); auto u = c.Get<int32_t>();
    GlobalTensor<int32_t> g; g.SetGlobalBuffer((__gm__ int32_t*)workspace);
    InitDetermineComputeWorkspace(g, u);
    if (GetBlockIdx() == 0) NotifyNextBlock(g, u); /*!*/""",
        "gm-race/after-barrier": BENCH
        + """DataCopy(t.y[GetBlockIdx() * 8], t.b, 8);
    SyncAll();
    if (GetBlockIdx() == 2) DataCopy(t.y, t.b, 64); /*!*/
    else DataCopy(t.b, t.y, 8);""",
    },
    get_chip("ascend910b"),
)


def run(cases: Cases, name: str, cores: int, y_role: Role = Role.WORKSPACE) -> EmulationReport:
    """Run one case on a 256-float input, a 256-float scratch output and a 256-float workspace."""
    data = np.arange(256, dtype=np.float32)
    return cases.kernel.run(
        [read_only(data), np.empty(256, np.float32), np.empty(256, np.float32)],
        cores,
        roles={"y": y_role},
        tiling_key=cases.key(name),
        max_instructions=1000,
    )


@pytest.mark.parametrize("name", CASES)
def test_one_core(name: str) -> None:
    report = run(ONE_CORE, name, 1)
    assert report.codes == {name.partition("/")[0]}, report
    assert report.findings[0].line == ONE_CORE.marked_line(name), report
    assert report.findings[0].file == "bench.cpp"
    assert report.findings[0].core == 0


@pytest.mark.parametrize("name", MANY_CORES.bodies)
def test_many_cores(name: str) -> None:
    report = run(MANY_CORES, name, 3)
    assert report.codes == {name.partition("/")[0]}, report
    assert report.findings[0].line == MANY_CORES.marked_line(name), report


def test_unwritten_output() -> None:
    report = run(ONE_CORE, "gm-race", 1, Role.OUTPUT)
    assert "gm-unwritten" in report.codes
    (finding,) = [f for f in report.findings if f.code == "gm-unwritten"]
    assert finding.api == "y"
    assert "[256, 1024)" in finding.message


@pytest.mark.parametrize("name", ["queue-empty", "event-wait-without-set/queue-sync"])
def test_what_a_stopped_kernel_did_not_write_is_not_told(name: str) -> None:
    report = run(ONE_CORE, name, 1, Role.OUTPUT)
    assert report.codes == {name.partition("/")[0]}


def test_marks_are_unique() -> None:
    assert all(body.count(MARK) == 1 for body in (*CASES.values(), *MANY_CORES.bodies.values()))
