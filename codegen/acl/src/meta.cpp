#include <cstring>

#include "aclnn/opdev/float_bits.h"
#include "aclnn/opdev/op_errno.h"
#include "tensor.h"

namespace opwright {

namespace {

template <typename T>
bool isReadable(const T *values, uint64_t count) {
    return values != nullptr || count == 0;
}

Shape shapeOf(const int64_t *values, uint64_t count) {
    return values == nullptr ? Shape{} : Shape(values, values + count);
}

/// What aclCreateTensor and aclInitTensor are told.
struct Description {
    const int64_t *viewDims;
    uint64_t viewDimsNum;
    aclDataType dtype;
    const int64_t *stride;
    int64_t offset;
    aclFormat format;
    const int64_t *storageDims;
    uint64_t storageDimsNum;
    void *data;
};

constexpr uint64_t mostDims = 64;

View viewOf(const Description &from) {
    if (!isReadable(from.viewDims, from.viewDimsNum) || !isReadable(from.storageDims, from.storageDimsNum)) {
        refuse(ACLNN_ERR_PARAM_NULLPTR, "the dims are null, their number is not 0");
    }
    if (from.viewDimsNum > mostDims || from.storageDimsNum > mostDims) {
        refuse(ACLNN_ERR_PARAM_INVALID, "a tensor has at most " + std::to_string(mostDims) + " dims");
    }
    View view;
    view.shape = shapeOf(from.viewDims, from.viewDimsNum);
    view.strides = from.stride == nullptr ? rowMajor(view.shape) : shapeOf(from.stride, from.viewDimsNum);
    view.offset = from.offset;
    view.dtype = from.dtype;
    view.format = from.format;
    view.storage = shapeOf(from.storageDims, from.storageDimsNum);
    view.data = from.data;
    return view;
}

/// Runs the body of a function that returns a new object; null where it refuses.
template <typename T, typename Body>
T *created(const char *api, const Body &body) {
    T *handle = nullptr;
    guarded(api, [&] { handle = Objects::all().add(std::shared_ptr<T>(body())); });
    return handle;
}

template <typename T, typename V>
T *createArray(const char *api, const V *values, uint64_t size) {
    return created<T>(api, [&] {
        auto array = std::make_shared<T>();
        if (values != nullptr) array->values.assign(values, values + size);
        return array;
    });
}

template <typename T>
aclnnStatus destroy(const char *api, const char *kind, const char *parameter, const T *object) {
    return guarded(api, [&] {
        if (object != nullptr) Objects::all().remove<T>(object, {kind, parameter, ACLNN_ERR_PARAM_INVALID});
    });
}

template <typename List, typename T>
aclnnStatus destroyList(const char *api, const char *kind, const char *element, const List *list) {
    return guarded(api, [&] {
        if (list == nullptr) return;
        const auto gone = Objects::all().remove<List>(list, {kind, "array", ACLNN_ERR_PARAM_INVALID});
        for (const T *value : gone->values) {
            if (value != nullptr) Objects::all().remove<T>(value, {element, "value", ACLNN_ERR_PARAM_INVALID});
        }
    });
}

void requireGiven(const char *parameter, const void *pointer) {
    if (pointer == nullptr) refuse(ACLNN_ERR_PARAM_NULLPTR, std::string("'") + parameter + "' must not be null");
}

std::shared_ptr<aclTensor> tensorOf(const aclTensor *tensor) {
    requireGiven("tensor", tensor);
    return Objects::all().find<aclTensor>(tensor, {"aclTensor", "tensor", ACLNN_ERR_PARAM_INVALID});
}

void copyOut(const Shape &shape, int64_t **dims, uint64_t *count) {
    requireGiven("dims", dims);
    requireGiven("dimsNum", count);
    auto *copy = new int64_t[shape.size()];
    for (size_t i = 0; i < shape.size(); i++) copy[i] = shape[i];
    *dims = copy;
    *count = shape.size();
}

template <typename T>
aclnnStatus sizeOf(const char *api, const char *kind, const T *array, uint64_t *size) {
    return guarded(api, [&] {
        requireGiven("array", array);
        requireGiven("size", size);
        *size = Objects::all().find<T>(array, {kind, "array", ACLNN_ERR_PARAM_INVALID})->values.size();
    });
}

}  // namespace

}  // namespace opwright

using namespace opwright;

float aclFloat16ToFloat(aclFloat16 value) { return op::bits::floatOfHalf(value); }

aclFloat16 aclFloatToFloat16(float value) { return op::bits::halfOfFloat(value); }

aclTensor *aclCreateTensor(const int64_t *viewDims, uint64_t viewDimsNum, aclDataType dataType, const int64_t *stride,
                           int64_t offset, aclFormat format, const int64_t *storageDims, uint64_t storageDimsNum,
                           void *tensorData) {
    return created<aclTensor>("aclCreateTensor", [&] {
        auto tensor = std::make_shared<aclTensor>();
        tensor->view = viewOf({viewDims, viewDimsNum, dataType, stride, offset, format, storageDims, storageDimsNum,
                               tensorData});
        return tensor;
    });
}

aclScalar *aclCreateScalar(void *value, aclDataType dataType) {
    return created<aclScalar>("aclCreateScalar", [&] {
        requireGiven("value", value);
        auto scalar = std::make_shared<aclScalar>();
        scalar->dtype = dataType;
        const auto *bytes = static_cast<const uint8_t *>(value);
        scalar->bytes.assign(bytes, bytes + aclDataTypeSize(dataType));
        return scalar;
    });
}

