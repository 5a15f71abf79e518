"""A generated operator project, built by cmake against a stand-in for CANN: its own tiling chooses every kernel, the
kernels compute on emulated cores what NumPy says, and its aclnn functions test calls as the documents say."""

import ctypes
import os
import re
import shutil
import subprocess
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import ml_dtypes
import numpy as np
import pytest

import opwright as ow
from opwright.cli import main
from opwright.codegen.aclnn.derive import derive_interface
from opwright.codegen.aclnn.interface import Interface
from opwright.codegen.aclnn.interface import Tensor as Parameter
from opwright.codegen.dtypes import Array
from opwright.codegen.emulator.launch import EmulatedKernel, read_only
from opwright.dialect.index_expr import evaluate
from opwright.example import example_call
from opwright.loading import Operator
from opwright.narrowing import served_choices
from opwright.passes.chips import get_chip

pytestmark = pytest.mark.xdist_group("project")

OPERATOR = "MaskedCausalConv1dBackward"
SPECS = (OPERATOR, "tests/specs/segment_bias.py", "tests/specs/statistics.mlir")
CHIPS = ("ascend910b", "ascend910_93", "ascend950")
SOC = {"ascend910b": 1, "ascend910_93": 1, "ascend950": 4}
CORES = 3

DTYPES: Mapping[str, tuple[int, Any]] = {
    "ACL_FLOAT": (0, np.float32),
    "ACL_FLOAT16": (1, np.float16),
    "ACL_INT8": (2, np.int8),
    "ACL_INT32": (3, np.int32),
    "ACL_INT64": (9, np.int64),
    "ACL_BOOL": (12, np.bool_),
    "ACL_BF16": (27, ml_dtypes.bfloat16),
}


class Tensor(ctypes.Structure):
    _fields_ = [
        ("given", ctypes.c_int32),
        ("dtype", ctypes.c_int32),
        ("rank", ctypes.c_int32),
        ("dims", ctypes.c_int64 * 8),
    ]


class Call(ctypes.Structure):
    _fields_ = [
        ("inputs", ctypes.POINTER(Tensor)),
        ("outputs", ctypes.POINTER(Tensor)),
        ("inputCount", ctypes.c_int64),
        ("outputCount", ctypes.c_int64),
        ("attributes", ctypes.c_int64 * 16),
        ("soc", ctypes.c_int32),
        ("cores", ctypes.c_uint32),
        ("data", ctypes.c_void_p),
        ("capacity", ctypes.c_uint64),
        ("size", ctypes.c_uint64),
        ("key", ctypes.c_uint64),
        ("workspace", ctypes.c_uint64),
        ("blocks", ctypes.c_uint32),
        ("schedule", ctypes.c_uint32),
    ]


Described = tuple[Sequence[int], str] | None
"""A tensor's shape and dtype; None where it is not given."""


def described(tensors: Sequence[Described]) -> "ctypes.Array[Tensor]":
    made = (Tensor * len(tensors))()
    for tensor, given in zip(made, tensors, strict=True):
        if given is not None:
            shape, dtype = given
            tensor.given, tensor.dtype, tensor.rank = 1, DTYPES[dtype][0], len(shape)
            tensor.dims[: len(shape)] = list(shape)
        else:
            tensor.dtype = 28
    return made


@dataclass(frozen=True)
class Tiled:
    """What a tiling function answers."""

    status: int
    key: int
    data: bytes
    workspace: int
    blocks: int


@dataclass(frozen=True)
class Project:
    """A project that cmake has built."""

    folder: Path
    installed: Path

    def library(self, name: str) -> ctypes.CDLL:
        return ctypes.CDLL(str(self.installed / f"lib{name}.so"))

    def call(
        self, inputs: Sequence[Described], outputs: Sequence[Described], attributes: Sequence[int] = (), soc: int = 1
    ) -> Call:
        call = Call(described(inputs), described(outputs), len(inputs), len(outputs), soc=soc, cores=CORES)
        call.attributes[: len(attributes)] = list(attributes)
        return call

    def tiling(self, operator: str, call: Call) -> Tiled:
        space = (ctypes.c_uint8 * 2048)(*[0xFF] * 2048)
        call.data, call.capacity = ctypes.addressof(space), len(space)
        library = self.library("cust_optiling")
        library.stub_tiling.restype = ctypes.c_uint32
        status = library.stub_tiling(operator.encode(), ctypes.byref(call))
        return Tiled(status, call.key, bytes(space[: call.size]), call.workspace, call.blocks)


