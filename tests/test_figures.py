"""What the library's operators move and execute on the emulator, against what they did before.

`tests/data/figures.json` holds the least so far; a figure that grew fails. After a change that makes some smaller,
`OPWRIGHT_UPDATE_FIGURES=1 pytest tests/test_figures.py` stores those, and no larger ones; a new case is stored too.
`OPWRIGHT_ROWS=4096 pytest tests/test_figures.py -k least` measures a compression of the size that models have; the
tests take fewer rows, cut into the same tiles.
"""

import json
import os
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

import ml_dtypes
import numpy as np
import pytest
from numpy.typing import DTypeLike, NDArray

import opwright as ow
from opwright.codegen.ascendc.executable import AscendcExecutable
from opwright.codegen.binding import bind, bound_arrays
from opwright.codegen.emulator.figures import Figures
from opwright.compiled import CompiledOperator
from opwright.narrowing import variant_of

Array = NDArray[Any]
STORED = Path(__file__).parent / "data" / "figures.json"
UPDATE = "OPWRIGHT_UPDATE_FIGURES"
ROWS = int(os.environ.get("OPWRIGHT_ROWS", "512"))
CORES = 40
DTYPES: dict[str, DTypeLike] = {"f16": np.float16, "bf16": ml_dtypes.bfloat16}


@dataclass(frozen=True)
class Case:
    """A call of an operator on a target."""

    operator: str
    target: str
    dtype: str
    shapes: dict[str, tuple[int, ...]]
    others: dict[str, Array] = field(default_factory=dict[str, Array])
    attributes: dict[str, int] = field(default_factory=dict[str, int])

    def __str__(self) -> str:
        sizes = "-".join("x".join(map(str, shape)) for shape in self.shapes.values())
        return "-".join([self.operator, self.target, self.dtype, sizes, *self.others])

    def figures(self) -> Figures:
        """Run the call; the report must be clean."""
        random = np.random.default_rng(0)
        arrays = {n: random.standard_normal(s, np.float32).astype(DTYPES[self.dtype]) for n, s in self.shapes.items()}
        arrays |= self.others
        kernel = compiled(self.operator, self.target)
        binding = bind(kernel.operator.op, arrays, self.attributes)
        runner = kernel.runner(variant_of(kernel.operator.op, binding))
        inputs, dims = runner.arguments(binding, bound_arrays(kernel.operator.op, binding, arrays))
        assert isinstance(runner.executable, AscendcExecutable)
        _, report = runner.executable.emulate(inputs, dims, CORES)
        assert report.clean, report
        return report.figures


@cache
def compiled(operator: str, target: str) -> CompiledOperator:
    return ow.compile(operator, backend="ascendc", target=target)


def convolution(target: str, dtype: str, rows: int, batch: int, width: int, *, masked: bool) -> Case:
    tensor = (rows, batch, width)
    mask = {"maskOptional": np.random.default_rng(1).random((batch, rows)) < 0.9} if masked else {}
    shapes = {"gradY": tensor, "x": tensor, "weight": (3, width)}
    return Case("MaskedCausalConv1dBackward", target, dtype, shapes, mask)


def compression(target: str, dtype: str, rows: int, heads: int, ends: tuple[int, ...] = ()) -> Case:
    """Windows of 32 rows, 16 apart."""
    lengths = np.diff([0, *(ends or (rows,))])
    windows = sum(int(length - 32) // 16 + 1 for length in lengths if length >= 32)
    shapes = {"outputGrad": (windows, heads, 128), "input": (rows, heads, 128), "weight": (32, heads)}
    act = {"actSeqLenOptionalOptional": np.array(ends, np.int64)} if ends else {}
    return Case("NsaCompressGrad", target, dtype, shapes, act, {"compressBlockSize": 32, "compressStride": 16})


CASES = [
    case
    for target, dtype in (("ascend910b", "f16"), ("ascend950", "bf16"))
    for case in (
        convolution(target, "bf16", 33, 2, 384, masked=True),
        convolution(target, "bf16", 64, 4, 768, masked=True),
        convolution(target, "f16", 64, 4, 768, masked=False),
        compression(target, dtype, 272, 8, (0, 120, 140, 272)),
        compression(target, dtype, 128, 64),
    )
]


def numbers(figures: Figures) -> dict[str, int]:
    return {
        "gm_read_bytes": figures.gm_read_bytes,
        "gm_write_bytes": figures.gm_write_bytes,
        "instructions": figures.instructions,
        "repeats": sum(row.repeats for row in figures.apis),
    }


def read_stored() -> dict[str, dict[str, int]]:
    return json.loads(STORED.read_text()) if STORED.exists() else {}


def store(case: Case, found: dict[str, int]) -> None:
    stored = read_stored()
    before = stored.get(str(case), found)
    stored[str(case)] = {name: min(number, before[name]) for name, number in found.items()}
    STORED.write_text(json.dumps(dict(sorted(stored.items())), indent=1) + "\n")


@pytest.mark.xdist_group("figures")
@pytest.mark.parametrize("case", CASES, ids=str)
def test_no_figure_grows(case: Case) -> None:
    found = numbers(case.figures())
    if os.environ.get(UPDATE):
        store(case, found)
    stored = read_stored()[str(case)]
    assert {name: (number, stored[name]) for name, number in found.items() if number > stored[name]} == {}


def test_every_stored_figure_is_checked() -> None:
    assert sorted(read_stored()) == sorted(map(str, CASES))


@pytest.mark.xdist_group("figures")
@pytest.mark.parametrize(("target", "dtype"), [("ascend910b", "f16"), ("ascend950", "bf16")])
def test_a_compression_moves_little_more_than_the_least(target: str, dtype: str) -> None:
    """The least is to read each input once and to write each output once."""
    case = compression(target, dtype, ROWS, 64)
    figures = case.figures()
    outputs = (case.shapes["input"], case.shapes["weight"])
    least = sum(2 * int(np.prod(shape)) for shape in (*case.shapes.values(), *outputs))
    assert figures.gm_read_bytes + figures.gm_write_bytes <= 1.3 * least
