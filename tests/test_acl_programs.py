"""Programs on the laptop's ACL: the documents' own, ours, and those that look for faults, under sanitizers.

The full fuzz and the full run with threads, each in a few minutes:

    opwright run-example --sanitize address tests/data/acl/fuzz_masked_causal_conv1d_backward.cpp -- 10000 1
    opwright run-example --sanitize thread tests/data/acl/threads.cpp -- 8 1000
"""

import os
import subprocess
from collections.abc import Callable, Sequence
from functools import cache
from pathlib import Path
from tempfile import mkdtemp

import numpy as np
import pytest

import opwright as ow
from opwright.acl import acl_files, program_command
from opwright.cli import main
from opwright.codegen.acl.library import SANITIZERS
from opwright.codegen.native import find_compiler
from opwright.dialect.spec.signature import Signature
from opwright.loading import list_operators, load
from opwright.outputs import Outputs
from opwright.writing import write_all

ROOT = Path(__file__).resolve().parents[1]
PROGRAMS = ROOT / "tests" / "data" / "acl"
EXAMPLES = ROOT / "docs" / "examples"
SEEDS = ROOT.parent / "shared" / "seeds" / "examples"
CONVOLUTION = "MaskedCausalConv1dBackward"
SEGMENTS = str(ROOT / "tests" / "specs" / "segment_bias.py")

FUZZ = PROGRAMS / "fuzz_masked_causal_conv1d_backward.cpp"

pytestmark = pytest.mark.xdist_group("acl")


@cache
def built(operators: tuple[str, ...], sanitizer: str = "") -> Path:
    folder = Path(mkdtemp(prefix="opwright-test-"))
    files = acl_files([load(name) for name in operators], False, None, sanitizer)
    write_all({folder / name: content for name, content in files.items()})
    return folder


def run_program(
    source: Path, folder: Path, place: Path, arguments: Sequence[str] = (), sanitizer: str = "", *flags: str
) -> str:
    """Compile a program, without a warning about the headers, and run it; return what it prints."""
    program = place / source.stem
    command = program_command(folder, source, program, find_compiler("c++"), SANITIZERS[sanitizer])
    done = subprocess.run([*command, "-O0", *flags], capture_output=True, text=True, check=False)
    assert (done.returncode, str(folder) in done.stderr) == (0, False), done.stderr
    done = subprocess.run([program, *arguments], capture_output=True, text=True, check=False, timeout=300)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def test_headers_compile_alone_as_old_and_new_cpp(tmp_path: Path) -> None:
    folder = built((CONVOLUTION,))
    headers = sorted(path.relative_to(folder / "include") for path in (folder / "include").rglob("*.h"))
    assert len(headers) > 9
    warnings = ("-Wall", "-Wextra", "-Wpedantic", "-Wshadow", "-Werror")
    compiler = find_compiler("c++")
    for standard, order in (("c++11", headers), ("c++20", headers[::-1])):
        source = tmp_path / "all.cpp"
        source.write_text("".join(f'#include "{header}"\n' for header in order))
        includes = (f"-I{folder / 'include'}", f"-I{folder / 'include' / 'aclnn'}")
        subprocess.run([compiler, f"-std={standard}", *warnings, *includes, "-fsyntax-only", str(source)], check=True)


def numbers(count: int, step: int) -> np.ndarray[tuple[int], np.dtype[np.float16]]:
    return (((np.arange(count) * step) % 17 - 8) / 8).astype(np.float16)


def expected_example() -> Outputs:
    s, b, h, w = 5, 2, 384, 3
    mask = np.array([1, 0, 1, 1, 1, 0, 1, 1, 2, 0], np.uint8).reshape(b, s)
    return ow.compile(CONVOLUTION, backend="reference").run(
        {
            "gradY": numbers(s * b * h, 5).reshape(s, b, h),
            "x": numbers(s * b * h, 7).reshape(s, b, h),
            "weight": np.ascontiguousarray(numbers(w * h, 3).reshape(h, w).T),
            "maskOptional": mask,
        }
    )


@pytest.mark.parametrize("backend", ["c", "ascendc"])
def test_example_of_the_docs(backend: str, capfd: pytest.CaptureFixture[str]) -> None:
    source = EXAMPLES / "masked_causal_conv1d_backward.cpp"
    assert main(["run-example", str(source), "--backend", backend]) == 0
    out, err = capfd.readouterr()
    assert err == ""
    expected = expected_example()
    lines = [
        f"{name}[{place}] {value + 0.0:g}"
        for name, parameter in (("gradX", "gradXOut"), ("gradWeight", "gradWeightOut"))
        for place, value in enumerate(expected[parameter].ravel().tolist())
    ]
    assert out.splitlines() == lines


def printed(values: Sequence[float] | Sequence[int], form: str) -> list[str]:
    return [f"result[{place}] is: {value:{form}}" for place, value in enumerate(values)]


def convolution_prints() -> list[str]:
    """All operands are 0; the program prints as many bytes of each result as it has elements."""
    return [*printed([0] * 768, "d"), *printed([0] * 1152, "d")]


