"""opwright.emulate: hand-written kernels from Python, and what their sources may look like."""

import subprocess
from dataclasses import replace
from pathlib import Path

import numpy as np
import numpy.typing as npt
import pytest

import opwright as ow
from opwright.cli import main
from opwright.codegen.emulator.kernel_source import device_text, find_kernels, kernel_place
from opwright.codegen.emulator.report import NO_FILE
from opwright.codegen.emulator.toolchain import FLAGS, prefix_dir
from opwright.codegen.native import find_compiler
from opwright.dialect.diagnostics import Diagnostic
from opwright.emulation import Emulation
from opwright.emulation_arguments import InOut, Output, Workspace, prepare
from opwright.passes.chips import get_chip

SOURCE = r"""
#include "acl/acl.h"
#include "data_utils.h"
#include <cstdint>
#include "kernel_operator.h"
using namespace AscendC;

constexpr char QUOTE = '"';  // a brace {
constexpr const char* TEXT = "}";

struct Sizes {
    uint32_t count;
    float factor;
};

namespace mine {
template <typename T>
class Scale {
public:
    __aicore__ inline void Init(TPipe* pipe, GM_ADDR x, GM_ADDR z, uint32_t count) {
        x_.SetGlobalBuffer((__gm__ T*)x, count);
        z_.SetGlobalBuffer((__gm__ T*)z, count);
        pipe->InitBuffer(in_, 2, TILE * sizeof(T));
        pipe->InitBuffer(out_, 2, TILE * sizeof(T));
        count_ = count;
    }

    __aicore__ inline void Process(T factor) {
        for (uint32_t at = GetBlockIdx() * TILE; at < count_; at += GetBlockNum() * TILE) {
            LocalTensor<T> a = in_.template AllocTensor<T>();
            DataCopy(a, x_[at], TILE);
            in_.EnQue(a);
            a = in_.template DeQue<T>();
            LocalTensor<T> b = out_.template AllocTensor<T>();
            Muls(b, a, factor, TILE);
            out_.EnQue(b);
            in_.FreeTensor(a);
            b = out_.template DeQue<T>();
            DataCopy(z_[at], b, TILE);
            out_.FreeTensor(b);
        }
    }

private:
    GlobalTensor<T> x_, z_;
    TQue<TPosition::VECIN, 1> in_;
    TQue<TPosition::VECOUT, 1> out_;
    uint32_t count_;
};
}  // namespace mine

extern "C" __global__ __aicore__ void scale(GM_ADDR x, GM_ADDR z,
                                            const Sizes sizes) {
    TPipe pipe;
    mine::Scale<float> op;
    op.Init(&pipe, x, z, sizes.count);
    op.Process(sizes.factor);
}

namespace mine {
template <typename T, int N>
__global__ __vector__ __aicore__ void add_to(__gm__ T* y, GM_ADDR workspace, int32_t n) {
    TPipe pipe;
    TBuf<> buffer;
    pipe.InitBuffer(buffer, 256);
    LocalTensor<T> a = buffer.Get<T>();
    GlobalTensor<T> gm, scratch;
    gm.SetGlobalBuffer(y, 64);
    scratch.SetGlobalBuffer((__gm__ T*)workspace, 64);
    DataCopy(a, gm, 64);
    PipeBarrier<PIPE_ALL>();
    Adds(a, a, static_cast<T>(n + N + EXTRA), 64);
    PipeBarrier<PIPE_ALL>();
    DataCopy(scratch, a, 64);
    DataCopy(gm, a, 64);
    if (TILING_KEY_IS(7)) AscendC::printf("core %d of %d\n", (int)GetBlockIdx(), (int)GetBlockNum());
}
}  // namespace mine

#ifndef __CCE_KT_TEST__
void scale_do(uint32_t blocks, void* stream, uint8_t* x, uint8_t* z) {
    Sizes sizes{64, 2.0f};
    scale<<<blocks, nullptr, stream>>>(x, z, sizes);
}
#endif

static void check(aclError code) { if (code != ACL_SUCCESS) { printf("}"); } }

int32_t main(int32_t argc, char* argv[]) {
    check(aclInit(nullptr));
    scale_do(8, nullptr, nullptr, nullptr);
    return 0;
}
"""
ADD = "mine::add_to<int32_t, 100>"
X = np.arange(640, dtype=np.float32)


