// Tiling structures of the high-level library, in the layout that its documentation gives. The model needs the shapes
// in them; kernels only pass the rest on.
#pragma once

#include <cstdint>

namespace AscendC::tiling {

// Fields of one type, each 0 at first, with the functions of host code.
#define EMU_FIELD(Type, field)                      \
    Type field = 0;                                 \
    void set_##field(Type value) { field = value; } \
    Type get_##field() const { return field; }
#define EMU_WORD(field) EMU_FIELD(uint32_t, field)

struct SoftMaxTiling {
    EMU_WORD(srcM) EMU_WORD(srcK) EMU_WORD(srcSize)
    EMU_WORD(outMaxM) EMU_WORD(outMaxK) EMU_WORD(outMaxSize)
    EMU_WORD(splitM) EMU_WORD(splitK) EMU_WORD(splitSize)
    EMU_WORD(reduceM) EMU_WORD(reduceK) EMU_WORD(reduceSize)
    EMU_WORD(rangeM) EMU_WORD(tailM) EMU_WORD(tailSplitSize) EMU_WORD(tailReduceSize)
};

using LogSoftMaxTiling = SoftMaxTiling;

// The start and the middle that the tilings of norms share.
#define EMU_NORM_SHAPE EMU_WORD(bLength) EMU_WORD(sLength) EMU_WORD(hLength) EMU_WORD(originalHLength)
#define EMU_NORM_TEMPORARIES                                                              \
    EMU_WORD(tmpBufSize) EMU_WORD(oneTmpSize) EMU_WORD(firstTmpStartPos)                  \
    EMU_WORD(secondTmpStartPos) EMU_WORD(thirdTmpStartPos) EMU_WORD(loopRound)            \
    EMU_WORD(inputRoundSize) EMU_WORD(inputTailSize) EMU_WORD(inputTailPos)               \
    EMU_WORD(meanVarRoundSize) EMU_WORD(meanVarTailSize) EMU_WORD(meanVarTailPos)
#define EMU_NORM_SIZES EMU_WORD(inputXSize) EMU_WORD(meanVarSize) EMU_WORD(numberOfTmpBuf)
#define EMU_MEAN_PLACE EMU_WORD(meanTmpTensorPos) EMU_WORD(meanTmpTensorSize)
#define EMU_VARIANCE_PLACE EMU_WORD(varianceTmpTensorPos) EMU_WORD(varianceTmpTensorSize)

struct LayerNormTiling {
    EMU_NORM_SHAPE EMU_NORM_SIZES EMU_MEAN_PLACE EMU_VARIANCE_PLACE EMU_NORM_TEMPORARIES
    EMU_WORD(bshCurLength) EMU_WORD(bsCurLength) EMU_FIELD(float, lastDimValueBack)
};

struct DeepNormTiling {
    EMU_NORM_SHAPE EMU_NORM_SIZES EMU_MEAN_PLACE EMU_VARIANCE_PLACE EMU_NORM_TEMPORARIES
    EMU_WORD(bshCurLength) EMU_WORD(bsCurLength) EMU_FIELD(float, lastDimValueBack)
};

struct LayerNormSeparateTiling {
    EMU_WORD(aLength) EMU_WORD(rLength) EMU_WORD(halfAddRepeatTimes) EMU_WORD(rHeadLength)
    EMU_FIELD(float, k2Rec) EMU_FIELD(float, k2RRec)
    EMU_NORM_SIZES EMU_VARIANCE_PLACE EMU_NORM_TEMPORARIES
    EMU_WORD(arCurLength) EMU_WORD(aCurLength) EMU_FIELD(float, rValueBack)
};

struct RmsNormTiling {
    EMU_NORM_SHAPE EMU_FIELD(float, reciprocalOfHLength)
    EMU_WORD(mainBshLength) EMU_WORD(mainBsLength) EMU_WORD(mainBsLengthAlign) EMU_WORD(loopRound)
    EMU_WORD(inputTailPos) EMU_WORD(tailBshLength) EMU_WORD(tailBsLength)
};

struct TopkTiling {
    EMU_FIELD(int32_t, tmpLocalSize) EMU_FIELD(int32_t, allDataSize) EMU_FIELD(int32_t, innerDataSize)
    EMU_WORD(sortRepeat)
    EMU_FIELD(int32_t, mrgSortRepeat) EMU_FIELD(int32_t, kAlignFourBytes) EMU_FIELD(int32_t, kAlignTwoBytes)
    EMU_FIELD(int32_t, maskOffset) EMU_FIELD(int32_t, maskVreducev2FourBytes)
    EMU_FIELD(int32_t, maskVreducev2TwoBytes) EMU_FIELD(int32_t, mrgSortSrc1offset)
    EMU_FIELD(int32_t, mrgSortSrc2offset) EMU_FIELD(int32_t, mrgSortSrc3offset)
    EMU_FIELD(int32_t, mrgSortTwoQueueSrc1Offset) EMU_FIELD(int32_t, mrgFourQueueTailPara1)
    EMU_FIELD(int32_t, mrgFourQueueTailPara2) EMU_FIELD(int32_t, srcIndexOffset)
    EMU_WORD(copyUbToUbBlockCount)
    EMU_FIELD(int32_t, topkMrgSrc1MaskSizeOffset) EMU_FIELD(int32_t, topkNSmallSrcIndexOffset)
    EMU_WORD(vreduceValMask0) EMU_WORD(vreduceValMask1) EMU_WORD(vreduceIdxMask0) EMU_WORD(vreduceIdxMask1)
    EMU_FIELD(uint16_t, vreducehalfValMask0) EMU_FIELD(uint16_t, vreducehalfValMask1)
    EMU_FIELD(uint16_t, vreducehalfValMask2) EMU_FIELD(uint16_t, vreducehalfValMask3)
    EMU_FIELD(uint16_t, vreducehalfValMask4) EMU_FIELD(uint16_t, vreducehalfValMask5)
    EMU_FIELD(uint16_t, vreducehalfValMask6) EMU_FIELD(uint16_t, vreducehalfValMask7)
};

#undef EMU_VARIANCE_PLACE
#undef EMU_MEAN_PLACE
#undef EMU_NORM_SIZES
#undef EMU_NORM_TEMPORARIES
#undef EMU_NORM_SHAPE
#undef EMU_WORD
#undef EMU_FIELD

}  // namespace AscendC::tiling

namespace optiling {
using AscendC::tiling::DeepNormTiling;
using AscendC::tiling::LayerNormSeparateTiling;
using AscendC::tiling::LayerNormTiling;
using AscendC::tiling::LogSoftMaxTiling;
using AscendC::tiling::RmsNormTiling;
using AscendC::tiling::SoftMaxTiling;
using AscendC::tiling::TopkTiling;
}  // namespace optiling
