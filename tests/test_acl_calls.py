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
UNDEFINED, UINT8, DOUBLE = -1, 4, 11
ND, NCHW, NHWC, NCDHW, NCL, HWCN, NZ = 2, 0, 1, 30, 47, 16, 29

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
WINDOWS, ROUTING = "NsaCompressGrad", "MoeTokenUnpermuteWithRoutingMapGrad"
POOLING = SPEC.with_name("pooling.py")
LIBRARY = ("MaskedCausalConv1dBackward", str(SPEC), WINDOWS, ROUTING)


class Runtimes:
    """A library for each operator, built when it is first needed."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.made: dict[str, Runtime] = {}

    def __getitem__(self, name: str) -> Runtime:
        if name not in self.made:
            self.made[name] = self.load(name)
        return self.made[name]

    def load(self, name: str) -> Runtime:
        folder = self.folder / str(len(self.made))
        own = {"SegmentBias": SPEC, "Pooling": POOLING}
        files = acl_files([load(own.get(name, name))], emulate=False)
        write_all({folder / place: content for place, content in files.items()})
        library = ctypes.CDLL(str(folder / "lib" / "libopwright_acl.so"))
        for function in ("aclCreateTensor", "aclCreateIntArray"):
            getattr(library, function).restype = ctypes.c_void_p
        library.aclGetRecentErrMsg.restype = ctypes.c_char_p
        assert library.aclInit(None) == 0
        assert library.aclrtSetDevice(0) == 0
        return Runtime(library)


@pytest.fixture(scope="module")
def runtimes(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Runtimes]:
    found = Runtimes(tmp_path_factory.mktemp("acl"))
    yield found
    for each in found.made.values():
        assert each.library.aclrtResetDevice(0) == 0
        assert each.library.aclFinalize() == 0
        assert each.library.aclGetRecentErrMsg() is None


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
        Violation({name: replace(given, form=HWCN)}, 161002, (f"the format of '{name}' is format 16", "ACL_FORMAT_ND"))
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
    Violation({"gradY": Given((1,)), "gradXOut": Given((4, 2, 384), form=NZ)}, 161002, ("format of 'gradXOut'",)),
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


POOLING_CALL: dict[str, Value] = {
    "x": Given((2, 8, 5), FLOAT),
    "size": 3,
    "pad": 1,
    "stride": 1,
    "y": Given((2, 8, 5), FLOAT),
}

NEGATIVE = Violation({"pad": -1, "y": Given((2, 4, 5), FLOAT)}, 561002, ("'pad' is -1", "sizes must not be negative"))
"""An attribute that no constraint bounds."""

WINDOW_CALL: dict[str, Value] = {
    "outputGrad": Given((2, 4, 16)),
    "input": Given((70, 4, 16)),
    "weight": Given((32, 4)),
    "actSeqLen": Numbers((48, 70)),
    "compressBlockSize": 32,
    "compressStride": 16,
    "actSeqLenType": 0,
    "layout": b"TND",
    "inputGradOut": Given((70, 4, 16)),
    "weightGradOut": Given((32, 4)),
}


def windows(**sizes: int) -> dict[str, Value]:
    """The call with other sizes, all shapes in agreement."""
    t, n, d, c, k = (sizes.get(name, usual) for name, usual in zip("TNDCK", (70, 4, 16, 2, 32), strict=True))
    large, small = Given((t, n, d)), Given((k, n))
    shapes: dict[str, Value] = {"outputGrad": Given((c, n, d)), "input": large, "weight": small}
    return {**shapes, "compressBlockSize": k, "inputGradOut": large, "weightGradOut": small}


WINDOW_VIOLATIONS = [
    *(
        Violation({name: None}, 161001, (f"'{name}' is null",))
        for name in ("outputGrad", "input", "weight", "inputGradOut", "weightGradOut")
    ),
    Violation({"input": Given((70, 4, 16), FLOAT)}, 161002, ("the dtype of 'input' is ACL_FLOAT ",)),
    Violation({"weight": Given((32, 4), BF16)}, 161002, ("the dtype of 'weight' is ACL_BF16",)),
    Violation({"weightGradOut": Given((32, 4), BF16)}, 161002, ("the dtype of 'weightGradOut' is ACL_BF16",)),
    Violation({"outputGrad": Given((2, 4, 16), form=NZ)}, 161002, ("the format of 'outputGrad'",)),
    Violation({"weight": Given((32, 3))}, 161002, ("dim 1 of 'weight' is 3", "must be 4 = N (dim 1 of 'input')")),
    Violation({"outputGrad": Given((2, 5, 16))}, 561002, ("dim 1 of 'input' is 4", "must be 5 = N")),
    Violation({"outputGrad": Given((2, 3, 16)), "weight": Given((32, 3))}, 161002, ("dim 1 of 'weight' is 3",)),
    Violation(windows(N=0), 561002, ("N = 0", "N >= 1")),
    Violation(windows(D=0), 561002, ("D = 0", "D >= 1")),
    Violation({"layout": b"BSND"}, 161002, ('is "BSND"', 'it must be "TND"')),
    Violation({"actSeqLenType": 1}, 561002, ("'actSeqLenType' is 1", "must be 0")),
    Violation(windows(K=24), 561002, ("K = 24", "K mod 16 == 0")),
    Violation({"compressStride": 15}, 561002, ("compressStride = 15", "compressStride mod 16 == 0")),
    Violation(windows(D=17), 561002, ("D = 17", "D mod 16 == 0")),
    Violation({"compressStride": 32}, 561002, ("K = 32", "compressStride = 32", "K > compressStride")),
    Violation({"compressStride": 0}, 561002, ("compressStride = 0",)),
    Violation({"weight": Given((16, 4)), "weightGradOut": Given((16, 4))}, 561002, ("dim 0 of 'weight' is 16",)),
    Violation({"input": Given((70, 64))}, 561002, ("the rank of 'input' is 2",)),
    Violation(
        windows(C=3), 561002, ("2 is found and 3", "== C; C is dim 0 of 'outputGrad'", "of 'actSeqLenOptionalOptional'")
    ),
    Violation({"actSeqLen": Numbers((48, 40))}, 561002, ("48 is found and 40",)),
    Violation({"actSeqLen": Numbers((48, 71))}, 561002, ("71 is found and 70", "<= T")),
    Violation({"inputGradOut": Given((69, 4, 16))}, 561002, ("dim 0 of 'inputGradOut' is 69",)),
]

WINDOW_RIGHT: list[dict[str, Value]] = [
    {},
    *({"outputGrad": Given((2, 4, 16), form=form)} for form in (NCL, NCHW, NHWC, NCDHW)),
    {"actSeqLen": Numbers((0, 48, 70))},
    {"actSeqLen": None, **windows(C=3)},
    {"actSeqLen": Numbers(()), "layout": None, **windows(C=3)},
    {"inputGradOut": Given((70, 4, 16), strides=(1, 2000, 100)), "weight": Given((32, 4), strides=(1, 32))},
]

ROUTING_CALL: dict[str, Value] = {
    "unpermutedTokensGrad": Given((4, 7)),
    "outIndex": Given((8,), INT32),
    "permuteTokenId": Given((8,), INT32),
    "routingMap": Given((4, 3), BOOL),
    "permutedTokens": Given((8, 7)),
    "probs": Given((4, 3)),
    "paddedMode": 0,
    "restoreShape": None,
    "permutedTokensGradOut": Given((8, 7)),
    "probsGradOut": Given((4, 3)),
}

REQUIRED = ("unpermutedTokensGrad", "outIndex", "permuteTokenId", "permutedTokensGradOut")

NO_PROBS: dict[str, Value] = {"routingMap": None, "permutedTokens": None, "probs": None, "probsGradOut": None}


def routing(m: int, e: int) -> dict[str, Value]:
    """The call with other numbers of slots and experts, all shapes in agreement."""
    slots, weights, rows = Given((m,), INT32), Given((4, e)), Given((m, 7))
    shapes: dict[str, Value] = {"outIndex": slots, "permuteTokenId": slots, "routingMap": Given((4, e), BOOL)}
    ends: dict[str, Value] = {"permutedTokensGradOut": rows, "probsGradOut": weights}
    return {**shapes, "permutedTokens": rows, "probs": weights, **ends}


ROUTING_VIOLATIONS = [
    *(Violation({name: None}, 161001, (f"'{name}' is null",)) for name in REQUIRED),
    Violation({"unpermutedTokensGrad": Given((4, 7), INT32)}, 161002, ("the dtype of 'unpermutedTokensGrad'",)),
    Violation({"outIndex": Given((8,), INT64)}, 161002, ("the dtype of 'outIndex' is ACL_INT64", "ACL_INT32")),
    Violation({"permuteTokenId": Given((8,), FLOAT)}, 161002, ("the dtype of 'permuteTokenId'",)),
    Violation({"routingMap": Given((4, 3), INT32)}, 161002, ("ACL_INT32", "ACL_BOOL or ACL_INT8")),
    Violation({"permutedTokens": Given((8, 7), BF16)}, 161002, ("ACL_BF16", "ACL_FLOAT16")),
    Violation({"probs": Given((4, 3), FLOAT)}, 161002, ("ACL_FLOAT ", "ACL_FLOAT16")),
    Violation({"probsGradOut": Given((4, 3), FLOAT)}, 161002, ("ACL_FLOAT ", "ACL_FLOAT16")),
    Violation({"probsGradOut": Given((4, 3), strides=(1, 4))}, 161002, ("is not contiguous",)),
    Violation({"permutedTokensGradOut": Given((8, 7), strides=(1, 8))}, 161002, ("is not contiguous",)),
    Violation({"routingMap": None}, 561002, ("is null; it is required where probs",)),
    Violation({"permutedTokens": None}, 561002, ("is null; it is required where probs",)),
    Violation(routing(8, 1), 561002, ("K = 2", "E = 1", "K <= E")),
    Violation(routing(513 * 4, 600), 561002, ("K = 513", "K <= 512")),
    Violation(routing(10, 3), 561002, ("M = 10", "T = 4", "M mod T == 0")),
    Violation({"paddedMode": 1}, 561002, ("M = 8", "E = 3", "M mod E == 0")),
    Violation({"paddedMode": 1, **routing(15, 3)}, 561002, ("M floordiv E <= T",)),
    Violation({"paddedMode": 1, **routing(6, 3), "restoreShape": Numbers((4, 7, 1))}, 561002, ("3",)),
    Violation({"paddedMode": 1, **routing(6, 3), "restoreShape": Numbers((4,))}, 561002, ("length(restoreShape) = 1",)),
    Violation({"permuteTokenId": Given((7,), INT32)}, 561002, ("dim 0 of 'permuteTokenId' is 7", "must be 8 = M")),
    Violation({"outIndex": Given((8, 1), INT32)}, 561002, ("the rank of 'outIndex' is 2",)),
    Violation({"probs": Given((4, 2)), "probsGradOut": Given((4, 2))}, 561002, ("dim 1 of 'probsOptional' is 2",)),
    Violation({"permutedTokensGradOut": Given((8, 6))}, 561002, ("dim 1 of 'permutedTokensGradOut' is 6",)),
]

ROUTING_RIGHT: list[dict[str, Value]] = [
    {},
    {"probsGradOut": None},
    NO_PROBS,
    {**NO_PROBS, "paddedMode": 1},
    {"paddedMode": 1, **routing(6, 3), "restoreShape": Numbers((4, 7))},
    {"restoreShape": Numbers((4, 7, 1))},
    {"routingMap": Given((4, 3), INT8), "unpermutedTokensGrad": Given((4, 7), strides=(1, 4))},
    {
        "unpermutedTokensGrad": Given((4, 7), BF16),
        "permutedTokens": Given((8, 7), BF16),
        "permutedTokensGradOut": Given((8, 7), BF16),
        "probs": Given((4, 3), FLOAT),
        "probsGradOut": Given((4, 3), FLOAT),
    },
]


CALLS = {LIBRARY[0]: CONVOLUTION, WINDOWS: WINDOW_CALL, ROUTING: ROUTING_CALL}
STRIDED_OUTPUTS = {WINDOWS}
"""The operators whose documents allow outputs that lie apart."""

LABELS = {
    "actSeqLen": "actSeqLenOptionalOptional",
    "routingMap": "routingMapOptional",
    "permutedTokens": "permutedTokensOptional",
    "probs": "probsOptional",
    "probsGradOut": "probsGradOutOptional",
}
"""The documents' names where this page uses shorter ones."""


