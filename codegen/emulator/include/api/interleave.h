// Mixing two tensors element by element, and taking them apart again.
#pragma once

#include "api/vector.h"

namespace emu {

/// Where an element of the concatenation of two sources goes: to which destination, and to which place there.
struct Place {
    int destination;
    uint64_t index;
};

/// Issue a rearrangement: `placeOf(i)` says where element i of the sources goes, `count` elements lie in each.
template <typename T, typename PlaceOf>
void rearrange(const char* api, Site site, const LocalTensor<T> (&dst)[2], uint64_t dstCount,
               const std::vector<LocalTensor<T>>& src, uint64_t count, const PlaceOf& placeOf) {
    static_assert(isLegalFor<T, T, T>("Interleave"), "Interleave, DeInterleave: not on this chip for this type");
    Core& core = Core::current();
    if (count % 2 != 0) core.report(Rule::countRange, api, site, text("count %llu is odd", (unsigned long long)count));
    Instruction instruction{api, PIPE_V, site, {}, Overlap::forbidden};
    const auto add = [&](const char* name, const LocalTensor<T>& tensor, Use use, uint64_t elements) {
        const uint64_t begin = tensor.ref().address;
        instruction.operands.push_back(Operand{name, tensor.ref(), use, sizeof(T), chip::blockBytes, false, {},
                                               {{begin, begin + elements * sizeof(T)}}});
    };
    add("dst0", dst[0], Use::write, dstCount);
    add("dst1", dst[1], Use::write, dstCount);
    for (const LocalTensor<T>& tensor : src) add("src", tensor, Use::read, count);
    std::vector<uint64_t> from;
    for (const LocalTensor<T>& tensor : src) from.push_back(tensor.ref().address);
    const std::array<uint64_t, 2> to{dst[0].ref().address, dst[1].ref().address};
    core.issue(instruction, [ub = core.ub, from, to, count, placeOf] {
        for (uint64_t i = 0; i < count * from.size(); i++) {
            const Place place = placeOf(i);
            std::memcpy(ub + to[static_cast<size_t>(place.destination)] + place.index * sizeof(T),
                        ub + from[i / count] + i % count * sizeof(T), sizeof(T));
        }
    });
}

}  // namespace emu

namespace AscendC {

/// src0[0], src1[0], src0[1], ...: the first `count` of these to dst0, the rest to dst1.
template <typename T>
void Interleave(const LocalTensor<T>& dst0, const LocalTensor<T>& dst1, const LocalTensor<T>& src0,
                const LocalTensor<T>& src1, const int32_t count, Site site = Site::here()) {
    const auto elements = static_cast<uint64_t>(std::max(count, 0));
    emu::rearrange<T>("Interleave", site, {dst0, dst1}, elements, {src0, src1}, elements, [elements](uint64_t i) {
        const uint64_t mixed = 2 * (i % elements) + i / elements;
        return emu::Place{mixed < elements ? 0 : 1, mixed % elements};
    });
}

/// The even elements of src0 and src1 to dst0, the odd ones to dst1.
template <typename T>
void DeInterleave(const LocalTensor<T>& dst0, const LocalTensor<T>& dst1, const LocalTensor<T>& src0,
                  const LocalTensor<T>& src1, const int32_t count, Site site = Site::here()) {
    const auto elements = static_cast<uint64_t>(std::max(count, 0));
    emu::rearrange<T>("DeInterleave", site, {dst0, dst1}, elements, {src0, src1}, elements,
                      [](uint64_t i) { return emu::Place{static_cast<int>(i % 2), i / 2}; });
}

/// The even elements of src to dst0, the odd ones to dst1.
template <typename T>
void DeInterleave(const LocalTensor<T>& dst0, const LocalTensor<T>& dst1, const LocalTensor<T>& src,
                  const int32_t srcCount, Site site = Site::here()) {
    const auto elements = static_cast<uint64_t>(std::max(srcCount, 0));
    emu::rearrange<T>("DeInterleave", site, {dst0, dst1}, elements / 2, {src}, elements,
                      [](uint64_t i) { return emu::Place{static_cast<int>(i % 2), i / 2}; });
}

}  // namespace AscendC
