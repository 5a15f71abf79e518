"""Comparisons, selections, reductions inside repeats and element broadcast."""

import operator
from collections.abc import Callable
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest

from opwright.codegen.emulator.launch import EmulatedKernel, Role, read_only
from opwright.passes.chips import get_chip

Array = npt.NDArray[Any]

FLOATS = ("h", "f")
CTYPE = {"h": "half", "f": "float"}
DTYPE: dict[str, type[Any]] = {"h": np.float16, "f": np.float32}
MODES: dict[str, Callable[[Array, Any], Array]] = {
    "LT": operator.lt,
    "GT": operator.gt,
    "EQ": operator.eq,
    "LE": operator.le,
    "GE": operator.ge,
    "NE": operator.ne,
}
SIZE = 512

BODIES = {
    **{
        f"Compare/{mode}": f"Compare(d.template ReinterpretCast<uint8_t>(), a, b, CMPMODE::{mode}, 256)"
        for mode in MODES
    },
    "Compares": "Compares(d.template ReinterpretCast<uint8_t>(), a, T(0.5f), CMPMODE::LT, 256)",
    "Compare/mask": "Compare(d.template ReinterpretCast<uint8_t>(), a, b, CMPMODE::LT, E, 2, {1, 1, 1, 8, 8, 8})",
    "Select/tensor": "Select(d, bits, a, b, SELMODE::VSEL_TENSOR_TENSOR_MODE, 200)",
    "Select/reuse": "Select(d, bits, a, b, SELMODE::VSEL_CMPMASK_SPR, 200)",
    "Select/scalar": "Select(d, bits, a, T(0.5f), SELMODE::VSEL_TENSOR_SCALAR_MODE, 200)",
    "Select/mask": "Select(d, bits, a, b, SELMODE::VSEL_TENSOR_TENSOR_MODE, E - 3, 2, {1, 1, 1, 8, 8, 8})",
    "WholeReduceSum": "WholeReduceSum(d, a, E - 5, 3, 1, 1, 8)",
    "PairReduceSum": "PairReduceSum(d, a, 3, E, 1, 1, 8)",
    "BlockReduceSum": "BlockReduceSum(d, a, 3, E - 2, 1, 1, 8)",
    "BlockReduceMax": "BlockReduceMax(d, a, 3, E - 2, 1, 1, 8)",
    "BlockReduceMin": "BlockReduceMin(d, a, 3, E - 2, 1, 1, 8)",
    "Brcb": "Brcb(d, a, 3, {1, 8})",
}


def source() -> str:
    cases = "".join(f"    if (TILING_KEY_IS({key})) {{ {body}; }}\n" for key, body in enumerate(BODIES.values()))
    return f"""
#include "kernel_operator.h"
using namespace AscendC;
template <typename T>
void run(GM_ADDR x0, GM_ADDR x1, GM_ADDR x2, GM_ADDR y) {{
    constexpr uint32_t size = {SIZE}, E = 256 / sizeof(T);
    TPipe pipe;
    TBuf<> dBuf, aBuf, bBuf, cBuf;
    for (TBuf<>* buffer : {{&dBuf, &aBuf, &bBuf, &cBuf}}) pipe.InitBuffer(*buffer, size * sizeof(T));
    LocalTensor<T> d = dBuf.Get<T>(), a = aBuf.Get<T>(), b = bBuf.Get<T>();
    LocalTensor<uint8_t> bits = cBuf.Get<uint8_t>();
    GlobalTensor<T> gm;
    GlobalTensor<uint8_t> bytes;
    gm.SetGlobalBuffer((__gm__ T*)x0);
    DataCopy(a, gm, size);
    gm.SetGlobalBuffer((__gm__ T*)x1);
    DataCopy(b, gm, size);
    bytes.SetGlobalBuffer((__gm__ uint8_t*)x2);
    DataCopy(bits, bytes, 32);
    gm.SetGlobalBuffer((__gm__ T*)y);
    DataCopy(d, gm, size);
    PipeBarrier<PIPE_ALL>();
{cases}
    PipeBarrier<PIPE_ALL>();
    DataCopy(gm, d, size);
}}
extern "C" __global__ __aicore__ void h(GM_ADDR x0, GM_ADDR x1, GM_ADDR x2, GM_ADDR y) {{ run<half>(x0, x1, x2, y); }}
extern "C" __global__ __aicore__ void f(GM_ADDR x0, GM_ADDR x1, GM_ADDR x2, GM_ADDR y) {{ run<float>(x0, x1, x2, y); }}
"""


