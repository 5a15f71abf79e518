"""Figures of emulated runs: exact counts, and an estimated time line that keeps the order of the pipes."""

from dataclasses import replace
from itertools import pairwise
from typing import Any

import numpy as np
import pytest

from opwright.codegen.emulator.figures import PATHS, PIPES, Figures
from opwright.codegen.emulator.launch import EmulatedKernel, read_only
from opwright.figures_text import format_figures
from opwright.passes.chips import CHIPS, get_chip

SOURCE = """
#include "kernel_operator.h"
using namespace AscendC;

extern "C" __global__ __aicore__ void work(GM_ADDR x, GM_ADDR z, uint32_t tiles, uint32_t depth, uint32_t sync) {
    TPipe pipe;
    TQue<TPosition::VECIN, 2> in;
    TQue<TPosition::VECOUT, 2> out;
    pipe.InitBuffer(in, depth, 4096);
    pipe.InitBuffer(out, depth, 4096);
    GlobalTensor<float> from, to;
    from.SetGlobalBuffer((__gm__ float*)x);
    to.SetGlobalBuffer((__gm__ float*)z);
    const uint32_t mine = GetBlockIdx() == 0 ? tiles : 1;
    for (uint32_t i = 0; i < mine; i++) {
        const uint32_t at = (GetBlockIdx() * tiles + i) * 1024;
        LocalTensor<float> a = in.AllocTensor<float>();
        DataCopy(a, from[at], 1024);
        in.EnQue(a);
        a = in.DeQue<float>();
        LocalTensor<float> b = out.AllocTensor<float>();
        Add(b, a, a, 1024);
        PipeBarrier<PIPE_V>();
        Adds(b, b, 1.0f, 64, 16, UnaryRepeatParams(1, 1, 8, 8));
        out.EnQue(b);
        in.FreeTensor(a);
        b = out.DeQue<float>();
        DataCopy(to[at], b, 1024);
        out.FreeTensor(b);
    }
    if (sync != 0) {
        SyncAll<true>();
        LocalTensor<float> last = in.AllocTensor<float>();
        DataCopy(last, to, 8);
        in.FreeTensor(last);
    }
}
"""


def work(cores: int = 1, tiles: int = 8, depth: int = 2, sync: int = 0, target: str = "ascend910b") -> Figures:
    x = np.zeros(cores * tiles * 1024, np.float32)
    z = np.zeros_like(x)
    params = ["x", "workspace", "tiles", "depth", "sync"]
    numbers: list[Any] = [np.uint32(n).tobytes() for n in (tiles, depth, sync)]
    kernel = EmulatedKernel({"work.cpp": SOURCE}, "work", params, get_chip(target))
    report = kernel.run([read_only(x), z, *numbers], cores, trace=True)
    assert report.clean, report
    return report.figures


def test_counts_are_exact() -> None:
    figures = work()
    assert (figures.gm_read_bytes, figures.gm_write_bytes) == (8 * 4096, 8 * 4096)
    assert figures.bytes == {
        "GM->UB": 8 * 4096, "UB->GM": 8 * 4096, "UB->UB": 0, "scalar GM read": 0, "scalar GM write": 0, "tiling": 0,
    }  # fmt: skip
    assert figures.ub_peak == 4 * 4096
    counted = {(row.pipe, row.api): (row.instructions, row.repeats) for row in figures.apis}
    assert counted["V", "Add"] == (8, 8 * 16)
    assert counted["V", "Adds"] == (8, 8 * 16)
    assert counted["MTE2", "DataCopy"][0] == counted["MTE3", "DataCopy"][0] == 8
    assert figures.syncs["PipeBarrier V"] == 8


def test_counts_by_core() -> None:
    figures = work(cores=3)
    assert [core.bytes["GM->UB"] for core in figures.cores] == [8 * 4096, 4096, 4096]
    assert [core.core for core in figures.cores] == [0, 1, 2]
    assert figures.gm_read_bytes == 10 * 4096
    assert figures.instructions == sum(core.instructions for core in figures.cores)
    assert figures.microseconds > max(core.microseconds for core in figures.cores)


def test_pipes_execute_in_order() -> None:
    (core,) = work().cores
    for pipe in PIPES:
        spans = [span for span in core.spans if span.pipe == pipe]
        for earlier, later in pairwise(spans):
            assert later.begin >= earlier.begin + earlier.duration - 1e-9
    assert [(s.api, s.line) for s in core.spans if s.pipe != "S"][:4] == [
        ("DataCopy", 18), ("Add", 22), ("Adds", 24), ("DataCopy", 28),
    ]  # fmt: skip