BROADCAST = {(WINDOWS, tensor, 1) for tensor in ("input", "weight")}
"""The sizes of which the document says that they must broadcast."""


def apart(given: Given) -> Given:
    """The tensor with gaps between its elements."""
    return replace(given, strides=tuple(3 * 7**place for place in range(len(given.shape))))


def rows(name: str) -> list[tuple[str, Violation]]:
    """For each tensor of a document's table: another dtype, another format, other ranks, other sizes."""
    found: list[Violation] = []
    for tensor, given in CALLS[name].items():
        if not isinstance(given, Given):
            continue
        label, shape = f"'{LABELS.get(tensor, tensor)}'", given.shape
        found += [
            Violation({tensor: replace(given, dtype=dtype)}, 161002, (f"the dtype of {label} is",))
            for dtype in (DOUBLE, INT64, UINT8, UNDEFINED)
        ]
        found += [
            Violation({tensor: replace(given, form=form)}, 161002, (f"the format of {label} is",))
            for form in (HWCN, NZ, -1)
        ]
        found += [
            Violation({tensor: replace(given, shape=other)}, 561002, (f"the rank of {label} is {len(other)}",))
            for other in ((), shape[1:], (*shape, 1), (1, *shape))
        ]
        if tensor.endswith("Out") and name not in STRIDED_OUTPUTS:
            found.append(Violation({tensor: apart(given)}, 161002, (f"{label} is not contiguous",)))
        for dim in range(len(shape)):
            other = (*shape[:dim], shape[dim] + 1, *shape[dim + 1 :])
            code = 161002 if (name, tensor, dim) in BROADCAST else 561002
            found.append(Violation({tensor: replace(given, shape=other)}, code, ("it must",)))
    return [(name, violation) for violation in found]


