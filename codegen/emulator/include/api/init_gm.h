// Filling global memory with a value, through the part of the unified buffer that no InitBuffer has taken.
#pragma once

#include "api/copy.h"
#include "api/pipe.h"

namespace emu {

/// Write the value into free memory, on the vector pipe, and return that memory.
template <typename T>
AscendC::LocalTensor<T> fillScratch(const char* api, Site site, uint64_t bytes, T value) {
    Core& core = Core::current();
    const uint64_t top = core.buffers.top();
    const uint64_t free = (chip::ubBytes - top) / chip::blockBytes * chip::blockBytes;
    const uint64_t length = std::min(roundToBlock(bytes), free);
    if (length == 0) {
        core.report(Rule::ubCapacity, api, site, "no memory is left for the fill");
        throw CoreAbort{};
    }
    const AscendC::LocalTensor<T> scratch(placedRef(AscendC::TPosition::VECCALC, top, length, site));
    Instruction write{api, PIPE_V, site};
    write.operands.push_back(localOperand("scratch", scratch, Use::write, {Run{top, top + length}}));
    core.issue(write, [=, ub = core.ub] {
        for (uint64_t at = top; at < top + length; at += sizeof(T)) std::memcpy(ub + at, &value, sizeof(T));
    });
    core.clocks.wait(PIPE_MTE3, core.clocks.token(PIPE_V));
    return scratch;
}

template <typename T>
void fillGlobal(const char* api, Site site, const AscendC::GlobalTensor<T>& gm, uint64_t size, T value) {
    static_assert(isLegalFor<T>("Fill"), "Fill: the chip does not have this type");
    if (size == 0) return;
    const AscendC::LocalTensor<T> scratch = fillScratch(api, site, size * sizeof(T), value);
    const uint64_t chunk = scratch.GetSize();
    for (uint64_t at = 0; at < size; at += chunk) {
        const uint64_t bytes = std::min(chunk, size - at) * sizeof(T);
        copyOut(api, site, gm[at], scratch, BlockCopy{1, bytes, 0, 0}, 1);
    }
    Core::current().barrier(PIPE_MTE3, api);
}

}  // namespace emu

namespace AscendC {

/// Write `size` elements of global memory.
template <typename T, typename U>
void Fill(GlobalTensor<T>& gmWorkspaceAddr, const uint64_t size, const U value, Site site = Site::here()) {
    emu::fillGlobal<T>("Fill", site, gmWorkspaceAddr, size, static_cast<T>(value));
}
template <typename T>
void InitGlobalMemory(GlobalTensor<T>& gmWorkspaceAddr, const uint64_t size, const Same<T> value,
                      Site site = Site::here()) {
    emu::fillGlobal<T>("InitGlobalMemory", site, gmWorkspaceAddr, size, value);
}
template <typename T>
void InitOutput(const GlobalTensor<T>& gmWorkspaceAddr, uint32_t size, Same<T> value = Same<T>{},
                Site site = Site::here()) {
    emu::fillGlobal<T>("InitOutput", site, gmWorkspaceAddr, size, value);
}

}  // namespace AscendC
