"""The reference interpreter against NumPy goldens that are written from the definitions alone."""

from pathlib import Path
from typing import Any

import ml_dtypes
import numpy as np
import pytest
from numpy.typing import NDArray

from opwright.codegen.reference import evaluate
from opwright.loading import load

Array = NDArray[Any]
BF16 = np.dtype(ml_dtypes.bfloat16)
F16 = np.dtype(np.float16)


def normal(rng: np.random.Generator, dtype: np.dtype[Any], *shape: int) -> Array:
    return rng.standard_normal(shape).astype(dtype)


def convolution(dy: Array, x: Array, weight: Array, mask: Array | None) -> tuple[Array, Array]:
    """Both gradients in float64; a false mask assigns 0."""
    steps, taps = dy.shape[0], weight.shape[0]
    g = dy.astype(np.float64)
    if mask is not None:
        g = np.where(mask.T[:, :, None] != 0, g, 0)
    g = np.concatenate([g, np.zeros((taps, *g.shape[1:]))])
    w, x = weight.astype(np.float64), x.astype(np.float64)
    grad_x = sum(g[k : k + steps] * w[taps - 1 - k] for k in range(taps))
    grad_w = [(g[taps - 1 - k : taps - 1 - k + steps] * x).sum((0, 1)) for k in range(taps)]
    return np.asarray(grad_x), np.stack(grad_w)


SHAPES = [(1, 2, 384), (2, 3, 5), (10, 2, 384), (20, 1, 576), (512, 4, 128)]


@pytest.mark.parametrize("dtype", [F16, BF16])
@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("masked", [False, True])
def test_convolution(dtype: np.dtype[Any], shape: tuple[int, int, int], masked: bool) -> None:
    rng = np.random.default_rng(7)
    steps, batch, width = shape
    dy, x = normal(rng, dtype, *shape), normal(rng, dtype, *shape)
    weight = normal(rng, dtype, 3, width)
    mask = rng.integers(0, 3, (batch, steps)).astype(np.uint8) if masked else None
    op = load("MaskedCausalConv1dBackward").op
    arrays = {"gradY": dy, "x": x, "weight": weight, "maskOptional": mask}
    expected = convolution(dy, x, weight, mask)
    exact, rounded = evaluate(op, arrays, precision="f64"), evaluate(op, arrays)
    step = 2.0**-10 if dtype == F16 else 2.0**-7
    for name, golden in zip(("gradXOut", "gradWeightOut"), expected, strict=True):
        assert exact[name].dtype == np.float64
        np.testing.assert_allclose(exact[name], golden, rtol=1e-12, atol=1e-12)
        assert rounded[name].dtype == dtype
        np.testing.assert_allclose(rounded[name].astype(np.float64), golden, rtol=step, atol=step)


def test_false_mask_hides_infinities() -> None:
    rng = np.random.default_rng(3)
    dy, x, weight = (normal(rng, F16, *shape) for shape in ((4, 2, 8), (4, 2, 8), (3, 8)))
    mask = np.ones((2, 4), np.bool_)
    mask[1, 2] = False
    hidden = dy.copy()
    hidden[2, 1, :4], hidden[2, 1, 4:] = np.inf, np.nan
    op = load("MaskedCausalConv1dBackward").op
    runs = [evaluate(op, {"gradY": g, "x": x, "weight": weight, "maskOptional": mask}) for g in (dy, hidden)]
    for name in ("gradXOut", "gradWeightOut"):
        np.testing.assert_array_equal(runs[0][name], runs[1][name])
        assert np.isfinite(runs[1][name]).all()


def windows(dy: Array, x: Array, weight: Array, ends: list[int], stride: int) -> tuple[Array, Array]:
    size = weight.shape[0]
    w, input_grad, weight_grad = weight.astype(np.float64), np.zeros(x.shape), np.zeros(weight.shape)
    begin, number = 0, 0
    for end in ends:
        for start in range(begin, end - size + 1, stride):
            row = dy[number].astype(np.float64)
            input_grad[start : start + size] += w[:, :, None] * row
            weight_grad += (x[start : start + size].astype(np.float64) * row).sum(-1)
            number += 1
        begin = end
    assert number == len(dy)
    return input_grad, weight_grad


WINDOWS = [
    (272, 32, 16, [0, 128, 272], 15),
    (272, 32, 16, [0, 120, 140, 272], 13),
    (49, 32, 16, [0, 5, 49], 1),
    (136, 32, 16, [64, 72, 136], 6),
    (64, 16, 32, [64], 2),
    (40, 16, 16, [16, 16, 34], 2),
]


