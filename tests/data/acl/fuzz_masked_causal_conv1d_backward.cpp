// Random calls of one operator: shapes, dtypes, formats, strides, null pointers. None may crash, and none that the
// document forbids may be accepted; the status must be that of the first class of faults. Accepted calls run, and what
// they return is checked. Arguments: calls, seed.
#include <set>

#include "aclnnop/aclnn_masked_causal_conv1d_backward.h"
#include "support.h"

namespace {

/// One tensor parameter as a call gives it.
struct Given {
    const char *name;
    bool null = false;
    Shape shape;
    Shape strides;
    int64_t offset = 0;
    aclDataType dtype = ACL_FLOAT16;
    aclFormat format = ACL_FORMAT_ND;
    std::vector<uint8_t> bytes;
    void *memory = nullptr;
    aclTensor *tensor = nullptr;

    int64_t size() const { return dtype == ACL_BOOL || dtype == ACL_INT8 || dtype == ACL_UINT8 ? 1
                                  : dtype == ACL_FLOAT || dtype == ACL_INT32                  ? 4
                                                                                              : 2; }
};

enum { gradY, x, weight, mask, gradX, gradWeight, parameters };

class Fuzz {
public:
    explicit Fuzz(uint64_t seed) : random_(seed) {}

    void run(int calls) {
        for (int i = 0; i < calls; i++) call();
    }
    int accepted() const { return accepted_; }
    const std::set<int> &statuses() const { return statuses_; }

private:
    int64_t pick(int64_t low, int64_t high) { return std::uniform_int_distribution<int64_t>(low, high)(random_); }
    bool chance(int percent) { return pick(1, 100) <= percent; }

    void call() {
        build();
        for (int faults = chance(55) ? 0 : static_cast<int>(pick(1, 3)); faults > 0; faults--) spoil();
        create();
        uint64_t size = 0;
        aclOpExecutor *executor = nullptr;
        const bool noSize = chance(2), noExecutor = chance(2);
        const int status = aclnnMaskedCausalConv1dBackwardGetWorkspaceSize(
            given_[gradY].tensor, given_[x].tensor, given_[weight].tensor, given_[mask].tensor, given_[gradX].tensor,
            given_[gradWeight].tensor, noSize ? nullptr : &size, noExecutor ? nullptr : &executor);
        const int wanted = noExecutor ? 161001 : verdict() != 0 ? verdict() : noSize ? 161001 : 0;
        statuses_.insert(status);
        if (status != wanted) complain(status, wanted);
        EXPECT((aclGetRecentErrMsg() == nullptr) == (status == 0));
        if (status == 0) second(size, executor);
        destroy();
    }

    /// A call that the document allows.
    void build() {
        const int64_t S = pick(1, 6), B = pick(1, 4), H = 64 * pick(6, 8);
        const aclDataType dtype = chance(50) ? ACL_FLOAT16 : ACL_BF16;
        const Shape shapes[] = {{S, B, H}, {S, B, H}, {3, H}, {B, S}, {S, B, H}, {3, H}};
        const char *names[] = {"gradY", "x", "weight", "maskOptional", "gradXOut", "gradWeightOut"};
        for (int i = 0; i < parameters; i++) {
            given_[i] = Given();
            given_[i].name = names[i];
            given_[i].shape = shapes[i];
            given_[i].strides = rowMajor(shapes[i]);
            given_[i].dtype = i == mask ? ACL_BOOL : dtype;
            if (i < gradX && chance(20)) spread(given_[i]);
        }
        given_[mask].null = chance(40);
    }

    /// Lays the elements apart: a transposed tensor, one with gaps, one that repeats a row.
    void spread(Given &tensor) {
        const size_t rank = tensor.shape.size();
        switch (pick(0, 2)) {
            case 0: {
                std::swap(tensor.shape[0], tensor.shape[rank - 1]);
                Shape dense = rowMajor(tensor.shape);
                std::swap(tensor.shape[0], tensor.shape[rank - 1]);
                std::swap(dense[0], dense[rank - 1]);
                tensor.strides = dense;
                break;
            }
            case 1:
                for (int64_t &stride : tensor.strides) stride *= 2;
                break;
            default:
                tensor.strides[0] = 0;
        }
        tensor.offset = pick(0, 3);
    }

