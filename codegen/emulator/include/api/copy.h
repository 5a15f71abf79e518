// Copies between global memory and the unified buffer.
#pragma once

#include "api/params.h"
#include "api/tensor.h"

namespace emu {

/// Blocks of one copy, in bytes: lengths, and distances between the starts of blocks.
struct BlockCopy {
    uint64_t count;
    uint64_t length;
    int64_t globalStep;
    uint64_t localStep;
    uint64_t localSkip = 0;

    std::vector<Run> globalRuns() const { return runs(0, globalStep); }
    std::vector<Run> localRuns(uint64_t base) const { return runs(base + localSkip, static_cast<int64_t>(localStep)); }

private:
    std::vector<Run> runs(uint64_t base, int64_t step) const {
        std::vector<Run> list;
        for (uint64_t i = 0; i < count && length > 0; i++) {
            const uint64_t begin = base + i * static_cast<uint64_t>(step);
            appendRun(list, begin, begin + length);
        }
        return list;
    }
};

/// Reports a copy parameter outside its legal range; such a copy is not executed.
class CopyLimits {
public:
    CopyLimits(const char* api, Site site) : api_(api), site_(site) {}

    void require(const char* field, int64_t value, int64_t low, int64_t high, Rule rule = Rule::copyRange) {
        if (value >= low && value <= high) return;
        legal_ = false;
        Core::current().report(rule, api_, site_,
                               text("%s %lld is outside %lld..%lld", field, (long long)value, (long long)low,
                                    (long long)high));
    }

    void requireMultiple(const char* field, uint64_t value, uint64_t unit) {
        if (value % unit == 0) return;
        legal_ = false;
        Core::current().report(Rule::copyRange, api_, site_,
                               text("%s %llu is not a multiple of %llu", field, (unsigned long long)value,
                                    (unsigned long long)unit));
    }

    /// Elements of 8 bytes can only be padded with zero bits.
    template <typename T>
    void requirePlainPadding(const T& value) {
        const T zero{};
        if (sizeof(T) == 8 && std::memcmp(&value, &zero, sizeof(T)) != 0) {
            legal_ = false;
            Core::current().report(Rule::copyPadding, api_, site_, "paddingValue of an 8-byte type must be 0");
        }
    }

    bool legal() const { return legal_; }

private:
    const char* api_;
    Site site_;
    bool legal_ = true;
};

/// The block that a padded copy into the unified buffer writes: padding, data, padding, filler up to a block boundary.
/// A joined one holds all blocks of the copy, one behind the other.
struct PaddedBlock {
    uint64_t left;
    uint64_t length;
    uint64_t right;
    bool filled;
    bool joined = false;

    uint64_t bytes() const { return roundToBlock(left + length + right); }

