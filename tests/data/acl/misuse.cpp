// Every misuse of the runtime that is reported by name.
#include "aclnnop/aclnn_masked_causal_conv1d_backward.h"
#include "support.h"

namespace {

const int64_t S = 2, B = 1, H = 384, W = 3;

void beforeInit() {
    void *memory = nullptr;
    aclrtStream stream = nullptr;
    EXPECT(refused(aclrtSetDevice(0), 100001, "aclInit was not called"));
    EXPECT(refused(aclrtMalloc(&memory, 8, ACL_MEM_MALLOC_HUGE_FIRST), 100001, "aclInit was not called"));
    EXPECT(refused(aclrtCreateStream(&stream), 100001, "aclrtCreateStream: aclInit was not called"));
    EXPECT(refused(aclrtSynchronizeStream(nullptr), 100001, "aclInit"));
    EXPECT(refused(aclFinalize(), 100001, "aclInit was not called"));
    EXPECT(refused(aclInit("/no/such/file.json"), 100003, "/no/such/file.json"));
}

void initialization() {
    EXPECT(aclInit(nullptr) == ACL_SUCCESS);
    EXPECT(refused(aclInit(nullptr), 100002, "initialized already"));
    EXPECT(aclGetRecentErrMsg() == nullptr);
    void *memory = nullptr;
    EXPECT(refused(aclrtMalloc(&memory, 8, ACL_MEM_MALLOC_HUGE_FIRST), 107002, "the thread has no context"));
    EXPECT(refused(aclrtSetDevice(7), 107001, "device 7 does not exist"));
    EXPECT(refused(aclrtResetDevice(0), 507007, "device 0 is not set"));
    EXPECT(aclrtSetDevice(0) == ACL_SUCCESS);
    int32_t device = -1;
    EXPECT(aclrtGetDevice(&device) == ACL_SUCCESS && device == 0);
}

void contexts() {
    aclrtContext first = nullptr, second = nullptr, found = nullptr;
    EXPECT(aclrtGetCurrentContext(&first) == ACL_SUCCESS);
    EXPECT(refused(aclrtDestroyContext(first), 107000, "the default context of a device"));
    EXPECT(refused(aclrtCreateContext(nullptr, 0), 100000, "'context' must not be null"));
    EXPECT(aclrtCreateContext(&second, 0) == ACL_SUCCESS);
    EXPECT(aclrtGetCurrentContext(&found) == ACL_SUCCESS && found == second);
    aclrtStream stream = nullptr;
    EXPECT(aclrtCreateStream(&stream) == ACL_SUCCESS);
    EXPECT(aclrtSetCurrentContext(first) == ACL_SUCCESS);
    EXPECT(refused(aclrtSynchronizeStream(stream), 107003, "belongs to another context"));
    EXPECT(aclrtDestroyStream(stream) == ACL_SUCCESS);
    EXPECT(refused(aclrtDestroyStream(stream), 107017, "an aclrtStream that was destroyed before"));
    EXPECT(aclrtDestroyContext(second) == ACL_SUCCESS);
    EXPECT(refused(aclrtSetCurrentContext(second), 107000, "an aclrtContext that was destroyed before"));
    EXPECT(refused(aclrtSetCurrentContext(nullptr), 100000, "'context' must not be null"));
}

void memory() {
    char host[64] = "";
    void *device = deviceMemory(32);
    void *pinned = nullptr;
    EXPECT(aclrtMallocHost(&pinned, 16) == ACL_SUCCESS);
    EXPECT(refused(aclrtMalloc(nullptr, 8, ACL_MEM_MALLOC_HUGE_FIRST), 100000, "'devPtr' must not be null"));
    EXPECT(refused(aclrtMalloc(&device, 0, ACL_MEM_MALLOC_HUGE_FIRST), 100000, "'size' is 0"));
    EXPECT(refused(aclrtMemcpy(device, 32, host, 33, ACL_MEMCPY_HOST_TO_DEVICE), 107000, "'count' is 33"));
    EXPECT(refused(aclrtMemcpy(device, 64, host, 33, ACL_MEMCPY_HOST_TO_DEVICE), 107000,
                   "with 32 bytes of reserved device memory behind it; 33 bytes are needed"));
    EXPECT(refused(aclrtMemcpy(host, 64, device, 33, ACL_MEMCPY_DEVICE_TO_HOST), 107000, "'src' is"));
    EXPECT(refused(aclrtMemcpy(device, 32, host, 8, ACL_MEMCPY_DEVICE_TO_HOST), 107000,
                   "ACL_MEMCPY_DEVICE_TO_HOST: 'dst' is"));
    EXPECT(refused(aclrtMemcpy(host, 64, host + 32, 8, ACL_MEMCPY_HOST_TO_DEVICE), 107000, "it must be device memory"));
    EXPECT(refused(aclrtMemcpy(host, 64, device, 8, static_cast<aclrtMemcpyKind>(6)), 100000, "'kind' is 6"));
    EXPECT(refused(aclrtMemcpy(nullptr, 64, device, 8, ACL_MEMCPY_DEVICE_TO_HOST), 100000, "'dst' must not be null"));
    EXPECT(refused(aclrtMemcpy(pinned, 64, device, 32, ACL_MEMCPY_DEVICE_TO_HOST), 107000, "host memory behind it"));
    EXPECT(aclrtMemcpy(nullptr, 0, nullptr, 0, ACL_MEMCPY_HOST_TO_DEVICE) == ACL_SUCCESS);
    EXPECT(aclrtMemcpy(pinned, 16, device, 16, ACL_MEMCPY_DEFAULT) == ACL_SUCCESS);
    EXPECT(refused(aclrtMemset(device, 32, 0, 33), 107000, "'count' is 33"));
    EXPECT(refused(aclrtMemset(host, 32, 0, 8), 107000, "it must be device memory"));
    EXPECT(refused(aclrtFree(host), 107000, "is not the start of reserved device memory"));
    EXPECT(refused(aclrtFree(static_cast<char *>(device) + 1), 107000, "is not the start"));
    EXPECT(refused(aclrtFree(nullptr), 100000, "'devPtr' must not be null"));
    EXPECT(refused(aclrtFree(pinned), 107000, "is not the start of reserved device memory"));
    EXPECT(aclrtFree(device) == ACL_SUCCESS);
    EXPECT(refused(aclrtFree(device), 107000, "was freed before"));
    EXPECT(refused(aclrtMemcpy(device, 32, host, 8, ACL_MEMCPY_HOST_TO_DEVICE), 107000, "which was freed"));
    EXPECT(aclrtFreeHost(pinned) == ACL_SUCCESS);
}

void streamsAndEvents() {
    aclrtStream one = nullptr, two = nullptr;
    aclrtEvent event = nullptr, untimed = nullptr;
    EXPECT(aclrtCreateStream(&one) == ACL_SUCCESS && aclrtCreateStream(&two) == ACL_SUCCESS);
    EXPECT(aclrtCreateEvent(&event) == ACL_SUCCESS && aclrtCreateEventWithFlag(&untimed, ACL_EVENT_SYNC) == ACL_SUCCESS);
    EXPECT(refused(aclrtSynchronizeEvent(event), 107000, "was never recorded"));
    void *device = deviceMemory(64);
    EXPECT(aclrtMemsetAsync(device, 64, 5, 64, one) == ACL_SUCCESS);
    EXPECT(aclrtRecordEvent(event, one) == ACL_SUCCESS);
    EXPECT(aclrtStreamWaitEvent(two, event) == ACL_SUCCESS);
    std::vector<uint8_t> host(64);
    EXPECT(aclrtMemcpyAsync(host.data(), 64, device, 64, ACL_MEMCPY_DEVICE_TO_HOST, two) == ACL_SUCCESS);
    EXPECT(aclrtSynchronizeStream(two) == ACL_SUCCESS);
    EXPECT(host == std::vector<uint8_t>(64, 5));
    aclrtEventRecordedStatus status = ACL_EVENT_RECORDED_STATUS_NOT_READY;
    EXPECT(aclrtQueryEventStatus(event, &status) == ACL_SUCCESS && status == ACL_EVENT_RECORDED_STATUS_COMPLETE);
    float time = -1;
    EXPECT(aclrtEventElapsedTime(&time, event, event) == ACL_SUCCESS && time == 0);
    EXPECT(refused(aclrtEventElapsedTime(&time, event, untimed), 107000, "without ACL_EVENT_TIME_LINE"));
    EXPECT(refused(aclrtSynchronizeStreamWithTimeout(one, 0), 107000, "'timeout' is 0"));
    EXPECT(refused(aclrtSynchronizeStream(event), 107017, "another object than an aclrtStream"));
    EXPECT(refused(aclrtMemcpyAsync(host.data(), 64, host.data() + 1, 8, ACL_MEMCPY_HOST_TO_HOST, one), 207000, "host"));
    EXPECT(aclrtDestroyEvent(event) == ACL_SUCCESS && aclrtDestroyEvent(untimed) == ACL_SUCCESS);
    EXPECT(refused(aclrtRecordEvent(event, one), 107000, "an aclrtEvent that was destroyed before"));
    EXPECT(aclrtDestroyStream(one) == ACL_SUCCESS && aclrtDestroyStreamForce(two) == ACL_SUCCESS);
    EXPECT(aclrtFree(device) == ACL_SUCCESS);
}

void descriptions() {
    const int64_t sizes[] = {2, 3};
    aclTensor *tensor = describe({2, 3}, ACL_FLOAT, nullptr);
    aclIntArray *list = aclCreateIntArray(sizes, 2);
    int64_t *shape = nullptr;
    uint64_t size = 0;
    EXPECT(aclGetViewShape(tensor, &shape, &size) == OK && size == 2 && shape[1] == 3);
    delete[] shape;
    EXPECT(aclGetIntArraySize(list, &size) == OK && size == 2);
    EXPECT(refused(aclGetIntArraySize(nullptr, &size), 161001, "'array' must not be null"));
    EXPECT(refused(aclDestroyIntArray(reinterpret_cast<aclIntArray *>(tensor)), 161002, "another object"));
    EXPECT(aclCreateTensor(nullptr, 2, ACL_FLOAT, nullptr, 0, ACL_FORMAT_ND, nullptr, 0, nullptr) == nullptr);
    EXPECT(aclDestroyTensor(tensor) == OK && aclDestroyTensor(nullptr) == OK);
    aclGetRecentErrMsg();
    EXPECT(refused(aclDestroyTensor(tensor), 161002, "an aclTensor that was destroyed before"));
    EXPECT(aclDestroyIntArray(list) == OK);
    const aclTensor *parts[] = {describe({1}, ACL_INT32, nullptr), describe({2}, ACL_INT32, nullptr)};
    aclTensorList *tensors = aclCreateTensorList(parts, 2);
    EXPECT(aclDestroyTensorList(tensors) == OK);
    EXPECT(refused(aclDestroyTensor(parts[0]), 161002, "was destroyed before"));
}

struct Call {
    std::vector<void *> memory;
    std::vector<aclTensor *> tensors;
    uint64_t size = 0;
    aclOpExecutor *executor = nullptr;

