"""Hand-written kernels in the style of public samples (tests/kernels): right on any number of cores, in every mode."""

import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest

import opwright as ow
from opwright.codegen.emulator.kernel_source import find_kernels
from opwright.codegen.emulator.launch import EmulatedKernel, Role, RunOptions, read_only
from opwright.emulation_arguments import Output
from opwright.passes.chips import get_chip

Array = npt.NDArray[Any]
FOLDER = Path(__file__).parent / "kernels"
CORES = (1, 3, 8)
MODES = (RunOptions(), *(RunOptions(strict=True, seed=seed) for seed in range(3)))
F32, F16, I32 = np.float32, np.float16, np.int32


@dataclass(frozen=True)
class Case:
    """One launch.

    Attributes:
        args: inputs and outputs in the order of the kernel's parameters, without the workspace and the tiling data.
            An output is the array that must come out.
        tiling: the tiling data.
        outputs: positions of the outputs among `args`.
        before: what outputs hold before that are read as well.
        tolerance: relative and absolute error allowed; 0 for the same bits.
    """

    args: tuple[Array, ...]
    tiling: bytes
    outputs: tuple[int, ...] = (-1,)
    before: Array | None = None
    tolerance: float = 0.0


def _tiling(*numbers: int | float) -> bytes:
    return b"".join(F32(n).tobytes() if isinstance(n, float) else I32(n).tobytes() for n in numbers)


def _random(seed: int, *shape: int, dtype: npt.DTypeLike = F32) -> Array:
    return np.random.default_rng([seed, *shape]).standard_normal(shape).astype(dtype)


def add_tail(count: int) -> Case:
    x, y = (_random(seed, count, dtype=F16) for seed in range(2))
    return Case((x, y, x + y), _tiling(count))


def axpy_relu(count: int) -> Case:
    x, y = (_random(seed, count) for seed in range(2))
    exact = np.maximum(y.astype(np.float64) + 0.75 * x.astype(np.float64), 0)
    return Case((x, exact.astype(F32)), _tiling(count, 0.75), before=y, tolerance=1e-6)


def softmax_rows(rows: int, columns: int) -> Case:
    x = _random(0, rows, columns)
    powers = np.exp(x.astype(np.float64) - x.max(axis=1, keepdims=True))
    return Case((x, (powers / powers.sum(axis=1, keepdims=True)).astype(F32)), _tiling(rows, columns), tolerance=1e-5)


def layernorm(rows: int, columns: int) -> Case:
    x, gamma, beta = _random(0, rows, columns), _random(1, columns), _random(2, columns)
    wide = x.astype(np.float64)
    centred = wide - wide.mean(axis=1, keepdims=True)
    z = centred / np.sqrt(wide.var(axis=1, keepdims=True) + F32(1e-5)) * gamma + beta
    return Case((x, gamma, beta, z.astype(F32)), _tiling(rows, columns, 1e-5), tolerance=1e-4)


def rmsnorm(rows: int, columns: int) -> Case:
    x, gamma = _random(0, rows, columns, dtype=F16), _random(1, columns, dtype=F16)
    wide = x.astype(np.float64)
    z = wide / np.sqrt((wide * wide).mean(axis=1, keepdims=True) + F32(1e-6)) * gamma
    return Case((x, gamma, z.astype(F16)), _tiling(rows, columns, 1e-6), tolerance=1e-3)


def reduce_sum_long(count: int) -> Case:
    x = _random(0, count)
    return Case((x, x.sum(dtype=np.float64, keepdims=True).astype(F32)), _tiling(count), tolerance=1e-4)


def reduce_sum_cores(count: int) -> Case:
    return reduce_sum_long(count)


def argmax_rows(rows: int, columns: int) -> Case:
    x = _random(0, rows, columns).round(1)
    return Case((x, x.argmax(axis=1).astype(I32)), _tiling(rows, columns))


def gather_rows(table_rows: int, count: int, columns: int) -> Case:
    table = _random(0, table_rows, columns, dtype=F16)
    index = np.random.default_rng(count).integers(-1, table_rows + 1, count).astype(I32)
    inside = (index >= 0) & (index < table_rows)
    z = np.where(inside[:, None], table[np.clip(index, 0, table_rows - 1)], F16(0))
    return Case((table, index, z), _tiling(table_rows, count, columns))


def scatter_rows(table_rows: int, count: int, columns: int) -> Case:
    x, before = _random(0, count, columns), _random(1, table_rows, columns)
    index = np.random.default_rng(count).permutation(table_rows)[:count].astype(np.int64)
    z = before.copy()
    z[index] = x
    return Case((x, index, z), _tiling(count, columns), before=before)