@pytest.mark.parametrize("target", ["ascend910b", "ascend950"])
def test_queues_and_barriers_order_the_time_line(target: str) -> None:
    (core,) = work(target=target).cores
    copies, adds, stores = (
        [s for s in core.spans if s.pipe == pipe and s.api == api]
        for pipe, api in (("MTE2", "DataCopy"), ("V", "Add"), ("MTE3", "DataCopy"))
    )
    for copy, add, store in zip(copies, adds, stores, strict=True):
        assert add.begin > copy.begin + copy.duration
        assert store.begin > add.begin + add.duration
    costs = get_chip(target).costs
    assert costs is not None
    second = next(s for s in core.spans if s.api == "Adds")
    latency = costs.vector.get("Add", costs.other_vector).latency / costs.clock_mhz
    assert second.begin >= adds[0].begin + adds[0].duration + latency - 1e-9


def test_double_buffering_is_faster() -> None:
    assert work(depth=2).microseconds < work(depth=1).microseconds


def test_cores_wait_for_each_other() -> None:
    costs = CHIPS["ascend910b"].costs
    assert costs is not None
    first, second = work(cores=2, tiles=16, sync=1).cores
    (after,) = [span for span in second.spans if span.line == 34]
    last = max(span.begin + span.duration for span in first.spans if span.line == 28)
    assert after.begin >= last + costs.sync_us
    assert abs(second.microseconds - first.microseconds) < 0.5


def test_shared_bandwidth() -> None:
    """More cores than the memory feeds at full rate make each copy slower."""
    alone, shared = (next(s for s in work(cores=n, tiles=1).cores[0].spans if s.pipe == "MTE2") for n in (1, 40))
    assert shared.duration > alone.duration


def test_trace_events() -> None:
    figures = work(cores=2)
    events = figures.trace_events()["traceEvents"]
    names = {(e["pid"], e["tid"]): e["args"]["name"] for e in events if e["name"] == "thread_name"}
    assert names == {(core, n): pipe for core in (0, 1) for n, pipe in enumerate(PIPES)}
    shown = [e for e in events if e["ph"] == "X"]
    assert len(shown) == figures.instructions
    assert {e["name"] for e in shown if e["tid"] == PIPES.index("V")} == {"Add:22", "Adds:24"}


def test_text_and_plain_forms() -> None:
    figures = work(cores=2)
    text = format_figures(figures)
    assert f"global memory: {9 * 4096} bytes read, {9 * 4096} bytes written" in text
    assert "estimated from the chip table, not measured" in text
    assert "cores: 2 of 2 moved data" in text
    assert "slowest" not in text
    plain = figures.plain()
    assert plain["gm_read_bytes"] == 9 * 4096
    assert [core["core"] for core in plain["cores"]] == [0, 1]
    assert plain["apis"][0]["estimated_cycles"] > 0


def test_text_of_many_cores_shows_one() -> None:
    figures = work(cores=40, tiles=4)
    idle = [replace(core, bytes={**dict.fromkeys(PATHS, 0), "tiling": 8}) for core in figures.cores[4:]]
    figures = replace(figures, cores=(*figures.cores[:4], *idle))
    text = format_figures(figures)
    assert "cores: 4 of 40 moved data" in text
    assert figures.plain()["moving_cores"] == 4
    title, _, _, row = text.split("\n\n")[-1].splitlines()
    assert title == "slowest of 40 cores (--json has all):"
    assert row.split()[0] == str(max(figures.cores, key=lambda core: core.microseconds).core)


def test_barriers_that_are_not_in_the_source_say_where_they_are() -> None:
    assert work(cores=3).syncs["PipeBarrier ALL (end of TPipe)"] == 3


def test_a_stopped_core_keeps_its_peak() -> None:
    source = """#include "kernel_operator.h"
    __global__ __aicore__ void stops() {
        AscendC::TPipe pipe;
        AscendC::TQue<AscendC::TPosition::VECIN, 1> queue;
        pipe.InitBuffer(queue, 1, 4096);
        queue.DeQue<float>();
    }"""
    report = EmulatedKernel({"stops.cpp": source}, "stops", [], get_chip("ascend910b")).run([], 1)
    assert report.codes == {"queue-empty"}
    assert report.figures.ub_peak == 4096


def test_a_run_without_instructions() -> None:
    source = '#include "kernel_operator.h"\n__global__ __aicore__ void none() {}\n'
    figures = EmulatedKernel({"none.cpp": source}, "none", [], get_chip("ascend910b")).run([], 1).figures
    assert figures.instructions == 0
    assert figures.gm_read_bytes == 0
    assert "synchronisation: none" in format_figures(figures)