@pytest.mark.parametrize(("name", "violation"), [row for name in CALLS for row in rows(name)], ids=str)
def test_rows_of_the_documents_tables(name: str, violation: Violation, runtimes: Runtimes) -> None:
    check(runtimes, name, CALLS[name], violation)


@pytest.mark.parametrize("name", CALLS)
def test_every_input_may_lie_apart(name: str, runtimes: Runtimes) -> None:
    """And the outputs where the document says so."""
    call = CALLS[name]
    for tensor, given in call.items():
        if isinstance(given, Given) and (name in STRIDED_OUTPUTS or not tensor.endswith("Out")):
            assert runtimes[name].call(name, list((call | {tensor: apart(given)}).values())) == (0, "")


def check(runtimes: Runtimes, name: str, base: dict[str, Value], violation: Violation) -> None:
    status, message = runtimes[name].call(name, list((base | violation.change).values()))
    assert status == violation.status, message
    assert message.startswith(f"[{status}] aclnn{name}GetWorkspaceSize: ")
    for part in violation.parts:
        assert part in message


@pytest.mark.parametrize("violation", [*NULL, *CONVOLUTION_TYPES, *CONVOLUTION_SHAPES, *CONVOLUTION_ORDER], ids=str)
def test_violations_of_the_first_operator(runtimes: Runtimes, violation: Violation) -> None:
    check(runtimes, LIBRARY[0], CONVOLUTION, violation)


