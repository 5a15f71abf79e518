"""Example programs on the laptop's ACL, under checkers of memory: ours in docs/, and those of the documents where they
lie beside the checkout. What each prints is computed by the reference, from the bytes that the program passes."""

import shutil
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pytest
from acl_programs import built_for_full_calls, compile_program, output_of

import opwright as ow
from opwright.cli import main
from opwright.codegen.dtypes import Array
from opwright.outputs import Outputs

ROOT = Path(__file__).resolve().parents[1]
OURS, DOCUMENTS = ROOT / "docs" / "examples", ROOT.parent / "shared" / "seeds" / "examples"
CONVOLUTION, WINDOWS = "MaskedCausalConv1dBackward", "NsaCompressGrad"
ROUTING = "MoeTokenUnpermuteWithRoutingMapGrad"

VALGRIND = ["valgrind", "-q", "--leak-check=full", "--show-leak-kinds=definite,indirect,possible", "--error-exitcode=9"]

pytestmark = pytest.mark.xdist_group("acl")


def small(dtype: type[np.floating], step: int, *shape: int) -> Array:
    """The numbers of our programs."""
    return (((np.arange(np.prod(shape)) * step) % 17 - 8) / 8).astype(dtype).reshape(shape)


def reference(operator: str, given: dict[str, Array], attrs: dict[str, int] | None = None) -> Outputs:
    return ow.compile(operator, backend="reference").run(given, attrs)


def listed(name: str, values: Array) -> list[str]:
    return [f"{name}[{place}] {value + 0.0:g}" for place, value in enumerate(values.ravel().tolist())]


def our_convolution() -> list[str]:
    s, b, h, w = 5, 2, 384, 3
    rows = {"gradY": small(np.float16, 5, s, b, h), "x": small(np.float16, 7, s, b, h)}
    weight = np.ascontiguousarray(small(np.float16, 3, h, w).T)
    mask = np.array([1, 0, 1, 1, 1, 0, 1, 1, 2, 0], np.uint8).reshape(b, s)
    found = reference(CONVOLUTION, {**rows, "weight": weight, "maskOptional": mask})
    return [*listed("gradX", found["gradXOut"]), *listed("gradWeight", found["gradWeightOut"])]


def our_windows() -> list[str]:
    t, n, d, c, k = 96, 2, 16, 3, 32
    shapes = {"outputGrad": (5, c, n, d), "input": (7, t, n, d), "weight": (3, k, n)}
    given = {name: small(np.float16, *shape) for name, shape in shapes.items()}
    attrs = {"compressBlockSize": k, "compressStride": 16}
    found = reference(WINDOWS, {**given, "actSeqLenOptionalOptional": np.array([40, 40, t])}, attrs)
    by_heads = np.moveaxis(found["inputGradOut"], 1, 0)
    return [*listed("inputGrad", by_heads), *listed("weightGrad", found["weightGradOut"])]


def our_routing() -> list[str]:
    t, h, e, m = 3, 5, 4, 6
    given = {
        "unpermutedTokensGrad": small(np.float32, 5, t, h),
        "outIndex": np.array([4, 0, 2, -1, 5, 1], np.int32),
        "permuteTokenId": np.array([0, 0, 1, 1, 2, 2], np.int32),
        "routingMapOptional": np.array([1, 0, 1, 0, 0, 1, 0, 1, 1, 0, 0, 1], np.int8).reshape(t, e),
        "permutedTokensOptional": small(np.float32, 7, m, h),
        "probsOptional": small(np.float32, 3, t, e),
    }
    found = reference(ROUTING, given)
    gradients = ("permutedTokensGrad", found["permutedTokensGradOut"]), ("probsGrad", found["probsGradOutOptional"])
    return [line for name, values in gradients for line in listed(name, values)]


def printed(values: Sequence[float] | Sequence[int], form: str) -> list[str]:
    return [f"result[{place}] is: {value:{form}}" for place, value in enumerate(values)]


def document_convolution() -> list[str]:
    """All operands are 0; the program prints as many bytes of each result as it has elements."""
    s, b, h, w = 1, 2, 384, 3
    zeros = {"gradY": (s, b, h), "x": (s, b, h), "weight": (w, h)}
    given = {name: np.zeros(shape, np.float16) for name, shape in zeros.items()}
    found = reference(CONVOLUTION, {**given, "maskOptional": np.zeros((b, s), np.uint8)})
    memory = (found[name].ravel().view(np.int8)[: found[name].size] for name in ("gradXOut", "gradWeightOut"))
    return [line for values in memory for line in printed(values.tolist(), "d")]


