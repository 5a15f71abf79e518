// Calling vector functions, and the barrier inside them.
#pragma once

#include "reg/register.h"

namespace emu::reg {

template <typename T>
inline constexpr bool isVfScalar = std::is_arithmetic_v<T> || std::is_enum_v<T> || std::is_same_v<T, half> ||
                                   std::is_same_v<T, bfloat16_t> || isElement<T>;
template <typename T>
inline constexpr bool isVfArgument = std::is_pointer_v<T> ? !std::is_function_v<std::remove_pointer_t<T>>
                                                           : isVfScalar<std::remove_cv_t<T>>;

/// A vector function that is entered, and left at the end of the scope.
class Scope {
public:
    Scope(const Call& call, uint32_t number, bool silent) { VectorFunction::current().begin(call, number, silent); }
    ~Scope() { VectorFunction::current().end(); }
    Scope(const Scope&) = delete;
    Scope& operator=(const Scope&) = delete;
};

/// Run a body that can run twice as one instruction of PIPE_V; vf.h says how.
template <typename Body>
void issueFunction(const Call& call, Body body) {
    Core& core = Core::current();
    Instruction instruction{call.api, PIPE_V, call.site};
    if (core.schedule == nullptr) {
        core.issue(instruction, [&core, call, body] {
            const Scope scope(call, core.clocks.issued()[PIPE_V], false);
            body();
        });
        return;
    }
    awaitNeeds(core);
    const std::vector<uint8_t> before(core.ub, core.ub + chip::ubBytes);
    {
        const Scope scope(call, core.clocks.issued()[PIPE_V] + 1, false);
        body();
    }
    std::memcpy(core.ub, before.data(), before.size());
    core.issue(instruction, [call, body] {
        const Scope scope(call, 0, true);
        body();
    });
}

/// Report a pointer argument that does not point into the unified buffer; whether it does.
template <typename T>
bool checkArgument(const Call& call, T argument) {
    if constexpr (std::is_pointer_v<T>) {
        Core& core = Core::current();
        const uint64_t address = core.memory.place(argument).address;
        if (argument == nullptr || address <= static_cast<uint64_t>(chip::ubBytes)) return true;
        core.report(Rule::vfCall, call.api, call.site, "a pointer argument does not point into the unified buffer");
        return false;
    }
    return true;
}

/// What `asc_vf_call<f>` names: an object that calls f.
template <auto f, typename Function = decltype(f)>
struct VfEntry {
    static_assert(sizeof(Function) == 0, "asc_vf_call: the entry is no free or static function that returns void");
};
template <auto f, typename... Parameters>
struct VfEntry<f, void (*)(Parameters...)> {
    static_assert((isVfArgument<Parameters> && ...),
                  "asc_vf_call: arguments are __ubuf__ pointers and scalars, by value");

    void operator()(Parameters... arguments, Site site = Site::here()) const {
        const Call call{"asc_vf_call", site};
        const bool legal = (checkArgument(call, arguments) & ... & true);
        if (legal) issueFunction(call, [arguments...] { f(arguments...); });
    }
};

/// A __VEC_SCOPE__ block: its body runs once, as a vector function of its own.
class VecScope {
public:
    explicit VecScope(Site site) {
        Core& core = Core::current();
        awaitNeeds(core);
        Instruction instruction{"__VEC_SCOPE__", PIPE_V, site};
        core.issue(instruction, [] {});
        VectorFunction::current().begin(Call{"__VEC_SCOPE__", site}, core.clocks.issued()[PIPE_V], false);
    }
    ~VecScope() { VectorFunction::current().end(); }
    VecScope(const VecScope&) = delete;
    VecScope& operator=(const VecScope&) = delete;

    bool once() { return !std::exchange(done_, true); }

private:
    bool done_ = false;
};

/// The pairs of accesses that a barrier can order.
constexpr bool isBarrier(LocalOrder::MemType from, LocalOrder::MemType to) {
    using M = LocalOrder::MemType;
    switch (from) {
        case M::VEC_STORE: return to != M::VEC_ALL && to != M::SCALAR_ALL;
        case M::VEC_LOAD: return to == M::VEC_STORE || to == M::SCALAR_STORE;
        case M::SCALAR_STORE: return to == M::VEC_LOAD || to == M::VEC_STORE;
        case M::SCALAR_LOAD: return to == M::VEC_STORE;
        case M::VEC_ALL: return to == M::VEC_ALL || to == M::SCALAR_ALL;
        default: return to == M::VEC_ALL;
    }
}

}  // namespace emu::reg

template <auto f> inline constexpr emu::reg::VfEntry<f> asc_vf_call{};
template <auto f> inline constexpr emu::reg::VfEntry<f> VF_CALL{};

#define __simd_vf__
#define __simd_callee__
#define __callee__
#define __VEC_SCOPE__ \
    for (::emu::reg::VecScope emuVecScope(::emu::Site::here()); emuVecScope.once();)

namespace AscendC::Reg {

/// Accesses of kind `dst` that follow wait for those of kind `src` before.
template <MemType src, MemType dst>
void LocalMemBar(Site site = Site::here()) {
    static_assert(emu::reg::isBarrier(src, dst), "LocalMemBar: the hardware has no barrier between these accesses");
    emu::reg::VectorFunction& vf = emu::reg::VectorFunction::current();
    if (vf.open()) {
        vf.fence(src, dst);
    } else {
        emu::Core::current().report(emu::Rule::vfCall, "LocalMemBar", site, "called outside of a vector function");
    }
}

/// Set the byte counter of squeezed streams to 0.
template <SpecialPurposeReg spr>
void ClearSpr(Site site = Site::here()) {
    emu::reg::VectorFunction& vf = emu::reg::VectorFunction::current();
    if (!vf.open()) {
        emu::Core::current().report(emu::Rule::vfCall, "ClearSpr", site, "called outside of a vector function");
    }
    vf.squeezed = emu::reg::VectorFunction::Squeezed{};
}

}  // namespace AscendC::Reg
