"""Each violation that a document names, by its status and its message: one call each, and one that is right."""

import ctypes
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path

import pytest

from opwright.acl import acl_files
from opwright.codegen.aclnn.derive import derive_interface
from opwright.loading import load
from opwright.writing import write_all

FLOAT, FLOAT16, INT8, INT32, INT64, BOOL, BF16 = 0, 1, 2, 3, 9, 12, 27
ND, NCHW = 2, 0

CValue = ctypes.c_void_p | ctypes.c_int64 | ctypes.c_char_p | None


@dataclass(frozen=True)
class Given:
    """A tensor as a call gives it; `destroyed` gives one that no longer exists."""

    shape: tuple[int, ...]
    dtype: int = FLOAT16
    strides: tuple[int, ...] | None = None
    form: int = ND
    destroyed: bool = False


@dataclass(frozen=True)
class Numbers:
    """A list on the host."""

    values: tuple[int, ...]


Value = Given | Numbers | int | bytes | None


@dataclass
class Runtime:
    """The library, loaded into this process."""

    library: ctypes.CDLL
    made: list[tuple[str, int]] = field(default_factory=list[tuple[str, int]])

    def handle(self, value: Value) -> CValue:
        """Return what C takes for a value."""
        match value:
            case Given():
                return ctypes.c_void_p(self.tensor(value))
            case Numbers(values=values):
                array = (ctypes.c_int64 * len(values))(*values)
                found = self.library.aclCreateIntArray(array, ctypes.c_uint64(len(values)))
                self.made.append(("aclDestroyIntArray", found))
                return ctypes.c_void_p(found)
            case int():
                return ctypes.c_int64(value)
            case bytes():
                return ctypes.c_char_p(value)
            case None:
                return None

    def tensor(self, given: Given) -> int:
        rank = len(given.shape)
        dims = (ctypes.c_int64 * rank)(*given.shape)
        strides = None if given.strides is None else (ctypes.c_int64 * rank)(*given.strides)
        count, zero = ctypes.c_uint64(rank), ctypes.c_int64(0)
        found = self.library.aclCreateTensor(dims, count, given.dtype, strides, zero, given.form, dims, count, None)
        if given.destroyed:
            self.library.aclDestroyTensor(ctypes.c_void_p(found))
        else:
            self.made.append(("aclDestroyTensor", found))
        return found

    def call(self, name: str, values: list[Value], *, places: tuple[bool, bool] = (True, True)) -> tuple[int, str]:
        """Call a first phase; return status and message. `places`: whether workspaceSize and executor are given."""
        size, executor = ctypes.c_uint64(0), ctypes.c_void_p()
        ends = [ctypes.byref(place) if on else None for place, on in zip((size, executor), places, strict=True)]
        function = getattr(self.library, f"aclnn{name}GetWorkspaceSize")
        status = function(*(self.handle(value) for value in values), *ends)
        for destroy, found in self.made:
            assert getattr(self.library, destroy)(ctypes.c_void_p(found)) == 0
        self.made.clear()
        if status == 0:
            assert size.value > 0
            assert self.library.aclDestroyAclOpExecutor(executor) == 0
        message = self.library.aclGetRecentErrMsg()
        return status, "" if message is None else message.decode()


pytestmark = pytest.mark.xdist_group("acl")

SPEC = Path(__file__).parent / "specs" / "segment_bias.py"
LIBRARY = ("MaskedCausalConv1dBackward", str(SPEC))


@pytest.fixture(scope="module")
def runtime(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Runtime]:
    folder = tmp_path_factory.mktemp("acl")
    files = acl_files([load(name) for name in LIBRARY], emulate=False)
    write_all({folder / name: content for name, content in files.items()})
    library = ctypes.CDLL(str(folder / "lib" / "libopwright_acl.so"))
    for name in ("aclCreateTensor", "aclCreateIntArray"):
        getattr(library, name).restype = ctypes.c_void_p
    library.aclGetRecentErrMsg.restype = ctypes.c_char_p
    assert library.aclInit(None) == 0
    assert library.aclrtSetDevice(0) == 0
    yield Runtime(library)
    assert library.aclrtResetDevice(0) == 0
    assert library.aclFinalize() == 0


CONVOLUTION: dict[str, Value] = {
    "gradY": Given((4, 2, 384)),
    "x": Given((4, 2, 384)),
    "weight": Given((3, 384)),
    "maskOptional": Given((2, 4), BOOL),
    "gradXOut": Given((4, 2, 384)),
    "gradWeightOut": Given((3, 384)),
}

SEGMENTS: dict[str, Value] = {
    "x": Given((8, 5), FLOAT),
    "bias": Given((5,), FLOAT),
    "mask": None,
    "act": Numbers((3, 8)),
    "stride": 1,
    "padded": 0,
    "restoreShape": None,
    "layout": b"TND",
    "out": Given((8, 5), FLOAT),
}