def build(folder: Path, root: Path, specs: Sequence[str]) -> Project:
    cann = folder / "cann"
    shutil.copytree(root / "codegen/acl/include", cann / "include")
    shutil.copytree(root / "tests/data/cann_stub", cann, dirs_exist_ok=True)
    project = folder / "project"
    paths = [str(root / spec) if "/" in spec else spec for spec in specs]
    assert main(["build", *paths, "--target", ",".join(CHIPS), "-o", str(project)]) == 0
    environment = {**os.environ, "ASCEND_HOME_PATH": str(cann)}
    for command in (
        ["cmake", "-S", str(project), "-B", str(folder / "build"), "-DCMAKE_BUILD_TYPE=Debug"],
        ["cmake", "--build", str(folder / "build"), "-j2"],
        ["cmake", "--install", str(folder / "build"), "--prefix", str(folder)],
    ):
        done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stdout + done.stderr
    return Project(project, folder / "packages/vendors/customize")


@pytest.fixture(scope="module")
def project(root: Path, tmp_path_factory: pytest.TempPathFactory) -> Project:
    return build(tmp_path_factory.mktemp("project"), root, SPECS)


def test_package_holds_libraries_and_headers(project: Project) -> None:
    found = {path.relative_to(project.installed).as_posix() for path in project.installed.rglob("*") if path.is_file()}
    libraries = {f"lib{name}.so" for name in ("cust_optiling", "cust_op_proto", "cust_opapi")}
    names = ("masked_causal_conv1d_backward", "segment_bias", "statistics")
    assert found == libraries | {f"op_api/include/aclnnop/aclnn_{name}.h" for name in names}


DEFINITION = """\
operator SegmentBias
input x required dtypes 0,0,1,1 formats 2,2,2,2
input bias required dtypes 0,0,1,1 formats 2,2,2,2
input mask optional dtypes 12,2,12,2 formats 2,2,2,2
input act required values required dtypes 9,9,9,9 formats 2,2,2,2
output out required dtypes 0,0,1,1 formats 2,2,2,2
attribute stride optional int 1
attribute padded required bool
attribute restore_shape optional integers []
attribute layout optional text TND
config ascend910b
config ascend910_93
config ascend950
"""


def test_definition(project: Project) -> None:
    library = project.library("cust_op_proto")
    library.stub_definition.restype = ctypes.c_char_p
    assert library.stub_definition(b"SegmentBias").decode() == DEFINITION


@dataclass(frozen=True)
class Case:
    """One call of an operator."""

    interface: Interface
    dims: Mapping[str, int]
    arrays: Mapping[str, Array]
    dtypes: Mapping[str, str]
    attributes: Mapping[str, Any]

    def described(self, names: Sequence[str]) -> list[Described]:
        by_name = {tensor.name: tensor for tensor in self.interface.tensors}
        shapes = {n: [d if isinstance(d, int) else self.dims[d] for d in by_name[n].dims] for n in names}
        return [(shapes[name], self.dtypes[name]) if name in self.dtypes else None for name in names]

    @property
    def inputs(self) -> list[Described]:
        return self.described([tensor.name for tensor in self.interface.inputs])

    @property
    def outputs(self) -> list[Described]:
        return self.described([tensor.name for tensor in self.interface.outputs])

    @property
    def numbers(self) -> list[int]:
        values = [self.attributes[attribute.name] for attribute in self.interface.attributes]
        return [int(value) if isinstance(value, int) else 0 for value in values]


def cases(operator: Operator, column: int, sizes: Mapping[str, int] | None = None) -> list[Case]:
    """A call for each choice of optional tensors and boolean attributes, with small sizes that are allowed."""
    interface = derive_interface(operator.op)
    example = example_call(operator, interface)
    assert example is not None
    dims = {**example.dims, **(sizes or {})}
    defaults = {
        d.name: [evaluate(f.expr, [dims[n] for n in f.names]) for f in d.content] for d in interface.list_defaults
    }
    below = {p.name: evaluate(p.below.expr, [dims[n] for n in p.below.names]) for p in interface.places}
    found: list[Case] = []
    for choice, _ in served_choices(operator.op):
        if choice.column != column:
            continue
        given = [t for t in interface.inputs if not t.optional or t.name in choice.present or t.name in defaults]
        dtypes = {t.name: t.dtypes[column][-1] for t in (*given, *interface.outputs)}
        switches = {a.name: a.name in choice.switches for a in interface.attributes if a.kind == "bool"}
        arrays = {t.name: filled(t, dims, dtypes[t.name], defaults.get(t.name), below.get(t.name)) for t in given}
        found.append(Case(interface, dims, arrays, dtypes, {**example.attributes, **switches}))
    return found


