// Random calls of an operator: shapes, dtypes, formats, strides, null pointers, attributes. None may crash, and none that
// the document forbids may be accepted; the status must be that of the first class of faults. Accepted calls run, and
// what they return is checked. What is right is written out for each operator from its document, not asked of anyone.
#pragma once

#include <cmath>
#include <cstring>
#include <set>

#include "aclnn/opdev/bfloat16.h"
#include "support.h"

/// One tensor parameter as a call gives it.
struct Given {
    const char *name = "";
    bool optional = false;

    /// Whether it may lie apart in memory, and whether the operator writes it.
    bool strided = true;
    bool output = false;

    bool null = false;
    Shape shape;
    Shape strides;
    int64_t offset = 0;
    aclDataType dtype = ACL_FLOAT16;
    aclFormat format = ACL_FORMAT_ND;

    /// Its elements, row by row, where they are not to be random.
    std::vector<double> values;

    std::vector<uint8_t> bytes;
    void *memory = nullptr;
    aclTensor *tensor = nullptr;

    int64_t width() const {
        switch (dtype) {
            case ACL_BOOL: case ACL_INT8: case ACL_UINT8: case ACL_DT_UNDEFINED: case ACL_STRING: return 1;
            case ACL_FLOAT: case ACL_INT32: return 4;
            case ACL_INT64: case ACL_DOUBLE: return 8;
            default: return 2;
        }
    }

    int64_t placeOf(const Shape &index) const {
        int64_t place = offset;
        for (size_t i = 0; i < index.size(); i++) place += index[i] * strides[i];
        return place;
    }

    void store(int64_t place, double value) {
        const float single = static_cast<float>(value);
        const auto whole = static_cast<int64_t>(value);
        uint8_t *to = bytes.data() + place * width();
        const uint16_t half = dtype == ACL_BF16 ? op::bits::bfloatOfFloat(single) : op::bits::halfOfFloat(single);
        const bool isHalf = dtype == ACL_BF16 || dtype == ACL_FLOAT16;
        std::memcpy(to, dtype == ACL_FLOAT ? static_cast<const void *>(&single)
                        : isHalf           ? static_cast<const void *>(&half)
                                           : static_cast<const void *>(&whole), static_cast<size_t>(width()));
    }

    double number(const std::vector<uint8_t> &from, const Shape &index) const {
        const uint8_t *at = from.data() + placeOf(index) * width();
        uint16_t half = 0;
        float single = 0;
        int32_t whole = 0;
        switch (dtype) {
            case ACL_BOOL: case ACL_UINT8: return *at;
            case ACL_INT8: return static_cast<int8_t>(*at);
            case ACL_FLOAT: std::memcpy(&single, at, 4); return single;
            case ACL_INT32: std::memcpy(&whole, at, 4); return whole;
            default: std::memcpy(&half, at, 2);
        }
        return dtype == ACL_BF16 ? op::bits::floatOfBfloat(half) : op::bits::floatOfHalf(half);
    }
    double number(const Shape &index) const { return number(bytes, index); }

    /// The number that a float32 becomes in this dtype.
    double rounded(float value) const {
        if (dtype == ACL_BF16) return op::bits::floatOfBfloat(op::bits::bfloatOfFloat(value));
        return dtype == ACL_FLOAT16 ? op::bits::floatOfHalf(op::bits::halfOfFloat(value)) : value;
    }

    bool isDense() const {
        int64_t expected = 1;
        for (int64_t size : shape) {
            if (size <= 0) return true;
        }
        for (size_t i = shape.size(); i-- > 0;) {
            if (shape[i] != 1 && strides[i] != expected) return false;
            if (__builtin_mul_overflow(expected, shape[i], &expected)) expected = INT64_MAX;
        }
        return true;
    }

