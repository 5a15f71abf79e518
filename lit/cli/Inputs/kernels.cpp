#include "acl/acl.h"
#include "kernel_operator.h"
using namespace AscendC;

extern "C" __global__ __aicore__ void fill(GM_ADDR z, float value) {
    TPipe pipe;
    TQue<TPosition::VECOUT, 1> queue;
    pipe.InitBuffer(queue, 1, 256);
    LocalTensor<float> row = queue.AllocTensor<float>();
    Duplicate(row, value, 64);
    queue.EnQue(row);
    row = queue.DeQue<float>();
    GlobalTensor<float> out;
    out.SetGlobalBuffer((__gm__ float*)z + GetBlockIdx() * 64, 64);
    DataCopy(out, row, 64);
    queue.FreeTensor(row);
}

template <typename T>
__global__ __aicore__ void nothing(__gm__ T* z) {
    (void)z;
}

void launch(aclrtStream stream, uint8_t* z) {
    fill<<<2, nullptr, stream>>>(z, 1.0f);
}

int main() {
    launch(nullptr, nullptr);
}
