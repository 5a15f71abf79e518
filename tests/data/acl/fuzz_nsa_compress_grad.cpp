// Random calls of NsaCompressGrad: fuzz.h.
#include "aclnnop/aclnn_nsa_compress_grad.h"
#include "fuzz.h"

namespace {

enum { outputGrad, input, weight, inputGrad, weightGrad };

class Windows : public Fuzz {
public:
    using Fuzz::Fuzz;

private:
    void build() override {
        block_ = 16 * pick(2, 4);
        stride_ = 16 * pick(1, block_ / 16 - 1);
        type_ = 0;
        layout_ = chance(80) ? "TND" : nullptr;
        const int64_t T = pick(0, 150), N = pick(1, 3), D = 16 * pick(1, 2);
        noList_ = chance(15);
        ends_.clear();
        for (int64_t parts = noList_ ? 0 : pick(0, 5), end = 0; parts > 0; parts--) {
            end = pick(end, chance(70) ? std::min(T, end + 70) : T);
            ends_.push_back(end);
        }
        const aclDataType dtype = chance(50) ? ACL_FLOAT16 : ACL_BF16;
        add("outputGrad", {windows(segments(T)), N, D}, dtype);
        add("input", {T, N, D}, dtype);
        add("weight", {block_, N}, dtype);
        addOutput("inputGradOut", {T, N, D}, dtype, true);
        addOutput("weightGradOut", {block_, N}, dtype, true);
    }

    void spoilOthers() override {
        static const int64_t numbers[] = {-16, -1, 0, 1, 15, 16, 17, 24, 32, 48, 64, INT64_MAX, INT64_MIN};
        static const char *const layouts[] = {"", "BSND", "tnd", "TN", "TNDX", "TND"};
        switch (pick(0, 4)) {
            case 0: block_ = numbers[pick(0, 12)]; break;
            case 1: stride_ = numbers[pick(0, 12)]; break;
            case 2: type_ = pick(-1, 2); break;
            case 3: layout_ = layouts[pick(0, 5)]; break;
            default:
                noList_ = false;
                ends_.insert(ends_.begin() + pick(0, static_cast<int64_t>(ends_.size())),
                             chance(80) ? pick(-1, 200) : chance(50) ? INT64_MAX : INT64_MIN);
        }
    }

    /// Begin and end of each segment; without a list all rows are one.
    std::vector<std::pair<int64_t, int64_t>> segments(int64_t T) const {
        if (noList_ || ends_.empty()) return {{0, T}};
        std::vector<std::pair<int64_t, int64_t>> found;
        for (size_t i = 0; i < ends_.size(); i++) found.push_back({i == 0 ? 0 : ends_[i - 1], ends_[i]});
        return found;
    }

    int64_t windows(const std::vector<std::pair<int64_t, int64_t>> &parts) const {
        int64_t total = 0;
        for (const auto &part : parts) {
            const int64_t rows = part.second - part.first;
            total += rows < block_ ? 0 : (rows - block_) / stride_ + 1;
        }
        return total;
    }

    int verdict() const override {
        const aclDataType dtype = given_[outputGrad].dtype;
        if (dtype != ACL_FLOAT16 && dtype != ACL_BF16) return 161002;
        for (const Given &each : given_) {
            if (each.dtype != dtype) return 161002;
        }
        if (isLaidOutWrongly()) return 161002;
        const Shape &rows = given_[input].shape, &taps = given_[weight].shape;
        if (rows.size() == 3 && taps.size() == 2 && rows[1] != taps[1]) return 161002;
        if (layout_ != nullptr && std::strcmp(layout_, "TND") != 0) return 161002;
        return restIsRight() ? 0 : 561002;
    }

    /// Where sizes are negative, nobody can say whether they broadcast.
    bool isEitherWay() const override {
        for (const Given &each : given_) {
            for (int64_t size : each.shape) {
                if (size < 0) return true;
            }
        }
        return false;
    }

