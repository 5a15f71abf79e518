#include "kernel_operator.h"
using namespace AscendC;

extern "C" __global__ __aicore__ void wrong(GM_ADDR z) {
    TBuf<> buffer;
    LocalTensor<bfloat16_t> row = buffer.Get<bfloat16_t>();
    Add(row, row, row, 64);
    Nonsense(row);
}
