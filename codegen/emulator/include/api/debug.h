// Output and assertions of kernels. What is printed is handed to the host behind the findings.
#pragma once

#include <cstdio>

#include "api/operations.h"
#include "api/system.h"

namespace emu {

/// An argument as the C library's formats take it.
template <typename T>
decltype(auto) formatArgument(const T& value) {
    if constexpr (isFloating<T>) {
        return static_cast<double>(widen(value));
    } else if constexpr (std::is_enum_v<T>) {
        return static_cast<std::underlying_type_t<T>>(value);
    } else {
        return std::decay_t<const T&>(value);
    }
}

template <typename... Args>
std::string format(const char* form, const Args&... args) {
    const int length = std::snprintf(nullptr, 0, form, formatArgument(args)...);
    std::string result(static_cast<size_t>(std::max(length, 0)) + 1, '\0');
    std::snprintf(result.data(), result.size(), form, formatArgument(args)...);
    result.pop_back();
    return result;
}

inline void printText(const std::string& text) {
    if (Core::running == nullptr) {
        std::fputs(text.c_str(), stdout);
    } else {
        Core::current().findings.print(Core::current().index, text);
    }
}

/// End the core with a finding.
[[noreturn]] inline void failAssert(const char* api, Site site, const std::string& text) {
    Core& core = Core::current();
    core.report(Rule::kernelAssert, api, site, text);
    throw CoreAbort{};
}

template <typename... Args>
void checkAssert(bool holds, const char* expression, Site site, const char* form = "", const Args&... args) {
    if (!holds) failAssert("assert", site, std::string(expression) + " is false " + format(form, args...));
}

/// The elements of a tensor in lines, filled with "-" up to a shape's size.
template <typename T>
std::string elementsText(const uint8_t* from, uint64_t count, uint64_t rows) {
    std::string line = "[";
    for (uint64_t i = 0; i < rows; i++) {
        T value;
        std::memcpy(static_cast<void*>(&value), from + i * sizeof(T), i < count ? sizeof(T) : 0);
        if (i > 0) line += ", ";
        if (i >= count) {
            line += "-";
        } else if constexpr (isFloating<T>) {
            line += format("%f", value);
        } else {
            line += std::to_string(+value);
        }
    }
    return line + "]\n";
}

/// Bring memory up to date for a look at it from outside of the pipes.
inline void settleAll() {
    for (pipe_t pipe : {PIPE_V, PIPE_MTE2, PIPE_MTE3}) Core::current().settle(pipe);
}

template <typename T>
void dump(const char* api, Site site, const AscendC::LocalTensor<T>& tensor, uint32_t desc, uint64_t count,
          uint64_t rows) {
    settleAll();
    const LocalRef& ref = tensor.ref();
    if (ref.owner == nullptr || ref.address + count * sizeof(T) > uint64_t{chip::ubBytes}) {
        Core::current().report(Rule::ubExtent, api, site,
                               text("%llu elements leave memory", (unsigned long long)count));
        return;
    }
    printText(format("%s: desc=%u, addr=%llx, position=UB, dump_size=%llu\n", api, desc,
                     (unsigned long long)ref.address, (unsigned long long)count) +
              elementsText<T>(tensor.bytes(), count, rows));
}

template <typename T>
void dump(const char* api, Site site, const AscendC::GlobalTensor<T>& tensor, uint32_t desc, uint64_t count,
          uint64_t rows) {
    settleAll();
    const auto* from = reinterpret_cast<const uint8_t*>(tensor.GetPhyAddr());
    const Region* region = Core::current().machine.gm().find(from);
    if (region == nullptr || from + count * sizeof(T) > region->base + region->bytes) {
        Core::current().report(Rule::gmBounds, api, site,
                               text("%llu elements leave memory", (unsigned long long)count));
        return;
    }
    printText(format("%s: desc=%u, addr=%llx, position=GM, dump_size=%llu\n", api, desc,
                     (unsigned long long)(from - region->base), (unsigned long long)count) +
              elementsText<T>(from, count, rows));
}

}  // namespace emu

/// printf of a kernel.
template <class... Args>
void DevicePrint(const char* form, Args&&... args) {
    emu::printText(emu::format(form, args...));
}

namespace AscendC {

using ::DevicePrint;

template <class... Args>
void PRINTF(const char* form, Args&&... args) {
    emu::printText(emu::format(form, args...));
}

/// Print the first elements of a tensor; desc is any number of the caller's.
template <typename T>
void DumpTensor(const LocalTensor<T>& tensor, uint32_t desc, uint32_t dumpSize, Site site = Site::here()) {
    emu::dump("DumpTensor", site, tensor, desc, dumpSize, dumpSize);
}
template <typename T>
void DumpTensor(const GlobalTensor<T>& tensor, uint32_t desc, uint32_t dumpSize, Site site = Site::here()) {
    emu::dump("DumpTensor", site, tensor, desc, dumpSize, dumpSize);
}
template <typename T>
void DumpTensor(const LocalTensor<T>& tensor, uint32_t desc, uint32_t dumpSize, const ShapeInfo& shapeInfo,
                Site site = Site::here()) {
    const auto rows = static_cast<uint64_t>(GetShapeSize(shapeInfo));
    emu::dump("DumpTensor", site, tensor, desc, std::min<uint64_t>(dumpSize, rows), rows);
}
template <typename T>
void DumpTensor(const GlobalTensor<T>& tensor, uint32_t desc, uint32_t dumpSize, const ShapeInfo& shapeInfo,
                Site site = Site::here()) {
    const auto rows = static_cast<uint64_t>(GetShapeSize(shapeInfo));
    emu::dump("DumpTensor", site, tensor, desc, std::min<uint64_t>(dumpSize, rows), rows);
}

/// Print elements from an offset on.
template <typename T>
void DumpAccChkPoint(const LocalTensor<T>& tensor, uint32_t index, uint32_t countOff, uint32_t dumpSize,
                     Site site = Site::here()) {
    emu::dump("DumpAccChkPoint", site, tensor[countOff], index, dumpSize, dumpSize);
}
template <typename T>
void DumpAccChkPoint(const GlobalTensor<T>& tensor, uint32_t index, uint32_t countOff, uint32_t dumpSize,
                     Site site = Site::here()) {
    emu::dump("DumpAccChkPoint", site, tensor[countOff], index, dumpSize, dumpSize);
}

/// Print the number of instructions so far, where the kernel is built with ASCENDC_TIME_STAMP_ON.
inline void PrintTimeStamp([[maybe_unused]] uint32_t descId) {
#ifdef ASCENDC_TIME_STAMP_ON
    emu::printText(emu::format("PrintTimeStamp: desc=%u, instructions=%lld\n", descId, (long long)GetSystemCycle()));
#endif
}

/// End the core.
inline void Trap(Site site = Site::here()) { emu::failAssert("Trap", site, "the kernel stops itself"); }

}  // namespace AscendC

#undef assert
#define EMU_ASSERT(expression, ...) \
    ::emu::checkAssert(static_cast<bool>(expression), #expression, ::emu::Site::here(), ##__VA_ARGS__)
#define assert(...) EMU_ASSERT(__VA_ARGS__)
#define ascendc_assert(...) EMU_ASSERT(__VA_ARGS__)
#define ASSERT(...) EMU_ASSERT(__VA_ARGS__)
#define printf(...) DevicePrint(__VA_ARGS__)