def with_dims(base: dict[str, Value], s: int, b: int, h: int) -> dict[str, Value]:
    shapes = {"gradY": (s, b, h), "x": (s, b, h), "weight": (3, h), "maskOptional": (b, s)}
    shapes |= {"gradXOut": (s, b, h), "gradWeightOut": (3, h)}
    return {name: replace(given, shape=shapes[name]) for name, given in base.items() if isinstance(given, Given)}


@dataclass(frozen=True)
class Violation:
    """What differs from a call that is right, the status, and parts of the message."""

    change: dict[str, Value]
    status: int
    parts: tuple[str, ...]


NULL = [
    Violation({name: None}, 161001, (f"'{name}' is null", "required")) for name in CONVOLUTION if name != "maskOptional"
]

CONVOLUTION_TYPES = [
    Violation({"gradY": Given((4, 2, 384), FLOAT)}, 161002, ("'gradY'", "ACL_FLOAT ", "ACL_FLOAT16 or ACL_BF16")),
    Violation({"x": Given((4, 2, 384), BF16)}, 161002, ("'x'", "ACL_BF16", "must be ACL_FLOAT16 where 'gradY'")),
    Violation({"weight": Given((3, 384), FLOAT)}, 161002, ("'weight'", "ACL_FLOAT ", "ACL_FLOAT16")),
    Violation({"maskOptional": Given((2, 4), INT8)}, 161002, ("'maskOptional'", "ACL_INT8", "ACL_BOOL")),
    Violation({"gradXOut": Given((4, 2, 384), BF16)}, 161002, ("'gradXOut'", "ACL_BF16", "ACL_FLOAT16")),
    Violation({"gradWeightOut": Given((3, 384), FLOAT)}, 161002, ("'gradWeightOut'", "ACL_FLOAT16")),
    *(
        Violation({name: replace(given, form=NCHW)}, 161002, (f"the format of '{name}' is format 0", "ACL_FORMAT_ND"))
        for name, given in CONVOLUTION.items()
        if isinstance(given, Given)
    ),
    Violation(
        {"gradXOut": Given((4, 2, 384), strides=(1536, 768, 2))},
        161002,
        ("'gradXOut' is not contiguous", "768, 384, 1"),
    ),
    Violation({"gradWeightOut": Given((3, 384), strides=(1, 3))}, 161002, ("'gradWeightOut' is not contiguous",)),
    Violation({"x": Given((4, 2, 384), destroyed=True)}, 161002, ("'x'", "an aclTensor that was destroyed before")),
]

CONVOLUTION_SHAPES = [
    Violation({"gradY": Given((8, 384))}, 561002, ("the rank of 'gradY' is 2", "[8, 384]", "must be 3")),
    Violation({"weight": Given((3, 384, 1))}, 561002, ("the rank of 'weight' is 3", "must be 2")),
    Violation({"x": Given((4, 2, 448))}, 561002, ("dim 2 of 'x' is 448", "must be 384 = H (dim 2 of 'gradY')")),
    Violation({"weight": Given((4, 384))}, 561002, ("dim 0 of 'weight' is 4", "must be 3")),
    Violation({"maskOptional": Given((4, 2), BOOL)}, 561002, ("dim 0 of 'maskOptional' is 4", "must be 2 = B")),
    Violation({"gradXOut": Given((4, 1, 384))}, 561002, ("dim 1 of 'gradXOut' is 1", "must be 2 = B")),
    Violation({"gradWeightOut": Given((2, 384))}, 561002, ("dim 0 of 'gradWeightOut' is 2", "must be 3")),
    Violation(with_dims(CONVOLUTION, 0, 2, 384), 561002, ("S = 0 (dim 0 of 'gradY')", "S >= 1")),
    Violation(with_dims(CONVOLUTION, 4, 0, 384), 561002, ("B = 0 (dim 1 of 'gradY')", "B >= 1")),
    Violation(with_dims(CONVOLUTION, 4, 33, 384), 561002, ("B = 33", "B <= 32")),
    Violation(with_dims(CONVOLUTION, 16385, 32, 384), 561002, ("B = 32", "S = 16385", "B * S <= 524288")),
    Violation(with_dims(CONVOLUTION, 4, 2, 320), 561002, ("H = 320", "H >= 384")),
    Violation(with_dims(CONVOLUTION, 4, 2, 24640), 561002, ("H = 24640", "H <= 24576")),
    Violation(with_dims(CONVOLUTION, 4, 2, 400), 561002, ("H = 400", "H mod 64 == 0")),
    Violation(with_dims(CONVOLUTION, 4, 2, -64), 561002, ("'gradY' is [4, 2, -64]", "must not be negative")),
]

CONVOLUTION_ORDER = [
    Violation({"gradY": Given((1,), FLOAT), "gradXOut": None}, 161001, ("'gradXOut' is null",)),
    Violation({"gradY": Given((1,), FLOAT)}, 161002, ("the dtype of 'gradY'",)),
    Violation({"gradY": Given((1,)), "gradXOut": Given((4, 2, 384), form=NCHW)}, 161002, ("format of 'gradXOut'",)),
]