def filled(
    tensor: Parameter, dims: Mapping[str, int], dtype: str, content: Sequence[int] | None, below: int | None
) -> Array:
    """A tensor of small numbers, the last places first; true and false alternate."""
    kind = DTYPES[dtype][1]
    if content is not None:
        return np.array(content, kind)
    shape = [dim if isinstance(dim, int) else dims[dim] for dim in tensor.dims]
    numbers = np.arange(np.prod(shape)).reshape(shape)
    if below is not None:
        return ((below - 1 - numbers) % below).astype(kind)
    if "ACL_BOOL" in tensor.dtypes[0]:
        return (numbers % 2).astype(kind)
    return ((numbers * 7 + len(tensor.name)) % 17 - 8).astype(kind) / kind(8)


def keys_of(project: Project, snake: str) -> set[int]:
    header = (project.folder / f"op_kernel/{snake}/{snake}_tiling_data.h").read_text()
    return {int(number) for number in re.findall(r"^#define \w+ (\d+)$", header, re.MULTILINE)}


def emulate(project: Project, case: Case, tiled: Tiled, target: str) -> dict[str, Array]:
    """Run the kernel of a tiling key from the project's files."""
    snake = case.interface.snake
    folder = project.folder / "op_kernel" / snake
    names = [tensor.name for tensor in case.interface.tensors]
    main_file = f"{snake}.cpp"
    sources = {main_file: (folder / main_file).read_text()}
    kernel = EmulatedKernel(sources, snake, (*names, "workspace", "tiling"), get_chip(target), include_dirs=(folder,))
    stored = {name: array.view(np.int8) if array.dtype == np.bool_ else array for name, array in case.arrays.items()}
    outputs = {
        t.name: np.empty(s[0], DTYPES[s[1]][1]) for t, s in zip(case.interface.outputs, case.outputs, strict=True) if s
    }
    arguments = [read_only(stored[n]) if n in stored else outputs.get(n) for n in names]
    workspace = np.empty(tiled.workspace - (16 << 20), np.uint8)
    report = kernel.run([*arguments, workspace, tiled.data], tiled.blocks, tiling_key=tiled.key)
    assert report.clean, report.findings
    return outputs


@pytest.mark.parametrize("target", CHIPS)
@pytest.mark.parametrize("spec", SPECS)
def test_every_key(spec: str, target: str, project: Project, root: Path) -> None:
    """The project's tiling chooses each kernel; each computes on emulated cores what NumPy computes, bit for bit."""
    operator = ow.load(spec if spec == OPERATOR else root / spec)
    run_every_key(operator, target, project)


def run_every_key(operator: Operator, target: str, project: Project, sizes: Mapping[str, int] | None = None) -> None:
    expected = ow.compile(operator, "numpy", target, CORES)
    keys: set[int] = set()
    for column in range(len(derive_interface(operator.op).tensors[0].dtypes)):
        for case in cases(operator, column, sizes):
            call = project.call(case.inputs, case.outputs, case.numbers, SOC[target])
            tiled = project.tiling(operator.name, call)
            assert tiled.status == 0
            assert tiled.blocks == CORES
            assert call.schedule == (operator.name != "SegmentBias")
            keys.add(tiled.key)
            found = emulate(project, case, tiled, target)
            wanted = expected.run(dict(case.arrays), case.attributes)
            for name, array in found.items():
                same = wanted[name].astype(array.dtype)
                if same.shape != array.shape:  # no input tells a size of it: nothing is written to it
                    same = np.zeros_like(array)
                assert array.tobytes() == same.tobytes(), (name, tiled.key)
    assert keys == keys_of(project, derive_interface(operator.op).snake)


RAGGED = ("NsaCompressGrad", "MoeTokenUnpermuteWithRoutingMapGrad")
SIZES = {"M": 8, "T": 4, "E": 4, "K": 2, "H": 5}
"""Sizes of the second that both of its modes allow."""


@pytest.fixture(scope="module")
def library(root: Path, tmp_path_factory: pytest.TempPathFactory) -> Project:
    """The project of the library's other operators."""
    return build(tmp_path_factory.mktemp("library"), root, RAGGED)


