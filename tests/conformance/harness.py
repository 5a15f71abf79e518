"""Compile many cases of an API family as one kernel, and run them one at a time.

A suite is one C++ source: a case is a statement that works on tensors of the unified buffer and on run-time numbers:

    SUITE = Suite("fill", get_chip("ascend910b"), {"Duplicate": "Duplicate(D(half), half(p[0]), p[1]);"})
    out = SUITE.run("Duplicate", [], before, (7, 100))

Names a case may use: `D(T)`, `A(T)`, `B(T)`, `C(T)` and `W(T)`, views of the destination, the three sources and a
work area as tensors of T; `p[i]`, 64-bit integers of the call. The destination is loaded before and stored after, so
what the case leaves alone comes back unchanged. A case stands between two PipeBarrier<PIPE_ALL>.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, cast

import ml_dtypes
import numpy as np
import numpy.typing as npt

from opwright.codegen.emulator.launch import EmulatedKernel, Role, read_only
from opwright.passes.chips import Chip

Array = npt.NDArray[Any]

CTYPES = {
    **{f"{sign}{bits}": f"{'u' * (sign == 'u')}int{bits}_t" for sign in "iu" for bits in (8, 16, 32, 64)},
    "h": "half",
    "bf": "bfloat16_t",
    "f": "float",
}
"""Short name of an element type, as the chip table writes it -> its C++ name."""

DTYPES: dict[str, np.dtype[Any]] = {
    **{name: np.dtype(ctype.removesuffix("_t")) for name, ctype in CTYPES.items() if name[0] in "iu"},
    "h": np.dtype(np.float16),
    "bf": np.dtype(ml_dtypes.bfloat16),
    "f": np.dtype(np.float32),
}
"""Short name of an element type -> its NumPy type."""

AREA = 8192
"""Bytes of each tensor of a suite."""

_SOURCE = """
#include "kernel_operator.h"
#include "kernel_tiling/kernel_tiling.h"
using namespace AscendC;
#define D(T) d.template ReinterpretCast<T>()
#define A(T) a.template ReinterpretCast<T>()
#define B(T) b.template ReinterpretCast<T>()
#define C(T) c.template ReinterpretCast<T>()
#define W(T) w.template ReinterpretCast<T>()
constexpr uint32_t area = @area@;
using Area = LocalTensor<uint8_t>;
@prelude@
@functions@
extern "C" __global__ __aicore__ void conform(GM_ADDR x0, GM_ADDR x1, GM_ADDR x2, GM_ADDR y, GM_ADDR numbers) {
    KERNEL_TASK_TYPE_DEFAULT(KERNEL_TYPE_AIV_ONLY);
    TPipe pipe;
    TBuf<> buffers[5];
    for (TBuf<>& buffer : buffers) pipe.InitBuffer(buffer, area);
    LocalTensor<uint8_t> d = buffers[0].Get<uint8_t>(), a = buffers[1].Get<uint8_t>(), b = buffers[2].Get<uint8_t>();
    LocalTensor<uint8_t> c = buffers[3].Get<uint8_t>(), w = buffers[4].Get<uint8_t>();
    GlobalTensor<uint8_t> gm;
    GlobalTensor<int64_t> values;
    values.SetGlobalBuffer((__gm__ int64_t*)numbers, 16);
    int64_t p[16];
    for (int i = 0; i < 16; i++) p[i] = values.GetValue(i);
    gm.SetGlobalBuffer((__gm__ uint8_t*)x0, area);
    DataCopy(a, gm, area);
    gm.SetGlobalBuffer((__gm__ uint8_t*)x1, area);
    DataCopy(b, gm, area);
    gm.SetGlobalBuffer((__gm__ uint8_t*)x2, area);
    DataCopy(c, gm, area);
    gm.SetGlobalBuffer((__gm__ uint8_t*)y, area);
    DataCopy(d, gm, area);
    PipeBarrier<PIPE_ALL>();
@cases@
    PipeBarrier<PIPE_ALL>();
    DataCopy(gm, d, area);
}
"""


_FUNCTION = """__attribute__((noinline, cold)) static void case{key}(Area& d, Area& a, Area& b, Area& c, Area& w,
    const int64_t* p, GM_ADDR x0, GM_ADDR x1, GM_ADDR x2, GM_ADDR y) {{ {body} }}"""


@dataclass(frozen=True)
class Suite:
    """The cases of one family on one chip, compiled together on first use.

    Attributes:
        name: the family.
        chip: the target.
        cases: case name -> C++ statements.
        prelude: C++ text before the kernel, e.g. helper templates.
    """

    name: str
    chip: Chip
    cases: Mapping[str, str] = field(hash=False)
    prelude: str = ""

    @cached_property
    def kernel(self) -> EmulatedKernel:
        """The kernel that holds all cases; the tiling key picks one."""
        keys = range(len(self.cases))
        functions = (_FUNCTION.format(key=key, body=body) for key, body in enumerate(self.cases.values()))
        calls = (f"    if (TILING_KEY_IS({key})) case{key}(d, a, b, c, w, p, x0, x1, x2, y);" for key in keys)
        text = _SOURCE.replace("@area@", str(AREA)).replace("@prelude@", self.prelude)
        text = text.replace("@functions@", "\n".join(functions)).replace("@cases@", "\n".join(calls))
        params = ("x0", "x1", "x2", "y", "numbers")
        return EmulatedKernel({f"{self.name}.cpp": text}, "conform", params, self.chip)

    def run(
        self,
        case: str,
        sources: Sequence[Array],
        before: Array,
        numbers: Sequence[int] = (),
        *,
        codes: frozenset[str] = frozenset(),
    ) -> Array:
        """Run a case and return the destination, with the dtype and length of `before`.

        `sources` are up to three arrays; they and `before` fill the first bytes of areas of `AREA` bytes, the rest is
        0. `codes` are the findings that have to come, by default none.
        """
        inputs = [read_only(_area(source)) for source in (*sources, *[np.zeros(0, np.uint8)] * (3 - len(sources)))]
        target = _area(before).copy()
        packed = np.zeros(16, np.int64)
        packed[: len(numbers)] = [_signed(number) for number in numbers]
        report = self.kernel.run(
            [*inputs, target, packed.tobytes()],
            1,
            roles={"y": Role.INOUT},
            tiling_key=list(self.cases).index(case),
        )
        assert report.codes == codes, f"{self.name}/{case}: {report}"
        assert not target[before.nbytes :].any(), f"{self.name}/{case}: bytes past the destination were written"
        return target[: before.nbytes].view(before.dtype)


def _signed(number: int) -> int:
    """A 64-bit pattern as a signed number."""
    return number - (1 << 64) if number >= 1 << 63 else number


def _area(values: Array) -> Array:
    area = np.zeros(AREA, np.uint8)
    flat = np.frombuffer(values.tobytes(), np.uint8)
    area[: flat.size] = flat
    return area


def same_bits(got: Array, want: Array, *, nan_payload: bool = False) -> None:
    """Assert that two arrays hold the same bits; by default any NaN equals any NaN."""
    assert got.dtype == want.dtype, (got.dtype, want.dtype)
    assert got.shape == want.shape, (got.shape, want.shape)
    bits = f"u{got.itemsize}"
    same = got.view(bits) == want.view(bits)
    if not nan_payload and is_float(got.dtype):
        same |= np.isnan(got.astype(np.float64)) & np.isnan(want.astype(np.float64))
    wrong = np.flatnonzero(~same)
    assert not wrong.size, f"{wrong.size} of {got.size} differ; [{wrong[0]}] is {got[wrong[0]]}, not {want[wrong[0]]}"


def is_float(dtype: np.dtype[Any]) -> bool:
    """Whether an element type is a floating-point type, bfloat16 included."""
    return dtype.kind == "f" or dtype == DTYPES["bf"]


def samples(name: str, count: int, seed: int = 0) -> Array:
    """Return elements of a type by its short name: the special values first, then random ones of many sizes."""
    dtype = DTYPES[name]
    generator = np.random.default_rng([seed, count])
    if not is_float(dtype):
        limits = np.iinfo(dtype)
        special = np.array([0, 1, limits.max, limits.min, limits.max - 1, limits.min + 1, 2, 3], dtype)
        small = generator.integers(max(limits.min, -100), 100, count, dtype, endpoint=True)
        wide = generator.integers(limits.min, limits.max, count, dtype, endpoint=True)
        values = np.where(generator.integers(0, 2, count) == 0, small, wide)
    else:
        facts: Any = cast("Any", ml_dtypes.finfo)(dtype)
        numbers = [0.0, -0.0, np.inf, -np.inf, np.nan, 1.0, -1.0, *(float(facts.max), float(facts.min))]
        numbers += [float(facts.smallest_normal), float(facts.smallest_subnormal), -float(facts.smallest_subnormal)]
        special = np.array(numbers, np.float64).astype(dtype)
        scale = np.exp2(generator.integers(-14, 15, count).astype(np.float64))
        values = (generator.standard_normal(count) * scale).astype(dtype)
    values[: special.size] = generator.permutation(special)[:count]
    return values