def scaled(path: Path, cores: int = 3, factor: float = 0.5, **options: bool | int) -> Emulation:
    sizes = np.uint32(X.size).tobytes() + np.float32(factor).tobytes()
    args = {"x": X, "z": Output(np.dtype(np.float32), X.shape), "sizes": sizes}
    return ow.emulate(path, "scale", cores=cores, args=args, defines=["TILE=64", "EXTRA=0"], **options)  # pyright: ignore[reportArgumentType]


@pytest.fixture
def path(tmp_path: Path) -> Path:
    path = tmp_path / "kernels.asc"
    path.write_text(SOURCE)
    return path


def test_kernels_of_a_source() -> None:
    found = {kernel.name: kernel for kernel in find_kernels(SOURCE)}
    assert list(found) == ["scale", "mine::add_to"]
    assert found["scale"].params == ("x", "z", "sizes")
    assert not found["scale"].templated
    assert found["mine::add_to"].params == ("y", "workspace", "n")
    assert found["mine::add_to"].templated
    assert [SOURCE.splitlines()[k.line - 1].strip()[:20] for k in found.values()] == [
        'extern "C" __global_',
        "__global__ __vector_",
    ]


def test_host_code_becomes_blank() -> None:
    text = device_text(SOURCE)
    assert "<<<" not in text
    assert "aclInit" not in text
    assert "scale_do" not in text
    assert "void Process(T factor)" in text
    assert text.count("#ifndef") == 1
    kernel = "__global__ __aicore__ void scale"
    line = next(n for n, line in enumerate(text.splitlines(), 1) if kernel in line)
    shift = text.splitlines()[:line].count("#endif") * 4
    assert line - shift == next(n for n, line in enumerate(SOURCE.splitlines(), 1) if kernel in line)


def test_text_without_host_code_stays_as_it_is() -> None:
    source = '#include "kernel_operator.h"\n__global__ __aicore__ void k(GM_ADDR x) {}\n'
    assert device_text(source) == source


@pytest.mark.parametrize(("strict", "seed"), [(False, 0), (True, 3)])
def test_struct_by_value_beside_host_code(path: Path, strict: bool, seed: int) -> None:
    emulation = scaled(path, strict=strict, seed=seed)
    assert emulation.findings == ()
    np.testing.assert_array_equal(emulation.outputs.z, X * np.float32(0.5))
    assert (emulation.figures.gm_read_bytes, emulation.figures.gm_write_bytes) == (X.nbytes, X.nbytes)


def test_findings_name_the_source_as_it_was_given(path: Path) -> None:
    sizes = np.uint32(X.size + 64).tobytes() + np.float32(1).tobytes()
    args = {"x": X, "z": Output(np.dtype(np.float32), X.shape), "sizes": sizes}
    emulation = ow.emulate(path, "scale", cores=3, args=args, defines=["TILE=64", "EXTRA=0"])
    assert not emulation.clean
    finding = emulation.findings[0]
    assert (finding.code, finding.file) == ("gm-bounds", str(path))
    assert "DataCopy(a, x_[at], TILE)" in SOURCE.splitlines()[finding.line - 1]


def test_what_nobody_wrote_stands_at_the_kernel(path: Path) -> None:
    sizes = np.uint32(X.size).tobytes() + np.float32(1).tobytes()
    args = {"x": X, "z": Output(np.dtype(np.float32), (X.size + 8,)), "sizes": sizes}
    (finding,) = ow.emulate(path, "scale", cores=3, args=args, defines=["TILE=64", "EXTRA=0"]).findings
    assert (finding.code, finding.file, finding.core) == ("gm-unwritten", str(path), -1)
    assert "void scale(" in SOURCE.splitlines()[finding.line - 1]
    facts = "gm-unwritten: z: no core wrote bytes [2560, 2592) of z (2592 bytes)"
    assert str(finding) == f"{path}:{finding.line}: {facts}"
    assert (finding.plain()["line"], finding.plain()["core"]) == (finding.line, None)
    nowhere = replace(finding, file=NO_FILE, line=0)
    assert str(nowhere) == facts
    assert (nowhere.plain()["file"], nowhere.plain()["line"]) == (None, None)


