// A call of the high-level library: one instruction of whole operands, and temporary memory that it leaves undefined.
#pragma once

#include "api/reduce_all.h"

namespace emu {

/// Temporary memory that a kernel passes; null where the library takes it from the memory that no buffer has.
using Scratch = const LocalTensor<uint8_t>*;

/// What a function gives for a lane: computed in double, rounded to float, and from there to the type.
template <typename T>
T rounded(double value) {
    return narrow<T>(static_cast<float>(value));
}

template <typename T>
double wide(T value) {
    if constexpr (isFloating<T>) return static_cast<double>(widen(value));
    else return static_cast<double>(value);
}

/// Rows of a matrix in the unified buffer, and the elements [first, used) of each that count.
struct Rows {
    uint64_t count;
    uint64_t used;
    uint64_t pitch;
    uint64_t first = 0;

    std::vector<Run> runs(uint64_t address, uint64_t elementBytes) const {
        std::vector<Run> all;
        for (uint64_t r = 0; r < count; r++) {
            appendRun(all, address + (r * pitch + first) * elementBytes, address + (r * pitch + used) * elementBytes);
        }
        return all;
    }
    /// What pads these rows.
    Rows padding() const { return Rows{count, pitch, pitch, used}; }
};

/// Two tensors that start at the same byte.
template <typename A, typename B>
bool together(const LocalTensor<A>& a, const LocalTensor<B>& b) {
    return a.ref().address == b.ref().address;
}

/// The operands of a call, each a number of elements in a row.
class LibraryCall {
public:
    LibraryCall(const char* api, Site site) : instruction_{api, PIPE_V, site, {}, Overlap::forbidden} {}

    template <typename T>
    LibraryCall& writes(const char* name, const LocalTensor<T>& tensor, uint64_t elements) {
        return add(name, tensor, elements, Use::write);
    }

    template <typename T>
    LibraryCall& reads(const char* name, const LocalTensor<T>& tensor, uint64_t elements) {
        return add(name, tensor, elements, Use::read);
    }

    /// A source that may be the destination itself, or lie apart from it.
    template <typename T>
    LibraryCall& readsReusable(const char* name, const LocalTensor<T>& tensor, uint64_t elements) {
        add(name, tensor, elements, Use::read);
        Operand& operand = instruction_.operands.back();
        operand.anyOverlap = operand.ref.address == instruction_.operands.front().ref.address;
        return *this;
    }

    /// `used` elements of each of `rows` rows that start `pitch` elements apart.
    template <typename T>
    LibraryCall& rows(const char* name, const LocalTensor<T>& tensor, const Rows& shape, Use use, bool anyOverlap = false) {
        add(name, tensor, 0, use);
        Operand& operand = instruction_.operands.back();
        operand.runs = shape.runs(tensor.ref().address, sizeof(T));
        operand.anyOverlap = anyOverlap;
        return *this;
    }

    /// What pads rows of a destination: undefined afterwards.
    template <typename T>
    LibraryCall& pads(const char* name, const LocalTensor<T>& tensor, const Rows& shape) {
        return shape.used == shape.pitch ? *this : rows(name, tensor, shape.padding(), Use::clobber, true);
    }

    /// Temporary memory: its bytes are undefined afterwards.
    LibraryCall& scratch(Scratch tmp) {
        return tmp == nullptr ? *this : add("sharedTmpBuffer", *tmp, tmp->ref().bytes, Use::clobber);
    }

    /// Issue it. The library sets the mask register for its own steps, and leaves all lanes.
    template <typename Action>
    void run(const Action& action) {
        Core& core = Core::current();
        if (!chip::registerBased) core.mask.leaveFull(instruction_.api);
        core.issue(instruction_, action);
    }

    Instruction& instruction() { return instruction_; }

private:
    template <typename T>
    LibraryCall& add(const char* name, const LocalTensor<T>& tensor, uint64_t elements, Use use) {
        const uint64_t from = tensor.ref().address;
        std::vector<Run> runs;
        appendRun(runs, from, from + elements * sizeof(T));
        instruction_.operands.push_back(
            Operand{name, tensor.ref(), use, sizeof(T), chip::blockBytes, false, {}, std::move(runs)});
        return *this;
    }

    Instruction instruction_;
};

/// Access to the elements of a tensor while an action runs.
template <typename T>
class Elements {
public:
    Elements(const LocalTensor<T>& tensor) : core_(tensor.ref().owner), address_(tensor.ref().address) {}

    T get(uint64_t index) const {
        T value;
        std::memcpy(static_cast<void*>(&value), core_->ub + address_ + index * sizeof(T), sizeof(T));
        return value;
    }
    void put(uint64_t index, T value) const {
        std::memcpy(core_->ub + address_ + index * sizeof(T), &value, sizeof(T));
    }
    double number(uint64_t index) const { return wide(get(index)); }
    void round(uint64_t index, double value) const { put(index, rounded<T>(value)); }

private:
    Core* core_;
    uint64_t address_;
};

/// Report a shape that the library does not take; whether it is legal.
inline bool legalShape(const char* api, Site site, bool legal, const char* rule) {
    if (!legal) Core::current().report(Rule::countRange, api, site, rule);
    return legal;
}

/// Issue a function of lanes: dst[i] = op(src[i]...) for `count` elements. With `reusable` the first source may be the
/// destination itself.
template <typename Op, typename D, typename... S>
void libraryLanes(const char* api, Site site, const Op& op, uint64_t count, Scratch tmp, bool reusable,
                  const LocalTensor<D>& dst, const LocalTensor<S>&... src) {
    LibraryCall call(api, site);
    call.writes("dst", dst, count);
    size_t index = 0;
    const auto source = [&](const auto& tensor) {
        static constexpr const char* names[] = {"src0", "src1", "src2"};
        if (reusable) call.readsReusable(names[index++], tensor, count);
        else call.reads(names[index++], tensor, count);
    };
    (source(src), ...);
    call.scratch(tmp);
    call.instruction().shape = Shape::counted(count, lanesFor<D, S...>);
    call.run([=] {
        const auto out = Elements<D>(dst);
        const auto in = std::make_tuple(Elements<S>(src)...);
        for (uint64_t i = 0; i < count; i++) {
            out.put(i, std::apply([&](const auto&... from) { return op(from.get(i)...); }, in));
        }
    });
}

}  // namespace emu