@pytest.mark.parametrize(("rows", "size", "stride", "ends", "count"), WINDOWS)
def test_ragged_windows(root: Path, rows: int, size: int, stride: int, ends: list[int], count: int) -> None:
    rng = np.random.default_rng(rows)
    dy, x, weight = (normal(rng, BF16, *s) for s in ((count, 3, 16), (rows, 3, 16), (size, 3)))
    op = load(root / "tests" / "specs" / "windows_gradient.py").op
    arrays = {"dy": dy, "x": x, "weight": weight, "act": ends}
    out = evaluate(op, arrays, {"size": size, "stride": stride}, "f64")
    for name, golden in zip(("inputGrad", "weightGrad"), windows(dy, x, weight, ends, stride), strict=True):
        np.testing.assert_allclose(out[name], golden, rtol=1e-12, atol=1e-12)


@pytest.mark.parametrize("given", [{}, {"act": None}, {"act": []}])
def test_absent_list_takes_its_default(root: Path, given: dict[str, Any]) -> None:
    rng = np.random.default_rng(5)
    dy, x, weight = (normal(rng, F16, *s) for s in ((4, 2, 16), (64, 2, 16), (16, 2)))
    op = load(root / "tests" / "specs" / "windows_gradient.py").op
    arrays = {"dy": dy, "x": x, "weight": weight}
    default = evaluate(op, {**arrays, **given}, {"size": 16})
    spelt = evaluate(op, {**arrays, "act": [64]}, {"size": 16})
    for name, value in spelt.items():
        np.testing.assert_array_equal(default[name], value)


def scatter(g: Array, slot: Array, routing: Array, probs: Array, tokens: Array) -> tuple[Array, Array]:
    tokens_grad, probs_grad = np.zeros(tokens.shape), np.zeros(probs.shape)
    slots = slot.reshape(len(g), -1)
    for token, experts in enumerate(routing):
        for used, expert in enumerate(np.flatnonzero(experts)[: slots.shape[1]]):
            place = slots[token, used]
            if place >= 0:
                row = g[token].astype(np.float64)
                tokens_grad[place] = row * float(probs[token, expert])
                probs_grad[token, expert] = row @ tokens[place].astype(np.float64)
    return tokens_grad, probs_grad


EXPERTS = [(1, 2, 2, 2), (40, 20, 20, 20), (30, 64, 64, 1), (7, 5, 6, 3)]


@pytest.mark.parametrize(("rows", "width", "experts", "used"), EXPERTS)
@pytest.mark.parametrize("weights", [np.dtype(np.float32), BF16])
def test_scatter(root: Path, rows: int, width: int, experts: int, used: int, weights: np.dtype[Any]) -> None:
    rng = np.random.default_rng(experts)
    count = rows * used
    g, tokens = normal(rng, BF16, rows, width), normal(rng, BF16, count, width)
    slot = rng.permutation(count).astype(np.int32)
    slot[rng.random(count) < 0.2] = -1
    routing = (rng.random((rows, experts)) < used / experts + 0.1).astype(np.int8) * 3
    probs = rng.random((rows, experts)).astype(weights)
    op = load(root / "tests" / "specs" / "expert_scatter.py").op
    out = evaluate(op, {"g": g, "slot": slot, "routing": routing, "probs": probs, "tokens": tokens}, precision="f64")
    for name, golden in zip(("tokensGrad", "probsGrad"), scatter(g, slot, routing, probs, tokens), strict=True):
        np.testing.assert_allclose(out[name], golden, rtol=1e-12, atol=1e-12)
    rounded = evaluate(op, {"g": g, "slot": slot, "routing": routing, "probs": probs, "tokens": tokens})
    assert (rounded["tokensGrad"].dtype, rounded["probsGrad"].dtype) == (BF16, weights)


def test_copy_without_weights(root: Path) -> None:
    g = normal(np.random.default_rng(1), F16, 5, 3)
    slot = np.array([4, -1, 0, 3, 7, 1, 2, -1, 9, 5], np.int32)
    out = evaluate(load(root / "tests" / "specs" / "expert_scatter.py").op, {"g": g, "slot": slot})
    expected = np.zeros((10, 3), np.float16)
    for number, place in enumerate(slot):
        if place >= 0:
            expected[place] = g[number // 2]
    np.testing.assert_array_equal(out["tokensGrad"], expected)
    assert out["probsGrad"].shape == (5, 0)
