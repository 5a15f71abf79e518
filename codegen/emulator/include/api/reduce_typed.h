// The reductions of repeats, blocks and pairs under the names that take the operation as a template argument.
#pragma once

#include "api/reduce.h"

namespace AscendC {

#define EMU_TYPED_REDUCTIONS(MaskType, toMask)                                                                       \
    template <ReduceType type, typename T, typename U, bool isSetMask = true>                                        \
    void ReduceRepeat(const LocalTensor<T>& dst, const LocalTensor<U>& src, MaskType mask, int32_t repeatTime,       \
                      int32_t dstRepStride, int32_t srcBlkStride, int32_t srcRepStride,                              \
                      ReduceOrder order = ReduceOrder::ORDER_VALUE_INDEX, Site site = Site::here()) {                \
        const auto strides = emu::sourceStrides("ReduceRepeat", site, srcBlkStride, srcRepStride);                   \
        if constexpr (type == ReduceType::SUM) {                                                                     \
            emu::wholeSums<isSetMask>("ReduceRepeat", site, dst, src, toMask, repeatTime, dstRepStride, strides);    \
        } else {                                                                                                     \
            static_assert(std::is_same_v<T, U>, "ReduceRepeat: a maximum or minimum keeps the type");                \
            emu::wholeExtremes<type == ReduceType::MAX, isSetMask>("ReduceRepeat", site, dst, src, toMask,           \
                                                                   repeatTime, dstRepStride, strides, order);        \
        }                                                                                                            \
    }                                                                                                                \
    template <ReduceType type, typename T, typename U, bool isSetMask = true>                                        \
    void ReduceDataBlock(const LocalTensor<T>& dst, const LocalTensor<U>& src, MaskType mask, int32_t repeatTime,    \
                         int32_t dstRepStride, int32_t srcBlkStride, int32_t srcRepStride,                           \
                         Site site = Site::here()) {                                                                 \
        static_assert(std::is_same_v<T, U> && emu::isLegalFor<T, U>("BlockReduceSum"),                               \
                      "ReduceDataBlock: not in this chip's vector unit for these types");                            \
        const auto strides = emu::sourceStrides("ReduceDataBlock", site, srcBlkStride, srcRepStride);                \
        emu::blockResults<isSetMask>("ReduceDataBlock", site, dst, src, toMask, repeatTime, dstRepStride, strides,   \
                                     type == ReduceType::SUM   ? emu::blockSum<T>                                    \
                                     : type == ReduceType::MAX ? emu::blockMaximum<T>                                \
                                                               : emu::blockMinimum<T>);                              \
    }                                                                                                                \
    template <ReduceType type, typename T, typename U, bool isSetMask = true>                                        \
    void ReducePairElem(const LocalTensor<T>& dst, const LocalTensor<U>& src, MaskType mask, int32_t repeatTime,     \
                        int32_t dstRepStride, int32_t srcBlkStride, int32_t srcRepStride,                            \
                        Site site = Site::here()) {                                                                  \
        static_assert(type == ReduceType::SUM, "ReducePairElem: sums only");                                         \
        static_assert(std::is_same_v<T, U>, "ReducePairElem: the result has the type of the source");                \
        const auto strides = emu::sourceStrides("ReducePairElem", site, srcBlkStride, srcRepStride);                 \
        emu::pairSums<isSetMask>(site, dst, src, toMask, repeatTime, dstRepStride, strides);                         \
    }

EMU_TYPED_REDUCTIONS(int32_t, static_cast<uint64_t>(mask))
EMU_TYPED_REDUCTIONS(const uint64_t*, mask)
#undef EMU_TYPED_REDUCTIONS

}  // namespace AscendC