CHIP = get_chip("ascend910b")
KERNELS = {name: EmulatedKernel({"reduce.cpp": source()}, name, ["x0", "x1", "x2", "y"], CHIP) for name in FLOATS}


def tree(rows: Array) -> Array:
    """Pairwise sums of the last axis, every level rounded to the element type."""
    while rows.shape[-1] > 1:
        rows = rows[..., 0::2] + rows[..., 1::2]
    return rows[..., 0]


def repeats(a: Array, count: int, active: int, fill: float) -> Array:
    """The first repeats as rows, with inactive elements replaced."""
    rows = a[: count * (256 // a.itemsize)].reshape(count, -1).copy()
    rows[:, active:] = fill
    return rows


def compared(name: str, a: Array, b: Array, epr: int) -> Array:
    mode = name.partition("/")[2]
    count = 2 * epr if mode == "mask" else 256
    other = np.float32(0.5) if name == "Compares" else b[:count]
    return np.packbits(MODES.get(mode, operator.lt)(a[:count], other), bitorder="little")


def selected(name: str, a: Array, b: Array, bits: Array, epr: int, before: Array) -> Array:
    flags = np.unpackbits(bits, bitorder="little").astype(bool)
    lane = np.arange(SIZE)
    chosen = flags[lane % epr] if name == "Select/reuse" else flags[lane % 256]
    result = np.where(chosen, a, np.float32(0.5).astype(a.dtype) if name == "Select/scalar" else b)
    touched = (lane < 2 * epr) & (lane % epr < epr - 3) if name == "Select/mask" else lane < 200
    return np.where(touched, result, before)


def reduced(name: str, a: Array, epr: int) -> Array:
    blocks = (3, 8, epr // 8)
    match name:
        case "WholeReduceSum":
            return tree(repeats(a, 3, epr - 5, 0))
        case "PairReduceSum":
            return tree(a[: 3 * epr].reshape(-1, 2))
        case "BlockReduceSum":
            return tree(repeats(a, 3, epr - 2, 0).reshape(blocks)).ravel()
        case "BlockReduceMax":
            return repeats(a, 3, epr - 2, -np.inf).reshape(blocks).max(-1).ravel()
        case "BlockReduceMin":
            return repeats(a, 3, epr - 2, np.inf).reshape(blocks).min(-1).ravel()
        case _:
            return np.repeat(a[:24], 32 // a.itemsize)


@pytest.mark.parametrize("name", BODIES)
@pytest.mark.parametrize("dtype", FLOATS)
def test_instruction(dtype: str, name: str) -> None:
    kind = DTYPE[dtype]
    epr = 256 // np.dtype(kind).itemsize
    generator = np.random.default_rng(0)
    a, b, y = (generator.standard_normal(SIZE).astype(kind) for _ in range(3))
    b[::3] = a[::3]
    bits = generator.integers(0, 256, 32, np.uint8)
    before = y.copy()
    key = list(BODIES).index(name)
    report = KERNELS[dtype].run(
        [read_only(a), read_only(b), read_only(bits), y], 1, roles={"y": Role.INOUT}, tiling_key=key
    )
    assert report.clean, report
    if name.startswith("Compare"):
        want = compared(name, a, b, epr)
    elif name.startswith("Select"):
        want = selected(name, a, b, bits, epr, before)
    else:
        want = reduced(name, a, epr).astype(kind)
    got = y.view(np.uint8)
    assert got[: want.nbytes].tobytes() == want.tobytes()
    assert got[want.nbytes :].tobytes() == before.view(np.uint8)[want.nbytes :].tobytes()