SEGMENT_VIOLATIONS = [
    Violation(
        {"x": Given((8, 4), FLOAT), "out": Given((8, 4), FLOAT)}, 161002, ("dim 0 of 'bias' is 5", "must be 4 = C")
    ),
    Violation({"mask": Given((8,), INT64)}, 161002, ("the dtype of 'mask'", "ACL_BOOL or ACL_INT8")),
    Violation({"layout": b"BSH"}, 161002, ("'layout' is \"BSH\"", 'it must be "TND"')),
    Violation({"bias": Given((5,), FLOAT, strides=(2,))}, 161002, ("'bias' is not contiguous",)),
    Violation({"stride": 0}, 561002, ("stride = 0", "stride >= 1")),
    Violation({"padded": 1}, 561002, ("'mask' is null", "where padded is true")),
    Violation(
        {"x": Given((7, 5), FLOAT), "out": Given((7, 5), FLOAT), "mask": Given((7,), INT8), "act": Numbers((7,))},
        561002,
        ("T = 7", "T mod 2 == 0 where mask is given and padded is not true"),
    ),
    Violation({"act": Numbers((5, 3, 8))}, 561002, ("5 is found and 3 at place 1", "act[b - 1]{outside: 0} <= act[b]")),
    Violation({"act": Numbers((3, 7))}, 561002, ("7 is found and 8", "sum(b < R) count[b] == T")),
    Violation({"out": Given((8, 4), FLOAT, strides=(8, 2))}, 561002, ("dim 1 of 'out' is 4",)),
]

SEGMENT_RIGHT: list[dict[str, Value]] = [
    {},
    {"act": None},
    {"act": Numbers(())},
    {"layout": None},
    {"restoreShape": Numbers((8, 5))},
    {"mask": Given((8,), INT8), "padded": 1},
    {"mask": Given((8,), BOOL)},
    {"x": Given((8, 5), FLOAT, strides=(1, 8)), "out": Given((8, 5), FLOAT, strides=(20, 2))},
    {"x": Given((7, 5), FLOAT), "out": Given((7, 5), FLOAT), "act": Numbers((7,))},
]


def check(runtime: Runtime, name: str, base: dict[str, Value], violation: Violation) -> None:
    status, message = runtime.call(name, list((base | violation.change).values()))
    assert status == violation.status, message
    assert message.startswith(f"[{status}] aclnn{name}GetWorkspaceSize: ")
    for part in violation.parts:
        assert part in message


@pytest.mark.parametrize("violation", [*NULL, *CONVOLUTION_TYPES, *CONVOLUTION_SHAPES, *CONVOLUTION_ORDER], ids=str)
def test_violations_of_the_first_operator(runtime: Runtime, violation: Violation) -> None:
    check(runtime, LIBRARY[0], CONVOLUTION, violation)


@pytest.mark.parametrize("violation", SEGMENT_VIOLATIONS, ids=str)
def test_violations_of_lists_attributes_and_conditions(runtime: Runtime, violation: Violation) -> None:
    check(runtime, "SegmentBias", SEGMENTS, violation)


@pytest.mark.parametrize("change", SEGMENT_RIGHT, ids=str)
def test_what_is_allowed(runtime: Runtime, change: dict[str, Value]) -> None:
    assert runtime.call("SegmentBias", list((SEGMENTS | change).values())) == (0, "")


@pytest.mark.parametrize("mask", [None, Given((2, 4), BOOL), Given((2, 4), BOOL, strides=(0, 1))], ids=str)
def test_a_right_call(runtime: Runtime, mask: Value) -> None:
    assert runtime.call(LIBRARY[0], list((CONVOLUTION | {"maskOptional": mask}).values())) == (0, "")


def test_places_for_the_results(runtime: Runtime) -> None:
    values = list(CONVOLUTION.values())
    assert runtime.call(LIBRARY[0], values, places=(False, True))[0] == 161001
    assert runtime.call(LIBRARY[0], values, places=(True, False))[0] == 161001
    wrong = list((CONVOLUTION | {"x": Given((1,), FLOAT)}).values())
    assert runtime.call(LIBRARY[0], wrong, places=(True, False))[0] == 161001
    assert runtime.call(LIBRARY[0], wrong, places=(False, True))[0] == 161002


def test_every_constraint_of_the_specs_is_violated() -> None:
    """No row of the interface's own table is left out above."""
    told = [part for violation in (*CONVOLUTION_SHAPES, *SEGMENT_VIOLATIONS) for part in violation.parts]
    for name in LIBRARY:
        for constraint in derive_interface(load(name).op).constraints:
            text = constraint.text.removeprefix("mask is given")
            assert text in ("T >= 1", "B * S >= 1") or any(text.strip() in part for part in told), text
