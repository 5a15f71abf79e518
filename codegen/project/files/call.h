// What a call of an operator looks like to its host side: shapes, dtypes and attributes, for tiling and shape inference.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <initializer_list>

#include "register/op_def_registry.h"

namespace call {

/// A size that no tensor tells.
constexpr int64_t UNKNOWN = -1;

/// The dtype of a tensor that is not given.
constexpr ge::DataType ABSENT = ge::DT_UNDEFINED;

/// One dim of a tensor: a size with a name, or a number.
class Dim {
public:
    Dim(int64_t &size) : size_(&size), number_(UNKNOWN) {}
    Dim(int number) : size_(nullptr), number_(number) {}

    /// Compares with what a shape says; a size that is not known yet is taken from it.
    bool Match(int64_t found) const
    {
        if (size_ != nullptr && *size_ == UNKNOWN) {
            *size_ = found;
        }
        const int64_t known = size_ == nullptr ? number_ : *size_;
        return found == known || found == UNKNOWN;
    }

    int64_t Value() const { return size_ == nullptr ? number_ : *size_; }

private:
    int64_t *size_;
    int64_t number_;
};

/// Compares a shape with dims, and takes from it the sizes that are not known yet; a null pointer fits everything.
inline bool Match(const gert::Shape *shape, std::initializer_list<Dim> dims)
{
    if (shape == nullptr) {
        return true;
    }
    if (shape->GetDimNum() != dims.size()) {
        return false;
    }
    size_t place = 0;
    for (const Dim &dim : dims) {
        if (!dim.Match(shape->GetDim(place++))) {
            return false;
        }
    }
    return true;
}

inline void Set(gert::Shape *shape, std::initializer_list<Dim> dims)
{
    if (shape == nullptr) {
        return;
    }
    shape->SetDimNum(0);
    for (const Dim &dim : dims) {
        shape->AppendDim(dim.Value());
    }
}

inline const gert::Shape *ShapeOf(const gert::Shape *shape) { return shape; }

inline const gert::Shape *ShapeOf(const gert::StorageShape *shape)
{
    return shape == nullptr ? nullptr : &shape->GetOriginShape();
}

/// The shape of an input by its place in the operator's definition; null where it is not given.
template <typename Context>
const gert::Shape *Required(const Context &context, size_t input)
{
    return ShapeOf(context.GetRequiredInputShape(input));
}

template <typename Context>
const gert::Shape *Optional(const Context &context, size_t input)
{
    return ShapeOf(context.GetOptionalInputShape(input));
}

/// The dtype of an input by its place in the operator's definition.
inline ge::DataType RequiredDtype(const gert::TilingContext &context, size_t input)
{
    return context.GetRequiredInputDesc(input)->GetDataType();
}

inline ge::DataType OptionalDtype(const gert::TilingContext &context, size_t input)
{
    return Optional(context, input) == nullptr ? ABSENT : context.GetOptionalInputDesc(input)->GetDataType();
}

/// Whether an output has a dtype, or is not given.
inline bool MayBe(const gert::TilingContext &context, size_t output, ge::DataType dtype)
{
    const auto *desc = context.GetOutputDesc(output);
    const ge::DataType found = desc == nullptr ? ABSENT : desc->GetDataType();
    return context.GetOutputShape(output) == nullptr || found == ABSENT || found == dtype;
}

/// Gives a dim its computed size, or compares with what shapes told; nothing if that follows from an unknown size.
inline bool Define(int64_t &dim, std::initializer_list<int64_t> from, int64_t size)
{
    if (std::find(from.begin(), from.end(), UNKNOWN) != from.end()) {
        return true;
    }
    return size >= 0 && Dim(dim).Match(size);
}

/// A kernel, and one kind of call that it serves: the dtypes of inputs and outputs, and the boolean attributes.
template <size_t INPUTS, size_t OUTPUTS, size_t SWITCHES>
struct Row {
    uint64_t key;
    std::array<ge::DataType, INPUTS> inputs;
    std::array<ge::DataType, OUTPUTS> outputs;
    std::array<bool, SWITCHES> switches;
};

/// A kernel's rounding of quotients; UNKNOWN where there is none.
inline int64_t FloorDiv(int64_t a, int64_t b)
{
    return b == 0 ? UNKNOWN : a / b - (a % b != 0 && (a < 0) != (b < 0) ? 1 : 0);
}

inline int64_t CeilDiv(int64_t a, int64_t b)
{
    return b == 0 ? UNKNOWN : a / b + (a % b != 0 && (a < 0) == (b < 0) ? 1 : 0);
}

inline int64_t Mod(int64_t a, int64_t b) { return b == 0 ? UNKNOWN : a - FloorDiv(a, b) * b; }

}  // namespace call