    /// Bytes around the data, block by block.
    std::vector<Run> padding(uint64_t base, uint64_t count, uint64_t step) const {
        std::vector<Run> list;
        for (uint64_t i = 0; i < (joined ? 1 : count); i++) {
            const uint64_t begin = base + i * step;
            if (left > 0) appendRun(list, begin, begin + left);
            if (left + length < bytes()) appendRun(list, begin + left + length, begin + bytes());
        }
        return list;
    }
};

template <typename T>
Operand localOperand(const char* name, const AscendC::LocalTensor<T>& tensor, Use use, std::vector<Run> runs) {
    return Operand{name, tensor.ref(), use, sizeof(T), chip::blockBytes, false, {}, std::move(runs)};
}

/// Copy blocks from global memory into the unified buffer.
template <typename T>
void copyIn(const char* api, Site site, const AscendC::LocalTensor<T>& dst, const AscendC::GlobalTensor<T>& src,
            const BlockCopy& copy, const PaddedBlock& block, T value, uint64_t globalAlignment) {
    Core& core = Core::current();
    const uint64_t base = dst.ref().address;
    Instruction move{api, PIPE_MTE2, site};
    move.operands.push_back(localOperand("dst", dst, Use::write, copy.localRuns(base)));
    std::vector<Run> padding = copy.length == 0 ? std::vector<Run>{} : block.padding(base, copy.count, copy.localStep);
    move.operands.push_back(localOperand("dst padding", dst, block.filled ? Use::write : Use::clobber, padding));
    move.globals.push_back(src.operand(Use::read, globalAlignment, copy.globalRuns()));
    const auto* from = reinterpret_cast<const uint8_t*>(src.GetPhyAddr());
    const bool filled = block.filled;
    core.issue(move, [ub = core.ub, padding = std::move(padding), filled, value, base, copy, from] {
        for (const Run& run : padding) {
            if (!filled) std::memset(ub + run.begin, 0xff, run.end - run.begin);
            for (uint64_t at = run.begin; filled && at < run.end; at++) {
                ub[at] = reinterpret_cast<const uint8_t*>(&value)[(at - base) % sizeof(T)];
            }
        }
        for (uint64_t i = 0; i < copy.count && copy.length > 0; i++) {
            std::memcpy(ub + base + copy.localSkip + i * copy.localStep,
                        from + static_cast<int64_t>(i) * copy.globalStep, copy.length);
        }
    });
}

/// How a copy of this type writes global memory now; a type that the atomic mode is not for is reported.
template <typename T>
AtomicOp atomicOpFor(const char* api, Site site) {
    Core& core = Core::current();
    if (core.atomic.op == AtomicOp::none || core.atomic.type == dtypeOf<T>) return core.atomic.op;
    core.report(Rule::atomicType, api, site,
                text("copies another type than SetAtomic at %s:%d is for", core.atomic.site.file,
                     core.atomic.site.line));
    return AtomicOp::none;
}

/// Copy blocks from the unified buffer to global memory.
template <typename T>
void copyOut(const char* api, Site site, const AscendC::GlobalTensor<T>& dst, const AscendC::LocalTensor<T>& src,
             const BlockCopy& copy, uint64_t globalAlignment) {
    Core& core = Core::current();
    const uint64_t base = src.ref().address;
    Instruction move{api, PIPE_MTE3, site};
    move.operands.push_back(localOperand("src", src, Use::read, copy.localRuns(base)));
    const AtomicOp op = atomicOpFor<T>(api, site);
    move.globals.push_back(dst.operand(Use::write, globalAlignment, copy.globalRuns()));
    move.globals.back().how = gmWriteOf<T>(op);
    auto* to = reinterpret_cast<uint8_t*>(dst.GetPhyAddr());
    core.issue(move, [ub = core.ub, op, base, copy, to] {
        for (uint64_t i = 0; i < copy.count && copy.length > 0; i++) {
            storeGlobal<T>(op, to + static_cast<int64_t>(i) * copy.globalStep, ub + base + i * copy.localStep,
                           copy.length);
        }
    });
}

/// Limits that padded copies of both directions share.
template <typename T>
CopyLimits paddedLimits(const AscendC::DataCopyExtParams& params, Site site) {
    CopyLimits limits("DataCopyPad", site);
    limits.require("blockCount", params.blockCount, 0, chip::maxBlockCount);
    limits.require("blockLen", params.blockLen, 0, chip::maxBlockBytes);
    limits.requireMultiple("blockLen", params.blockLen, sizeof(T));
    return limits;
}

/// Whole blocks of a counted copy; a remainder is reported and left out, as the hardware leaves it out.
template <typename T>
uint64_t countedBytes(Site site, uint64_t count) {
    const uint64_t bytes = count * sizeof(T);
    if (bytes % chip::blockBytes != 0) {
        Core::current().report(Rule::copyAlignment, "DataCopy", site,
                               text("%llu bytes are not a multiple of %llu: the rest is not copied",
                                    (unsigned long long)bytes, (unsigned long long)chip::blockBytes));
    }
    return bytes / chip::blockBytes * chip::blockBytes;
}

/// Blocks of an unpadded strided copy.
inline BlockCopy wholeBlocks(const AscendC::DataCopyParams& params, uint64_t globalGap, uint64_t localGap, Site site) {
    CopyLimits limits("DataCopy", site);
    limits.require("blockCount", params.blockCount, 0, chip::maxBlockCount);
    const uint64_t length = uint64_t{params.blockLen} * chip::blockBytes;
    return BlockCopy{limits.legal() ? params.blockCount : uint64_t{0}, length,
                     static_cast<int64_t>(length + globalGap * chip::blockBytes), length + localGap * chip::blockBytes};
}

}  // namespace emu

