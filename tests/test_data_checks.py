"""What a spec promises of the elements of lists and index tensors is tested before anything runs."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import opwright as ow
from opwright.dialect.diagnostics import Diagnostic

BACKENDS = ("reference", "numpy", "c")

SPEC = """
from opwright.dialect.frontend import Spec, boolean, f32, i32, indices, operator


@operator("Take")
def take(spec: Spec) -> None:
    N, M = spec.dims("N", "M")
    strict = spec.attr("strict", boolean, default=False)
    x = spec.input("x", f32[N])
    slot = spec.input("slot", i32[M])
    spec.places(slot, below=N, unused=True, when=[~strict])
    spec.places(slot, below=N, distinct=True, when=[strict])
    y = spec.output("y", f32[M])
    (m,) = indices(m=M)
    y[m] = x[slot[m]].outside(0)
"""


@pytest.fixture(scope="module")
def take(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("specs") / "take.py"
    path.write_text(SPEC)
    return path


def refused(operator: str | Path, backend: str, arguments: Mapping[str, Any]) -> Diagnostic:
    with pytest.raises(Diagnostic) as found:
        ow.compile(operator, backend=backend)(**arguments)
    return found.value


def windows(act: Sequence[int], count: int) -> dict[str, Any]:
    ones = {"outputGrad": (count, 2, 3), "input": (80, 2, 3), "weight": (32, 2)}
    arrays: dict[str, Any] = {name: np.ones(shape, np.float16) for name, shape in ones.items()}
    return {**arrays, "actSeqLenOptionalOptional": act, "compressBlockSize": 32, "compressStride": 16}


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize(
    ("act", "count", "text", "lists"),
    [
        ([40, 30, 80], 3, "[b] does not hold at b = 1: 40 and 30", "[40, 30, 80]"),
        ([-1, 80], 3, "[b] does not hold at b = 0: 0 and -1", "[-1, 80]"),
        ([40, 81], 2, "actSeqLenOptionalOptional[b] <= T does not hold at b = 1: 81 and 80", "[40, 81]"),
        ([40, 80], 3, "sum(b < R) count[b] == C does not hold: 2 and 3", "[40, 80]"),
        ([0] * 13, 1, "sum(b < R) count[b] == C does not hold: 0 and 1", "[0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, ...]"),
    ],
)
def test_lists_that_break_a_check(backend: str, act: list[int], count: int, text: str, lists: str) -> None:
    found = refused("NsaCompressGrad", backend, windows(act, count))
    assert found.code == "OPW210"
    assert text in found.message
    assert found.hint == f"'actSeqLenOptionalOptional' is {lists}"


def test_a_default_is_checked_too() -> None:
    found = refused("NsaCompressGrad", "numpy", windows([], 3))
    assert "sum(b < R) count[b] == C does not hold: 4 and 3" in found.message
    assert ow.compile("NsaCompressGrad", backend="numpy")(**windows([], 4)).inputGradOut.shape == (80, 2, 3)


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize(
    ("slot", "strict", "code", "text"),
    [
        ([0, 4], False, "OPW211", "element [1] of 'slot' is 4; legal are 0 to 3, and negative ones for nothing"),
        ([0, -1], True, "OPW211", "element [1] of 'slot' is -1; legal are 0 to 3"),
        ([3, 0, 2, 0], True, "OPW212", "elements [1] and [3] of 'slot' both name place 0"),
    ],
)
def test_places_that_break_a_promise(
    take: Path, backend: str, slot: list[int], strict: bool, code: str, text: str
) -> None:
    found = refused(take, backend, {"x": np.ones(4, np.float32), "slot": np.array(slot, np.int32), "strict": strict})
    assert (found.code, found.message) == (code, text)


def test_there_may_be_no_place_at_all(take: Path) -> None:
    x = np.ones(0, np.float32)
    found = refused(take, "numpy", {"x": x, "slot": np.array([2], np.int32)})
    assert found.message == "element [0] of 'slot' is 2; legal are none, and negative ones for nothing"
    assert ow.compile(take, backend="reference")(x=x, slot=np.array([-7], np.int32)).y.tolist() == [0.0]


def test_what_is_declared_on_a_condition_counts_only_then(take: Path) -> None:
    x, slot = np.arange(1, 5, dtype=np.float32), np.array([3, 0, -2, 0], np.int32)
    for backend in BACKENDS:
        assert ow.compile(take, backend=backend)(x=x, slot=slot).y.tolist() == [4.0, 1.0, 0.0, 1.0]
