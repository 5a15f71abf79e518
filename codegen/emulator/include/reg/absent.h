// The names of the register level on chips without it: every use is a compile error that says so.
#pragma once

#define EMU_NO_REGISTER_LEVEL \
    __attribute__((unavailable("this chip has no register level (vector functions, RegTensor, MaskReg)")))

#define __simd_vf__ EMU_NO_REGISTER_LEVEL
#define __simd_callee__ EMU_NO_REGISTER_LEVEL
#define __callee__ EMU_NO_REGISTER_LEVEL
#define __VEC_SCOPE__ static_assert(false, "__VEC_SCOPE__: this chip has no register level");

template <auto f, typename... Arguments>
void asc_vf_call(Arguments...) {
    static_assert(f == nullptr, "asc_vf_call: this chip has no register level");
}
template <auto f, typename... Arguments>
void VF_CALL(Arguments...) {
    static_assert(f == nullptr, "VF_CALL: this chip has no register level");
}

namespace AscendC::Reg {

template <typename T>
inline constexpr bool absent = false;

template <typename T, typename... Traits>
struct RegTensor {
    static_assert(absent<T>, "RegTensor: this chip has no register level");
};
struct EMU_NO_REGISTER_LEVEL MaskReg;
struct EMU_NO_REGISTER_LEVEL AddrReg;
struct EMU_NO_REGISTER_LEVEL UnalignReg;
struct EMU_NO_REGISTER_LEVEL UnalignRegForLoad;
struct EMU_NO_REGISTER_LEVEL UnalignRegForStore;

}  // namespace AscendC::Reg

namespace AscendC {
namespace MicroAPI {
using namespace Reg;
}
}