def embedding_grad(table_rows: int, count: int, columns: int) -> Case:
    x = np.random.default_rng(0).integers(-8, 9, (count, columns)).astype(F32)
    index = np.random.default_rng(1).integers(0, table_rows, count).astype(I32)
    grad = np.zeros((table_rows, columns), F32)
    np.add.at(grad, index, x)
    return Case((x, index, grad), _tiling(table_rows, count, columns))


def transpose_blocks(rows: int, columns: int) -> Case:
    x = _random(0, rows, columns, dtype=F16)
    return Case((x, np.ascontiguousarray(x.T)), _tiling(rows, columns))


def add_bias(rows: int, columns: int) -> Case:
    x, bias = _random(0, rows, columns, dtype=F16), _random(1, columns, dtype=F16)
    return Case((x, bias, x + bias), _tiling(rows, columns))


def sort_512(count: int) -> Case:
    x = _random(0, count)
    places = np.argsort(-x, kind="stable")
    return Case((x, x[places], places.astype(I32)), _tiling(count), outputs=(1, 2))


def top_k(rows: int, columns: int, k: int) -> Case:
    x = np.stack([np.random.default_rng(r).permutation(columns) for r in range(rows)]).astype(F16)
    places = np.argsort(-x, axis=1, kind="stable")[:, :k]
    values = np.take_along_axis(x, places, axis=1)
    return Case((x, values, places.astype(np.uint32)), _tiling(rows, columns, k), outputs=(1, 2))


def copy_two_buffers(count: int) -> Case:
    x = np.arange(count, dtype=I32)
    return Case((x, x), _tiling(count))


def cast_chain(count: int) -> Case:
    x = np.resize(np.arange(-128, 128), count).astype(np.int8)
    return Case((x, np.rint(x.astype(F32) * F32(0.3)).astype(I32)), _tiling(count, 0.3))


def masked_select(count: int) -> Case:
    x, y = (_random(seed, count) for seed in range(2))
    return Case((x, y, np.where(x > y, x, F32(-1.5))), _tiling(count, -1.5))