aclIntArray *aclCreateIntArray(const int64_t *value, uint64_t size) {
    return createArray<aclIntArray>("aclCreateIntArray", value, size);
}

aclFloatArray *aclCreateFloatArray(const float *value, uint64_t size) {
    return createArray<aclFloatArray>("aclCreateFloatArray", value, size);
}

aclBoolArray *aclCreateBoolArray(const bool *value, uint64_t size) {
    return createArray<aclBoolArray>("aclCreateBoolArray", value, size);
}

aclTensorList *aclCreateTensorList(const aclTensor *const *value, uint64_t size) {
    return createArray<aclTensorList>("aclCreateTensorList", value, size);
}

aclScalarList *aclCreateScalarList(const aclScalar *const *value, uint64_t size) {
    return createArray<aclScalarList>("aclCreateScalarList", value, size);
}

aclnnStatus aclDestroyTensor(const aclTensor *tensor) {
    return destroy("aclDestroyTensor", "aclTensor", "tensor", tensor);
}

aclnnStatus aclDestroyScalar(const aclScalar *scalar) {
    return destroy("aclDestroyScalar", "aclScalar", "scalar", scalar);
}

aclnnStatus aclDestroyIntArray(const aclIntArray *array) {
    return destroy("aclDestroyIntArray", "aclIntArray", "array", array);
}

aclnnStatus aclDestroyFloatArray(const aclFloatArray *array) {
    return destroy("aclDestroyFloatArray", "aclFloatArray", "array", array);
}

aclnnStatus aclDestroyBoolArray(const aclBoolArray *array) {
    return destroy("aclDestroyBoolArray", "aclBoolArray", "array", array);
}

aclnnStatus aclDestroyTensorList(const aclTensorList *array) {
    return destroyList<aclTensorList, aclTensor>("aclDestroyTensorList", "aclTensorList", "aclTensor", array);
}

aclnnStatus aclDestroyScalarList(const aclScalarList *array) {
    return destroyList<aclScalarList, aclScalar>("aclDestroyScalarList", "aclScalarList", "aclScalar", array);
}

aclnnStatus aclGetViewShape(const aclTensor *tensor, int64_t **viewDims, uint64_t *viewDimsNum) {
    return guarded("aclGetViewShape", [&] { copyOut(tensorOf(tensor)->view.shape, viewDims, viewDimsNum); });
}

aclnnStatus aclGetStorageShape(const aclTensor *tensor, int64_t **storageDims, uint64_t *storageDimsNum) {
    return guarded("aclGetStorageShape", [&] { copyOut(tensorOf(tensor)->view.storage, storageDims, storageDimsNum); });
}

aclnnStatus aclGetViewStrides(const aclTensor *tensor, int64_t **stridesValue, uint64_t *stridesNum) {
    return guarded("aclGetViewStrides", [&] { copyOut(tensorOf(tensor)->view.strides, stridesValue, stridesNum); });
}

aclnnStatus aclGetViewOffset(const aclTensor *tensor, int64_t *offset) {
    return guarded("aclGetViewOffset", [&] {
        const auto found = tensorOf(tensor);
        requireGiven("offset", offset);
        *offset = found->view.offset;
    });
}

aclnnStatus aclGetFormat(const aclTensor *tensor, aclFormat *format) {
    return guarded("aclGetFormat", [&] {
        const auto found = tensorOf(tensor);
        requireGiven("format", format);
        *format = found->view.format;
    });
}

aclnnStatus aclGetDataType(const aclTensor *tensor, aclDataType *dataType) {
    return guarded("aclGetDataType", [&] {
        const auto found = tensorOf(tensor);
        requireGiven("dataType", dataType);
        *dataType = found->view.dtype;
    });
}

aclnnStatus aclGetIntArraySize(const aclIntArray *array, uint64_t *size) {
    return sizeOf("aclGetIntArraySize", "aclIntArray", array, size);
}

aclnnStatus aclGetFloatArraySize(const aclFloatArray *array, uint64_t *size) {
    return sizeOf("aclGetFloatArraySize", "aclFloatArray", array, size);
}

aclnnStatus aclGetBoolArraySize(const aclBoolArray *array, uint64_t *size) {
    return sizeOf("aclGetBoolArraySize", "aclBoolArray", array, size);
}

aclnnStatus aclGetTensorListSize(const aclTensorList *tensorList, uint64_t *size) {
    return sizeOf("aclGetTensorListSize", "aclTensorList", tensorList, size);
}

aclnnStatus aclGetScalarListSize(const aclScalarList *scalarList, uint64_t *size) {
    return sizeOf("aclGetScalarListSize", "aclScalarList", scalarList, size);
}

aclnnStatus aclInitTensor(aclTensor *tensor, const int64_t *viewDims, uint64_t viewDimsNum, aclDataType dataType,
                          const int64_t *stride, int64_t offset, aclFormat format, const int64_t *storageDims,
                          uint64_t storageDimsNum, void *tensorDataAddr) {
    return guarded("aclInitTensor", [&] {
        tensorOf(tensor)->view = viewOf({viewDims, viewDimsNum, dataType, stride, offset, format, storageDims,
                                         storageDimsNum, tensorDataAddr});
    });
}

aclnnStatus aclSetRawTensorAddr(aclTensor *tensor, void *addr) {
    return guarded("aclSetRawTensorAddr", [&] { tensorOf(tensor)->view.data = addr; });
}

aclnnStatus aclGetRawTensorAddr(const aclTensor *tensor, void **addr) {
    return guarded("aclGetRawTensorAddr", [&] {
        const auto found = tensorOf(tensor);
        requireGiven("addr", addr);
        *addr = found->view.data;
    });
}