@pytest.mark.parametrize("target", [CHIPS[0], *(pytest.param(chip, marks=pytest.mark.long) for chip in CHIPS[1:])])
@pytest.mark.parametrize("name", RAGGED)
def test_every_key_of_the_library(name: str, target: str, library: Project) -> None:
    run_every_key(ow.load(name), target, library, SIZES if name == RAGGED[1] else None)


MASKED = [([5, 2, 384], "ACL_FLOAT16"), ([5, 2, 384], "ACL_FLOAT16"), ([3, 384], "ACL_FLOAT16"), ([2, 5], "ACL_BOOL")]
RESULTS = [([5, 2, 384], "ACL_FLOAT16"), ([3, 384], "ACL_FLOAT16")]


@pytest.mark.parametrize(
    ("place", "tensor"),
    [
        (0, None),
        (0, ([5, 2], "ACL_FLOAT16")),
        (1, ([5, 3, 384], "ACL_FLOAT16")),
        (2, ([4, 384], "ACL_FLOAT16")),
        (2, ([3, 384], "ACL_BF16")),
        (3, ([5, 2], "ACL_BOOL")),
        (4, ([5, 2, 385], "ACL_FLOAT16")),
    ],
)
def test_tiling_refuses(place: int, tensor: Described, project: Project) -> None:
    tensors: list[Described] = [*MASKED, *RESULTS]
    assert project.tiling(OPERATOR, project.call(tensors[:4], tensors[4:])).status == 0
    tensors[place] = tensor
    assert project.tiling(OPERATOR, project.call(tensors[:4], tensors[4:])).status != 0


def test_tiling_refuses_what_the_document_forbids(project: Project) -> None:
    rows = [([5, 33, 384], "ACL_FLOAT16")] * 2
    tensors: list[Described] = [*rows, MASKED[2], None, rows[0], RESULTS[1]]
    assert project.tiling(OPERATOR, project.call(tensors[:4], tensors[4:])).status != 0


@pytest.mark.parametrize("soc", [0, 2, 3, 99])
def test_tiling_refuses_other_chips(soc: int, project: Project, capfd: pytest.CaptureFixture[str]) -> None:
    assert project.tiling(OPERATOR, project.call(MASKED, RESULTS)).status == 0
    assert project.tiling(OPERATOR, project.call(MASKED, RESULTS, soc=soc)).status != 0
    assert "no kernel for this chip, only for ascend910b" in capfd.readouterr().err


def test_inference(project: Project) -> None:
    library = project.library("cust_op_proto")
    library.stub_infer.restype = ctypes.c_uint32
    inputs: list[Described] = [([-1, 2, 384], "ACL_BF16"), ([7, 2, -1], "ACL_BF16"), ([3, 384], "ACL_BF16"), None]
    call = project.call(inputs, [None, None])
    assert library.stub_infer(OPERATOR.encode(), ctypes.byref(call)) == 0
    outputs = call.outputs[:2]
    assert [(o.dtype, o.dims[: o.rank]) for o in outputs] == [(27, [7, 2, 384]), (27, [3, 384])]
    inputs[1] = ([7, 3, 384], "ACL_BF16")
    assert library.stub_infer(OPERATOR.encode(), ctypes.byref(project.call(inputs, [None, None]))) != 0


class Api:
    """The aclnn functions of a project."""

    def __init__(self, library: ctypes.CDLL) -> None:
        self.library = library
        library.stub_tensor.restype = library.stub_array.restype = ctypes.c_void_p
        library.stub_message.restype = library.stub_steps.restype = ctypes.c_char_p

    def tensor(
        self, name: str, shape: Sequence[int], dtype: str, strides: Sequence[int] = (), layout: int = 2
    ) -> ctypes.c_void_p:
        dense = [int(np.prod(shape[place + 1 :])) for place in range(len(shape))]
        numbers = ctypes.c_int64 * len(shape)
        made = self.library.stub_tensor(
            name.encode(),
            numbers(*shape),
            numbers(*(strides or dense)),
            ctypes.c_int64(len(shape)),
            DTYPES[dtype][0],
            layout,
        )
        return ctypes.c_void_p(made)

    def first_phase(self, name: str, arguments: Sequence[Any]) -> tuple[int, str, str]:
        """Status, message, and what the executor was told."""
        size, executor = ctypes.c_uint64(), ctypes.c_void_p()
        function = getattr(self.library, f"aclnn{name}GetWorkspaceSize")
        status = function(*arguments, ctypes.byref(size), ctypes.byref(executor))
        steps = self.library.stub_steps(executor).decode() if status == 0 else ""
        return status, self.library.stub_message().decode(), steps


