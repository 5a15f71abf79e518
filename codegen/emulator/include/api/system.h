// What a kernel asks about its launch and its core.
#pragma once

#include "api/pipe.h"
#include "emu/machine.h"

namespace AscendC {

enum class EngineType : uint32_t { AIC = 1, AIV = 2 };

inline int64_t GetBlockIdx() { return emu::Core::current().index; }
inline int64_t GetBlockNum() { return emu::Core::current().machine.cores(); }

// A vector kernel has one vector core a block.
inline int64_t GetSubBlockIdx() { return 0; }
inline int64_t GetSubBlockNum() { return 1; }
inline int64_t GetTaskRatio() { return 1; }
inline int64_t GetTaskRation() { return 1; }

inline void GetArchVersion(uint32_t& coreVersion) { coreVersion = __NPU_ARCH__; }
constexpr uint32_t GetUBSizeInBytes() { return emu::chip::ubBytes; }
inline uint32_t GetRuntimeUBSize() { return emu::chip::ubBytes; }
constexpr uint32_t GetVecLen() { return emu::chip::repeatBytes; }
constexpr int16_t GetDataBlockSizeInBytes() { return emu::chip::blockBytes; }

/// A number that grows: the instructions that the core has issued. The model has no clock.
inline int64_t GetSystemCycle() {
    int64_t total = 0;
    for (uint32_t count : emu::Core::current().clocks.issued()) total += count;
    return total;
}
inline int64_t GetProgramCounter() { return GetSystemCycle(); }

inline __gm__ uint8_t* GetUserWorkspace(GM_ADDR workspace) { return workspace; }
inline void SetSysWorkspace(GM_ADDR workspace) { emu::Core::current().registers.systemWorkspace = workspace; }
inline __gm__ uint8_t* GetSysWorkSpacePtr() { return emu::Core::current().registers.systemWorkspace; }

/// Run a function if this core is of the kind that an engine names.
template <EngineType engine, auto function, class... Args>
void Async(Args... args) {
    if constexpr (engine == EngineType::AIV) function(args...);
}

// Hints and marks for speed and for profilers: results do not depend on them.
template <int count = 1>
void Nop() {}
inline void ICachePreLoad(int64_t) {}
inline int64_t GetICachePreloadStatus() { return 0; }
template <pipe_t pipe, uint16_t index>
void MarkStamp() {}
template <pipe_t pipe>
void MarkStamp(uint16_t) {}
inline void MetricsProfStart() {}
inline void MetricsProfStop() {}

}  // namespace AscendC

namespace emu {

/// The compiler's variables for the core and the number of cores.
struct BlockIndex {
    operator int64_t() const { return AscendC::GetBlockIdx(); }
};
struct BlockCount {
    operator int64_t() const { return AscendC::GetBlockNum(); }
};

}  // namespace emu

inline constexpr emu::BlockIndex block_idx{};
inline constexpr emu::BlockCount block_num{};

// Kernels also name these without the namespace.
using AscendC::GetSysWorkSpacePtr;
using AscendC::GetUserWorkspace;
using AscendC::SetSysWorkspace;