    bool restIsRight() const {
        if (block_ < 1 || stride_ < 1 || block_ % 16 != 0 || stride_ % 16 != 0 || block_ <= stride_ || type_ != 0) return false;
        const Shape &rows = given_[input].shape;
        if (rows.size() != 3 || rows[0] < 0 || rows[1] < 1 || rows[2] < 1 || rows[2] % 16 != 0) return false;
        if (given_[inputGrad].shape != rows || given_[weight].shape != Shape{block_, rows[1]}) return false;
        if (given_[weightGrad].shape != given_[weight].shape) return false;
        if (count(rows) > int64_t{1} << 40) return false;
        const auto parts = segments(rows[0]);
        for (const auto &part : parts) {
            if (part.first < 0 || part.second < part.first || part.second > rows[0]) return false;
        }
        return given_[outputGrad].shape == Shape{windows(parts), rows[1], rows[2]};
    }

    void begin() override { list_ = noList_ ? nullptr : aclCreateIntArray(ends_.data(), ends_.size()); }
    void end() override { EXPECT(aclDestroyIntArray(list_) == 0); }

    int first(uint64_t *size, aclOpExecutor **executor) override {
        std::string text = layout_ == nullptr ? "" : layout_;
        return aclnnNsaCompressGradGetWorkspaceSize(tensor(outputGrad), tensor(input), tensor(weight), list_, block_, stride_,
                                                    type_, layout_ == nullptr ? nullptr : &text[0], tensor(inputGrad),
                                                    tensor(weightGrad), size, executor);
    }
    int second(void *workspace, uint64_t size, aclOpExecutor *executor) override {
        return aclnnNsaCompressGrad(workspace, size, executor, nullptr);
    }

    void check() override {
        const Shape rows = given_[input].shape;
        std::vector<int64_t> starts;
        for (const auto &part : segments(rows[0])) {
            for (int64_t row = part.first; row + block_ <= part.second; row += stride_) starts.push_back(row);
        }
        for (int trial = 0; trial < 10 && count(rows) > 0; trial++) {
            const Shape at = anywhere(rows);
            float sum = 0;
            for (size_t c = 0; c < starts.size(); c++) {
                const int64_t r = at[0] - starts[c];
                if (r >= 0 && r < block_) sum += product(given_[weight], {r, at[1]}, static_cast<int64_t>(c), at[1], at[2]);
            }
            expectNumber(inputGrad, at, given_[inputGrad].rounded(sum));
        }
        for (int trial = 0; trial < 10 && count(given_[weight].shape) > 0; trial++) {
            const Shape at = anywhere(given_[weight].shape);
            float sum = 0;
            for (size_t c = 0; c < starts.size(); c++) {
                for (int64_t d = 0; d < rows[2]; d++) {
                    sum += product(given_[input], {starts[c] + at[0], at[1], d}, static_cast<int64_t>(c), at[1], d);
                }
            }
            expectNumber(weightGrad, at, given_[weightGrad].rounded(sum));
        }
    }

    float product(const Given &factor, const Shape &index, int64_t c, int64_t n, int64_t d) const {
        return static_cast<float>(factor.number(index) * given_[outputGrad].number({c, n, d}));
    }

    void print() const override {
        std::printf("  block %ld stride %ld type %ld layout %s ends%s", static_cast<long>(block_), static_cast<long>(stride_),
                    static_cast<long>(type_), layout_ == nullptr ? "null" : layout_, noList_ ? " null" : "");
        for (int64_t each : ends_) std::printf(" %ld", static_cast<long>(each));
        std::printf("\n");
    }

    int64_t block_ = 0, stride_ = 0, type_ = 0;
    const char *layout_ = nullptr;
    bool noList_ = false;
    std::vector<int64_t> ends_;
    aclIntArray *list_ = nullptr;
};

}  // namespace

int main(int argc, char **argv) { return fuzzed<Windows>(argc, argv, {0, 161001, 161002, 561002}); }
