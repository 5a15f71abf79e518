"""opwright run: npz files in and out, by the document's names."""

from collections.abc import Callable
from pathlib import Path

import ml_dtypes
import numpy as np
import pytest

from opwright.arrays import npz_bytes, read_npz
from opwright.cli import main
from opwright.codegen.dtypes import Array

OPERATOR = "MaskedCausalConv1dBackward"
BF16 = np.dtype(ml_dtypes.bfloat16)
Run = Callable[..., int]


def arrays(dtype: "np.dtype[np.generic]", shape: tuple[int, int, int] = (5, 2, 70)) -> dict[str, Array]:
    random = np.random.default_rng(3)
    s, b, h = shape
    floats = {"gradY": shape, "x": shape, "weight": (3, h)}
    drawn: dict[str, Array] = {name: random.standard_normal(size).astype(dtype) for name, size in floats.items()}
    return {**drawn, "maskOptional": random.random((b, s)) < 0.5}


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Run:
    monkeypatch.chdir(tmp_path)

    def run(given: dict[str, Array], *args: str) -> int:
        np.savez("in.npz", allow_pickle=False, **given)
        return main(["run", OPERATOR, "--in", "in.npz", "--out", "out.npz", *args])

    return run


def outputs() -> dict[str, Array]:
    with np.load("out.npz") as file:
        return {name: file[name] for name in file.files}


@pytest.mark.parametrize("backend", ["reference", "numpy", "c", "ascendc"])
def test_example_of_the_document(backend: str, run: Run) -> None:
    """Zeros everywhere, and a mask that lets nothing pass: (S, B, H) = (1, 2, 384)."""
    shape = (1, 2, 384)
    zeros = {name: np.zeros(size, np.float16) for name, size in (("gradY", shape), ("x", shape), ("weight", (3, 384)))}
    assert run({**zeros, "maskOptional": np.zeros((2, 1), np.bool_)}, "--backend", backend) == 0
    assert list(outputs()) == ["gradXOut", "gradWeightOut"]
    for name, size in (("gradXOut", shape), ("gradWeightOut", (3, 384))):
        np.testing.assert_array_equal(outputs()[name], np.zeros(size, np.float16), strict=True)


def test_bfloat16_is_raw_in_files(run: Run) -> None:
    given = arrays(BF16)
    assert run(given, "--backend", "numpy") == 0
    written = outputs()["gradXOut"]
    assert written.dtype == np.dtype("V2")
    kept = np.where(given["maskOptional"].T[..., None], given["gradY"], 0).astype(np.float64)
    kept = np.concatenate([kept, np.zeros((2, *kept.shape[1:]))])
    weight = given["weight"].astype(np.float64)
    expected = sum(kept[k : k + 5] * weight[2 - k] for k in range(3))
    np.testing.assert_allclose(written.view(BF16).astype(np.float64), expected, rtol=2**-7, atol=1e-6)


def test_same_bits_for_any_number_of_cores(run: Run) -> None:
    files: set[bytes] = set()
    for cores in ("1", "3", "64"):
        assert run(arrays(np.dtype(np.float16)), "--backend", "numpy", "--target", "ascend950", "--cores", cores) == 0
        files.add(Path("out.npz").read_bytes())
    assert len(files) == 1


@pytest.mark.parametrize("level", ["specialize", "fuse", "tile", "vectorize", "insert-sync", "lower-to-ascendc"])
def test_after_a_pass(level: str, run: Run) -> None:
    given = arrays(BF16)
    assert run(given, "--backend", "reference") == 0
    expected = outputs()
    assert run(given, "--after", level, "--target", "ascend910b") == 0
    for name, output in outputs().items():
        actual = output.view(BF16).astype(np.float64)
        np.testing.assert_allclose(actual, expected[name].view(BF16).astype(np.float64), rtol=2**-7, atol=1e-2)


WRONG = {
    "OPW200": ({"weights": np.zeros((3, 70), np.float16)}, "the operator has no tensor 'weights'"),
    "OPW201": ({"weight": None}, "tensor 'weight' is missing"),
    "OPW202": ({"weight": np.zeros(70, np.float16)}, "tensor 'weight' has rank 1"),
    "OPW203": ({"x": np.zeros((5, 2, 71), np.float16)}, "dim 2 of tensor 'x' is 71"),
    "OPW204": ({"weight": np.zeros((4, 70), np.float16)}, "dim W is 4"),
    "OPW205": ({"x": np.zeros((5, 2, 70), np.float32)}, "tensor 'x' is f32, it must be f16"),
}


@pytest.mark.parametrize("code", WRONG)
def test_wrong_arrays_are_refused(code: str, run: Run, capsys: pytest.CaptureFixture[str]) -> None:
    change, text = WRONG[code]
    given = {name: a for name, a in {**arrays(np.dtype(np.float16)), **change}.items() if a is not None}
    assert run(given, "--backend", "numpy") == 2
    assert capsys.readouterr().err.startswith(f"error[{code}]: {text}")
    assert not Path("out.npz").exists()


@pytest.mark.parametrize(
    ("args", "message"),
    [
        (("--backend", "numpy", "--attr", "scale=2"), "error[OPW206]: the operator has no attribute 'scale'"),
        (("--after", "melt"), "error[OPW012]: the pipeline of c on cpu has no pass 'melt'\nhint: it has: specialize, "),
        (
            ("--after", "tile", "--backend", "reference"),
            "error[OPW012]: the pipeline of reference on cpu has no pass 'tile'\nhint: it has: no pass at all\n",
        ),
    ],
)
def test_wrong_options_are_refused(
    args: tuple[str, ...], message: str, run: Run, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(arrays(np.dtype(np.float16)), *args) == 2
    assert capsys.readouterr().err.startswith(message)
    assert not Path("out.npz").exists()


def test_output_that_is_there_survives_a_refusal(run: Run) -> None:
    Path("out.npz").write_text("kept")
    assert run({}, "--backend", "numpy") == 2
    assert Path("out.npz").read_text() == "kept"
    assert sorted(path.name for path in Path().iterdir()) == ["in.npz", "out.npz"]


def test_npz_roundtrip(tmp_path: Path) -> None:
    path = tmp_path / "a.npz"
    path.write_bytes(npz_bytes({"a": np.arange(6).reshape(2, 3), "scalar": np.asarray(2.0)}))
    read = read_npz(path)
    np.testing.assert_array_equal(read["a"], np.arange(6).reshape(2, 3), strict=True)
    assert read["scalar"].shape == ()


def test_npz_of_objects_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "objects.npz"
    np.savez(path, x=np.array([{}, []], dtype=object))
    assert main(["run", OPERATOR, "--backend", "numpy", "--in", str(path), "--out", str(tmp_path / "out.npz")]) == 2
    assert "is no npz file: Object arrays cannot be loaded" in capsys.readouterr().err
