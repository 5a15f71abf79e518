// Random calls of MoeTokenUnpermuteWithRoutingMapGrad: fuzz.h.
#include <algorithm>
#include <numeric>

#include "aclnnop/aclnn_moe_token_unpermute_with_routing_map_grad.h"
#include "fuzz.h"

namespace {

enum { grad, outIndex, tokenId, routing, tokens, probs, tokensGrad, probsGrad };

class Routing : public Fuzz {
public:
    using Fuzz::Fuzz;

private:
    void build() override {
        padded_ = chance(50);
        const int64_t T = pick(1, 8), E = pick(1, 6), H = pick(1, 40);
        const int64_t M = padded_ ? E * pick(1, T) : T * pick(1, E);
        const aclDataType kinds[][2] = {{ACL_FLOAT, ACL_FLOAT}, {ACL_FLOAT16, ACL_FLOAT16}, {ACL_BF16, ACL_BF16},
                                        {ACL_BF16, ACL_FLOAT}};
        const aclDataType *kind = kinds[pick(0, 3)];
        add("unpermutedTokensGrad", {T, H}, kind[0]);
        add("outIndex", {M}, ACL_INT32);
        add("permuteTokenId", {M}, ACL_INT32);
        add("routingMapOptional", {T, E}, chance(50) ? ACL_BOOL : ACL_INT8, true);
        add("permutedTokensOptional", {M, H}, kind[0], true);
        add("probsOptional", {T, E}, kind[1], true);
        addOutput("permutedTokensGradOut", {M, H}, kind[0], false);
        addOutput("probsGradOutOptional", {T, E}, kind[1], false, true);
        given_[probs].null = chance(35);
        given_[routing].null = given_[probs].null && chance(70);
        given_[tokens].null = given_[probs].null && chance(70);
        given_[probsGrad].null = chance(30);
        chooseIndices(T, M);
        for (int64_t i = 0; i < T * E; i++) given_[routing].values.push_back(static_cast<double>(pick(0, 1)));
        shape_ = {T, H};
        noShape_ = chance(60);
    }

    void chooseIndices(int64_t T, int64_t M) {
        std::vector<int64_t> order(M);
        std::iota(order.begin(), order.end(), 0);
        std::shuffle(order.begin(), order.end(), random_);
        const int unused = chance(30) ? 30 : 0;
        for (int64_t place : order) given_[outIndex].values.push_back(static_cast<double>(chance(unused) ? -pick(1, 3) : place));
        for (int64_t i = 0; i < M; i++) given_[tokenId].values.push_back(static_cast<double>(pick(0, T - 1)));
        if (chance(7)) given_[outIndex].values[pick(0, M - 1)] = static_cast<double>(chance(70) ? M : INT32_MAX);
        if (chance(7)) given_[tokenId].values[pick(0, M - 1)] = static_cast<double>(chance(50) ? T : -1);
    }

    void spoilOthers() override {
        if (chance(50)) padded_ = !padded_;
        else given_[pick(routing, probs)].null = chance(50);
    }

    int verdict() const override { return typesAreRight() && !isLaidOutWrongly() ? shapesAreRight() ? 0 : 561002 : 161002; }

    bool typesAreRight() const {
        const aclDataType kind = given_[grad].dtype;
        if (kind != ACL_FLOAT && kind != ACL_FLOAT16 && kind != ACL_BF16) return false;
        for (size_t i = 0; i < given_.size(); i++) {
            const aclDataType dtype = given_[i].dtype;
            if (given_[i].null) continue;
            switch (i) {
                case outIndex: case tokenId: if (dtype != ACL_INT32) return false; break;
                case routing: if (dtype != ACL_BOOL && dtype != ACL_INT8) return false; break;
                case probs: case probsGrad:
                    if (dtype != kind && !(kind == ACL_BF16 && dtype == ACL_FLOAT)) return false;
                    break;
                default: if (dtype != kind) return false;
            }
        }
        return given_[probs].null || given_[probsGrad].null || given_[probs].dtype == given_[probsGrad].dtype;
    }

    bool shapesAreRight() const {
        const Shape &rows = given_[grad].shape, &slots = given_[outIndex].shape;
        if (rows.size() != 2 || slots.size() != 1) return false;
        const int64_t T = rows[0], H = rows[1], M = slots[0];
        if (T < 1 || H < 1 || M < 1 || T > 1 << 20 || H > 1 << 20 || M > 1 << 20) return false;
        if (given_[tokenId].shape != slots || given_[tokensGrad].shape != Shape{M, H}) return false;
        if (!given_[tokens].null && given_[tokens].shape != Shape{M, H}) return false;
        const int64_t E = experts();
        for (size_t each : {routing, probs, probsGrad}) {
            if (!given_[each].null && (E < 0 || given_[each].shape != Shape{T, E})) return false;
        }
        const bool weighted = !given_[probs].null;
        if (weighted && (given_[routing].null || given_[tokens].null)) return false;
        if (padded_) return !weighted || (E > 0 && M % E == 0 && M / E <= T);
        return M % T == 0 && M / T <= 512 && (!weighted || M / T <= E);
    }