def windows_print() -> list[str]:
    """Bytes of float32 ones stand for float16 elements; the first result is printed as float32 again.

    They repeat every two heads, so the reference runs on the first two.
    """
    c, t, k, n, d = 15, 272, 32, 64, 128
    shapes = ((c, n, d), (t, n, d), (k, n))
    arrays = [np.ones(np.prod(shape), np.float32).view(np.float16)[: np.prod(shape)].reshape(shape) for shape in shapes]
    assert all(
        np.array_equal(array[:, :2], array[:, place : place + 2]) for array in arrays for place in range(0, n, 2)
    )
    names = [tensor.label.data for tensor in Signature.of(load("NsaCompressGrad").op).inputs]
    given = dict(zip(names, [*(array[:, :2] for array in arrays), np.array([0, 128, 272])], strict=True))
    attrs = {"compressBlockSize": k, "compressStride": 16}
    heads = ow.compile("NsaCompressGrad", backend="reference").run(given, attrs)["inputGradOut"]
    memory = np.zeros(t * n * d, np.float32)
    memory.view(np.float16)[: t * n * d] = np.tile(heads, (1, n // 2, 1)).ravel()
    return printed(memory.tolist(), "f")


def routing_prints() -> list[str]:
    """The map's int32 ones are read as the bytes 1, 0, 0, 0: the second slot has no expert."""
    return ["permutedTokensGrad ", *printed([1, 1, 0, 0], "f"), "probsGrad ", *printed([2, 0], "f")]


SEED_PRINTS: dict[str, tuple[str, Callable[[], list[str]]]] = {
    "masked_causal_conv1d_backward": (CONVOLUTION, convolution_prints),
    "nsa_compress_grad": ("NsaCompressGrad", windows_print),
    "moe_token_unpermute_with_routing_map_grad": ("MoeTokenUnpermuteWithRoutingMapGrad", routing_prints),
}
"""The operator of each document's program, and what it must print."""


@pytest.mark.parametrize("source", sorted(SEEDS.glob("*.cpp")), ids=lambda path: path.stem)
def test_programs_of_the_documents(source: Path, tmp_path: Path) -> None:
    """Where the documents lie beside the checkout, and the library has their operators."""
    operator, prints = SEED_PRINTS[source.stem]
    if operator in list_operators():
        assert run_program(source, built((operator,)), tmp_path).splitlines() == prints()


def test_layouts(tmp_path: Path) -> None:
    folder = built((CONVOLUTION, SEGMENTS), "address")
    assert run_program(PROGRAMS / "segment_bias.cpp", folder, tmp_path, (), "address") == "every layout is right\n"


def test_misuse(tmp_path: Path) -> None:
    folder = built((CONVOLUTION, SEGMENTS), "address")
    assert run_program(PROGRAMS / "misuse.cpp", folder, tmp_path, (), "address") == "every misuse is reported\n"


def test_random_calls(tmp_path: Path) -> None:
    folder = built((CONVOLUTION, SEGMENTS), "address")
    out = run_program(FUZZ, folder, tmp_path, ("300", "3"), "address")
    assert out.startswith("300 calls are right")


def test_threads(tmp_path: Path) -> None:
    folder = built((CONVOLUTION,), "thread")
    out = run_program(PROGRAMS / "threads.cpp", folder, tmp_path, ("8", "25"), "thread")
    assert out == "200 calls are right\n"


VERSION = """
#include "acl/acl.h"
#include "aclnn_masked_causal_conv1d_backward.h"
int main() {
    int32_t major = 0, minor = 0, patch = 0;
    const int status = aclrtGetVersion(&major, &minor, &patch);
    return printf("%d %d.%d", status, major, minor) < 1;
}
"""


def test_programs_link_by_the_names_of_cann(tmp_path: Path) -> None:
    folder = built((CONVOLUTION,))
    flags = [f"-l{name}" for name in ("ascendcl", "nnopbase", "opapi_math", "opapi_transformer", "cust_opapi", "c_sec")]
    source = tmp_path / "version.cpp"
    source.write_text(VERSION)
    assert run_program(source, folder, tmp_path, (), "", *flags) == "0 1.17"


CODE = """
#include "acl/acl.h"
#include <csignal>
#include <cstdlib>
int main(int count, char **texts) {
    if (count == 1) std::raise(SIGTERM);
    return std::atoi(texts[1]);
}
"""


def test_exit_code_and_arguments_pass_through(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    source = tmp_path / "code.cpp"
    source.write_text(CODE)
    assert main(["run-example", str(source), "7"]) == 7
    assert main(["run-example", str(source)]) == 143
    assert capfd.readouterr().err == "opwright: signal 15 ended code.cpp\n"


BACKEND = """
#include "SUPPORT"
#include "aclnnop/aclnn_segment_bias.h"
int main() {
    EXPECT(aclInit(nullptr) == 0);
    aclTensor *x = describe({2, 3}, ACL_FLOAT, nullptr), *bias = describe({3}, ACL_FLOAT, nullptr);
    uint64_t size = 0;
    aclOpExecutor *executor = nullptr;
    const char *texts[][2] = {{"gpu", "OPWRIGHT_BACKEND is 'gpu'"}, {"ascendc", "opwright acl --backend ascendc"}};
    for (const auto &text : texts) {
        setenv("OPWRIGHT_BACKEND", text[0], 1);
        EXPECT(refused(aclnnSegmentBiasGetWorkspaceSize(x, bias, nullptr, nullptr, 1, false, nullptr, nullptr, x, &size,
                                                        &executor),
                       561003, text[1]));
    }
    std::puts("refused");
}
"""


def test_backend_of_the_environment(tmp_path: Path) -> None:
    source = tmp_path / "backend.cpp"
    source.write_text(BACKEND.replace("SUPPORT", str(PROGRAMS / "support.h")))
    assert run_program(source, built((CONVOLUTION, SEGMENTS), "address"), tmp_path, (), "address") == "refused\n"


def test_the_same_bytes_twice() -> None:
    assert os.environ.get("OPWRIGHT_BACKEND") is None
    operators = [load(CONVOLUTION)]
    assert acl_files(operators, emulate=False) == acl_files(operators, emulate=False)
