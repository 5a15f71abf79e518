// The elements of copies of several dimensions.
#include "api/nddma.h"

namespace emu {

std::vector<ElementMove> elementMoves(const std::vector<PaddedLoop>& loops, bool nearest) {
    std::vector<ElementMove> moves{ElementMove{0, 0}};
    for (auto loop = loops.rbegin(); loop != loops.rend(); ++loop) {
        std::vector<ElementMove> inner;
        inner.reserve(moves.size() * static_cast<size_t>(loop->total()));
        for (const ElementMove& outer : moves) {
            for (int64_t i = 0; i < loop->total(); i++) {
                const int64_t at = std::clamp(i - loop->left, int64_t{0}, loop->size - 1);
                const bool padded = !nearest && at != i - loop->left;
                const int64_t src = outer.src < 0 || padded ? -1 : outer.src + at * loop->srcStep;
                inner.push_back(ElementMove{outer.dst + static_cast<uint64_t>(i) * loop->dstStep, src});
            }
        }
        moves = std::move(inner);
    }
    return moves;
}

}  // namespace emu