    void spoil() {
        static const int64_t sizes[] = {-1, 0, 1, 2, 3, 4, 33, 63, 384, 448, 24640, int64_t{1} << 40, INT64_MAX};
        static const aclDataType dtypes[] = {ACL_FLOAT, ACL_FLOAT16, ACL_BF16, ACL_INT8, ACL_BOOL, ACL_UINT8,
                                             ACL_INT32, ACL_DT_UNDEFINED, ACL_STRING};
        Given &tensor = given_[pick(0, parameters - 1)];
        switch (pick(0, 6)) {
            case 0:
                tensor.null = true;
                break;
            case 1:
                tensor.dtype = dtypes[pick(0, 8)];
                break;
            case 2:
                tensor.format = static_cast<aclFormat>(pick(-1, 4));
                break;
            case 3:
                if (!tensor.shape.empty()) tensor.shape[pick(0, tensor.shape.size() - 1)] = sizes[pick(0, 12)];
                break;
            case 4:
                tensor.shape.push_back(pick(0, 2));
                tensor.strides.push_back(1);
                break;
            case 5:
                if (!tensor.shape.empty()) tensor.shape.pop_back();
                if (!tensor.strides.empty()) tensor.strides.pop_back();
                break;
            default:
                spread(tensor);
        }
    }

    /// The document: null pointers, then dtypes, formats and strides of outputs, then shapes.
    int verdict() const {
        for (int i = 0; i < parameters; i++) {
            if (i != mask && given_[i].null) return 161001;
        }
        const aclDataType dtype = given_[gradY].dtype;
        if (dtype != ACL_FLOAT16 && dtype != ACL_BF16) return 161002;
        for (int i = 0; i < parameters; i++) {
            const Given &tensor = given_[i];
            if (tensor.null) continue;
            if (tensor.dtype != (i == mask ? ACL_BOOL : dtype) || tensor.format != ACL_FORMAT_ND) return 161002;
            if (i >= gradX && !isDense(tensor)) return 161002;
        }
        return shapesAreRight() ? 0 : 561002;
    }

