// Functions of the C library that end a process, as kernels see them: they end the core. A kernel's library finds these
// before those of the C library, and nothing else does: they are hidden by the assembler, as headers of the C++ library
// have declared some of them visible.
#include "emu/fault.h"

#define EMU_PROCESS_END(name, ...)                                                                                   \
    __asm__(".hidden " #name);                                                                                       \
    extern "C" [[noreturn]] void name(__VA_ARGS__) noexcept {                                                        \
        emu::FaultGuard::leave(#name);                                                                               \
    }

EMU_PROCESS_END(exit, int)
EMU_PROCESS_END(_exit, int)
EMU_PROCESS_END(_Exit, int)
EMU_PROCESS_END(quick_exit, int)
EMU_PROCESS_END(abort)
EMU_PROCESS_END(__assert_fail, const char*, const char*, unsigned int, const char*)
#undef EMU_PROCESS_END
