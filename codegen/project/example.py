"""An example program: one call of an operator's aclnn functions, with the sizes that it is given."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from ..aclnn.interface import Attribute, Interface, Tensor, Value
from ..aclnn.text import quoted, wrapped


@dataclass(frozen=True)
class ExampleCall:
    """The arguments of the call: dtypes of the first column, every optional tensor, lists by their defaults.

    Attributes:
        dims: the size of every dim.
        attributes: the value of every attribute.
    """

    dims: Mapping[str, int]
    attributes: Mapping[str, Value]


HEAD = """\
// Calls {function} once, and prints the first elements of its results.
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

#include "acl/acl.h"
#include "{header}"

namespace {{

using Shape = std::vector<int64_t>;

/// Ends the program with a message where a call failed.
void Check(int status, const char *what)
{{
    if (status == 0) {{
        return;
    }}
    const char *text = aclGetRecentErrMsg();
    std::printf("%s failed: %d %s\\n", what, status, text == nullptr ? "" : text);
    std::exit(1);
}}

int64_t Count(const Shape &shape)
{{
    int64_t count = 1;
    for (int64_t size : shape) {{
        count *= size;
    }}
    return count;
}}

/// A tensor in the memory of the device, and its description.
struct Tensor {{
    Shape shape;
    aclDataType dtype;
    void *memory;
    aclTensor *handle;
}};

/// Writes a small number as an element of a dtype: floats are multiples of 1/8 whose signs alternate irregularly.
void Put(uint8_t *place, aclDataType dtype, int64_t number)
{{
    const float value = static_cast<float>(number * 5 % 17 - 8) / 8;
    const aclFloat16 half = aclFloatToFloat16(value);
    uint32_t bits = 0;
    std::memcpy(&bits, &value, sizeof(bits));
    const uint16_t upper = static_cast<uint16_t>(bits >> 16);
    switch (dtype) {{
        case ACL_FLOAT:
            std::memcpy(place, &value, sizeof(value));
            break;
        case ACL_FLOAT16:
            std::memcpy(place, &half, sizeof(half));
            break;
        case ACL_BF16:
            std::memcpy(place, &upper, sizeof(upper));
            break;
        case ACL_BOOL:
            *place = 1;
            break;
        default:
            std::memcpy(place, &number, aclDataTypeSize(dtype));
    }}
}}

/// Reads an element of a dtype.
double Get(const uint8_t *place, aclDataType dtype)
{{
    aclFloat16 half = 0;
    float value = 0;
    uint32_t bits = 0;
    int64_t number = 0;
    switch (dtype) {{
        case ACL_FLOAT:
            std::memcpy(&value, place, sizeof(value));
            return value;
        case ACL_FLOAT16:
            std::memcpy(&half, place, sizeof(half));
            return aclFloat16ToFloat(half);
        case ACL_BF16:
            std::memcpy(reinterpret_cast<uint8_t *>(&bits) + 2, place, 2);
            std::memcpy(&value, &bits, sizeof(value));
            return value;
        default:
            std::memcpy(&number, place, aclDataTypeSize(dtype));
            return static_cast<double>(number);
    }}
}}

Tensor Make(const Shape &shape, aclDataType dtype)
{{
    const size_t width = aclDataTypeSize(dtype);
    std::vector<uint8_t> bytes(static_cast<size_t>(Count(shape)) * width);
    for (size_t i = 0; i < bytes.size() / width; ++i) {{
        Put(&bytes[i * width], dtype, static_cast<int64_t>(i));
    }}
    const size_t size = bytes.size();
    Tensor tensor = {{shape, dtype, nullptr, nullptr}};
    Check(aclrtMalloc(&tensor.memory, size, ACL_MEM_MALLOC_HUGE_FIRST), "aclrtMalloc");
    Check(aclrtMemcpy(tensor.memory, size, bytes.data(), size, ACL_MEMCPY_HOST_TO_DEVICE), "aclrtMemcpy");
    tensor.handle = aclCreateTensor(shape.data(), shape.size(), dtype, nullptr, 0, ACL_FORMAT_ND, shape.data(),
                                    shape.size(), tensor.memory);
    return tensor;
}}

void Print(const char *name, const Tensor &tensor)
{{
    const size_t width = aclDataTypeSize(tensor.dtype);
    std::vector<uint8_t> bytes(static_cast<size_t>(Count(tensor.shape)) * width);
    const size_t size = bytes.size();
    Check(aclrtMemcpy(bytes.data(), size, tensor.memory, size, ACL_MEMCPY_DEVICE_TO_HOST), "aclrtMemcpy");
    for (size_t i = 0; i < 8 && i < bytes.size() / width; ++i) {{
        std::printf("%s[%zu] %g\\n", name, i, Get(&bytes[i * width], tensor.dtype));
    }}
}}

void Free(const Tensor &tensor)
{{
    aclDestroyTensor(tensor.handle);
    aclrtFree(tensor.memory);
}}

}}  // namespace

