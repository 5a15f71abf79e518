// What tests call of a library of definitions, tiling and shape inference.
#include <cstdint>
#include <cstring>

#include "register/op_def_registry.h"
#include "tiling/platform/platform_ascendc.h"

namespace {

/// A tensor as tests describe it.
struct Tensor {
    int32_t given;
    int32_t dtype;
    int32_t rank;
    int64_t dims[8];
};

/// A call as tests describe it, and what comes back.
struct Call {
    Tensor *inputs;
    Tensor *outputs;
    int64_t inputCount;
    int64_t outputCount;
    int64_t attributes[16];
    int32_t soc;
    uint32_t cores;
    void *data;
    uint64_t capacity;
    uint64_t size;
    uint64_t key;
    uint64_t workspace;
    uint32_t blocks;
    uint32_t schedule;
};

std::vector<gert::StubTensor> Read(const Tensor *tensors, int64_t count)
{
    std::vector<gert::StubTensor> found(static_cast<size_t>(count));
    for (int64_t i = 0; i < count; ++i) {
        gert::StubTensor &made = found[static_cast<size_t>(i)];
        made.given = tensors[i].given != 0;
        made.desc.dtype = static_cast<ge::DataType>(tensors[i].dtype);
        for (int32_t place = 0; place < tensors[i].rank; ++place) {
            made.shape.shape.AppendDim(tensors[i].dims[place]);
        }
    }
    return found;
}

template <typename Context>
void Fill(Context &context, const Call &call)
{
    context.inputs = Read(call.inputs, call.inputCount);
    context.outputs = Read(call.outputs, call.outputCount);
    for (size_t i = 0; i < 16; ++i) {
        context.attributes.integers[i] = call.attributes[i];
        context.attributes.booleans[i] = call.attributes[i] != 0;
    }
}

}  // namespace

std::map<std::string, ops::OpDef *> &ops::Registry()
{
    static std::map<std::string, OpDef *> operators;
    return operators;
}

#define STUB_EXPORT extern "C" __attribute__((visibility("default")))

STUB_EXPORT const char *stub_definition(const char *name)
{
    const auto found = ops::Registry().find(name);
    return found == ops::Registry().end() ? nullptr : found->second->said.text.c_str();
}

STUB_EXPORT uint32_t stub_tiling(const char *name, Call *call)
{
    platform_ascendc::StubPlatform platform = {call->soc, call->cores};
    gert::TilingContext context;
    Fill(context, *call);
    context.data = call->data;
    context.capacity = call->capacity;
    context.platform = &platform;
    const uint32_t status = ops::Registry().at(name)->AICore().tiling(&context);
    call->size = context.size;
    call->key = context.key;
    call->workspace = context.workspace;
    call->blocks = context.blocks;
    call->schedule = context.schedule;
    return status;
}

/// Infers shapes and dtypes of the outputs, and writes them over those of the call.
STUB_EXPORT uint32_t stub_infer(const char *name, Call *call)
{
    const ops::OpDef &definition = *ops::Registry().at(name);
    gert::InferShapeContext shapes;
    gert::InferDataTypeContext dtypes;
    Fill(shapes, *call);
    Fill(dtypes, *call);
    if (definition.shape(&shapes) != ge::GRAPH_SUCCESS || definition.dtype(&dtypes) != ge::GRAPH_SUCCESS) {
        return ge::GRAPH_FAILED;
    }
    for (int64_t i = 0; i < call->outputCount; ++i) {
        const gert::Shape &shape = shapes.outputs[static_cast<size_t>(i)].shape.shape;
        Tensor &output = call->outputs[i];
        output.dtype = dtypes.outputs[static_cast<size_t>(i)].desc.dtype;
        output.rank = static_cast<int32_t>(shape.GetDimNum());
        for (size_t place = 0; place < shape.GetDimNum(); ++place) {
            output.dims[place] = shape.GetDim(place);
        }
    }
    return ge::GRAPH_SUCCESS;
}
