// Tensors in the unified buffer and in global memory.
#pragma once

#include "api/types.h"

namespace AscendC {

/// A typed view of unified-buffer memory; a value without storage of its own.
template <typename T>
class LocalTensor {
public:
    using PrimType = T;

    LocalTensor() = default;
    explicit LocalTensor(const emu::LocalRef& ref) : ref_(ref) {}

    const emu::LocalRef& ref() const { return ref_; }
    uint8_t* bytes() const { return ref_.owner->ub + ref_.address; }

    uint32_t GetSize() const { return static_cast<uint32_t>(ref_.bytes / sizeof(T)); }
    void SetSize(uint32_t size) { ref_.bytes = uint64_t{size} * sizeof(T); }

    /// The view from an element on.
    LocalTensor operator[](uint32_t offset) const {
        LocalTensor part = *this;
        const uint64_t skipped = uint64_t{offset} * sizeof(T);
        part.ref_.address += skipped;
        part.ref_.bytes = skipped < ref_.bytes ? ref_.bytes - skipped : 0;
        return part;
    }

    template <typename U>
    LocalTensor<U> ReinterpretCast() const { return LocalTensor<U>(ref_); }

    T GetValue(uint32_t offset, Site site = Site::here()) const {
        T value{};
        scalarAccess("GetValue", emu::Use::read, offset, site,
                     [&](const uint8_t* at) { std::memcpy(&value, at, sizeof(T)); });
        return value;
    }

    void SetValue(uint32_t offset, Same<T> value, Site site = Site::here()) const {
        scalarAccess("SetValue", emu::Use::write, offset, site,
                     [&](uint8_t* at) { std::memcpy(at, &value, sizeof(T)); });
    }

private:
    template <typename Move>
    void scalarAccess(const char* api, emu::Use use, uint32_t offset, Site site, Move&& move) const {
        const uint64_t address = ref_.address + uint64_t{offset} * sizeof(T);
        emu::Instruction scalar{api, PIPE_S, site};
        scalar.operands.push_back(
            emu::Operand{"tensor", ref_, use, sizeof(T), sizeof(T), false, {}, {{address, address + sizeof(T)}}});
        emu::Core& core = emu::Core::current();
        core.issue(scalar, [&] { move(core.ub + address); });
    }

    emu::LocalRef ref_;
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
    uint64_t GetSize() const { return end_ == nullptr ? 0 : static_cast<uint64_t>(end_ - start_); }

    GlobalTensor operator[](uint64_t offset) const {
        GlobalTensor part = *this;
        part.start_ += offset;
        return part;
    }

    T GetValue(uint64_t offset, Site site = Site::here()) const {
        T value{};
        scalarAccess("GetValue", emu::Use::read, offset, site,
                     [&](const T* at) { std::memcpy(&value, at, sizeof(T)); });
        return value;
    }

    void SetValue(uint64_t offset, Same<T> value, Site site = Site::here()) const {
        scalarAccess("SetValue", emu::Use::write, offset, site, [&](T* at) {
            std::memcpy(static_cast<void*>(at), &value, sizeof(T));
            emu::Core::current().dirtyLines.insert(emu::cacheLine(reinterpret_cast<const uint8_t*>(at)));
        });
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
        emu::Core::current().issue(scalar, [&] { move(start_ + offset); });
    }

    __gm__ T* start_ = nullptr;
    __gm__ T* end_ = nullptr;
};

}  // namespace AscendC