    /// The number of experts, -1 where no tensor tells.
    int64_t experts() const {
        for (size_t each : {routing, probs, probsGrad}) {
            if (!given_[each].null) return given_[each].shape.size() == 2 ? given_[each].shape[1] : -1;
        }
        return -1;
    }

    int outcome() const override {
        const int64_t T = given_[grad].shape[0], M = given_[outIndex].shape[0];
        for (int64_t i = 0; i < M; i++) {
            if (place(i) >= M || (padded_ && (token(i) < 0 || token(i) >= T))) return 161002;
        }
        return 0;
    }

    int64_t place(int64_t i) const { return static_cast<int64_t>(given_[outIndex].number({i})); }
    int64_t token(int64_t i) const {
        return padded_ ? static_cast<int64_t>(given_[tokenId].number({i})) : i / (given_[outIndex].shape[0] / given_[grad].shape[0]);
    }

    /// The expert of a slot, -1 where it has none.
    int64_t expert(int64_t i) const {
        const int64_t T = given_[grad].shape[0], M = given_[outIndex].shape[0], E = experts();
        if (padded_) return place(i) / (M / E);
        int64_t left = i % (M / T);
        for (int64_t e = 0; e < E; e++) {
            if (given_[routing].number({i / (M / T), e}) != 0 && left-- == 0) return e;
        }
        return -1;
    }

    void check() override {
        const int64_t M = given_[outIndex].shape[0], H = given_[grad].shape[1], T = given_[grad].shape[0];
        std::vector<int64_t> slotOf(M, -1), weightOf(T * std::max<int64_t>(experts(), 0), -1);
        for (int64_t i = 0; i < M; i++) {
            if (place(i) < 0) continue;
            slotOf[place(i)] = i;
            if (!given_[probs].null && expert(i) >= 0) weightOf[token(i) * experts() + expert(i)] = i;
        }
        for (int trial = 0; trial < 20; trial++) {
            const Shape at = anywhere({M, H});
            expectNumber(tokensGrad, at, given_[tokensGrad].rounded(weighted(slotOf[at[0]], at[1])));
        }
        for (int trial = 0; trial < 20 && !given_[probsGrad].null && experts() > 0; trial++) {
            const Shape at = anywhere({T, experts()});
            const int64_t i = weightOf[at[0] * experts() + at[1]];
            float sum = 0;
            for (int64_t h = 0; i >= 0 && h < H; h++) {
                sum += static_cast<float>(given_[grad].number({at[0], h}) * given_[tokens].number({place(i), h}));
            }
            expectNumber(probsGrad, at, given_[probsGrad].rounded(sum));
        }
    }

    float weighted(int64_t i, int64_t h) const {
        if (i < 0) return 0;
        const double value = given_[grad].number({token(i), h});
        if (given_[probs].null) return static_cast<float>(value);
        return expert(i) < 0 ? 0 : static_cast<float>(value * given_[probs].number({token(i), expert(i)}));
    }

    void begin() override { list_ = noShape_ ? nullptr : aclCreateIntArray(shape_.data(), shape_.size()); }
    void end() override { EXPECT(aclDestroyIntArray(list_) == 0); }

    int first(uint64_t *size, aclOpExecutor **executor) override {
        return aclnnMoeTokenUnpermuteWithRoutingMapGradGetWorkspaceSize(
            tensor(grad), tensor(outIndex), tensor(tokenId), tensor(routing), tensor(tokens), tensor(probs), padded_, list_,
            tensor(tokensGrad), tensor(probsGrad), size, executor);
    }
    int second(void *workspace, uint64_t size, aclOpExecutor *executor) override {
        return aclnnMoeTokenUnpermuteWithRoutingMapGrad(workspace, size, executor, nullptr);
    }

    void print() const override { std::printf("  padded %d\n", padded_); }

    bool padded_ = false, noShape_ = false;
    Shape shape_;
    aclIntArray *list_ = nullptr;
};

}  // namespace

int main(int argc, char **argv) { return fuzzed<Routing>(argc, argv, {0, 161001, 161002, 561002}); }
