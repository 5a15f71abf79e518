// TransDataTo5HD: transpose 16 blocks that need not lie together.
#pragma once

#include "api/vector.h"

namespace emu {

using AscendC::TransDataTo5HDParams;

inline constexpr int transListLength = 16;
using TransList = std::array<LocalRef, transListLength>;

/// The piece of the unified buffer that an address as a number stands for.
inline LocalRef refOf(uint64_t pointer) {
    Core& core = Core::current();
    const auto [address, owner] = core.memory.place(reinterpret_cast<const void*>(pointer));
    const int index = owner >= 0 ? owner : core.buffers.find(address);
    if (index < 0 || address >= chip::ubBytes) return LocalRef{};
    const Buffer& buffer = core.buffers.buffer(index);
    const uint64_t end = buffer.begin + buffer.bytes;
    return LocalRef{&core, address, address < end ? end - address : 0, index, buffer.generation};
}

/// A block transposition of one element width.
template <typename T>
class BlockTransposition {
public:
    BlockTransposition(const TransList& dst, const TransList& src, const TransDataTo5HDParams& params)
        : dst_(dst), src_(src), params_(params) {}

    uint32_t repeats() const { return params_.repeatTimes; }

    std::vector<Operand> operands() const {
        std::vector<Operand> list;
        for (int i = 0; i < transListLength; i++) list.push_back(operand("dst", dst_[i], Use::write));
        for (int i = 0; i < transListLength; i++) list.push_back(operand("src", src_[i], Use::read));
        return list;
    }

    /// Source blocks are read in full before a repeat writes.
    void run(uint8_t* ub) const {
        for (uint32_t r = 0; r < repeats(); r++) {
            std::array<std::array<T, perBlock>, transListLength> block;
            for (int i = 0; i < transListLength; i++) {
                std::memcpy(static_cast<void*>(block[i].data()), ub + at(src_[i], params_.srcRepStride, r),
                            chip::blockBytes);
            }
            for (int j = 0; j < transListLength; j++) {
                for (uint32_t i = 0; i < written; i++) {
                    const uint64_t to = at(dst_[j], params_.dstRepStride, r) + (targetHalf() + i) * sizeof(T);
                    std::memcpy(ub + to, &source(block, j, i), sizeof(T));
                }
            }
        }
    }

private:
    static constexpr uint32_t perBlock = chip::blockBytes / sizeof(T);
    static constexpr uint32_t written = sizeof(T) == 1 ? perBlock / 2 : perBlock;

    uint32_t targetHalf() const { return sizeof(T) == 1 && params_.dstHighHalf ? written : 0; }
    uint32_t sourceHalf() const { return sizeof(T) == 1 && params_.srcHighHalf ? written : 0; }

    /// The element that goes to place i of destination block j. 4-byte elements fill pairs of destination blocks.
    template <typename Blocks>
    const T& source(const Blocks& block, uint32_t j, uint32_t i) const {
        if constexpr (sizeof(T) == 4) return block[j % 2 * perBlock + i][j / 2];
        return block[i][sourceHalf() + j];
    }

    /// A single repeat starts one stride after the listed address, several start at it.
    uint64_t at(const LocalRef& ref, uint64_t stride, uint32_t repeat) const {
        return ref.address + (repeats() == 1 ? 1 : repeat) * stride * chip::blockBytes;
    }

    Operand operand(const char* name, const LocalRef& ref, Use use) const {
        const bool write = use == Use::write;
        const uint64_t skip = write ? targetHalf() : sourceHalf();
        std::vector<Run> runs;
        for (uint32_t r = 0; r < repeats(); r++) {
            const uint64_t begin = at(ref, write ? params_.dstRepStride : params_.srcRepStride, r) + skip * sizeof(T);
            appendRun(runs, begin, begin + written * sizeof(T));
        }
        return Operand{name, ref, use, sizeof(T), chip::blockBytes, false, {}, std::move(runs)};
    }

    TransList dst_;
    TransList src_;
    TransDataTo5HDParams params_;
};

template <typename T>
void transData(Site site, const TransList& dst, const TransList& src, const TransDataTo5HDParams& params) {
    static_assert(isLegalFor<T, T>("TransDataTo5HD"), "TransDataTo5HD: the chip's vector unit does not have this type");
    const BlockTransposition<T> transposition(dst, src, params);
    Instruction instruction{"TransDataTo5HD", PIPE_V, site};
    instruction.operands = transposition.operands();
    uint8_t* ub = Core::current().ub;
    Core::current().issue(instruction, [=] { transposition.run(ub); });
}

inline TransList refsOf(const uint64_t* pointers) {
    TransList list;
    for (int i = 0; i < transListLength; i++) list[i] = refOf(pointers[i]);
    return list;
}

template <typename T>
TransList refsOf(const LocalTensor<T>* tensors) {
    TransList list;
    for (int i = 0; i < transListLength; i++) list[i] = tensors[i].ref();
    return list;
}

}  // namespace emu

namespace AscendC {

template <typename T>
void TransDataTo5HD(const uint64_t dstList[16], const uint64_t srcList[16], const TransDataTo5HDParams& params,
                    Site site = Site::here()) {
    emu::transData<T>(site, emu::refsOf(dstList), emu::refsOf(srcList), params);
}

template <typename T>
void TransDataTo5HD(const LocalTensor<T> (&dstList)[16], const LocalTensor<T> (&srcList)[16],
                    const TransDataTo5HDParams& params, Site site = Site::here()) {
    emu::transData<T>(site, emu::refsOf(dstList), emu::refsOf(srcList), params);
}

/// The addresses of the blocks stand in two tensors.
template <typename T>
void TransDataTo5HD(const LocalTensor<uint64_t>& dst, const LocalTensor<uint64_t>& src,
                    const TransDataTo5HDParams& params, Site site = Site::here()) {
    std::array<uint64_t, emu::transListLength> to;
    std::array<uint64_t, emu::transListLength> from;
    for (uint32_t i = 0; i < emu::transListLength; i++) {
        to[i] = dst.GetValue(i, site);
        from[i] = src.GetValue(i, site);
    }
    emu::transData<T>(site, emu::refsOf(to.data()), emu::refsOf(from.data()), params);
}

}  // namespace AscendC
