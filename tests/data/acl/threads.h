// Threads that call one operator many times, each on a stream of its own, and check every result.
#pragma once

#include <thread>

#include "support.h"

/// Small numbers, whose products and sums are exact.
inline float smallNumber(int64_t place, int seed) { return static_cast<float>((place * 7 + seed) % 9 - 4) / 4; }

/// What one thread has: a stream, and memory that is freed behind its last call.
class Worker {
public:
    Worker() {
        EXPECT(aclrtSetDevice(0) == ACL_SUCCESS);
        EXPECT(aclrtCreateStream(&stream) == ACL_SUCCESS);
    }
    ~Worker() {
        for (void *each : memory_) aclrtFree(each);
        EXPECT(aclrtDestroyStream(stream) == ACL_SUCCESS);
    }

    void *reserve(size_t bytes) {
        memory_.push_back(deviceMemory(bytes));
        return memory_.back();
    }

    /// Runs an executor on memory that grows where it has to, and destroys what describes its tensors.
    template <typename SecondPhase>
    void run(SecondPhase *second, uint64_t size, aclOpExecutor *executor, const std::vector<aclTensor *> &tensors) {
        if (size > reserved_) {
            workspace_ = reserve(size);
            reserved_ = size;
        }
        EXPECT(second(workspace_, size, executor, stream) == 0);
        for (aclTensor *tensor : tensors) EXPECT(aclDestroyTensor(tensor) == 0);
        EXPECT(aclrtSynchronizeStream(stream) == ACL_SUCCESS);
    }

    aclrtStream stream = nullptr;

private:
    std::vector<void *> memory_;
    void *workspace_ = nullptr;
    uint64_t reserved_ = 0;
};

/// Runs `work(worker, seed, calls)` on threads; arguments of the program: threads, calls of each.
template <typename Work>
int threaded(int argc, char **argv, const Work &work) {
    const int threads = argc > 1 ? std::atoi(argv[1]) : 8;
    const int calls = argc > 2 ? std::atoi(argv[2]) : 10;
    EXPECT(aclInit(nullptr) == ACL_SUCCESS);
    EXPECT(aclrtSetDevice(0) == ACL_SUCCESS);
    std::vector<std::thread> running;
    for (int seed = 0; seed < threads; seed++) {
        running.emplace_back([&work, seed, calls] {
            Worker worker;
            work(worker, seed, calls);
        });
    }
    for (std::thread &each : running) each.join();
    for (int i = 0; i < threads + 1; i++) EXPECT(aclrtResetDevice(0) == ACL_SUCCESS);
    EXPECT(aclFinalize() == ACL_SUCCESS);
    EXPECT(aclGetRecentErrMsg() == nullptr);  // nothing leaks
    std::printf("%d calls are right\n", threads * calls);
    return 0;
}