def pad_columns(rows: int, pitch: int, first: int, width: int) -> Case:
    x = np.arange(rows * pitch, dtype=np.int16).reshape(rows, pitch)
    padded = -(-width // 16) * 16
    z = np.full((rows, padded), -7, np.int16)
    z[:, :width] = x[:, first : first + width]
    return Case((x, z), _tiling(rows, pitch, first, width, -7))


def dropout_pack(count: int) -> Case:
    x = _random(0, count)
    keep = np.random.default_rng(1).integers(0, 2, count, dtype=np.uint8)
    bits = np.zeros(-(-count // 32) * 32, np.uint8)
    bits[:count] = keep
    packed = x[keep == 1] * F32(2.0)
    z = np.concatenate([packed, np.full(count - packed.size, F32(9))])
    mask = np.packbits(bits, bitorder="little").view(np.uint32)
    number = np.array([packed.size], I32)
    return Case((x, mask, z, number), _tiling(count, 2.0), outputs=(2, 3), before=np.full(count, F32(9)))


def quantize_rows(rows: int, columns: int) -> Case:
    x = _random(0, rows, columns)
    scales = F32(127.0) / np.abs(x).max(axis=1)
    z = np.rint((x * scales[:, None]).astype(F16)).astype(np.int8)
    return Case((x, z, scales), _tiling(rows, columns), outputs=(1, 2))


def reverse_lanes(count: int) -> Case:
    x = _random(0, count)
    return Case((x, x[::-1].copy()), _tiling(count))


def vf_gelu(count: int) -> Case:
    x = _random(0, count)
    z = x / (1 + np.exp(-1.702 * x.astype(np.float64)))
    return Case((x, z.astype(F32)), _tiling(count), tolerance=1e-6)


CASES: dict[Callable[..., Case], list[tuple[int, ...]]] = {
    add_tail: [(1,), (255,), (4099,)],
    axpy_relu: [(1,), (1001,), (4096,)],
    softmax_rows: [(1, 1), (5, 77), (9, 256)],
    layernorm: [(1, 3), (5, 100)],
    rmsnorm: [(1, 5), (6, 131)],
    reduce_sum_long: [(1,), (5000,)],
    reduce_sum_cores: [(1,), (5000,)],
    argmax_rows: [(1, 1), (7, 65), (20, 300)],
    gather_rows: [(1, 1, 1), (9, 21, 35)],
    scatter_rows: [(1, 1, 1), (30, 13, 9)],
    embedding_grad: [(1, 1, 1), (5, 23, 11)],
    transpose_blocks: [(16, 16), (48, 80)],
    add_bias: [(1, 1), (37, 100), (16, 128)],
    sort_512: [(1,), (77,), (512,)],
    top_k: [(1, 1, 1), (5, 100, 9), (3, 128, 32)],
    copy_two_buffers: [(1,), (193,), (3001,)],
    cast_chain: [(1,), (1111,)],
    masked_select: [(1,), (64,), (1234,)],
    pad_columns: [(1, 1, 0, 1), (29, 40, 3, 21), (12, 32, 16, 16)],
    dropout_pack: [(1,), (64,), (1500,)],
    quantize_rows: [(1, 2), (6, 111)],
    reverse_lanes: [(1,), (1000,)],
    vf_gelu: [(1,), (999,)],
}
ONLY_ON = {"vf_gelu": "ascend950"}
WARNS = {"embedding_grad": {"atomic-order"}}
"""Kernels whose result depends on the order of the cores, were the numbers not whole."""


def _params(kernel: str) -> tuple[str, ...]:
    (found,) = find_kernels((FOLDER / f"{kernel}.cpp").read_text())
    assert found.name == kernel
    return found.params


def _members(chip: str) -> list[str]:
    return [build.__name__ for build in CASES if ONLY_ON.get(build.__name__, "ascend910b") == chip]


@cache
def _library(chip: str) -> EmulatedKernel:
    """All kernels of a chip, compiled as one; the last argument chooses one."""
    kernels = _members(chip)
    addresses = ", ".join(f"GM_ADDR a{i}" for i in range(6))
    calls = "\n".join(
        f"    if (which == {key}) return {kernel}({', '.join(f'a{i}' for i in range(len(_params(kernel))))});"
        for key, kernel in enumerate(kernels)
    )
    includes = "".join(f'#include "{kernel}.cpp"\n' for kernel in kernels)
    main = f"{includes}__global__ __aicore__ void samples({addresses}, uint32_t which) {{\n{calls}\n}}\n"
    sources = {"samples.cpp": main, **{f"{kernel}.cpp": (FOLDER / f"{kernel}.cpp").read_text() for kernel in kernels}}
    return EmulatedKernel(sources, "samples", [*(f"a{i}" for i in range(6)), "which"], get_chip(chip))


def _check(kernel: str, case: Case, cores: int, mode: RunOptions) -> None:
    """Launch a kernel and compare everything that it writes."""
    chip = ONLY_ON.get(kernel, "ascend910b")
    outputs = {position % len(case.args) for position in case.outputs}
    args: list[Array | bytes | None] = []
    roles: dict[str, Role] = {}
    for position, array in enumerate(case.args):
        if position not in outputs:
            args.append(read_only(array))
        elif case.before is not None and case.before.shape == array.shape and Role.INOUT not in roles.values():
            roles[f"a{position}"] = Role.INOUT
            args.append(case.before.copy())
        else:
            args.append(np.empty_like(array))
    if "workspace" in _params(kernel):
        roles[f"a{len(args)}"] = Role.WORKSPACE
        args.append(np.empty(32 * cores, np.uint8))
    args.append(case.tiling)
    results = list(args)
    args += [None] * (6 - len(args)) + [np.uint32(_members(chip).index(kernel)).tobytes()]
    report = _library(chip).run(args, cores, roles=roles, **mode)
    assert report.codes <= WARNS.get(kernel, set()), str(report)
    for position in outputs:
        got, want = results[position], case.args[position]
        assert isinstance(got, np.ndarray)
        if case.tolerance:
            np.testing.assert_allclose(got, want, rtol=case.tolerance, atol=case.tolerance)
        else:
            np.testing.assert_array_equal(got, want)


@pytest.mark.parametrize(("build", "sizes"), [(b, s) for b, many in CASES.items() for s in many])
def test_kernel(build: Callable[..., Case], sizes: tuple[int, ...]) -> None:
    case = build(*sizes)
    for cores in CORES:
        for mode in MODES:
            _check(build.__name__, case, cores, mode)


@pytest.mark.parametrize("total", [1, 2, 128, 1001])
@pytest.mark.parametrize("cores", CORES)
def test_window_average(total: int, cores: int) -> None:
    x = _random(0, total)
    around = np.pad(x, 1)
    want = (around[:-2] + x + around[2:]) * (F32(1) / F32(3))
    args = {"x": x, "z": Output(np.dtype(F32), x.shape), "total": np.uint32(total)}
    for mode in MODES:
        emulation = ow.emulate(
            FOLDER / "window_average.cpp",
            target="ascend910b",
            cores=cores,
            args=args,
            strict=mode.get("strict", False),
            seed=mode.get("seed", 0),
        )
        assert emulation.clean, str(emulation.report)
        np.testing.assert_array_equal(emulation.outputs.z, want)


def test_every_kernel_is_run() -> None:
    names = {re.sub(r"\.cpp$", "", path.name) for path in FOLDER.glob("*.cpp")}
    assert names == {build.__name__ for build in CASES} | {"window_average"}
    assert len(names) >= 20