    /// Bytes up to the last element, 1 for what has no elements, far too many, or such as lie before the memory.
    int64_t extent() const {
        __int128 last = offset, first = offset, total = 1;
        for (size_t i = 0; i < shape.size(); i++) {
            if (shape[i] <= 0) return 1;
            total *= shape[i];
            const __int128 way = static_cast<__int128>(shape[i] - 1) * strides[i];
            (way < 0 ? first : last) += way;
            if (total > 1 << 20 || last > 1 << 20 || first < 0) return 1;
        }
        return static_cast<int64_t>(last + 1) * width();
    }
};

/// Calls `body(index)` for each index of a small shape, in row-major order.
template <typename Body>
void overElements(const Shape &shape, const Body &body) {
    Shape index(shape.size(), 0);
    for (int64_t left = count(shape); left > 0; left--) {
        body(index);
        for (size_t dim = shape.size(); dim-- > 0 && ++index[dim] == shape[dim];) index[dim] = 0;
    }
}

class Fuzz {
public:
    explicit Fuzz(uint64_t seed) : random_(seed) {}
    virtual ~Fuzz() = default;

    void run(int calls) {
        for (int i = 0; i < calls; i++) call();
    }
    int accepted() const { return accepted_; }
    const std::set<int> &statuses() const { return statuses_; }

protected:
    static constexpr aclDataType dtypes[] = {ACL_FLOAT, ACL_FLOAT16, ACL_BF16,  ACL_INT8,         ACL_BOOL,
                                             ACL_UINT8, ACL_INT32,   ACL_INT64, ACL_DT_UNDEFINED, ACL_STRING};

    /// Makes a call that the document allows, in `given_` and members of the operator's own.
    virtual void build() = 0;

    /// Changes an attribute or a list.
    virtual void spoilOthers() {}

    /// What the document says, null pointers left aside; of calls that it forbids for several reasons, the first class.
    virtual int verdict() const = 0;

    /// Whether the document leaves open which of 161002 and 561002 comes.
    virtual bool isEitherWay() const { return false; }

    virtual int first(uint64_t *size, aclOpExecutor **executor) = 0;
    virtual int second(void *workspace, uint64_t size, aclOpExecutor *executor) = 0;

    /// The status of the stream behind an accepted call.
    virtual int outcome() const { return 0; }

    /// Tests results; `found(n, index)` is an element of the output number n.
    virtual void check() = 0;

    virtual void begin() {}
    virtual void end() {}
    virtual void print() const {}

    int64_t pick(int64_t low, int64_t high) { return std::uniform_int_distribution<int64_t>(low, high)(random_); }
    bool chance(int percent) { return pick(1, 100) <= percent; }
    aclTensor *tensor(size_t n) const { return given_[n].tensor; }

    void add(const char *name, const Shape &shape, aclDataType dtype, bool optional = false) {
        Given made;
        made.name = name;
        made.optional = optional;
        made.shape = shape;
        made.strides = rowMajor(shape);
        made.dtype = dtype;
        given_.push_back(made);
    }

    void addOutput(const char *name, const Shape &shape, aclDataType dtype, bool strided, bool optional = false) {
        add(name, shape, dtype, optional);
        given_.back().output = true;
        given_.back().strided = strided;
    }

    /// Lays elements apart: a transposed tensor, one with gaps, one from the end to the start, one that repeats a row.
    void spread(Given &tensor) {
        if (tensor.shape.empty()) return;
        for (int64_t size : tensor.shape) {
            if (size < 0 || size > 100000) return;
        }
        const size_t rank = tensor.shape.size();
        tensor.offset = pick(0, 3);
        tensor.strides = rowMajor(tensor.shape);
        switch (pick(0, tensor.output ? 2 : 3)) {
            case 0: {
                Shape turned = tensor.shape;
                std::swap(turned[0], turned[rank - 1]);
                tensor.strides = rowMajor(turned);
                std::swap(tensor.strides[0], tensor.strides[rank - 1]);
                break;
            }
            case 1:
                for (int64_t &stride : tensor.strides) stride *= 3;
                break;
            case 2:
                if (tensor.shape[0] == 0) break;
                tensor.offset += (tensor.shape[0] - 1) * tensor.strides[0];
                tensor.strides[0] = -tensor.strides[0];
                break;
            default:
                tensor.strides[0] = 0;
        }
    }

