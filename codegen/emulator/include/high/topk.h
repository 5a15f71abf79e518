// The largest or smallest values of each row.
#pragma once

#include <numeric>

#include "high/math.h"
#include "high/tilings.h"

namespace AscendC {

enum class TopKMode { TOPK_NORMAL, TOPK_NSMALL };
enum class TopKAlgo { RADIX_SELECT, MERGE_SORT };
enum class TopKOrder { UNSET, LARGEST, SMALLEST };

struct TopKConfig {
    TopKAlgo algo = TopKAlgo::MERGE_SORT;
    TopKOrder order = TopKOrder::UNSET;
    bool sorted = true;
};
inline constexpr TopKConfig defaultTopKConfig{};

struct TopKInfo {
    int32_t outter = 1;
    int32_t inner;
    int32_t n;
};

}  // namespace AscendC

namespace emu {

/// A call of TopK; indices are those of the operand, or numbers from 0 on.
template <typename T>
struct TopKCall {
    Site site;
    LocalTensor<T> values;
    LocalTensor<int32_t> indices;
    LocalTensor<T> src;
    LocalTensor<int32_t> srcIndices;
    LocalTensor<bool> finished;
    Scratch tmp;
    int32_t k;
    AscendC::TopKInfo info;
    bool largest;
    bool small;
    bool hasIndices;
    bool hasFinished;

    bool legal() const {
        constexpr int32_t group = 32, longest = 4096;
        const bool inner = info.inner > 0 && info.inner % group == 0 && (small ? info.inner == group : info.inner <= longest);
        return legalShape("TopK", site, inner, "inner is no multiple of 32, or too long for the mode") &&
               legalShape("TopK", site, info.n >= 1 && info.n <= info.inner, "n is outside of 1..inner") &&
               legalShape("TopK", site, k >= 1 && k <= info.n, "k is outside of 1..n");
    }

    /// Elements between the results of two rows.
    template <typename E>
    uint64_t pitch() const {
        return small ? static_cast<uint64_t>(k) : roundToBlock(static_cast<uint64_t>(k) * sizeof(E)) / sizeof(E);
    }

    /// The order of a row's elements: NaN first, the first of equals first.
    std::vector<int32_t> order(uint64_t row) const {
        const auto value = [&](int32_t at) { return Elements<T>(src).get(row * info.inner + at); };
        std::vector<int32_t> places(static_cast<size_t>(info.n));
        std::iota(places.begin(), places.end(), 0);
        std::stable_sort(places.begin(), places.end(), [&](int32_t a, int32_t b) {
            const double x = wide(value(a)), y = wide(value(b));
            if (std::isnan(x) || std::isnan(y)) return std::isnan(x) && !std::isnan(y);
            return largest ? x > y : x < y;
        });
        return places;
    }

    int32_t index(uint64_t row, int32_t place) const {
        if (!hasIndices) return place;
        return Elements<int32_t>(srcIndices).get((small ? row * info.inner : 0) + place);
    }

    void run() const {
        if (!legal()) return;
        const auto rows = static_cast<uint64_t>(info.outter);
        const auto kept = static_cast<uint64_t>(k);
        LibraryCall call("TopK", site);
        call.rows("dstValue", values, Rows{rows, kept, pitch<T>()}, Use::write);
        call.rows("dstIndex", indices, Rows{rows, kept, pitch<int32_t>()}, Use::write);
        call.rows("src", src, Rows{rows, static_cast<uint64_t>(info.n), static_cast<uint64_t>(info.inner)}, Use::read);
        if (hasIndices) call.reads("srcIndex", srcIndices, (small ? rows : 1) * static_cast<uint64_t>(info.inner));
        if (hasFinished) call.reads("finish", finished, rows);
        call.scratch(tmp).run([call = *this] { call.select(); });
    }

    void select() const {
        for (uint64_t r = 0; r < static_cast<uint64_t>(info.outter); r++) {
            const std::vector<int32_t> places = order(r);
            const bool done = hasFinished && Elements<bool>(finished).get(r);
            for (uint64_t i = 0; i < static_cast<uint64_t>(k); i++) {
                Elements<T>(values).put(r * pitch<T>() + i, Elements<T>(src).get(r * info.inner + places[i]));
                Elements<int32_t>(indices).put(r * pitch<int32_t>() + i, done ? info.n : index(r, places[i]));
            }
        }
    }
};

}  // namespace emu

namespace AscendC {

#define EMU_TOPK(tmpParameter, tmp)                                                                                  \
    template <typename T, bool isInitIndex = false, bool isHasfinish = false, bool isReuseSrc = false,               \
              TopKMode topkMode = TopKMode::TOPK_NORMAL, const TopKConfig& config = defaultTopKConfig>               \
    void TopK(const LocalTensor<T>& dstValue, const LocalTensor<int32_t>& dstIndex, const LocalTensor<T>& src,       \
              const LocalTensor<int32_t>& srcIndex, const LocalTensor<bool>& finish, tmpParameter const int32_t k,   \
              const tiling::TopkTiling&, const TopKInfo& info, const bool isLargest = true, Site site = Site::here()) { \
        EMU_LIBRARY_DTYPE(TopK, T, T);                                                                               \
        static_assert(config.algo == TopKAlgo::MERGE_SORT, "TopK: the algorithm RADIX_SELECT is not modelled");      \
        static_assert(topkMode == TopKMode::TOPK_NORMAL || !isHasfinish, "TopK: no finish in the small mode");       \
        const bool largest = config.order == TopKOrder::UNSET ? isLargest : config.order == TopKOrder::LARGEST;      \
        emu::TopKCall<T>{site, dstValue, dstIndex, src,     srcIndex,    finish, tmp, k, info, largest,              \
                         topkMode == TopKMode::TOPK_NSMALL, isInitIndex, isHasfinish}.run();                         \
    }
#define EMU_TMP const LocalTensor<uint8_t>& sharedTmpBuffer,

EMU_TOPK(, nullptr)
EMU_TOPK(EMU_TMP, &sharedTmpBuffer)
#undef EMU_TMP
#undef EMU_TOPK

}  // namespace AscendC
