// A stand-in for CANN's executors and tensors: an executor writes down what it is told, and tests read it.
#pragma once

#include <deque>
#include <string>

#include "aclnn/acl_meta.h"
#include "register/contexts.h"

namespace op {

using Shape = gert::Shape;
using DataType = ge::DataType;
using Format = ge::Format;

}  // namespace op

struct aclTensor {
    const op::Shape &GetViewShape() const { return shape; }
    const std::vector<int64_t> &GetViewStrides() const { return strides; }
    int64_t GetViewOffset() const { return offset; }
    op::DataType GetDataType() const { return dtype; }
    op::Format GetStorageFormat() const { return format; }

    op::Shape shape;
    std::vector<int64_t> strides;
    int64_t offset = 0;
    op::DataType dtype = ge::DT_UNDEFINED;
    op::Format format = ge::FORMAT_ND;
    std::string name;
};

struct aclIntArray {
    const int64_t *GetData() const { return values.data(); }
    uint64_t Size() const { return values.size(); }

    std::vector<int64_t> values;
};

struct aclOpExecutor {
    aclIntArray *AllocIntArray(const int64_t *values, uint64_t count)
    {
        arrays.push_back({std::vector<int64_t>(values, values + count)});
        return &arrays.back();
    }
    const aclTensor *ConvertToTensor(const aclIntArray *array, op::DataType dtype)
    {
        std::string name = "list";
        for (int64_t value : array->values) {
            name += " " + std::to_string(value);
        }
        op::Shape shape;
        shape.AppendDim(static_cast<int64_t>(array->values.size()));
        return Make(shape, dtype, name);
    }
    aclTensor *AllocTensor(const op::Shape &shape, op::DataType dtype) { return Make(shape, dtype, "new"); }
    uint64_t GetWorkspaceSize() const { return 4096; }

    aclTensor *Make(const op::Shape &shape, op::DataType dtype, const std::string &name)
    {
        tensors.emplace_back();
        tensors.back().shape = shape;
        tensors.back().dtype = dtype;
        tensors.back().name = name;
        return &tensors.back();
    }

    std::deque<aclIntArray> arrays;
    std::deque<aclTensor> tensors;
    std::string steps;
};

aclnnStatus CommonOpExecutorRun(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor, aclrtStream stream);