    double found(size_t n, const Shape &index) {
        return given_[n].number(results_[n], index);
    }

    /// An index into a shape that has elements.
    Shape anywhere(const Shape &shape) {
        Shape index;
        for (int64_t size : shape) index.push_back(pick(0, size - 1));
        return index;
    }

    void expectNumber(size_t n, const Shape &index, double wanted) {
        const double is = found(n, index);
        if (is == wanted || (std::isnan(is) && std::isnan(wanted))) return;
        std::printf("%s at", given_[n].name);
        for (int64_t each : index) std::printf(" %ld", static_cast<long>(each));
        std::printf(" is %a, wanted %a\n", is, wanted);
        complain(0, 0);
    }

    bool anyNull() const {
        for (const Given &each : given_) {
            if (!each.optional && each.null) return true;
        }
        return false;
    }

    /// Whether a format is laid out as ND.
    static bool isPlain(aclFormat format) {
        return format == ACL_FORMAT_ND || format == ACL_FORMAT_NCHW || format == ACL_FORMAT_NHWC;
    }

    /// Whether a format is not laid out as ND, or an output lies apart where the document does not allow it.
    bool isLaidOutWrongly() const {
        for (const Given &each : given_) {
            if (!each.null && (!isPlain(each.format) || (!each.strided && !each.isDense()))) return true;
        }
        return false;
    }

    std::mt19937_64 random_;
    std::vector<Given> given_;

private:
    void call() {
        given_.clear();
        build();
        for (Given &each : given_) {
            if (each.strided && chance(20)) spread(each);
        }
        for (int faults = chance(55) ? 0 : static_cast<int>(pick(1, 3)); faults > 0; faults--) {
            if (chance(35)) spoilOthers();
            else spoil(given_[static_cast<size_t>(pick(0, static_cast<int64_t>(given_.size()) - 1))]);
        }
        create();
        begin();
        uint64_t size = 0;
        aclOpExecutor *executor = nullptr;
        const bool noSize = chance(2), noExecutor = chance(2);
        const int status = first(noSize ? nullptr : &size, noExecutor ? nullptr : &executor);
        const int allowed = anyNull() ? 161001 : verdict();
        const int wanted = noExecutor ? 161001 : allowed != 0 ? allowed : noSize ? 161001 : 0;
        statuses_.insert(status);
        const bool either = wanted != 161001 && isEitherWay() && (status == 161002 || status == 561002);
        if (status != wanted && !either) complain(status, wanted);
        EXPECT((aclGetRecentErrMsg() == nullptr) == (status == 0));
        if (status == 0) launch(size, executor);
        end();
        destroy();
    }

