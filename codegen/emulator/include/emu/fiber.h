// Coroutines with their own stacks: one per core that has started and not ended.
#pragma once

#include <sys/mman.h>
#include <ucontext.h>

#include <functional>
#include <new>

namespace emu {

/// A mapped stack with a guard below, so wide that valgrind does not take a change of stacks for growth of one.
class Stack {
public:
    static constexpr size_t guardBytes = 4 << 20;
    static constexpr size_t usableBytes = 1 << 20;

    Stack() : base_(mmap(nullptr, guardBytes + usableBytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)) {
        if (base_ == MAP_FAILED) throw std::bad_alloc();
        if (mprotect(data(), usableBytes, PROT_READ | PROT_WRITE) != 0) throw std::bad_alloc();
    }
    ~Stack() { munmap(base_, guardBytes + usableBytes); }
    Stack(const Stack&) = delete;
    Stack& operator=(const Stack&) = delete;

    void* data() const { return static_cast<char*>(base_) + guardBytes; }

private:
    void* base_;
};

/// A coroutine: `resume` runs its body until the body yields or ends.
class Fiber {
public:
    void start(Stack& stack, std::function<void()> body) {
        body_ = std::move(body);
        done_ = false;
        getcontext(&own_);
        own_.uc_stack.ss_sp = stack.data();
        own_.uc_stack.ss_size = Stack::usableBytes;
        own_.uc_link = &caller_;
        const auto self = reinterpret_cast<uintptr_t>(this);
        makecontext(&own_, reinterpret_cast<void (*)()>(&Fiber::enter), 2, static_cast<unsigned>(self >> 32),
                    static_cast<unsigned>(self));
    }

    void resume() { swapcontext(&caller_, &own_); }
    void yield() { swapcontext(&own_, &caller_); }
    bool done() const { return done_; }

private:
    static void enter(unsigned high, unsigned low) {
        auto* self = reinterpret_cast<Fiber*>((static_cast<uintptr_t>(high) << 32) | low);
        self->body_();
        self->done_ = true;
    }

    std::function<void()> body_;
    bool done_ = true;
    ucontext_t own_{};
    ucontext_t caller_{};
};

}  // namespace emu
