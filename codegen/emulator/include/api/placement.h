// Kernels without a pipe object: they place their tensors one behind the other.
#pragma once

#include "api/pipe.h"

namespace AscendC {

/// Hand out the unified buffer from its start.
template <Hardware memory = Hardware::UB>
class LocalMemAllocator {
public:
    static_assert(memory == Hardware::UB, "LocalMemAllocator: a vector core has the unified buffer only");

    uint32_t GetCurAddr() const { return top_; }

    template <typename T, uint32_t tileSize>
    LocalTensor<T> Alloc(Site site = Site::here()) { return take<T>(TPosition::VECCALC, tileSize, site); }
    template <TPosition pos, typename T, uint32_t tileSize>
    LocalTensor<T> Alloc(Site site = Site::here()) { return take<T>(pos, tileSize, site); }
    template <typename T>
    LocalTensor<T> Alloc(uint32_t tileSize, Site site = Site::here()) {
        return take<T>(TPosition::VECCALC, tileSize, site);
    }
    template <TPosition pos, typename T>
    LocalTensor<T> Alloc(uint32_t tileSize, Site site = Site::here()) { return take<T>(pos, tileSize, site); }

private:
    template <typename T>
    LocalTensor<T> take(TPosition position, uint32_t size, Site site) {
        LocalTensor<T> tensor(position, top_, size, site);
        top_ += static_cast<uint32_t>(emu::roundToBlock(emu::bytesOf<T>(size)));
        return tensor;
    }

    uint32_t top_ = 0;
};

/// Bring the core into its starting state, as the constructor of TPipe does.
inline void InitSocState() {
    emu::MaskState& mask = emu::Core::current().mask;
    mask.counter = false;
    mask.program(~uint64_t{0}, ~uint64_t{0});
}

}  // namespace AscendC
