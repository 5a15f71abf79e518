"""The forms of lane-wise calls: what they are in C++, and which elements they touch in NumPy."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

import numpy as np
from harness import CTYPES, DTYPES, Array

SIZE = 1024
"""Elements of each operand."""

MASK = (0x5555_0000_FFFF_1234, 0x8000_0000_0000_0001)
"""A mask array with holes."""


@dataclass(frozen=True)
class Form:
    """One way to say which elements a call works on.

    Attributes:
        arguments: the C++ text behind the operands; `{params}` stands for the strides.
        before: C++ text before the call, e.g. to set the mask register.
        after: C++ text after the call.
        template: further template arguments.
        active: elements of a repeat -> which of `SIZE` elements the call touches.
    """

    arguments: str
    active: Callable[[int], Array]
    before: str = ""
    after: str = ""
    template: str = ""


def counted(count: int) -> Callable[[int], Array]:
    return lambda _: np.arange(SIZE) < count


def prefix(mask: int, repeats: int) -> Callable[[int], Array]:
    """The first `mask` elements of each repeat; negative: all but so many."""

    def active(lanes: int) -> Array:
        place = np.arange(SIZE)
        return (place < repeats * lanes) & (place % lanes < (mask if mask > 0 else lanes + mask))

    return active


def bits(repeats: int) -> Callable[[int], Array]:
    """The elements whose bits are set in `MASK`."""

    def active(lanes: int) -> Array:
        place = np.arange(SIZE)
        words = np.array(MASK, np.uint64)
        lane = place % lanes
        return (place < repeats * lanes) & ((words[lane // 64] >> (lane % 64).astype(np.uint64)) & np.uint64(1) == 1)

    return active


WORDS = f"uint64_t m[2] = {{{MASK[0]:#x}u, L > 64 ? {MASK[1]:#x}u : 0}};"
RESET = "SetMaskNorm(); ResetMask();"
FORMS: Mapping[str, Form] = {
    "count 0": Form("0", counted(0)),
    "count 1": Form("1", counted(1)),
    "count tail": Form("201", counted(201)),
    "mask": Form("L - 3, 3, {params}", prefix(-3, 3)),
    "mask array": Form("m, 2, {params}", bits(2), before=WORDS),
    "register": Form(
        "MASK_PLACEHOLDER, 2, {params}",
        prefix(20, 2),
        before="SetVectorMask<uint16_t>(0, (1u << 20) - 1);",
        after=RESET,
        template="false",
    ),
    "counter": Form(
        "MASK_PLACEHOLDER, 1, {params}",
        counted(200),
        before="SetMaskCount(); SetVectorMask<uint16_t, MaskMode::COUNTER>(200);",
        after=RESET,
        template="false",
    ),
}
"""All forms of a call; `L` is the number of elements of a repeat."""


def statement(api: str, types: tuple[str, ...], operands: str, form: Form, params: str) -> str:
    """Return the C++ of one call; `types` are the template arguments of the masked forms."""
    wide = max(DTYPES[name].itemsize for name in types)
    flags = f"<{', '.join([*(CTYPES[name] for name in types), form.template])}>" if form.template else ""
    call = f"{api}{flags}({operands}, {form.arguments.format(params=params)});"
    return f"constexpr int L = {256 // wide}; (void)L; {form.before} {call} {form.after}"


def merged(before: Array, result: Array, form: Form, lanes: int) -> Array:
    """The destination after a call: the result where it is active, the old content elsewhere."""
    return np.where(form.active(lanes), result, before)
