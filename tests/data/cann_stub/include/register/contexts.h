// A stand-in for CANN's contexts of tiling and shape inference: what generated projects use, filled by tests.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace ge {

using graphStatus = uint32_t;
constexpr graphStatus GRAPH_SUCCESS = 0;
constexpr graphStatus GRAPH_FAILED = 0xFFFFFFFF;

enum DataType {
    DT_FLOAT = 0,
    DT_FLOAT16 = 1,
    DT_INT8 = 2,
    DT_INT32 = 3,
    DT_INT16 = 6,
    DT_INT64 = 9,
    DT_DOUBLE = 11,
    DT_BOOL = 12,
    DT_BF16 = 27,
    DT_UNDEFINED = 28,
};

enum Format {
    FORMAT_NCHW = 0,
    FORMAT_NHWC = 1,
    FORMAT_ND = 2,
    FORMAT_DHWCN = 28,
    FORMAT_FRACTAL_NZ = 29,
    FORMAT_NCDHW = 30,
    FORMAT_NCL = 47,
};

}  // namespace ge

namespace gert {

class Shape {
public:
    size_t GetDimNum() const { return dims_.size(); }
    int64_t GetDim(size_t place) const { return dims_[place]; }
    void SetDimNum(size_t count) { dims_.resize(count); }
    Shape &AppendDim(int64_t size)
    {
        dims_.push_back(size);
        return *this;
    }

private:
    std::vector<int64_t> dims_;
};

class StorageShape {
public:
    const Shape &GetOriginShape() const { return shape; }

    Shape shape;
};

class CompileTimeTensorDesc {
public:
    ge::DataType GetDataType() const { return dtype; }

    ge::DataType dtype = ge::DT_UNDEFINED;
};

class RuntimeAttrs {
public:
    const int64_t *GetInt(size_t place) const { return &integers[place]; }
    const bool *GetBool(size_t place) const { return &booleans[place]; }

    int64_t integers[16] = {};
    bool booleans[16] = {};
};

/// A tensor of a call.
struct StubTensor {
    bool given = false;
    StorageShape shape;
    CompileTimeTensorDesc desc;
};

class StubContext {
public:
    const RuntimeAttrs *GetAttrs() const { return &attributes; }

    std::vector<StubTensor> inputs;
    std::vector<StubTensor> outputs;
    RuntimeAttrs attributes;
};

class TilingContext : public StubContext {
public:
    const StorageShape *GetRequiredInputShape(size_t place) const { return GetOptionalInputShape(place); }
    const StorageShape *GetOptionalInputShape(size_t place) const
    {
        return inputs[place].given ? &inputs[place].shape : nullptr;
    }
    const CompileTimeTensorDesc *GetRequiredInputDesc(size_t place) const { return &inputs[place].desc; }
    const CompileTimeTensorDesc *GetOptionalInputDesc(size_t place) const { return &inputs[place].desc; }
    const StorageShape *GetOutputShape(size_t place) const
    {
        return outputs[place].given ? &outputs[place].shape : nullptr;
    }

    const CompileTimeTensorDesc *GetOutputDesc(size_t place) const { return &outputs[place].desc; }

    template <typename T>
    T *GetTilingData()
    {
        size = sizeof(T);
        return capacity < sizeof(T) ? nullptr : static_cast<T *>(data);
    }
    size_t *GetWorkspaceSizes(size_t) { return &workspace; }
    void *GetPlatformInfo() { return platform; }
    ge::graphStatus SetTilingKey(uint64_t value) { return (key = value, ge::GRAPH_SUCCESS); }
    ge::graphStatus SetBlockDim(uint32_t value) { return (blocks = value, ge::GRAPH_SUCCESS); }
    ge::graphStatus SetScheduleMode(uint32_t value) { return (schedule = value, ge::GRAPH_SUCCESS); }

    void *data = nullptr;
    size_t capacity = 0;
    size_t size = 0;
    size_t workspace = 0;
    uint64_t key = 0;
    uint32_t blocks = 0;
    uint32_t schedule = 0;
    void *platform = nullptr;
};

class InferShapeContext : public StubContext {
public:
    const Shape *GetRequiredInputShape(size_t place) const { return GetOptionalInputShape(place); }
    const Shape *GetOptionalInputShape(size_t place) const
    {
        return inputs[place].given ? &inputs[place].shape.shape : nullptr;
    }
    Shape *GetOutputShape(size_t place) { return &outputs[place].shape.shape; }
};

class InferDataTypeContext : public StubContext {
public:
    ge::DataType GetRequiredInputDataType(size_t place) const { return GetOptionalInputDataType(place); }
    ge::DataType GetOptionalInputDataType(size_t place) const
    {
        return inputs[place].given ? inputs[place].desc.dtype : ge::DT_UNDEFINED;
    }
    ge::graphStatus SetOutputDataType(size_t place, ge::DataType dtype)
    {
        outputs[place].desc.dtype = dtype;
        return ge::GRAPH_SUCCESS;
    }
};

}  // namespace gert
