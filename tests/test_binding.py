"""From a call's arrays and attributes to sizes: what is accepted, and how the rest is refused."""

from collections.abc import Callable
from io import BytesIO
from pathlib import Path
from typing import Any

import ml_dtypes
import numpy as np
import pytest
from numpy.typing import ArrayLike, DTypeLike, NDArray

from opwright.codegen.binding import bind, bound_arrays, output_shapes, output_types
from opwright.codegen.symbols import check_requirements
from opwright.dialect.diagnostics import Diagnostic
from opwright.dialect.spec.ops import OperatorOp
from opwright.loading import load

Array = NDArray[Any]
Arrays = dict[str, Any]


@pytest.fixture
def convolution() -> OperatorOp:
    return load("MaskedCausalConv1dBackward").op


@pytest.fixture
def windows(root: Path) -> OperatorOp:
    return load(root / "tests" / "specs" / "windows_gradient.py").op


@pytest.fixture
def scatter(root: Path) -> OperatorOp:
    return load(root / "tests" / "specs" / "expert_scatter.py").op


def call(dtype: DTypeLike = np.float16, **others: ArrayLike | None) -> Arrays:
    shape = (5, 2, 8)
    return {"gradY": np.zeros(shape, dtype), "x": np.zeros(shape, dtype), "weight": np.zeros((3, 8), dtype), **others}


def test_binding_of_a_call(convolution: OperatorOp) -> None:
    binding = bind(convolution, call(ml_dtypes.bfloat16, maskOptional=np.ones((2, 5), np.bool_)))
    assert binding.column == 1
    assert {name: str(t) for name, t in binding.dtypes.items()} == {"T": "bf16"}
    assert binding.present == {"gradY", "x", "weight", "maskOptional"}
    assert dict(binding.dims) == {"S": 5, "B": 2, "H": 8, "W": 3}
    assert output_shapes(convolution, binding) == {"gradXOut": (5, 2, 8), "gradWeightOut": (3, 8)}
    assert {name: str(t) for name, t in output_types(convolution, binding).items()} == {
        "gradXOut": "bf16",
        "gradWeightOut": "bf16",
    }


@pytest.mark.parametrize("mask", [None, np.ones((2, 5), np.int8)])
def test_absent_and_none_are_the_same(convolution: OperatorOp, mask: Array | None) -> None:
    assert ("maskOptional" in bind(convolution, call(maskOptional=mask)).present) == (mask is not None)


CONVOLUTION_FAULTS: list[tuple[str, Callable[[], Arrays], str]] = [
    ("OPW200", lambda: call(bias=np.zeros(8)), "the operator has no tensor 'bias'"),
    ("OPW201", lambda: {k: v for k, v in call().items() if k != "x"}, "tensor 'x' is missing"),
    ("OPW201", lambda: call(x=None), "tensor 'x' is missing"),
    ("OPW202", lambda: call(x=np.zeros((5, 8), np.float16)), "'x' has rank 2 (shape [5, 8]), it must have rank 3"),
    ("OPW203", lambda: call(x=np.zeros((5, 3, 8), np.float16)), "dim 1 of tensor 'x' is 3, it must be 2 = B of tensor"),
    ("OPW203", lambda: call(maskOptional=np.zeros((5, 2), np.bool_)), "dim 0 of tensor 'maskOptional' is 5"),
    ("OPW204", lambda: call(weight=np.zeros((4, 8), np.float16)), "dim W is 4 by the shapes, it must be 3"),
    ("OPW205", lambda: call(np.float64), "tensor 'gradY' is f64, it must be f16 or bf16"),
    ("OPW205", lambda: call(x=np.zeros((5, 2, 8), ml_dtypes.bfloat16)), "tensor 'x' is bf16, it must be f16"),
    ("OPW205", lambda: call(maskOptional=np.zeros((2, 5), np.int32)), "tensor 'maskOptional' is i32, it must be i1"),
]


@pytest.mark.parametrize(("code", "arrays", "text"), CONVOLUTION_FAULTS)
def test_refused_arrays(convolution: OperatorOp, code: str, arrays: Callable[[], Arrays], text: str) -> None:
    with pytest.raises(Diagnostic) as caught:
        bind(convolution, arrays())
    assert caught.value.code == code
    assert text in caught.value.message
    assert caught.value.location is None