namespace AscendC {

template <typename T>
void DataCopy(const LocalTensor<T>& dst, const GlobalTensor<T>& src, uint32_t count, Site site = Site::here()) {
    const uint64_t bytes = emu::countedBytes<T>(site, count);
    emu::copyIn("DataCopy", site, dst, src, emu::BlockCopy{1, bytes, 0, 0}, {0, bytes, 0, true}, T{}, sizeof(T));
}

template <typename T>
void DataCopy(const GlobalTensor<T>& dst, const LocalTensor<T>& src, uint32_t count, Site site = Site::here()) {
    emu::copyOut("DataCopy", site, dst, src, emu::BlockCopy{1, emu::countedBytes<T>(site, count), 0, 0}, sizeof(T));
}

template <typename T>
void DataCopy(const LocalTensor<T>& dst, const GlobalTensor<T>& src, const DataCopyParams& params,
              Site site = Site::here()) {
    const emu::BlockCopy copy = emu::wholeBlocks(params, params.srcStride, params.dstStride, site);
    emu::copyIn("DataCopy", site, dst, src, copy, {0, copy.length, 0, true}, T{}, sizeof(T));
}

template <typename T>
void DataCopy(const GlobalTensor<T>& dst, const LocalTensor<T>& src, const DataCopyParams& params,
              Site site = Site::here()) {
    emu::copyOut("DataCopy", site, dst, src, emu::wholeBlocks(params, params.dstStride, params.srcStride, site),
                 sizeof(T));
}

/// How padded copies lay out their blocks in the unified buffer: each in whole 32-byte blocks, or packed.
enum class PaddingMode : uint8_t { Normal = 0, Compact };

/// Set the value that fills the padding of copies with isPad = false.
template <typename T>
void SetPadValue(T value) {
    emu::Registers& registers = emu::Core::current().registers;
    std::memcpy(&registers.padValue, &value, sizeof(T));
    registers.padValueSet = true;
}

template <typename T, PaddingMode mode = PaddingMode::Normal>
void DataCopyPad(const LocalTensor<T>& dst, const GlobalTensor<T>& src, const DataCopyExtParams& params,
                 const DataCopyPadExtParams<T>& pad, Site site = Site::here()) {
    static_assert(mode == PaddingMode::Normal || emu::chip::registerBased, "DataCopyPad: the chip has no Compact mode");
    emu::CopyLimits limits = emu::paddedLimits<T>(params, site);
    limits.require("srcStride", params.srcStride, emu::chip::registerBased ? -int64_t{params.blockLen} : 0,
                   emu::chip::maxGapBytes);
    limits.require("dstStride", params.dstStride, 0, emu::chip::maxGapBytes);
    const int64_t padLimit = emu::chip::blockBytes / sizeof(T);
    limits.require("leftPadding", pad.leftPadding, 0, padLimit, emu::Rule::copyPadding);
    limits.require("rightPadding", pad.rightPadding, 0, padLimit, emu::Rule::copyPadding);
    limits.requirePlainPadding(pad.paddingValue);
    if (!limits.legal()) return;
    const int64_t step = params.blockLen + params.srcStride;
    if constexpr (mode == PaddingMode::Compact) {
        const emu::PaddedBlock block{0, uint64_t{params.blockCount} * params.blockLen, 0, false, true};
        const emu::BlockCopy copy{params.blockCount, params.blockLen, step, params.blockLen};
        emu::copyIn("DataCopyPad", site, dst, src, copy, block, pad.paddingValue, 1);
        return;
    }
    const emu::Registers& registers = emu::Core::current().registers;
    const bool padded = pad.leftPadding + pad.rightPadding > 0;
    T value = pad.paddingValue;
    if (!pad.isPad) std::memcpy(static_cast<void*>(&value), &registers.padValue, sizeof(T));
    const emu::PaddedBlock block{pad.leftPadding * sizeof(T), params.blockLen, pad.rightPadding * sizeof(T),
                                 padded && (pad.isPad || registers.padValueSet)};
    const uint64_t gap = static_cast<uint64_t>(params.dstStride) * emu::chip::blockBytes;
    const emu::BlockCopy copy{params.blockCount, params.blockLen, step, block.bytes() + gap, block.left};
    emu::copyIn("DataCopyPad", site, dst, src, copy, block, value, 1);
}

template <typename T, PaddingMode mode = PaddingMode::Normal>
void DataCopyPad(const GlobalTensor<T>& dst, const LocalTensor<T>& src, const DataCopyExtParams& params,
                 Site site = Site::here()) {
    static_assert(mode == PaddingMode::Normal || emu::chip::registerBased, "DataCopyPad: the chip has no Compact mode");
    emu::CopyLimits limits = emu::paddedLimits<T>(params, site);
    limits.require("srcStride", params.srcStride, 0, emu::chip::maxGapBytes);
    limits.require("dstStride", params.dstStride, 0, emu::chip::maxGapBytes);
    if (!limits.legal()) return;
    const uint64_t gap = static_cast<uint64_t>(params.srcStride) * emu::chip::blockBytes;
    const uint64_t step = mode == PaddingMode::Compact ? uint64_t{params.blockLen}
                                                       : emu::roundToBlock(params.blockLen) + gap;
    emu::copyOut("DataCopyPad", site, dst, src,
                 emu::BlockCopy{params.blockCount, params.blockLen, params.blockLen + params.dstStride, step}, 1);
}

template <typename T>
void DataCopyPad(const LocalTensor<T>& dst, const GlobalTensor<T>& src, const DataCopyParams& params,
                 const DataCopyPadParams& pad, Site site = Site::here()) {
    T value;
    std::memcpy(&value, &pad.paddingValue, sizeof(T));
    DataCopyPad(dst, src, DataCopyExtParams(params.blockCount, params.blockLen, params.srcStride, params.dstStride, 0),
                DataCopyPadExtParams<T>(pad.isPad, pad.leftPadding, pad.rightPadding, value), site);
}

template <typename T>
void DataCopyPad(const GlobalTensor<T>& dst, const LocalTensor<T>& src, const DataCopyParams& params,
                 Site site = Site::here()) {
    DataCopyPad(dst, src, DataCopyExtParams(params.blockCount, params.blockLen, params.srcStride, params.dstStride, 0),
                site);
}

}  // namespace AscendC
