// The entry point that a host program loads and calls.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <type_traits>
#include <utility>

namespace emu {

/// One kernel argument as the host passes it. The role `value` passes the bytes themselves, not an address.
struct HostArgument {
    static constexpr int32_t value = 4;

    const char* name;
    uint8_t* data;
    uint64_t bytes;
    int32_t role;
};

/// Launch options as the host passes them.
struct HostOptions {
    int32_t cores;
    int32_t autoSync;
    int32_t strict;
    int32_t trace;
    uint64_t tilingKey;
    uint64_t maxInstructions;
    uint64_t seed;
};

/// The parameters of a kernel's function type.
template <typename Kernel>
struct Parameters;

template <typename... P>
struct Parameters<void (*)(P...)> {
    static constexpr size_t count = sizeof...(P);

    /// Size of the parameter at an index, 0 if it is an address.
    static int64_t bytes(size_t index) {
        const int64_t sizes[] = {(std::is_pointer_v<std::decay_t<P>> ? 0 : int64_t{sizeof(std::decay_t<P>)})..., 0};
        return sizes[index];
    }

    /// Call the kernel: `places` holds an address for a pointer, and where its bytes lie for a value.
    static void call(void (*kernel)(P...), uint8_t* const* places) {
        call(kernel, places, std::index_sequence_for<P...>{});
    }

private:
    template <size_t... I>
    static void call(void (*kernel)(P...), [[maybe_unused]] uint8_t* const* places, std::index_sequence<I...>) {
        kernel(argument<std::decay_t<P>>(places[I])...);
    }

    template <typename T>
    static T argument(uint8_t* place) {
        if constexpr (std::is_pointer_v<T>) {
            return reinterpret_cast<T>(place);
        } else {
            static_assert(std::is_trivially_copyable_v<T>, "a kernel takes plain values and addresses");
            std::remove_const_t<T> value;
            std::memcpy(static_cast<void*>(&value), place, sizeof value);
            return value;
        }
    }
};

/// Run and return the findings and figures as text from malloc, or null if memory ran out.
char* launch(const HostArgument* arguments, size_t count, const HostOptions& options,
             void (*kernel)(uint8_t* const*));

}  // namespace emu