    void spoil(Given &tensor) {
        static const int64_t sizes[] = {-1, 0, 1, 2, 3, 4, 16, 33, 63, 384, 448, 24640, int64_t{1} << 40, INT64_MAX};
        switch (pick(0, 6)) {
            case 0:
                tensor.null = true;
                break;
            case 1:
                tensor.dtype = dtypes[pick(0, 9)];
                break;
            case 2:
                tensor.format = static_cast<aclFormat>(pick(-1, 4));
                break;
            case 3:
                if (!tensor.shape.empty()) tensor.shape[pick(0, tensor.shape.size() - 1)] = sizes[pick(0, 13)];
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

    void create() {
        for (Given &each : given_) {
            if (each.null) continue;
            const int64_t extent = each.extent();
            each.bytes.assign(extent, 0);
            if (extent > 1) fill(each);
            each.memory = deviceMemory(each.bytes.size());
            toDevice(each.memory, each.bytes);
            each.tensor = describe(each.shape, each.dtype, each.memory, each.strides, each.offset, each.format);
        }
    }

    /// Small numbers, whose products and sums are exact in float32, or those that the call has chosen.
    void fill(Given &each) {
        size_t next = 0;
        const bool chosen = static_cast<int64_t>(each.values.size()) == count(each.shape);
        overElements(each.shape, [&](const Shape &index) {
            const double value = chosen ? each.values[next++] : static_cast<double>(pick(-8, 8)) / 8;
            each.store(each.placeOf(index), each.dtype == ACL_BOOL && !chosen ? pick(0, 1) : value);
        });
    }

    void launch(uint64_t size, aclOpExecutor *executor) {
        accepted_++;
        void *workspace = deviceMemory(size);
        EXPECT(second(workspace, size, executor) == 0);
        const int status = aclrtSynchronizeStream(nullptr);
        if (status != outcome()) complain(status, outcome());
        EXPECT((aclGetRecentErrMsg() == nullptr) == (status == 0));
        statuses_.insert(status);
        EXPECT(aclrtFree(workspace) == ACL_SUCCESS);
        results_.clear();
        for (const Given &each : given_) {
            results_.push_back(each.output && !each.null ? toHost<uint8_t>(each.memory, each.bytes.size())
                                                         : std::vector<uint8_t>());
            if (each.output && !each.null) checkRest(each, results_.back(), status != 0);
        }
        if (status == 0) check();
    }

    /// Nothing is written beside the elements of an output; nothing at all where the stream refused the call.
    void checkRest(const Given &output, std::vector<uint8_t> found, bool all) {
        std::vector<uint8_t> before = output.bytes;
        if (!all && found.size() > 1) {
            overElements(output.shape, [&](const Shape &index) {
                const int64_t place = output.placeOf(index) * output.width();
                std::memset(found.data() + place, 0, output.width());
                std::memset(before.data() + place, 0, output.width());
            });
        }
        if (count(output.shape) > 0 && found != before) complain(-1, 0);
    }

    void destroy() {
        for (Given &each : given_) {
            EXPECT(aclDestroyTensor(each.tensor) == 0);
            if (each.memory != nullptr) EXPECT(aclrtFree(each.memory) == ACL_SUCCESS);
        }
    }

protected:
    void complain(int status, int wanted) {
        const char *text = aclGetRecentErrMsg();
        std::printf("status %d, wanted %d: %s\n", status, wanted, text == nullptr ? "" : text);
        for (const Given &each : given_) {
            std::printf("  %s null %d dtype %d format %d offset %ld shape", each.name, each.null, each.dtype, each.format,
                        static_cast<long>(each.offset));
            for (int64_t size : each.shape) std::printf(" %ld", static_cast<long>(size));
            std::printf(" strides");
            for (int64_t stride : each.strides) std::printf(" %ld", static_cast<long>(stride));
            std::printf("\n");
        }
        print();
        std::fflush(stdout);
        std::abort();
    }

private:
    std::vector<std::vector<uint8_t>> results_;
    int accepted_ = 0;
    std::set<int> statuses_;
};

/// Runs a program of this kind; its arguments are the number of calls and the seed.
template <typename Operator>
int fuzzed(int argc, char **argv, const std::set<int> &statuses) {
    const int calls = argc > 1 ? std::atoi(argv[1]) : 1000;
    EXPECT(aclInit(nullptr) == ACL_SUCCESS && aclrtSetDevice(0) == ACL_SUCCESS);
    Operator fuzz(argc > 2 ? std::strtoull(argv[2], nullptr, 10) : 1);
    fuzz.run(calls);
    EXPECT(aclrtResetDevice(0) == ACL_SUCCESS && aclFinalize() == ACL_SUCCESS);
    EXPECT(aclGetRecentErrMsg() == nullptr);
    EXPECT(fuzz.statuses() == statuses);
    std::printf("%d calls are right, %d of them ran\n", calls, fuzz.accepted());
    return 0;
}