def test_a_kernel_is_found_where_its_lines_say() -> None:
    head = '#line 1 "a.asc"\n\n#include "x.h"\n#line 9\n'
    sources = {
        "0/a.cpp": head + "namespace n { template <int N>\n__global__ __aicore__ void k() {} }\n",
        "b.cpp": SOURCE,
    }
    assert kernel_place(sources, "n::k<3>") == ("a.asc", 10)
    assert kernel_place({"b.cpp": SOURCE}, "scale") == ("b.cpp", find_kernels(SOURCE)[0].line)
    assert kernel_place(sources, "k") is None


def test_template_in_a_namespace_inout_and_print(path: Path) -> None:
    y = np.arange(64, dtype=np.int32)
    emulation = ow.emulate(
        path,
        ADD,
        target="ascend950",
        cores=1,
        args={"y": InOut(y), "workspace": Workspace(256), "n": -3},
        defines=["TILE=64", "EXTRA=1000"],
        tiling_key=7,
    )
    assert emulation.findings == ()
    np.testing.assert_array_equal(emulation.outputs["y"], y + 1097)
    assert list(emulation.outputs) == ["y"]
    assert emulation.output == "core 0 of 1\n"


def test_headers_are_found_and_followed(tmp_path: Path) -> None:
    header = tmp_path / "more" / "value.h"
    header.parent.mkdir()
    (tmp_path / "own.h").write_text('#include "value.h"\n')
    kernel = '#include "own.h"\nextern "C" __global__ __aicore__ void k(GM_ADDR) { AscendC::printf("%d", VALUE); }\n'
    source = tmp_path / "k.cpp"
    source.write_text(kernel)
    for value in ("1", "2"):
        header.write_text(f'#include "kernel_operator.h"\n#define VALUE {value}\n')
        emulation = ow.emulate(source, cores=1, args={"x": None}, include_dirs=[header.parent])
        assert emulation.output == value


def test_several_files(tmp_path: Path) -> None:
    (tmp_path / "a.cpp").write_text('#include "kernel_operator.h"\nconstexpr int VALUE = 5;\n')
    (tmp_path / "b.cpp").write_text('__global__ __aicore__ void k() { AscendC::printf("%d", VALUE); }\n')
    emulation = ow.emulate([tmp_path / "a.cpp", tmp_path / "b.cpp"], "k", cores=2, args={})
    assert emulation.output == "55"


def test_refusals_are_diagnostics(path: Path) -> None:
    with pytest.raises(Diagnostic, match="OPW010"):
        ow.emulate(path, "scale", target="cpu", args={})
    with pytest.raises(Diagnostic, match="OPW013"):
        scaled(path, seed=-1)
    with pytest.raises(Diagnostic, match=r"OPW022.*takes an address"):
        ow.emulate(path, "scale", args={"x": 1, "z": None, "sizes": bytes(8)}, defines=["TILE=64", "EXTRA=0"])
    with pytest.raises(Diagnostic, match=r"OPW022.*takes a value of 8 bytes"):
        ow.emulate(path, "scale", args={"x": X, "z": None, "sizes": X}, defines=["TILE=64", "EXTRA=0"])
    with pytest.raises(Diagnostic, match=r"OPW022.*70000000000 needs more"):
        ow.emulate(path, ADD, args={"y": None, "workspace": None, "n": 70000000000}, defines=["TILE=64", "EXTRA=1000"])


@pytest.mark.parametrize("call", ["exit(7)", "std::abort()", "_exit(0)", "quick_exit(1)", "assert(1 == 2)"])
def test_a_kernel_cannot_end_the_process(call: str) -> None:
    source = f"""#include "kernel_operator.h"
#include <cassert>
#include <cstdlib>
#include <unistd.h>
extern "C" __global__ __aicore__ void k(GM_ADDR x) {{ {call}; }}
"""
    emulation = ow.emulate(source, cores=2, args={"x": None})
    assert {finding.code for finding in emulation.findings} == {"kernel-exception"}
    assert "a device has no process" in str(emulation.report)


@pytest.mark.parametrize("name", ["../evil", "/tmp/evil", "a b", "", "0x", "é"])
def test_a_name_of_an_argument_is_an_identifier(path: Path, name: str) -> None:
    with pytest.raises(Diagnostic, match=r"OPW026.*is no name of an argument"):
        ow.emulate(path, ADD, args={"y": None, name: None, "n": 1}, defines=["TILE=64", "EXTRA=1000"])