def test_refused_dtypes_list_the_columns(scatter: OperatorOp) -> None:
    arrays: Arrays = {"g": np.zeros((2, 3), np.float16), "slot": np.zeros(4, np.int32), "probs": np.zeros((2, 5), "f4")}
    with pytest.raises(Diagnostic) as caught:
        bind(scatter, arrays)
    assert "tensor 'probs' is f32, it must be f16" in caught.value.message
    columns = ["F = f32, P = f32", "F = f16, P = f16", "F = bf16, P = bf16", "F = bf16, P = f32"]
    assert caught.value.hint == "the operator takes " + "; ".join(columns)


COLUMNS = [("f2", None, 1), ("f4", "f4", 0), ("bf", "bf", 2), ("bf", "f4", 3), ("bf", None, 2)]


@pytest.mark.parametrize(("g", "probs", "column"), COLUMNS)
def test_first_column_that_fits(scatter: OperatorOp, g: str, probs: str | None, column: int) -> None:
    def dtype(name: str) -> DTypeLike:
        return ml_dtypes.bfloat16 if name == "bf" else np.dtype(name)

    arrays: Arrays = {"g": np.zeros((2, 3), dtype(g)), "slot": np.zeros(4, np.int32)}
    if probs is not None:
        arrays["probs"] = np.zeros((2, 5), dtype(probs))
    assert bind(scatter, arrays).column == column


def test_dims_of_absent_tensors_are_0(scatter: OperatorOp) -> None:
    binding = bind(scatter, {"g": np.zeros((2, 3), np.float16), "slot": np.zeros(4, np.int32)})
    assert dict(binding.dims) == {"T": 2, "H": 3, "E": 0, "M": 4, "K": 2}
    assert output_shapes(scatter, binding)["probsGrad"] == (2, 0)


def test_definition_that_divides_by_0(scatter: OperatorOp) -> None:
    with pytest.raises(Diagnostic) as caught:
        bind(scatter, {"g": np.zeros((0, 3), np.float16), "slot": np.zeros(0, np.int32)})
    assert caught.value.code == "OPW209"
    assert caught.value.message == "dim K = M floordiv T has no value: division by 0 with M = 0, T = 0"


def ragged(**others: ArrayLike | None) -> Arrays:
    zeros = {"dy": (4, 2, 16), "x": (64, 2, 16), "weight": (16, 2)}
    return {**{name: np.zeros(shape, np.float16) for name, shape in zeros.items()}, **others}


ATTRIBUTE_FAULTS: list[tuple[str, dict[str, Any], str]] = [
    ("OPW206", {"size": 16, "pad": 1}, "the operator has no attribute 'pad'"),
    ("OPW207", {}, "attribute 'size' is missing"),
    ("OPW208", {"size": 16.0}, "attribute 'size' is 16.0, it must be of type integer"),
    ("OPW208", {"size": True}, "attribute 'size' is True, it must be of type integer"),
    ("OPW208", {"size": 16, "layout": 3}, "attribute 'layout' is 3, it must be of type text"),
    ("OPW204", {"size": 32}, "dim K is 16 by the shapes, it must be 32 = size"),
]


@pytest.mark.parametrize(("code", "attrs", "text"), ATTRIBUTE_FAULTS)
def test_refused_attributes(windows: OperatorOp, code: str, attrs: dict[str, Any], text: str) -> None:
    with pytest.raises(Diagnostic) as caught:
        bind(windows, ragged(), attrs)
    assert caught.value.code == code
    assert text in caught.value.message


def test_attributes_take_their_defaults(windows: OperatorOp) -> None:
    assert dict(bind(windows, ragged(), {"size": 16}).attrs) == {"size": 16, "stride": 16, "layout": "TND"}


@pytest.mark.parametrize("given", [{}, {"act": []}, {"act": None}])
def test_default_of_a_list(windows: OperatorOp, given: Arrays) -> None:
    arrays = ragged(**given)
    binding = bind(windows, arrays, {"size": 16})
    assert binding.dims["R"] == 1
    assert "act" in binding.present
    assert bound_arrays(windows, binding, arrays)["act"].tolist() == [64]


