"""Vector functions of the register level as cases of a suite, and the masks that they get."""

import numpy as np
import numpy.typing as npt
from harness import Array

from opwright.passes.chips import get_chip

CHIP = get_chip("ascend950")
BYTES = 256

PRELUDE = """
template <typename T>
__ubuf__ T* At(LocalTensor<uint8_t> tensor, uint32_t bytes = 0) { return (__ubuf__ T*)(tensor.GetPhyAddr() + bytes); }

// body(z, x, y, m): z holds the destination's bytes before, m bits 0..255 of the third source; z is stored as a whole.
template <typename D, typename S, typename Body>
void One(LocalTensor<uint8_t> d, LocalTensor<uint8_t> a, LocalTensor<uint8_t> b, LocalTensor<uint8_t> c, Body body) {
    __VEC_SCOPE__ {
        Reg::RegTensor<D> z;
        Reg::RegTensor<S> x, y;
        Reg::MaskReg m, all = Reg::CreateMask<uint8_t>();
        Reg::LoadAlign(z, At<D>(d));
        Reg::LoadAlign(x, At<S>(a));
        Reg::LoadAlign(y, At<S>(b));
        Reg::LoadAlign(m, At<uint8_t>(c));
        body(z, x, y, m);
        Reg::StoreAlign(At<uint8_t>(d), (Reg::RegTensor<uint8_t>&)z, all);
    }
}
#define ONE(D, S, ...) One<D, S>(d, a, b, c, [&](auto& z, auto& x, auto& y, auto& m) { __VA_ARGS__; });
"""

Bits = npt.NDArray[np.bool_]


def mask_bits(seed: int) -> Bits:
    """256 random bits; seed 0 gives all, seed 1 none."""
    if seed < 2:
        return np.full(BYTES, seed == 0)
    return np.random.default_rng(seed).integers(0, 2, BYTES).astype(np.bool_)


def packed(bits: Bits) -> Array:
    """The 32 bytes of a mask in memory."""
    return np.packbits(bits, bitorder="little")


def active(bits: Bits, itemsize: int) -> Bits:
    """Which lanes of a width a mask selects."""
    return bits[::itemsize]
