// Tensors in the unified buffer and in global memory.
#pragma once

#include <memory>

#include "api/half.h"
#include "api/types.h"
#include "emu/tensor_call.h"

namespace emu {

/// Elements and bytes of a tensor; two 4-bit integers share a byte.
template <typename T>
constexpr uint64_t bytesOf(uint64_t elements) {
    return std::is_same_v<T, AscendC::int4b_t> ? elements / 2 : elements * sizeof(T);
}
template <typename T>
constexpr uint64_t elementsOf(uint64_t bytes) {
    return std::is_same_v<T, AscendC::int4b_t> ? bytes * 2 : bytes / sizeof(T);
}

/// A range that a kernel places itself, without a pipe object.
inline LocalRef placedRef(AscendC::TPosition position, uint64_t address, uint64_t bytes, Site site) {
    Core& core = Core::current();
    if (address + bytes > uint64_t{chip::ubBytes}) {
        core.report(Rule::ubCapacity, "LocalTensor", site,
                    text("bytes [%llu, %llu) pass the capacity of %lld bytes", (unsigned long long)address,
                         (unsigned long long)(address + bytes), (long long)chip::ubBytes));
        throw CoreAbort{};
    }
    if (address % chip::blockBytes != 0) {
        core.report(Rule::ubAlignment, "LocalTensor", site,
                    text("address %llu is not a multiple of %lld bytes", (unsigned long long)address,
                         (long long)chip::blockBytes));
    }
    return LocalRef{&core, address, bytes, core.buffers.bare(), 0, static_cast<int>(position)};
}

/// An element that is read or written by name, as `tensor(i)`.
template <typename Tensor>
class Element {
public:
    using T = typename Tensor::PrimType;

    Element(const Tensor& tensor, uint64_t index, Site site) : tensor_(tensor), index_(index), site_(site) {}
    Element(const Element&) = default;

    operator T() const { return tensor_.GetValue(index_, site_); }
    const Element& operator=(const Element& other) const { return *this = static_cast<T>(other); }
    const Element& operator=(T value) const {
        tensor_.SetValue(index_, value, site_);
        return *this;
    }
    template <typename U> const Element& operator+=(U value) const { return *this = static_cast<T>(T(*this) + value); }
    template <typename U> const Element& operator-=(U value) const { return *this = static_cast<T>(T(*this) - value); }
    template <typename U> const Element& operator*=(U value) const { return *this = static_cast<T>(T(*this) * value); }
    template <typename U> const Element& operator/=(U value) const { return *this = static_cast<T>(T(*this) / value); }

private:
    Tensor tensor_;
    uint64_t index_;
    Site site_;
};

}  // namespace emu

namespace AscendC {

/// A typed view of unified-buffer memory; a value without storage of its own.
template <typename T>
class LocalTensor {
public:
    using PrimType = T;

    LocalTensor() = default;
    explicit LocalTensor(const emu::LocalRef& ref) : ref_(ref) {}
    /// A tensor at an address that the kernel has chosen, of `size` elements or up to the end of memory.
    LocalTensor(TPosition position, uint32_t address, uint32_t size, Site site = Site::here())
        : ref_(emu::placedRef(position, address, emu::bytesOf<T>(size), site)) {}
    explicit LocalTensor(uint32_t address, Site site = Site::here())
        : ref_(emu::placedRef(TPosition::VECCALC, address, emu::chip::ubBytes - address, site)) {}

    LocalTensor(const LocalTensor&) = default;
    LocalTensor& operator=(const LocalTensor&) = default;
    /// Fill with what a whole-tensor operator gives, as in `dst = a + b`.
    LocalTensor& operator=(const emu::TensorCall<LocalTensor>& call) {
        call(*this);
        return *this;
    }

    const emu::LocalRef& ref() const { return ref_; }
    uint8_t* bytes() const { return ref_.owner->ub + ref_.address; }

    uint32_t GetSize() const { return static_cast<uint32_t>(emu::elementsOf<T>(ref_.bytes)); }
    void SetSize(uint32_t size) { ref_.bytes = emu::bytesOf<T>(size); }
    uint32_t GetLength() const { return static_cast<uint32_t>(ref_.bytes); }
    void SetBufferLen(uint32_t length) { ref_.bytes = length; }

    /// The view from an element on.
    LocalTensor operator[](uint32_t offset) const {
        LocalTensor part = *this;
        const uint64_t skipped = emu::bytesOf<T>(offset);
        part.ref_.address += skipped;
        part.ref_.bytes = skipped < ref_.bytes ? ref_.bytes - skipped : 0;
        return part;
    }

    template <typename U>
    LocalTensor<U> ReinterpretCast() const { return LocalTensor<U>(ref_); }

    /// View this tensor's memory `offset` elements behind the start of another tensor.
    template <typename U>
    void SetAddrWithOffset(LocalTensor<U>& src, uint32_t offset) {
        ref_ = src[offset].ref();
    }

    /// The address as a number, which a cast turns into a pointer.
    uint64_t GetPhyAddr() const {
        if (ref_.owner == nullptr) return 0;
        return reinterpret_cast<uint64_t>(ref_.owner->memory.pointer(ref_.buffer, ref_.address));
    }
    uint64_t GetPhyAddr(uint32_t offset) const { return (*this)[offset].GetPhyAddr(); }
    int32_t GetPosition() const { return ref_.position; }