def test_lists_hold_integers(windows: OperatorOp) -> None:
    arrays = ragged(act=[1.5, 64.0])
    with pytest.raises(Diagnostic, match="list 'act' holds float64, it must hold integers"):
        bind(windows, arrays, {"size": 16})
    assert bind(windows, ragged(act=[16, 64]), {"size": 16}).dims["R"] == 2


def test_bfloat16_from_a_file(convolution: OperatorOp) -> None:
    stored = BytesIO()
    expected = np.arange(80).astype(ml_dtypes.bfloat16).reshape(5, 2, 8)
    np.savez(stored, x=expected)
    stored.seek(0)
    with np.load(stored) as loaded:
        raw = loaded["x"]
    assert raw.dtype == np.dtype("V2")
    arrays = call(ml_dtypes.bfloat16, x=raw)
    binding = bind(convolution, arrays)
    bound = bound_arrays(convolution, binding, arrays)["x"]
    assert bound.dtype == ml_dtypes.bfloat16
    np.testing.assert_array_equal(bound, expected)


@pytest.mark.parametrize("dtype", [np.bool_, np.uint8, np.int8])
def test_booleans_are_bytes(convolution: OperatorOp, dtype: DTypeLike) -> None:
    mask = np.array([[0, 1, 2, 3, 200]] * 2, np.uint8).astype(dtype)
    arrays = call(maskOptional=mask)
    bound = bound_arrays(convolution, bind(convolution, arrays), arrays)["maskOptional"]
    assert bound.dtype == np.int8
    assert (bound != 0).tolist() == [[False, True, True, True, True]] * 2


def test_arrays_become_contiguous(convolution: OperatorOp) -> None:
    turned = np.arange(80, dtype=np.float16).reshape(8, 2, 5).T
    arrays = call(x=turned)
    bound = bound_arrays(convolution, bind(convolution, arrays), arrays)["x"]
    assert bound.flags.c_contiguous
    np.testing.assert_array_equal(bound, turned)


@pytest.mark.parametrize(
    ("attrs", "text"),
    [
        ({"size": 7}, "dim O = L - size + 1 is -3, it must not be negative"),
        ({"size": -1}, "attribute 'size' is -1, it must not be negative"),
    ],
)
def test_sizes_below_0(root: Path, attrs: dict[str, int], text: str) -> None:
    operator = load(root / "tests" / "specs" / "whole_windows.py").op
    with pytest.raises(Diagnostic, match="OPW213") as error:
        bind(operator, {"x": np.zeros((3, 2), np.float32)}, attrs)
    assert text in str(error.value)


REQUIREMENTS: list[tuple[dict[str, int], list[str]]] = [
    ({"S": 1, "B": 1, "H": 384, "W": 3}, []),
    ({"S": 16384, "B": 32, "H": 24576, "W": 3}, []),
    ({"S": 16385, "B": 32, "H": 384, "W": 3}, ["B * S <= 524288 does not hold: B = 32, S = 16385"]),
    ({"S": 1, "B": 33, "H": 384, "W": 3}, ["B <= 32 does not hold: B = 33"]),
    ({"S": 1, "B": 1, "H": 400, "W": 3}, ["H mod 64 == 0 does not hold: H = 400"]),
    ({"S": 1, "B": 1, "H": 320, "W": 3}, ["H >= 384 does not hold: H = 320"]),
    ({"S": 0, "B": 1, "H": 384, "W": 3}, ["S >= 1 does not hold: S = 0", "B * S >= 1 does not hold: B = 1, S = 0"]),
]


@pytest.mark.parametrize(("dims", "texts"), REQUIREMENTS)
def test_requirements_of_the_document(convolution: OperatorOp, dims: dict[str, int], texts: list[str]) -> None:
    assert check_requirements(convolution, dims, {}) == [(561002, text) for text in texts]


def test_allowed_values(windows: OperatorOp) -> None:
    dims = {"T": 64, "N": 2, "D": 16, "C": 4, "R": 1, "K": 16}
    found = check_requirements(windows, dims, {"size": 16, "stride": 0, "layout": "BSH"})
    assert found == [
        (561002, "stride >= 1 does not hold: stride = 0"),
        (161002, "attribute 'layout' is 'BSH', it must be 'TND'"),
    ]