@pytest.fixture
def api(project: Project) -> Api:
    return Api(project.library("cust_opapi"))


def masked(api: Api, **changes: ctypes.c_void_p | None) -> list[Any]:
    names = ("gradY", "x", "weight", "maskOptional", "gradXOut", "gradWeightOut")
    given = {n: api.tensor(n, *tensor) for n, tensor in zip(names, (*MASKED, *RESULTS), strict=True)}
    return list((given | changes).values())


def test_launch(api: Api) -> None:
    status, _, steps = api.first_phase(OPERATOR, masked(api))
    assert status == 0
    assert steps == f"{OPERATOR}; {{gradY}} {{x}} {{weight}} {{maskOptional}}; {{gradXOut}} {{gradWeightOut}}\n"


def test_elements_that_lie_apart(api: Api) -> None:
    weight = api.tensor("weight", [3, 384], "ACL_FLOAT16", [1, 3])
    status, _, steps = api.first_phase(OPERATOR, masked(api, weight=weight, maskOptional=None))
    assert status == 0
    assert (
        steps
        == f"collect weight\n{OPERATOR}; {{gradY}} {{x}} {{dense weight}} {{null}}; {{gradXOut}} {{gradWeightOut}}\n"
    )


@pytest.mark.parametrize(
    ("name", "tensor", "status", "text"),
    [
        ("gradY", None, 161001, "'gradY' is null; the tensor is required"),
        ("x", ([5, 2, 384], "ACL_FLOAT"), 161002, "the dtype of 'x' is ACL_FLOAT (0); it must be ACL_FLOAT16"),
        (
            "weight",
            ([3, 384], "ACL_FLOAT16", (), 29),
            161002,
            "the format of 'weight' is format 29; it must be ACL_FORMAT_ND",
        ),
        ("gradXOut", ([5, 2, 384], "ACL_FLOAT16", [1, 5, 10]), 161002, "'gradXOut' is not contiguous"),
        ("weight", ([4, 384], "ACL_FLOAT16"), 561002, "dim 0 of 'weight' is 4; it must be 3"),
    ],
)
def test_refusals(name: str, tensor: "tuple[Any, ...] | None", status: int, text: str, api: Api) -> None:
    change = {name: None if tensor is None else api.tensor(name, *tensor)}
    found, message, _ = api.first_phase(OPERATOR, masked(api, **change))
    assert found == status
    assert message.startswith(f"{status} aclnn{OPERATOR}GetWorkspaceSize: {text}")


def test_formats_that_are_plain(api: Api) -> None:
    assert api.first_phase(OPERATOR, masked(api, x=api.tensor("x", [5, 2, 384], "ACL_FLOAT16", (), 47)))[0] == 0


def test_status_of_the_launch(api: Api) -> None:
    api.library.stub_answer(561002)
    status, message, _ = api.first_phase(OPERATOR, masked(api))
    api.library.stub_answer(0)
    assert (status, message) == (561002, f"561002 aclnn{OPERATOR}GetWorkspaceSize: the launch of the kernel failed")


def segment(api: Api, act: ctypes.c_void_p | None, out: ctypes.c_void_p) -> list[Any]:
    x, bias = api.tensor("x", [4, 8], "ACL_FLOAT"), api.tensor("bias", [8], "ACL_FLOAT")
    mask = api.tensor("mask", [4], "ACL_INT8")
    return [x, bias, mask, act, ctypes.c_int64(1), ctypes.c_bool(True), None, None, out]


def test_defaults_and_copies_back(api: Api) -> None:
    out = api.tensor("out", [4, 8], "ACL_FLOAT", [1, 4])
    status, _, steps = api.first_phase("SegmentBias", segment(api, None, out))
    assert status == 0
    assert steps == "SegmentBias; {x} {bias} {mask} {list 4}; {new}; {1} {true} {[]} {TND}\ncopy new to out\n"


def test_constraints_on_lists(api: Api) -> None:
    out = api.tensor("out", [4, 8], "ACL_FLOAT")
    array = ctypes.c_void_p(api.library.stub_array((ctypes.c_int64 * 2)(3, 2), ctypes.c_int64(2)))
    status, message, _ = api.first_phase("SegmentBias", segment(api, array, out))
    assert status == 561002
    assert "3 is found and 2 at place 1; it must hold that act[b - 1]{outside: 0} <= act[b]" in message