    void SetUserTag(TTagType tag) { tag_ = tag; }
    TTagType GetUserTag() const { return tag_; }
    void SetShapeInfo(const ShapeInfo& info) { shape_ = std::make_shared<const ShapeInfo>(info); }
    ShapeInfo GetShapeInfo() const { return shape_ == nullptr ? ShapeInfo{} : *shape_; }

    T GetValue(uint32_t offset, Site site = Site::here()) const {
        T value{};
        scalarAccess("GetValue", emu::Use::read, offset, site,
                     [&](const uint8_t* at) { std::memcpy(static_cast<void*>(&value), at, sizeof(T)); });
        return value;
    }

    void SetValue(uint32_t offset, Same<T> value, Site site = Site::here()) const {
        scalarAccess("SetValue", emu::Use::write, offset, site,
                     [value](uint8_t* at) { std::memcpy(at, &value, sizeof(T)); });
    }

    emu::Element<LocalTensor> operator()(uint32_t offset, Site site = Site::here()) const {
        return emu::Element<LocalTensor>(*this, offset, site);
    }

private:
    template <typename Move>
    void scalarAccess(const char* api, emu::Use use, uint32_t offset, Site site, const Move& move) const {
        static_assert(!std::is_same_v<T, int4b_t>, "GetValue and SetValue take whole bytes: use ReinterpretCast");
        const uint64_t address = ref_.address + uint64_t{offset} * sizeof(T);
        emu::Instruction scalar{api, PIPE_S, site};
        scalar.operands.push_back(
            emu::Operand{"tensor", ref_, use, sizeof(T), sizeof(T), false, {}, {{address, address + sizeof(T)}}});
        scalar.posted = use == emu::Use::write;
        emu::Core& core = emu::Core::current();
        core.issue(scalar, [move, at = core.ub + address] { move(at); });
    }

    emu::LocalRef ref_;
    TTagType tag_ = 0;
    std::shared_ptr<const ShapeInfo> shape_;
};

/// A typed view of global memory.
template <typename T>
class GlobalTensor {
public:
    using PrimType = T;

    void SetGlobalBuffer(__gm__ T* buffer) {
        start_ = buffer;
        end_ = nullptr;
    }
    void SetGlobalBuffer(__gm__ T* buffer, uint64_t size) {
        start_ = buffer;
        end_ = buffer + size;
    }

    __gm__ T* GetPhyAddr() const { return start_; }
    __gm__ T* GetPhyAddr(uint64_t offset) const { return start_ + offset; }
    uint64_t GetSize() const { return end_ == nullptr ? 0 : static_cast<uint64_t>(end_ - start_); }

    GlobalTensor operator[](uint64_t offset) const {
        GlobalTensor part = *this;
        part.start_ += offset;
        return part;
    }

    template <typename U>
    GlobalTensor<U> ReinterpretCast() const {
        GlobalTensor<U> other;
        if (end_ == nullptr) {
            other.SetGlobalBuffer(reinterpret_cast<__gm__ U*>(start_));
        } else {
            other.SetGlobalBuffer(reinterpret_cast<__gm__ U*>(start_), GetSize() * sizeof(T) / sizeof(U));
        }
        return other;
    }

    void SetShapeInfo(const ShapeInfo& info) { shape_ = std::make_shared<const ShapeInfo>(info); }
    ShapeInfo GetShapeInfo() const { return shape_ == nullptr ? ShapeInfo{} : *shape_; }

    /// A hint for speed: results do not depend on it.
    template <CacheRwMode mode = CacheRwMode::RW>
    void SetL2CacheHint(CacheMode) {}

    T GetValue(uint64_t offset, Site site = Site::here()) const {
        T value{};
        scalarAccess("GetValue", emu::Use::read, offset, site, [&](emu::Core& core, const uint8_t* at) {
            core.loadGlobal("GetValue", site, at, &value, sizeof(T));
        });
        return value;
    }

    /// A scalar store: it stays in the data cache until the kernel cleans the line.
    void SetValue(uint64_t offset, Same<T> value, Site site = Site::here()) const {
        scalarAccess("SetValue", emu::Use::write, offset, site,
                     [&](emu::Core& core, uint8_t* at) { core.cache.store(at, &value, sizeof(T)); });
    }

    emu::Element<GlobalTensor> operator()(uint64_t offset, Site site = Site::here()) const {
        return emu::Element<GlobalTensor>(*this, offset, site);
    }

    /// This view as an operand whose runs are relative to its first element.
    emu::GmOperand operand(emu::Use use, uint64_t alignment, std::vector<emu::Run> runs) const {
        return emu::GmOperand{reinterpret_cast<const uint8_t*>(start_), reinterpret_cast<const uint8_t*>(end_), use,
                              alignment, std::move(runs)};
    }

private:
    template <typename Move>
    void scalarAccess(const char* api, emu::Use use, uint64_t offset, Site site, Move&& move) const {
        emu::Instruction scalar{api, PIPE_S, site};
        scalar.globals.push_back(operand(use, sizeof(T), {{offset * sizeof(T), (offset + 1) * sizeof(T)}}));
        scalar.globals.back().how = emu::GmWrite::cached;
        emu::Core& core = emu::Core::current();
        core.issue(scalar, [&] { move(core, reinterpret_cast<uint8_t*>(start_ + offset)); });
    }

    __gm__ T* start_ = nullptr;
    __gm__ T* end_ = nullptr;
    std::shared_ptr<const ShapeInfo> shape_;
};

}  // namespace AscendC