    static bool isDense(const Given &tensor) {
        int64_t expected = 1;
        for (int64_t size : tensor.shape) {
            if (size <= 0) return true;
        }
        for (size_t i = tensor.shape.size(); i-- > 0;) {
            if (tensor.shape[i] != 1 && tensor.strides[i] != expected) return false;
            if (__builtin_mul_overflow(expected, tensor.shape[i], &expected)) expected = INT64_MAX;
        }
        return true;
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

    /// Bytes from the first to the last element, 1 for what has no elements or far too many.
    static int64_t extent(const Given &tensor) {
        __int128 last = tensor.offset, total = 1;
        for (size_t i = 0; i < tensor.shape.size(); i++) {
            if (tensor.shape[i] <= 0) return 1;
            total *= tensor.shape[i];
            last += static_cast<__int128>(tensor.shape[i] - 1) * tensor.strides[i];
            if (total > 1 << 20 || last > 1 << 20) return 1;
        }
        return static_cast<int64_t>(last + 1) * tensor.size();
    }

    void create() {
        for (Given &tensor : given_) {
            if (tensor.null) continue;
            tensor.bytes.resize(extent(tensor));
            for (uint8_t &byte : tensor.bytes) byte = static_cast<uint8_t>(pick(0, 63));
            tensor.memory = deviceMemory(tensor.bytes.size());
            toDevice(tensor.memory, tensor.bytes);
            tensor.tensor = describe(tensor.shape, tensor.dtype, tensor.memory, tensor.strides, tensor.offset, tensor.format);
        }
    }

    void second(uint64_t size, aclOpExecutor *executor) {
        accepted_++;
        void *workspace = deviceMemory(size);
        EXPECT(aclnnMaskedCausalConv1dBackward(workspace, size, executor, nullptr) == 0);
        EXPECT(aclrtSynchronizeStream(nullptr) == ACL_SUCCESS);
        EXPECT(aclrtFree(workspace) == ACL_SUCCESS);
        checkGradX();
    }

    float number(const Given &tensor, const Shape &index) const {
        int64_t place = tensor.offset;
        for (size_t i = 0; i < index.size(); i++) place += index[i] * tensor.strides[i];
        if (tensor.dtype == ACL_BOOL) return tensor.bytes[place] != 0;
        uint16_t raw = 0;
        std::memcpy(&raw, tensor.bytes.data() + place * 2, 2);
        return tensor.dtype == ACL_BF16 ? op::bits::floatOfBfloat(raw) : op::bits::floatOfHalf(raw);
    }

    /// Compares some elements of the first gradient with the definition, in the same order of additions.
    void checkGradX() {
        const Shape &dims = given_[gradX].shape;
        const auto found = toHost<uint16_t>(given_[gradX].memory, given_[gradX].offset + count(dims));
        for (int trial = 0; trial < 20; trial++) {
            const int64_t i = pick(0, dims[0] - 1), j = pick(0, dims[1] - 1), h = pick(0, dims[2] - 1);
            float sum = 0;
            for (int64_t k = 0; k < 3 && i + k < dims[0]; k++) {
                const bool kept = given_[mask].null || number(given_[mask], {j, i + k}) != 0;
                const float g = kept ? number(given_[gradY], {i + k, j, h}) : 0;
                const float product = g * number(given_[weight], {2 - k, h});
                sum += product;
            }
            const uint16_t wanted = given_[gradX].dtype == ACL_BF16 ? op::bits::bfloatOfFloat(sum) : op::bits::halfOfFloat(sum);
            const uint16_t bits = found[given_[gradX].offset + (i * dims[1] + j) * dims[2] + h];
            if (bits != wanted) std::printf("gradXOut[%ld, %ld, %ld] is %#x, wanted %#x = %a\n", i, j, h, bits, wanted, sum);
            if (bits != wanted) complain(0, 0);
        }
    }

    void destroy() {
        for (Given &tensor : given_) {
            EXPECT(aclDestroyTensor(tensor.tensor) == 0);
            if (tensor.memory != nullptr) EXPECT(aclrtFree(tensor.memory) == ACL_SUCCESS);
        }
    }

    void complain(int status, int wanted) {
        const char *text = aclGetRecentErrMsg();
        std::printf("status %d, wanted %d: %s\n", status, wanted, text == nullptr ? "" : text);
        for (const Given &tensor : given_) {
            std::printf("  %s null %d dtype %d format %d shape", tensor.name, tensor.null, tensor.dtype, tensor.format);
            for (int64_t each : tensor.shape) std::printf(" %ld", each);
            std::printf(" strides");
            for (int64_t each : tensor.strides) std::printf(" %ld", each);
            std::printf("\n");
        }
        std::fflush(stdout);
        std::abort();
    }

    std::mt19937_64 random_;
    Given given_[parameters];
    int accepted_ = 0;
    std::set<int> statuses_;
};

}  // namespace

int main(int argc, char **argv) {
    const int calls = argc > 1 ? std::atoi(argv[1]) : 1000;
    EXPECT(aclInit(nullptr) == ACL_SUCCESS && aclrtSetDevice(0) == ACL_SUCCESS);
    Fuzz fuzz(argc > 2 ? std::strtoull(argv[2], nullptr, 10) : 1);
    fuzz.run(calls);
    EXPECT(aclrtResetDevice(0) == ACL_SUCCESS && aclFinalize() == ACL_SUCCESS);
    EXPECT(aclGetRecentErrMsg() == nullptr);
    EXPECT(fuzz.statuses() == std::set<int>({0, 161001, 161002, 561002}));
    std::printf("%d calls are right, %d of them ran\n", calls, fuzz.accepted());
    return 0;
}