    Call() {
        for (const Shape &shape : {Shape{S, B, H}, {S, B, H}, {W, H}, {S, B, H}, {W, H}}) {
            memory.push_back(deviceMemory(count(shape) * 2));
            tensors.push_back(describe(shape, ACL_FLOAT16, memory.back()));
            EXPECT(aclrtMemset(memory.back(), count(shape) * 2, 0, count(shape) * 2) == ACL_SUCCESS);
        }
    }
    ~Call() {
        for (aclTensor *tensor : tensors) aclDestroyTensor(tensor);
        for (void *each : memory) aclrtFree(each);
    }
    int first() {
        return aclnnMaskedCausalConv1dBackwardGetWorkspaceSize(tensors[0], tensors[1], tensors[2], nullptr, tensors[3],
                                                               tensors[4], &size, &executor);
    }
    int second(void *workspace) { return aclnnMaskedCausalConv1dBackward(workspace, size, executor, nullptr); }
};

void executors() {
    Call call;
    EXPECT(call.first() == OK && call.size > 0);
    void *workspace = deviceMemory(call.size);
    const uint64_t size = call.size;
    EXPECT(refused(aclnnMaskedCausalConv1dBackward(workspace, size, nullptr, nullptr), 161001, "'executor' is null"));
    EXPECT(refused(aclnnMaskedCausalConv1dBackward(nullptr, size, call.executor, nullptr), 161001, "'workspace' is null"));
    EXPECT(refused(aclnnMaskedCausalConv1dBackward(workspace, size - 1, call.executor, nullptr), 161002,
                   ("the first phase asked for " + std::to_string(size)).c_str()));
    EXPECT(refused(aclnnMaskedCausalConv1dBackward(&call, size, call.executor, nullptr), 161002,
                   "'workspace' is"));
    EXPECT(refused(aclnnMaskedCausalConv1dBackward(static_cast<char *>(workspace) + 64, size, call.executor, nullptr),
                   161002, "bytes of reserved device memory behind it"));
    EXPECT(refused(aclnnMaskedCausalConv1dBackward(workspace, size, reinterpret_cast<aclOpExecutor *>(call.tensors[0]),
                                                   nullptr),
                   161002, "another object than an aclOpExecutor"));
    EXPECT(call.second(workspace) == OK);
    EXPECT(refused(call.second(workspace), 161002, "that has run, or was destroyed"));
    EXPECT(aclrtSynchronizeStream(nullptr) == ACL_SUCCESS);
    EXPECT(refused(aclDestroyAclOpExecutor(call.executor), 561000, "that has run"));
    EXPECT(refused(aclDestroyAclOpExecutor(nullptr), 561103, "'executor' must not be null"));

    EXPECT(call.first() == OK && aclSetAclOpExecutorRepeatable(call.executor) == OK);
    for (int i = 0; i < 3; i++) EXPECT(call.second(workspace) == OK);
    EXPECT(aclrtSynchronizeStream(nullptr) == ACL_SUCCESS);
    EXPECT(refused(aclSetInputTensorAddr(call.executor, 4, call.tensors[0], workspace), 161002, "'index' is 4"));
    EXPECT(aclSetOutputTensorAddr(call.executor, 0, call.tensors[3], nullptr) == OK);
    EXPECT(refused(call.second(workspace), 361001, "'gradXOut' is"));
    EXPECT(aclDestroyAclOpExecutor(call.executor) == OK);
    EXPECT(aclrtFree(workspace) == ACL_SUCCESS);
}

void freedMemory() {
    Call call;
    EXPECT(call.first() == OK);
    void *workspace = deviceMemory(call.size);
    void *x = call.memory[1];
    EXPECT(aclrtFree(x) == ACL_SUCCESS);
    EXPECT(refused(call.second(workspace), 361001, "'x' is"));
    call.memory.erase(call.memory.begin() + 1);
    aclrtFree(workspace);
    aclDestroyTensor(call.tensors[2]);
    EXPECT(refused(call.first(), 161002, "'weight' is"));
    call.tensors[2] = describe({W, H}, ACL_FLOAT16, call.memory[1]);
    EXPECT(aclDestroyAclOpExecutor(call.executor) == OK);
}

void leaks() {
    void *device = deviceMemory(100);
    aclTensor *tensor = describe({1}, ACL_FLOAT, device);
    EXPECT(tensor != nullptr && aclGetRecentErrMsg() == nullptr);
    EXPECT(aclrtResetDevice(0) == ACL_SUCCESS);
    EXPECT(aclFinalize() == ACL_SUCCESS);
    EXPECT(refused(0, 0, "never destroyed or freed: 1 aclTensor, 1 piece of device memory (100 bytes)"));
    EXPECT(refused(aclrtSetDevice(0), 100001, "has called aclFinalize"));
    EXPECT(refused(aclFinalize(), 100037, "aclFinalize was called before"));
    EXPECT(aclInit(nullptr) == ACL_SUCCESS && aclrtSetDevice(0) == ACL_SUCCESS);
    EXPECT(aclrtFree(device) == ACL_SUCCESS && aclDestroyTensor(tensor) == OK);
    EXPECT(aclrtResetDevice(0) == ACL_SUCCESS && aclFinalize() == ACL_SUCCESS);
    EXPECT(aclGetRecentErrMsg() == nullptr);
}

}  // namespace

int main() {
    beforeInit();
    initialization();
    contexts();
    memory();
    streamsAndEvents();
    descriptions();
    executors();
    freedMemory();
    leaks();
    std::puts("every misuse is reported");
    return 0;
}
