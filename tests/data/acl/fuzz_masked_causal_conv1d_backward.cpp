// Random calls of MaskedCausalConv1dBackward: fuzz.h.
#include "aclnnop/aclnn_masked_causal_conv1d_backward.h"
#include "fuzz.h"

namespace {

enum { gradY, x, weight, mask, gradX, gradWeight };

class Convolution : public Fuzz {
public:
    using Fuzz::Fuzz;

private:
    void build() override {
        const int64_t S = pick(1, 6), B = pick(1, 4), H = 64 * pick(6, 8);
        const aclDataType dtype = chance(50) ? ACL_FLOAT16 : ACL_BF16;
        add("gradY", {S, B, H}, dtype);
        add("x", {S, B, H}, dtype);
        add("weight", {3, H}, dtype);
        add("maskOptional", {B, S}, ACL_BOOL, true);
        addOutput("gradXOut", {S, B, H}, dtype, false);
        addOutput("gradWeightOut", {3, H}, dtype, false);
        given_[mask].null = chance(40);
    }

    int verdict() const override {
        const aclDataType dtype = given_[gradY].dtype;
        if (dtype != ACL_FLOAT16 && dtype != ACL_BF16) return 161002;
        for (size_t i = 0; i < given_.size(); i++) {
            if (!given_[i].null && given_[i].dtype != (i == mask ? ACL_BOOL : dtype)) return 161002;
        }
        if (isLaidOutWrongly()) return 161002;
        return shapesAreRight() ? 0 : 561002;
    }

    bool shapesAreRight() const {
        const Shape &dims = given_[gradY].shape;
        if (dims.size() != 3) return false;
        const int64_t S = dims[0], B = dims[1], H = dims[2];
        if (B < 1 || B > 32 || S < 1 || S > 524288 || B * S > 524288 || H < 384 || H > 24576 || H % 64 != 0) return false;
        if (!given_[mask].null && given_[mask].shape != Shape{B, S}) return false;
        return given_[x].shape == dims && given_[gradX].shape == dims && given_[weight].shape == Shape{3, H} &&
               given_[gradWeight].shape == Shape{3, H};
    }

    int first(uint64_t *size, aclOpExecutor **executor) override {
        return aclnnMaskedCausalConv1dBackwardGetWorkspaceSize(tensor(gradY), tensor(x), tensor(weight), tensor(mask),
                                                               tensor(gradX), tensor(gradWeight), size, executor);
    }
    int second(void *workspace, uint64_t size, aclOpExecutor *executor) override {
        return aclnnMaskedCausalConv1dBackward(workspace, size, executor, nullptr);
    }

    float g(int64_t i, int64_t j, int64_t h) const {
        const bool kept = i < given_[gradY].shape[0] && (given_[mask].null || given_[mask].number({j, i}) != 0);
        return kept ? static_cast<float>(given_[gradY].number({i, j, h})) : 0;
    }

    void check() override {
        const Shape dims = given_[gradX].shape;
        for (int trial = 0; trial < 20; trial++) {
            const Shape at = anywhere(dims);
            float sum = 0;
            for (int64_t k = 0; k < 3; k++) {
                sum += g(at[0] + k, at[1], at[2]) * static_cast<float>(given_[weight].number({2 - k, at[2]}));
            }
            expectNumber(gradX, at, given_[gradX].rounded(sum));
            const Shape tap = anywhere(given_[gradWeight].shape);
            sum = 0;
            for (int64_t i = 0; i < dims[0]; i++) {
                for (int64_t j = 0; j < dims[1]; j++) {
                    sum += g(i + 2 - tap[0], j, tap[1]) * static_cast<float>(given_[x].number({i, j, tap[1]}));
                }
            }
            expectNumber(gradWeight, tap, given_[gradWeight].rounded(sum));
        }
    }
};

}  // namespace

int main(int argc, char **argv) { return fuzzed<Convolution>(argc, argv, {0, 161001, 161002, 561002}); }