@pytest.mark.parametrize("big", [X.astype(">f4"), InOut(X.astype(">f4"))], ids=["input", "inout"])
def test_arrays_reach_the_kernel_in_native_order(big: npt.NDArray[np.generic] | InOut) -> None:
    prepared = prepare("x", big, 0)
    assert isinstance(prepared.argument, np.ndarray)
    assert prepared.argument.tobytes() == X.tobytes()
    if prepared.result is not None:
        assert prepared.result.dtype == np.dtype("<f4")


def test_outputs_have_native_order() -> None:
    result = prepare("z", Output(np.dtype(">f4"), (2,)), 0).result
    assert result is not None
    assert result.dtype == np.dtype("<f4")


@pytest.mark.parametrize("array", [np.array(["ab"]), np.array([b"x"]), np.zeros(2, "f4,i4"), np.zeros(2, "M8[s]")])
def test_elements_are_numbers(array: npt.NDArray[np.generic]) -> None:
    for given in (array, InOut(array)):
        with pytest.raises(Diagnostic, match=r"OPW022.*takes numbers, not elements of dtype"):
            prepare("x", given, 0)


def test_command_line_saves_outputs(path: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    np.save(tmp_path / "x.npy", X)
    (tmp_path / "sizes.bin").write_bytes(np.uint32(X.size).tobytes() + np.float32(3).tobytes())
    words = f"emulate {path} --kernel scale --target ascend910b --cores 3 -D TILE=64 -D EXTRA=0 -o {tmp_path}/out"
    given = [f"x={tmp_path}/x.npy", "z=float32[640]", f"sizes=@{tmp_path}/sizes.bin"]
    args = [*words.split(), *(word for text in given for word in ("-a", text))]
    assert main([*args, "--strict", "--seed", "9"]) == 0
    np.testing.assert_array_equal(np.load(tmp_path / "out" / "z.npy"), X * 3)
    assert "no findings" in capsys.readouterr().out
    args[args.index("z=float32[640]")] = "z=float32[600]"
    assert main(args) == 3
    assert "gm-bounds" in capsys.readouterr().out


HOST = r"""
#include <cstdio>
#include <cstdlib>
#include "kernel_operator.h"
extern "C" __global__ __aicore__ void fill(GM_ADDR z, int32_t value) {
    AscendC::TPipe pipe;
    AscendC::TBuf<> buffer;
    pipe.InitBuffer(buffer, 32);
    AscendC::LocalTensor<int32_t> row = buffer.Get<int32_t>();
    AscendC::Duplicate(row, value, 8);
    AscendC::PipeBarrier<PIPE_ALL>();
    AscendC::GlobalTensor<int32_t> out;
    out.SetGlobalBuffer((__gm__ int32_t*)z + AscendC::GetBlockIdx() * 8, 8);
    AscendC::DataCopy(out, row, 8);
}
int main() {
    int32_t z[16] = {}, value = 42;
    const emu::HostArgument arguments[] = {
        {"z", reinterpret_cast<uint8_t*>(z), sizeof z, static_cast<int32_t>(emu::Role::output)},
        {"value", reinterpret_cast<uint8_t*>(&value), sizeof value, emu::HostArgument::value}};
    emu::HostOptions options{};
    options.cores = 2;
    char* found = emu::launch(arguments, 2, options,
                              [](uint8_t* const* a) { emu::Parameters<decltype(&fill)>::call(&fill, a); });
    std::fprintf(stdout, "%d %d %d\n", z[0], z[15], found[0] == '\x1d');
    free(found);
}
"""


def test_emulator_in_a_program(tmp_path: Path) -> None:
    """C++ programs use the folder that `opwright emulate --include` prints: headers and the object."""
    folder = prefix_dir(get_chip("ascend910b"))
    (tmp_path / "host.cpp").write_text(HOST)
    command = [
        find_compiler("c++"),
        *FLAGS,
        f"-I{folder}",
        "host.cpp",
        str(folder / "opwright_runtime.o"),
        "-o",
        "host",
    ]
    subprocess.run(command, cwd=tmp_path, check=True)
    assert subprocess.run([tmp_path / "host"], capture_output=True, text=True, check=True).stdout == "42 42 1\n"
