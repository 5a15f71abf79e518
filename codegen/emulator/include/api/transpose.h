// Transposition of 16x16 blocks and of whole [N, C, H, W] tensors.
#pragma once

#include "api/copy.h"
#include "api/vector.h"

namespace AscendC {

enum class TransposeType : uint8_t {
    TRANSPOSE_TYPE_NONE, TRANSPOSE_NZ2ND_0213, TRANSPOSE_NZ2NZ_0213, TRANSPOSE_NZ2NZ_012_WITH_N,
    TRANSPOSE_NZ2ND_012_WITH_N, TRANSPOSE_NZ2ND_012_WITHOUT_N, TRANSPOSE_NZ2NZ_012_WITHOUT_N, TRANSPOSE_ND2ND_ONLY,
    TRANSPOSE_ND_UB_GM, TRANSPOSE_GRAD_ND_UB_GM, TRANSPOSE_ND2ND_B16, TRANSPOSE_NCHW2NHWC, TRANSPOSE_NHWC2NCHW
};

/// Shape and kind of an enhanced transposition.
struct TransposeParamsExt {
    uint16_t nSize = 0;
    uint16_t cSize = 0;
    uint16_t hSize = 0;
    uint16_t wSize = 0;
    TransposeType transposeType = TransposeType::TRANSPOSE_ND2ND_B16;

    TransposeParamsExt() = default;
    TransposeParamsExt(uint16_t n, uint16_t c, uint16_t h, uint16_t w, TransposeType type)
        : nSize(n), cSize(c), hSize(h), wSize(w), transposeType(type) {}
};

}  // namespace AscendC

namespace emu {

using AscendC::TransposeParamsExt;
using AscendC::TransposeType;

/// `batches` matrices of rows x columns, each transposed.
struct Matrices {
    uint64_t batches;
    uint64_t rows;
    uint64_t columns;

    uint64_t elements() const { return batches * rows * columns; }
};

/// Issue the transposition of matrices; `scratch` is a range of temporary memory (empty: none).
template <typename T>
void transpose(Site site, const LocalTensor<T>& dst, const LocalTensor<T>& src, const Matrices& shape, bool inPlace,
               std::vector<Operand> scratch) {
    const uint64_t bytes = shape.elements() * sizeof(T);
    const uint64_t to = dst.ref().address;
    const uint64_t from = src.ref().address;
    Instruction instruction{"Transpose", PIPE_V, site};
    instruction.overlap = inPlace && to == from ? Overlap::general : Overlap::forbidden;
    instruction.operands.push_back(localOperand("dst", dst, Use::write, {Run{to, to + bytes}}));
    instruction.operands.push_back(localOperand("src", src, Use::read, {Run{from, from + bytes}}));
    for (Operand& operand : scratch) instruction.operands.push_back(std::move(operand));
    uint8_t* ub = Core::current().ub;
    Core::current().issue(instruction, [=] {
        const std::vector<uint8_t> before(ub + from, ub + from + bytes);
        for (uint64_t i = 0; i < shape.elements(); i++) {
            const uint64_t row = i / shape.columns % shape.rows;
            const uint64_t first = i / (shape.rows * shape.columns) * shape.rows * shape.columns;
            const uint64_t target = first + i % shape.columns * shape.rows + row;
            std::memcpy(ub + to + target * sizeof(T), before.data() + i * sizeof(T), sizeof(T));
        }
    });
}

/// The temporary memory that an [N, C, H, W] transposition uses, in bytes.
template <typename T>
uint64_t transposeScratch(const TransposeParamsExt& params) {
    constexpr uint64_t tile = (sizeof(T) == 1 ? 32 : 16) * chip::blockBytes;
    const uint64_t c = params.cSize;
    return params.transposeType == TransposeType::TRANSPOSE_NCHW2NHWC ? (c + 2) * tile : (2 * c + 1) * tile;
}

template <typename T>
bool transposeLegal(Site site, const TransposeParamsExt& params) {
    constexpr int64_t largest = (1 << 12) - 1;
    const uint64_t plane = uint64_t{params.hSize} * params.wSize;
    CopyLimits limits("Transpose", site);
    limits.require("cSize", params.cSize, 0, largest);
    limits.require("hSize * wSize", static_cast<int64_t>(plane), 0, largest);
    limits.requireMultiple("hSize * wSize * sizeof(T)", plane * sizeof(T), chip::blockBytes);
    return limits.legal();
}

}  // namespace emu

namespace AscendC {

/// Transpose a 16x16 matrix of 2-byte elements.
template <typename T>
void Transpose(const LocalTensor<T>& dst, const LocalTensor<T>& src, Site site = Site::here()) {
    static_assert(emu::isLegalFor<T, T>("Transpose"), "Transpose: the chip's vector unit does not have this type");
    emu::transpose(site, dst, src, emu::Matrices{1, 16, 16}, true, {});
}

/// Transpose a 16x16 matrix, or change between [N, C, H, W] and [N, H, W, C].
template <typename T>
void Transpose(const LocalTensor<T>& dst, const LocalTensor<T>& src, const LocalTensor<uint8_t>& sharedTmpBuffer,
               const TransposeParamsExt& params, Site site = Site::here()) {
    static_assert(emu::isLegalFor<T, T>("TransposeExt"), "Transpose: the chip's vector unit does not have this type");
    const uint64_t plane = uint64_t{params.hSize} * params.wSize;
    if (params.transposeType == TransposeType::TRANSPOSE_ND2ND_B16) {
        emu::CopyLimits limits("Transpose", site);
        limits.require("hSize", params.hSize, 16, 16);
        limits.require("wSize", params.wSize, 16, 16);
        limits.require("sizeof(T)", sizeof(T), 2, 2);
        if (limits.legal()) emu::transpose(site, dst, src, emu::Matrices{1, 16, 16}, true, {});
        return;
    }
    const bool toNhwc = params.transposeType == TransposeType::TRANSPOSE_NCHW2NHWC;
    if (!toNhwc && params.transposeType != TransposeType::TRANSPOSE_NHWC2NCHW) {
        emu::CopyLimits("Transpose", site).require("transposeType", static_cast<int64_t>(params.transposeType), 10, 12);
        return;
    }
    if (!emu::transposeLegal<T>(site, params) || plane * params.cSize * params.nSize == 0) return;
    const uint64_t begin = sharedTmpBuffer.ref().address;
    const emu::Matrices shape = toNhwc ? emu::Matrices{params.nSize, params.cSize, plane}
                                       : emu::Matrices{params.nSize, plane, params.cSize};
    emu::transpose(site, dst, src, shape, false,
                   {emu::localOperand("sharedTmpBuffer", sharedTmpBuffer, emu::Use::clobber,
                                      {emu::Run{begin, begin + emu::transposeScratch<T>(params)}})});
}

}  // namespace AscendC
