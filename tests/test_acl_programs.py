"""Programs on the laptop's ACL that look for faults, under sanitizers.

`OPWRIGHT_THREAD_CALLS=1000 python -m pytest tests/test_acl_programs.py -k threads` makes that many calls of each
operator from each of 8 threads, in some minutes.
"""

import os
import shutil
import subprocess
from pathlib import Path

import pytest
from acl_programs import built, run_program

from opwright.acl import acl_files
from opwright.cli import main
from opwright.codegen.aclnn.derive import derive_interface
from opwright.codegen.native import find_compiler
from opwright.loading import list_operators, load

ROOT = Path(__file__).resolve().parents[1]
PROGRAMS = ROOT / "tests" / "data" / "acl"
CONVOLUTION = "MaskedCausalConv1dBackward"
SEGMENTS = str(ROOT / "tests" / "specs" / "segment_bias.py")

CALLS = os.environ.get("OPWRIGHT_THREAD_CALLS", "20")
THREADED = list_operators()

pytestmark = pytest.mark.xdist_group("acl")


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


def test_layouts(tmp_path: Path) -> None:
    folder = built((CONVOLUTION, SEGMENTS), "address")
    assert run_program(PROGRAMS / "segment_bias.cpp", folder, tmp_path, (), "address") == "every layout is right\n"


def test_misuse(tmp_path: Path) -> None:
    folder = built((CONVOLUTION, SEGMENTS), "address")
    assert run_program(PROGRAMS / "misuse.cpp", folder, tmp_path, (), "address") == "every misuse is reported\n"


@pytest.mark.parametrize("operator", THREADED)
def test_threads(operator: str, tmp_path: Path) -> None:
    source = PROGRAMS / f"threads_{derive_interface(load(operator).op).snake}.cpp"
    out = run_program(source, built((operator,), "thread"), tmp_path, ("8", CALLS), "thread")
    assert out == f"{8 * int(CALLS)} calls are right\n"


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
    const char *texts[][2] = {{"gpu", "OPWRIGHT_BACKEND is 'gpu'"},
                              {"ascendc", "opwright acl OP... --backend ascendc -o DIR"}};
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
    """Emulated kernels that an earlier library has left in the folder are not run."""
    source, folder = tmp_path / "backend.cpp", tmp_path / "acl"
    source.write_text(BACKEND.replace("SUPPORT", str(PROGRAMS / "support.h")))
    shutil.copytree(built((CONVOLUTION, SEGMENTS), "address"), folder)
    left = folder / "lib" / "emulated" / "segment_bias_f32.so"
    left.parent.mkdir()
    shutil.copy(folder / "lib" / "libopwright_acl.so", left)
    assert run_program(source, folder, tmp_path, (), "address") == "refused\n"


def test_the_same_bytes_twice() -> None:
    assert os.environ.get("OPWRIGHT_BACKEND") is None
    operators = [load(CONVOLUTION)]
    assert acl_files(operators, emulate=False) == acl_files(operators, emulate=False)