int main()
{{
    aclrtStream stream = nullptr;
    Check(aclInit(nullptr), "aclInit");
    Check(aclrtSetDevice(0), "aclrtSetDevice");
    Check(aclrtCreateStream(&stream), "aclrtCreateStream");

{setup}

    uint64_t workspaceSize = 0;
    aclOpExecutor *executor = nullptr;
    void *workspace = nullptr;
    int status = 0;
{first}
    Check(status, "{function}GetWorkspaceSize");
    if (workspaceSize > 0) {{
        Check(aclrtMalloc(&workspace, workspaceSize, ACL_MEM_MALLOC_HUGE_FIRST), "aclrtMalloc");
    }}
    Check({function}(workspace, workspaceSize, executor, stream), "{function}");
    Check(aclrtSynchronizeStream(stream), "aclrtSynchronizeStream");

{results}

{cleaning}
    if (workspace != nullptr) {{
        aclrtFree(workspace);
    }}
    aclrtDestroyStream(stream);
    aclrtResetDevice(0);
    return aclFinalize();
}}
"""


def example_files(interface: Interface, call: ExampleCall) -> dict[str, str]:
    """Return the program by its path."""
    return {f"examples/test_aclnn_{interface.snake}.cpp": _program(interface, call)}


def _program(interface: Interface, call: ExampleCall) -> str:
    tensors = [tensor for tensor in interface.tensors if tensor.kind != "list"]
    arguments = [*map(_input, interface.inputs), *(_attribute(a, call) for a in interface.attributes)]
    arguments += [f"{tensor.name}.handle" for tensor in interface.outputs]
    function = f"status = {interface.function}GetWorkspaceSize"
    return HEAD.format(
        function=interface.function,
        header=interface.header,
        setup="\n".join(_setup(interface, call)),
        first="\n".join(wrapped(function, [*arguments, "&workspaceSize", "&executor"], ";", "    ")),
        results="\n".join(f"    Print({quoted(t.name)}, {t.name});" for t in interface.outputs),
        cleaning="\n".join(
            (
                *(f"    Free({tensor.name});" for tensor in tensors),
                *(f"    aclDestroyIntArray({name});" for name in _arrays(interface)),
            )
        ),
    )


def _arrays(interface: Interface) -> list[str]:
    return [attribute.name for attribute in interface.attributes if attribute.kind == "integers"]


def _setup(interface: Interface, call: ExampleCall) -> Iterable[str]:
    for tensor in interface.tensors:
        if tensor.kind != "list":
            shape = ", ".join(str(dim if isinstance(dim, int) else call.dims[dim]) for dim in tensor.dims)
            yield f"    const Tensor {tensor.name} = Make({{{shape}}}, {tensor.dtypes[0][0]});"
    for attribute in interface.attributes:
        value = call.attributes[attribute.name]
        match value:
            case tuple():
                content = ", ".join(map(str, value))
                yield f"    const std::vector<int64_t> {attribute.name}Values = {{{content}}};"
                yield (
                    f"    aclIntArray *{attribute.name} ="
                    f" aclCreateIntArray({attribute.name}Values.data(), {attribute.name}Values.size());"
                )
            case str():
                yield f"    char {attribute.name}[] = {quoted(value)};"
            case _:
                pass


def _input(tensor: Tensor) -> str:
    return "nullptr" if tensor.kind == "list" else f"{tensor.name}.handle"


def _attribute(attribute: Attribute, call: ExampleCall) -> str:
    value = call.attributes[attribute.name]
    match value:
        case bool():
            return str(value).lower()
        case str() | tuple():
            return attribute.name
        case _:
            return repr(value)
