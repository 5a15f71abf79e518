// Stray raw pointers of a kernel, and its calls of functions that end a process, end its core with a finding instead.
#pragma once

#include <csetjmp>
#include <csignal>
#include <vector>

namespace emu {

/// While alive, a memory fault inside `guarded` returns control to it.
class FaultGuard {
public:
    FaultGuard() : stack_(stackBytes) {
        stack_t alternate{};
        alternate.ss_sp = stack_.data();
        alternate.ss_size = stack_.size();
        sigaltstack(&alternate, &oldStack_);
        struct sigaction action {};
        action.sa_sigaction = &FaultGuard::handle;
        action.sa_flags = SA_SIGINFO | SA_ONSTACK | SA_NODEFER;
        sigemptyset(&action.sa_mask);
        for (size_t i = 0; i < std::size(signals); i++) sigaction(signals[i], &action, &old_[i]);
    }
    ~FaultGuard() {
        for (size_t i = 0; i < std::size(signals); i++) sigaction(signals[i], &old_[i], nullptr);
        sigaltstack(&oldStack_, nullptr);
    }
    FaultGuard(const FaultGuard&) = delete;
    FaultGuard& operator=(const FaultGuard&) = delete;

    /// Run the body of the code that `point` belongs to; false if it ended by a memory fault. Objects it had alive then
    /// are not destroyed.
    template <typename Body>
    static bool guarded(sigjmp_buf& point, Body&& body) {
        if (sigsetjmp(point, 1) != 0) return false;
        body();
        return true;
    }

    /// Leave the code that `active` belongs to, as a memory fault does, because it called a function.
    [[noreturn]] static void leave(const char* function) {
        if (active == nullptr) __builtin_trap();
        called = function;
        siglongjmp(*active, 1);
    }

    /// The function whose call ended the body, null after a memory fault.
    static inline thread_local const char* called = nullptr;

    /// The return point of the code that runs now, null outside of kernels.
    static inline thread_local sigjmp_buf* active = nullptr;

private:
    static constexpr size_t stackBytes = 1 << 16;
    static constexpr int signals[] = {SIGSEGV, SIGBUS};

    static void handle(int signal, siginfo_t*, void*) {
        called = nullptr;
        if (active != nullptr) siglongjmp(*active, 1);
        std::signal(signal, SIG_DFL);
        std::raise(signal);
    }

    std::vector<char> stack_;
    stack_t oldStack_{};
    struct sigaction old_[std::size(signals)] {};
};

}  // namespace emu
