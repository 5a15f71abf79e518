// Lists of tensors that one argument passes: descriptions, then one address a tensor.
#pragma once

#include "api/tensor.h"

namespace emu {

/// A number of a list in global memory, as the scalar unit reads it.
inline uint64_t listWord(const uint8_t* list, uint64_t word, Site site) {
    AscendC::GlobalTensor<uint64_t> words;
    words.SetGlobalBuffer(reinterpret_cast<uint64_t*>(const_cast<uint8_t*>(list)));
    return words.GetValue(word, site);
}

}  // namespace emu

namespace AscendC {

/// Rank, place in the list, shape and address of one tensor of a list.
template <typename T>
class TensorDesc {
public:
    /// Give the memory that takes the shape.
    void SetShapeAddr(uint64_t* shape) { shape_ = shape; }

    uint64_t GetDim() const { return dim_; }
    uint64_t GetIndex() const { return index_; }
    uint64_t GetShape(uint32_t offset) const { return shape_[offset]; }
    T* GetDataPtr() const { return data_; }
    GlobalTensor<T> GetDataObj() const {
        GlobalTensor<T> tensor;
        tensor.SetGlobalBuffer(data_);
        return tensor;
    }

private:
    friend class ListTensorDesc;

    uint64_t* shape_ = nullptr;
    uint64_t dim_ = 0;
    uint64_t index_ = 0;
    T* data_ = nullptr;
};

/// The layout is: the byte offset of the addresses; for each tensor rank and place (32 bits each) and its sizes; the
/// addresses. Sizes and addresses have 64 bits.
class ListTensorDesc {
public:
    ListTensorDesc() = default;
    ListTensorDesc(__gm__ void* data, uint32_t length = unchecked, uint32_t shapeSize = unchecked,
                   Site site = Site::here()) {
        Init(data, length, shapeSize, site);
    }

    /// `length` bytes and `shapeSize` tensors are checked where they are given.
    void Init(__gm__ void* data, uint32_t length = unchecked, uint32_t shapeSize = unchecked,
              Site site = Site::here()) {
        list_ = static_cast<const uint8_t*>(data);
        addresses_ = emu::listWord(list_, 0, site) / sizeof(uint64_t);
        starts_.clear();
        for (uint64_t word = 1; word < addresses_; word += 1 + rankAt(word, site)) starts_.push_back(word);
        const uint64_t bytes = (addresses_ + starts_.size()) * sizeof(uint64_t);
        if ((length == unchecked || bytes <= length) && (shapeSize == unchecked || shapeSize == starts_.size())) return;
        emu::Core::current().report(emu::Rule::gmDeclaredSize, "ListTensorDesc", site,
                                    emu::text("the list has %zu tensors and %llu bytes", starts_.size(),
                                              (unsigned long long)bytes));
    }

    uint32_t GetSize() const { return static_cast<uint32_t>(starts_.size()); }

    template <typename T>
    T* GetDataPtr(uint32_t index, Site site = Site::here()) const {
        if (!holds(index, site)) return nullptr;
        return reinterpret_cast<T*>(emu::listWord(list_, addresses_ + index, site));
    }

    /// Describe one tensor; SetShapeAddr comes before.
    template <typename T>
    void GetDesc(TensorDesc<T>& desc, uint32_t index, Site site = Site::here()) const {
        if (!holds(index, site)) return;
        const uint64_t head = emu::listWord(list_, starts_[index], site);
        desc.dim_ = head & rankMask;
        desc.index_ = head >> 32;
        desc.data_ = GetDataPtr<T>(index, site);
        for (uint64_t d = 0; d < desc.dim_; d++) desc.shape_[d] = emu::listWord(list_, starts_[index] + 1 + d, site);
    }

private:
    static constexpr uint32_t unchecked = 0xffffffff;
    static constexpr uint64_t rankMask = 0xffffffff;

    uint64_t rankAt(uint64_t word, Site site) const { return emu::listWord(list_, word, site) & rankMask; }

    bool holds(uint32_t index, Site site) const {
        if (index < starts_.size()) return true;
        emu::Core::current().report(emu::Rule::gmDeclaredSize, "ListTensorDesc", site,
                                    emu::text("tensor %u of a list of %zu", index, starts_.size()));
        return false;
    }

    const uint8_t* list_ = nullptr;
    uint64_t addresses_ = 0;
    std::vector<uint64_t> starts_;
};

}  // namespace AscendC
