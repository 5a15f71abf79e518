// Tiling data and kernel types: the macros of operator projects, on the side of the kernel.
#pragma once

#include "api/system.h"

namespace emu {

inline void declareKernelType(TaskKernelType type) {
    Core::current().kernelType = type == KERNEL_TYPE_AIV_ONLY      ? KernelType::vectorOnly
                                 : type == KERNEL_TYPE_MIX_AIV_1_0 ? KernelType::vectorWithSync
                                 : type == KERNEL_TYPE_MIX_AIC_1_1 ? KernelType::oneToOne
                                 : type == KERNEL_TYPE_MIX_AIC_1_2 ? KernelType::oneToTwo
                                                                   : KernelType::other;
}

/// Copy tiling data from global memory.
inline void loadTilingBytes(void* to, const uint8_t* address, uint64_t bytes, Site site) {
    Instruction load{"GET_TILING_DATA", PIPE_S, site};
    load.globals.push_back(GmOperand{address, nullptr, Use::read, 1, {{0, bytes}}});
    Core::current().issue(load, [&] { std::memcpy(to, address, bytes); });
}

template <typename T>
T loadTiling(const uint8_t* address, Site site) {
    T data{};
    loadTilingBytes(&data, address, sizeof(T), site);
    return data;
}

/// One member of a tiling structure; `member` is its place in a structure at address 0 of memory.
template <typename Struct, typename Member>
Member loadTilingMember(Member Struct::*member, const uint8_t* address, Site site) {
    Struct data{};
    const auto offset = reinterpret_cast<uint8_t*>(&(data.*member)) - reinterpret_cast<uint8_t*>(&data);
    loadTilingBytes(&(data.*member), address + offset, sizeof(Member), site);
    return data.*member;
}

}  // namespace emu

#define KERNEL_TASK_TYPE_DEFAULT(type) ::emu::declareKernelType(type)
#define KERNEL_TASK_TYPE(key, type) \
    do { if (TILING_KEY_IS(key)) ::emu::declareKernelType(type); } while (false)

#define TILING_KEY_IS(key) (::emu::Core::current().options.tilingKey == static_cast<uint64_t>(key))
#define TILING_KEY_VAR (::emu::Core::current().options.tilingKey)
#define TILING_KEY_LIST(key1, key2) (TILING_KEY_IS(key1) || TILING_KEY_IS(key2))

#define REGISTER_NONE_TILING
#define REGISTER_TILING_DEFAULT(...) using DefaultTilingStruct = __VA_ARGS__
#define REGISTER_TILING_FOR_TILINGKEY(expression, ...) \
    static_assert(sizeof(expression) > 1 && sizeof(__VA_ARGS__) > 0, "REGISTER_TILING_FOR_TILINGKEY needs both")

#define GET_TILING_DATA(variable, address) \
    auto variable = ::emu::loadTiling<DefaultTilingStruct>(address, ::emu::Site::here())
#define GET_TILING_DATA_WITH_STRUCT(Struct, variable, address) \
    auto variable = ::emu::loadTiling<Struct>(address, ::emu::Site::here())
#define GET_TILING_DATA_MEMBER(Struct, member, variable, address) \
    auto variable = ::emu::loadTilingMember(&Struct::member, address, ::emu::Site::here())
#define GET_TILING_DATA_PTR_WITH_STRUCT(Struct, pointer, address) auto pointer = reinterpret_cast<Struct*>(address)
#define COPY_TILING_WITH_STRUCT(Struct, source, target) \
    *(target) = ::emu::loadTiling<Struct>(reinterpret_cast<const uint8_t*>(source), ::emu::Site::here())
#define COPY_TILING_WITH_ARRAY(Type, count, source, target) \
    ::emu::loadTilingBytes(target, reinterpret_cast<const uint8_t*>(source), sizeof(Type) * (count), \
                           ::emu::Site::here())
