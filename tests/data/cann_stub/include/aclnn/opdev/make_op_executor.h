// A stand-in for the creation of executors, and for the launch of kernels.
#pragma once

#include "aclnn/opdev/op_executor.h"

class UniqueExecutor {
public:
    explicit UniqueExecutor(const char *) : executor_(new aclOpExecutor()) {}
    UniqueExecutor(UniqueExecutor &&other) : executor_(other.executor_) { other.executor_ = nullptr; }
    ~UniqueExecutor() { delete executor_; }
    aclOpExecutor *get() const { return executor_; }
    aclOpExecutor *operator->() const { return executor_; }
    void ReleaseTo(aclOpExecutor **place)
    {
        *place = executor_;
        executor_ = nullptr;
    }

private:
    aclOpExecutor *executor_;
};

namespace op {

/// What the next launch answers: a test sets it.
aclnnStatus &LaunchStatus();

inline std::string Told(const aclTensor *tensor) { return tensor == nullptr ? "null" : tensor->name; }
inline std::string Told(const aclIntArray *array)
{
    std::string text = "[";
    for (int64_t value : array->values) {
        text += (text.size() > 1 ? "," : "") + std::to_string(value);
    }
    return text + "]";
}
inline std::string Told(const char *text) { return text; }
inline std::string Told(bool value) { return value ? "true" : "false"; }
inline std::string Told(int64_t value) { return std::to_string(value); }
inline std::string Told(float value) { return std::to_string(value); }

inline std::string List() { return ""; }

template <typename First, typename... Others>
std::string List(First first, Others... others)
{
    return " {" + Told(first) + "}" + List(others...);
}

inline aclnnStatus Launch(aclOpExecutor *executor, const char *name, std::initializer_list<std::string> groups)
{
    executor->steps += name;
    for (const std::string &group : groups) {
        executor->steps += ";" + group;
    }
    executor->steps += "\n";
    return LaunchStatus();
}

}  // namespace op

#define CREATE_EXECUTOR() UniqueExecutor(__func__)
#define OP_INPUT(...) op::List(__VA_ARGS__)
#define OP_OUTPUT(...) op::List(__VA_ARGS__)
#define OP_ATTR(...) op::List(__VA_ARGS__)
#define ADD_TO_LAUNCHER_LIST_AICORE(Name, ...) op::Launch(executor, Name##Type, {__VA_ARGS__})
