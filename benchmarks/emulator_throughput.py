"""Throughput of the emulator: vector data a second on one core, with all checks on."""

import argparse
import statistics
import sys
import time
from dataclasses import dataclass

import numpy as np

from opwright.codegen.emulator.launch import EmulatedKernel, read_only
from opwright.passes.chips import CHIPS, get_chip

KERNEL = """
#include "kernel_operator.h"
using namespace AscendC;

extern "C" __global__ __aicore__ void chain(GM_ADDR x, GM_ADDR y, GM_ADDR z, uint32_t total) {
    TPipe pipe;
    TQue<TPosition::VECIN, 1> xQue, yQue;
    TQue<TPosition::VECOUT, 1> zQue;
    pipe.InitBuffer(xQue, 2, TILE * sizeof(TYPE));
    pipe.InitBuffer(yQue, 2, TILE * sizeof(TYPE));
    pipe.InitBuffer(zQue, 2, TILE * sizeof(TYPE));
    GlobalTensor<TYPE> xGm, yGm, zGm;
    xGm.SetGlobalBuffer((__gm__ TYPE*)x, total);
    yGm.SetGlobalBuffer((__gm__ TYPE*)y, total);
    zGm.SetGlobalBuffer((__gm__ TYPE*)z, total);
    for (uint32_t at = 0; at < total; at += TILE) {
        LocalTensor<TYPE> a = xQue.AllocTensor<TYPE>();
        LocalTensor<TYPE> b = yQue.AllocTensor<TYPE>();
        DataCopy(a, xGm[at], TILE);
        DataCopy(b, yGm[at], TILE);
        xQue.EnQue(a);
        yQue.EnQue(b);
        a = xQue.DeQue<TYPE>();
        b = yQue.DeQue<TYPE>();
        LocalTensor<TYPE> c = zQue.AllocTensor<TYPE>();
        INSTRUCTION
        zQue.EnQue(c);
        xQue.FreeTensor(a);
        yQue.FreeTensor(b);
        c = zQue.DeQue<TYPE>();
        DataCopy(zGm[at], c, TILE);
        zQue.FreeTensor(c);
    }
}
"""

INSTRUCTIONS = {
    "Add": "Add(c, a, b, TILE);",
    "Max": "Max(c, a, b, TILE);",
    "Exp": "Exp(a, a, TILE); PipeBarrier<PIPE_V>(); Add(c, a, b, TILE);",
    "masked": "Mul(c, a, b, 256 / sizeof(TYPE), TILE * sizeof(TYPE) / 256, BinaryRepeatParams(1, 1, 1, 8, 8, 8));",
}
TYPES = {"float": np.float32, "half": np.float16}


@dataclass(frozen=True)
class Case:
    """An instruction on tiles of a number of elements."""

    instruction: str
    dtype: str
    tile: int

    def __str__(self) -> str:
        return f"{self.instruction} {self.dtype} {self.tile}"

    def kernel(self, target: str) -> EmulatedKernel:
        source = KERNEL.replace("INSTRUCTION", INSTRUCTIONS[self.instruction])
        source = source.replace("TYPE", self.dtype).replace("TILE", str(self.tile))
        return EmulatedKernel({"chain.cpp": source}, "chain", ["x", "y", "z", "total"], get_chip(target))


def measure(case: Case, target: str, megabytes: int, rounds: int) -> float:
    """Return megabytes of the three operands a second of processor time, by the median; the emulator has one thread."""
    dtype = TYPES[case.dtype]
    tiles = max(1, (megabytes << 20) // (3 * case.tile * np.dtype(dtype).itemsize))
    total = tiles * case.tile
    random = np.random.default_rng(0)
    x, y = (read_only(random.standard_normal(total).astype(dtype)) for _ in range(2))
    z = np.empty(total, dtype)
    kernel = case.kernel(target)

    def run() -> float:
        start = time.process_time()
        report = kernel.run([x, y, z, np.uint32(total).tobytes()], 1)
        assert report.clean, report
        return time.process_time() - start

    run()
    return 3 * z.nbytes / 1e6 / statistics.median(run() for _ in range(rounds))


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--target", choices=[name for name in CHIPS if name != "cpu"], default="ascend910b")
    parser.add_argument("--megabytes", type=int, default=48, help="operands of a run")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--require", type=float, default=0.0, help="exit with 1 where a case is slower (MB/s)")
    args = parser.parse_args()
    slow = False
    for instruction in INSTRUCTIONS:
        for dtype in TYPES:
            for tile in (2048, 4096):
                case = Case(instruction, dtype, tile)
                speed = measure(case, args.target, args.megabytes, args.rounds)
                slow |= speed < args.require
                print(f"{case!s:20} {speed:8.0f} MB/s", flush=True)
    return int(slow)


if __name__ == "__main__":
    sys.exit(main())