@pytest.mark.parametrize("violation", SEGMENT_VIOLATIONS, ids=str)
def test_violations_of_lists_attributes_and_conditions(runtimes: Runtimes, violation: Violation) -> None:
    check(runtimes, "SegmentBias", SEGMENTS, violation)


def test_an_attribute_below_0(runtimes: Runtimes) -> None:
    check(runtimes, "Pooling", POOLING_CALL, NEGATIVE)


@pytest.mark.parametrize("violation", WINDOW_VIOLATIONS, ids=str)
def test_violations_of_the_second_operator(runtimes: Runtimes, violation: Violation) -> None:
    check(runtimes, WINDOWS, WINDOW_CALL, violation)


@pytest.mark.parametrize("violation", ROUTING_VIOLATIONS, ids=str)
def test_violations_of_the_third_operator(runtimes: Runtimes, violation: Violation) -> None:
    check(runtimes, ROUTING, ROUTING_CALL, violation)


RIGHT = [
    *(("SegmentBias", SEGMENTS | change) for change in SEGMENT_RIGHT),
    ("Pooling", POOLING_CALL),
    *((WINDOWS, WINDOW_CALL | change) for change in WINDOW_RIGHT),
    *((ROUTING, ROUTING_CALL | change) for change in ROUTING_RIGHT),
]


@pytest.mark.parametrize(("name", "call"), RIGHT, ids=str)
def test_what_is_allowed(runtimes: Runtimes, name: str, call: dict[str, Value]) -> None:
    assert runtimes[name].call(name, list(call.values())) == (0, "")


@pytest.mark.parametrize("mask", [None, Given((2, 4), BOOL), Given((2, 4), BOOL, strides=(0, 1))], ids=str)
def test_a_right_call(runtimes: Runtimes, mask: Value) -> None:
    assert runtimes[LIBRARY[0]].call(LIBRARY[0], list((CONVOLUTION | {"maskOptional": mask}).values())) == (0, "")


def test_places_for_the_results(runtimes: Runtimes) -> None:
    values = list(CONVOLUTION.values())
    assert runtimes[LIBRARY[0]].call(LIBRARY[0], values, places=(False, True))[0] == 161001
    assert runtimes[LIBRARY[0]].call(LIBRARY[0], values, places=(True, False))[0] == 161001
    wrong = list((CONVOLUTION | {"x": Given((1,), FLOAT)}).values())
    assert runtimes[LIBRARY[0]].call(LIBRARY[0], wrong, places=(True, False))[0] == 161001
    assert runtimes[LIBRARY[0]].call(LIBRARY[0], wrong, places=(False, True))[0] == 161002


def test_every_constraint_of_the_specs_is_violated() -> None:
    """No row of the interface's own table is left out above."""
    told = [part for violation in (*CONVOLUTION_SHAPES, *SEGMENT_VIOLATIONS) for part in violation.parts]
    for name in LIBRARY[:2]:
        for constraint in derive_interface(load(name).op).constraints:
            text = constraint.text.removeprefix("mask is given")
            assert text in ("T >= 1", "B * S >= 1") or any(text.strip() in part for part in told), text
