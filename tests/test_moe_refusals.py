"""Bad calls of MoeTokenUnpermuteWithRoutingMapGrad: each has an error that names what is wrong, and nothing is written.

What the structure of a call or the elements of its tensors break is refused by every backend; limits of the document
belong to the front end of the chip, whose constraints are looked at here as such, and as calls in test_acl_calls.py.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

import ml_dtypes
import numpy as np
import pytest
from numpy.typing import DTypeLike, NDArray

import opwright as ow
from opwright.cli import main
from opwright.codegen.binding import bind
from opwright.codegen.conditions import constraints
from opwright.codegen.symbols import requirement_holds, requirement_text, symbol_values
from opwright.compiled import CompiledOperator
from opwright.dialect.diagnostics import Diagnostic
from opwright.dialect.spec.ops import RequireOp

Array = NDArray[Any]
Arrays = dict[str, Array | None]

OPERATOR = "MoeTokenUnpermuteWithRoutingMapGrad"
BACKENDS = ("reference", "numpy", "c")
G, INDEX, ID, ROUTING = "unpermutedTokensGrad", "outIndex", "permuteTokenId", "routingMapOptional"
TOKENS, PROBS = "permutedTokensOptional", "probsOptional"


def call(tokens: int = 4, width: int = 5, experts: int = 3, count: int = 2, *, padded: bool = False) -> Arrays:
    """Return a good call."""
    slots = count * (experts if padded else tokens)
    routing = np.zeros((tokens, experts), bool)
    routing[:, :count] = True
    return {
        G: np.ones((tokens, width), np.float16),
        INDEX: np.arange(slots, dtype=np.int32),
        ID: np.arange(slots, dtype=np.int32) % tokens,
        ROUTING: routing,
        TOKENS: np.ones((slots, width), np.float16),
        PROBS: np.ones((tokens, experts), np.float16),
    }


def ones(*shape: int, dtype: DTypeLike = np.float16) -> Array:
    return np.ones(shape, dtype)


def index(*elements: int) -> Array:
    return np.array(elements, np.int32)


@dataclass(frozen=True)
class Bad:
    """What a bad call changes of a good one, the code of its error, and a part of the text."""

    code: str
    text: str
    changes: Mapping[str, Array | None] = field(default_factory=dict[str, Array | None])
    padded: bool = False
    attributes: Mapping[str, Any] = field(default_factory=dict[str, Any])

    def __str__(self) -> str:
        return f"{self.code}-{'-'.join(self.changes) or 'attributes'}-{self.text}"[:90]

    @property
    def arrays(self) -> dict[str, Array]:
        arrays = {**call(padded=self.padded), **self.changes}
        return {name: array for name, array in arrays.items() if array is not None}

    @property
    def attrs(self) -> dict[str, Any]:
        return {"paddedMode": self.padded, **self.attributes}


BAD = [
    Bad("OPW201", "tensor 'routingMapOptional' is missing", {ROUTING: None}),
    Bad("OPW201", "tensor 'permutedTokensOptional' is missing", {TOKENS: None}),
    Bad("OPW201", "tensor 'permutedTokensOptional' is missing, this call", {TOKENS: None}, padded=True),
    # tensors that are missing or that nobody knows, ranks, lengths
    Bad("OPW201", "tensor 'unpermutedTokensGrad' is missing", {G: None}),
    Bad("OPW201", "tensor 'outIndex' is missing", {INDEX: None}),
    Bad("OPW201", "tensor 'permuteTokenId' is missing", {ID: None}),
    Bad("OPW200", "the operator has no tensor 'outIndices'", {"outIndices": index(0)}),
    Bad("OPW202", "tensor 'unpermutedTokensGrad' has rank 1", {G: ones(4)}),
    Bad("OPW202", "tensor 'outIndex' has rank 2", {INDEX: index(*range(8)).reshape(4, 2)}),
    Bad("OPW202", "tensor 'permuteTokenId' has rank 0", {ID: np.array(1, np.int32)}),
    Bad("OPW202", "tensor 'routingMapOptional' has rank 3", {ROUTING: np.ones((4, 3, 1), bool)}),
    Bad("OPW202", "tensor 'permutedTokensOptional' has rank 1", {TOKENS: ones(8)}),
    Bad("OPW202", "tensor 'probsOptional' has rank 1", {PROBS: ones(4)}),
    Bad(
        "OPW203", "dim 0 of tensor 'permuteTokenId' is 7, it must be 8 = M of tensor 'outIndex'", {ID: index(*[0] * 7)}
    ),
    Bad("OPW203", "dim 0 of tensor 'permutedTokensOptional' is 9, it must be 8 = M", {TOKENS: ones(9, 5)}),
    Bad("OPW203", "dim 1 of tensor 'permutedTokensOptional' is 6, it must be 5 = H", {TOKENS: ones(8, 6)}),
    Bad("OPW203", "dim 0 of tensor 'probsOptional' is 5, it must be 4 = T", {PROBS: ones(5, 3)}),
    Bad("OPW203", "dim 1 of tensor 'probsOptional' is 2, it must be 3 = E", {PROBS: ones(4, 2)}),
    Bad("OPW203", "dim 0 of tensor 'routingMapOptional' is 3, it must be 4 = T", {ROUTING: np.ones((3, 3), bool)}),
    # dtypes
    Bad("OPW205", "tensor 'unpermutedTokensGrad' is f64, it must be f32 or f16 or bf16", {G: ones(4, 5, dtype=float)}),
    Bad("OPW205", "tensor 'permutedTokensOptional' is f32, it must be f16", {TOKENS: ones(8, 5, dtype=np.float32)}),
    Bad("OPW205", "tensor 'probsOptional' is f32, it must be f16", {PROBS: ones(4, 3, dtype=np.float32)}),
    Bad("OPW205", ", it must be f16", {PROBS: ones(4, 3, dtype=ml_dtypes.bfloat16)}),
    Bad("OPW205", "tensor 'outIndex' is i64, it must be i32", {INDEX: np.arange(8)}),
    Bad("OPW205", "tensor 'permuteTokenId' is f16, it must be i32", {ID: ones(8)}),
    Bad("OPW205", "tensor 'routingMapOptional' is i32, it must be i1", {ROUTING: np.ones((4, 3), np.int32)}),
    # sizes without meaning
    Bad(
        "OPW209", "division by 0 with M = 8, T = 0", {G: ones(0, 5), ROUTING: np.ones((0, 3), bool), PROBS: ones(0, 3)}
    ),
    # attributes
    Bad("OPW208", "paddedMode", attributes={"paddedMode": "maybe"}),
    Bad("OPW206", "capacity", attributes={"capacity": 2}),
    # places out of range, and places that are named twice
    Bad("OPW211", "element [2] of 'outIndex' is 8; legal are 0 to 7", {INDEX: index(0, 1, 8, 3, 4, 5, 6, 7)}),
    Bad("OPW211", f"element [0] of 'outIndex' is {1 << 30}", {INDEX: index(1 << 30, 1, 2, 3, 4, 5, 6, 7)}),
    Bad("OPW211", "element [5] of 'outIndex' is 6; legal are 0 to 5", {INDEX: index(0, 1, 2, 3, 4, 6)}, padded=True),
    Bad("OPW212", "elements [1] and [3] of 'outIndex' both name place 1", {INDEX: index(0, 1, 2, 1, -1, -1, 6, 7)}),
    Bad(
        "OPW212", "elements [0] and [1] of 'outIndex' both name place 5", {INDEX: index(5, 5, 1, 2, 3, 4)}, padded=True
    ),
    Bad("OPW211", "element [4] of 'permuteTokenId' is 4; legal are 0 to 3", {ID: index(0, 1, 2, 3, 4, 0)}, padded=True),
    Bad(
        "OPW211", "element [1] of 'permuteTokenId' is -1; legal are 0 to 3", {ID: index(0, -1, 2, 3, 0, 0)}, padded=True
    ),
]

LIMITS = [
    ("M mod T == 0", call() | {INDEX: index(*range(7)), ID: index(*[0] * 7), TOKENS: ones(7, 5)}, False),
    ("M mod T == 0", {G: ones(4, 5), INDEX: index(0, 1, 2), ID: index(0, 1, 2)}, False),
    ("K <= 512", call(1, 1, 600, 513), False),
    ("K <= E", call(4, 5, 2, 3), False),
    ("M floordiv E <= T", call(3, 5, 2, 4, padded=True), True),
    ("M mod E == 0", call(padded=True) | {INDEX: index(*range(7)), ID: index(*[0] * 7), TOKENS: ones(7, 5)}, True),
    ("M >= 1", {G: ones(4, 5), INDEX: index(), ID: index()}, False),
]


@cache
def compiled(backend: str) -> CompiledOperator:
    return ow.compile(OPERATOR, backend=backend)


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("bad", BAD, ids=str)
def test_bad_calls(bad: Bad, backend: str) -> None:
    with pytest.raises(Diagnostic) as found:
        compiled(backend).run(bad.arrays, bad.attrs)
    assert found.value.code == bad.code
    assert bad.text in found.value.message


def test_there_are_thirty_of_them_and_the_calls_they_change_are_good() -> None:
    assert len(BAD) >= 30
    for padded in (False, True):
        outputs = compiled("c").run(call(padded=padded), {"paddedMode": padded})
        assert outputs["permutedTokensGradOut"].tolist() == np.ones_like(call(padded=padded)[TOKENS]).tolist()


@pytest.mark.parametrize("bad", [b for b in BAD if not b.attributes], ids=str)
def test_the_command_line_writes_nothing(bad: Bad, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    given, out = tmp_path / "in.npz", tmp_path / "out.npz"
    np.savez(given, allow_pickle=False, **bad.arrays)
    out.write_bytes(b"before")
    padded = [f"--attr=paddedMode={str(bad.padded).lower()}"]
    status = main(["run", OPERATOR, "--backend", "numpy", "--in", str(given), "--out", str(out), *padded])
    assert (status, out.read_bytes()) == (2, b"before")
    assert bad.text in capsys.readouterr().err


def broken(arrays: Arrays, attrs: Mapping[str, Any]) -> Iterator[tuple[int, str]]:
    """Yield the code and the text of each constraint of the front end that a call breaks."""
    operator = compiled("reference").operator.op
    binding = bind(operator, arrays, attrs)
    values = symbol_values(operator, binding.dims, binding.attrs)
    for op, counts in constraints(operator, binding.attrs, binding.present):
        if isinstance(op, RequireOp) and counts and not requirement_holds(op, values):
            yield op.code.data, requirement_text(op)


@pytest.mark.parametrize(
    ("text", "arrays", "padded"), LIMITS, ids=lambda value: value if isinstance(value, str) else ""
)
def test_limits_of_the_front_end(text: str, arrays: Arrays, padded: bool) -> None:
    assert (561002, text) in list(broken(arrays, {"paddedMode": padded}))


def test_good_calls_are_within_the_limits() -> None:
    unweighted = {name: array for name, array in call().items() if name in (G, INDEX, ID)}
    calls = [(call(), False), (call(padded=True), True), (unweighted, False), (unweighted, True)]
    assert [list(broken(arrays, {"paddedMode": padded})) for arrays, padded in calls] == [[]] * 4