def document_windows() -> list[str]:
    """Bytes of float32 ones stand for float16 elements; the first result is printed as float32 again.

    They repeat every two heads, so the reference runs on the first two.
    """
    c, t, k, n, d = 15, 272, 32, 64, 128
    shapes = {"outputGrad": (c, n, d), "input": (t, n, d), "weight": (k, n)}
    full = {
        name: np.ones(np.prod(shape), np.float32).view(np.float16)[: np.prod(shape)].reshape(shape)
        for name, shape in shapes.items()
    }
    assert all(
        np.array_equal(array[:, :2], array[:, place : place + 2]) for array in full.values() for place in range(0, n, 2)
    )
    given = {name: array[:, :2] for name, array in full.items()}
    attrs = {"compressBlockSize": k, "compressStride": 16}
    found = reference(WINDOWS, {**given, "actSeqLenOptionalOptional": np.array([0, 128, 272])}, attrs)
    memory = np.zeros(t * n * d, np.float32)
    memory.view(np.float16)[: t * n * d] = np.tile(found["inputGradOut"], (1, n // 2, 1)).ravel()
    return printed(memory.tolist(), "f")


def document_routing() -> list[str]:
    """The map's int32 ones are read as the bytes 1, 0, 0, 0: the second slot has no expert."""
    ones = {"unpermutedTokensGrad": (1, 2), "permutedTokensOptional": (2, 2), "probsOptional": (1, 2)}
    given: dict[str, Array] = {name: np.ones(shape, np.float32) for name, shape in ones.items()}
    given |= {"outIndex": np.array([0, 1], np.int32), "permuteTokenId": np.array([0, 0], np.int32)}
    bytes_of_map = np.array([1, 1], np.int32).view(np.uint8)[:2].reshape(1, 2)
    found = reference(ROUTING, {**given, "routingMapOptional": bytes_of_map})
    assert found["permutedTokensGradOut"].tolist() == [[1, 1], [0, 0]]
    tokens, probs = (found[name].ravel().tolist() for name in ("permutedTokensGradOut", "probsGradOutOptional"))
    return ["permutedTokensGrad ", *printed(tokens, "f"), "probsGrad ", *printed(probs, "f")]


@dataclass(frozen=True)
class Example:
    """A program, the operator that it calls, and what it must print."""

    operator: str
    source: Path
    prints: Callable[[], list[str]]

    def __str__(self) -> str:
        return f"{self.source.parent.parent.name}-{self.source.stem}"


STEMS = {
    CONVOLUTION: "masked_causal_conv1d_backward",
    WINDOWS: "nsa_compress_grad",
    ROUTING: "moe_token_unpermute_with_routing_map_grad",
}
PRINTS = {
    OURS: {CONVOLUTION: our_convolution, WINDOWS: our_windows, ROUTING: our_routing},
    DOCUMENTS: {CONVOLUTION: document_convolution, WINDOWS: document_windows, ROUTING: document_routing},
}
EXAMPLES = [
    Example(operator, folder / f"{STEMS[operator]}.cpp", prints)
    for folder, of_folder in PRINTS.items()
    for operator, prints in of_folder.items()
    if folder.is_dir()
]


UNDER_VALGRIND = [each for each in EXAMPLES if shutil.which("valgrind")]
"""None where valgrind is not installed: AddressSanitizer comes with the compiler and runs everywhere."""


@pytest.mark.parametrize("backend", ["c", "ascendc"])
@pytest.mark.parametrize("example", EXAMPLES, ids=str)
def test_right_values_and_no_finding_of_address_sanitizer(example: Example, backend: str, tmp_path: Path) -> None:
    """Also of those for leaks and for undefined behaviour."""
    program = compile_program(example.source, built_for_full_calls(example.operator, "address"), tmp_path, "address")
    assert output_of([program], backend).splitlines() == example.prints()


@pytest.mark.long
@pytest.mark.parametrize("backend", ["c", "ascendc"])
@pytest.mark.parametrize("example", UNDER_VALGRIND, ids=str)
def test_no_finding_of_valgrind(example: Example, backend: str, tmp_path: Path) -> None:
    program = compile_program(example.source, built_for_full_calls(example.operator, "valgrind"), tmp_path, "valgrind")
    assert output_of([*VALGRIND, program], backend).splitlines() == example.prints()


@pytest.mark.parametrize("backend", ["c", "ascendc"])
def test_in_one_step(backend: str, capfd: pytest.CaptureFixture[str]) -> None:
    assert main(["run-example", str(OURS / f"{STEMS[CONVOLUTION]}.cpp"), "--backend", backend]) == 0
    out, err = capfd.readouterr()
    assert (out.splitlines(), err) == (our_convolution(), "")


RELU = """
from opwright.dialect.frontend import Spec, f32, indices, maximum, operator
@operator("Relu")
def relu(spec: Spec) -> None:
    N, D = spec.dims("N", "D")
    x, y = spec.input("x", f32[N, D]), spec.output("y", f32[N, D])
    i, j = indices(i=N, j=D)
    y[i, j] = maximum(x[i, j], 0.0)
"""


def test_the_example_of_a_project_shows_results(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    """Its first numbers have both signs, so that a function that cuts off one of them leaves something to see."""
    spec, project = tmp_path / "relu.py", tmp_path / "project"
    spec.write_text(RELU)
    assert main(["build", str(spec), "--target", "ascend950", "-o", str(project)]) == 0
    capfd.readouterr()
    assert main(["run-example", str(project / "examples/test_aclnn_relu.cpp"), "--op", str(spec)]) == 0
    found = reference(str(spec), {"x": small(np.float32, 5, 4, 2)})
    assert capfd.readouterr().out.splitlines() == listed("y", found["y"])
    assert 3 <= np.count_nonzero(found["y"]) < found["y"].size
