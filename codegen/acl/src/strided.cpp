#include "strided.h"

#include <cstring>

namespace opwright {

namespace {

/// Calls `copy(place, count)` for each row of a view, in order; a place is an offset in elements.
template <typename Copy>
void overRows(const View &view, const Copy &copy) {
    const size_t rank = view.shape.size();
    const int64_t row = rank == 0 ? 1 : view.shape[rank - 1];
    if (elementCount(view.shape) == 0) return;
    Shape index(rank, 0);
    for (;;) {
        int64_t place = view.offset;
        for (size_t i = 0; i + 1 < rank; i++) place += index[i] * view.strides[i];
        copy(place, row);
        size_t dim = rank > 1 ? rank - 1 : 0;
        while (dim > 0 && ++index[dim - 1] == view.shape[dim - 1]) index[--dim] = 0;
        if (dim == 0) return;
    }
}

int64_t lastStride(const View &view) { return view.strides.empty() ? 1 : view.strides.back(); }

}  // namespace

void gather(uint8_t *dense, const View &view) {
    const auto size = static_cast<int64_t>(aclDataTypeSize(view.dtype));
    const auto *data = static_cast<const uint8_t *>(view.data);
    const int64_t stride = lastStride(view);
    overRows(view, [&](int64_t place, int64_t count) {
        if (stride == 1) {
            std::memcpy(dense, data + place * size, static_cast<size_t>(count * size));
            dense += count * size;
            return;
        }
        for (int64_t i = 0; i < count; i++, dense += size) {
            std::memcpy(dense, data + (place + i * stride) * size, static_cast<size_t>(size));
        }
    });
}

void scatter(const View &view, const uint8_t *dense) {
    const auto size = static_cast<int64_t>(aclDataTypeSize(view.dtype));
    auto *data = static_cast<uint8_t *>(view.data);
    const int64_t stride = lastStride(view);
    overRows(view, [&](int64_t place, int64_t count) {
        for (int64_t i = 0; i < count; i++, dense += size) {
            std::memcpy(data + (place + i * stride) * size, dense, static_cast<size_t>(size));
        }
    });
}

}  // namespace opwright
