// What a kernel asks about its launch: core index, workspace, tiling data.
#pragma once

#include "api/tensor.h"
#include "emu/machine.h"

namespace AscendC {

inline int64_t GetBlockIdx() { return emu::Core::current().index; }
inline int64_t GetBlockNum() { return emu::Core::current().machine.cores(); }
inline __gm__ uint8_t* GetUserWorkspace(GM_ADDR workspace) { return workspace; }
inline void SetSysWorkspace(GM_ADDR) {}

}  // namespace AscendC

namespace emu {

inline void declareKernelType(TaskKernelType type) {
    Core::current().kernelType = type == KERNEL_TYPE_AIV_ONLY      ? KernelType::vectorOnly
                                 : type == KERNEL_TYPE_MIX_AIV_1_0 ? KernelType::vectorWithSync
                                                                   : KernelType::other;
}

/// Copy the tiling data from global memory into a variable.
template <typename T>
T loadTiling(const uint8_t* address, Site site) {
    T data{};
    Instruction load{"GET_TILING_DATA", PIPE_S, site};
    load.globals.push_back(GmOperand{address, nullptr, Use::read, 1, {{0, sizeof(T)}}});
    Core::current().issue(load, [&] { std::memcpy(static_cast<void*>(&data), address, sizeof(T)); });
    return data;
}

}  // namespace emu

#define KERNEL_TASK_TYPE_DEFAULT(type) ::emu::declareKernelType(type)
#define REGISTER_TILING_DEFAULT(Struct) using DefaultTilingStruct = Struct
#define GET_TILING_DATA(variable, address) \
    const DefaultTilingStruct variable = ::emu::loadTiling<DefaultTilingStruct>(address, ::emu::Site::here())
#define GET_TILING_DATA_WITH_STRUCT(Struct, variable, address) \
    const Struct variable = ::emu::loadTiling<Struct>(address, ::emu::Site::here())
#define TILING_KEY_IS(key) (::emu::Core::current().options.tilingKey == (key))
