// RUN: opwright-opt %s -t "ascendc{target=ascend910b}" | filecheck %s

// The text of every operation, of a kernel with two stages, and of its host tiling.

func.func @k_tiling(%N : index {tile.name = "N"}, %H : index {tile.name = "H"}, %cores : index {tile.name = "cores"})
    -> (index {tile.name = "row_pitch"}) attributes {tile.tiling} {
  %c256 = arith.constant 256 : index
  %c100 = arith.constant 100 : index
  %fits = arith.cmpi sle, %H, %c100 : index
  ascendc.require %fits "H is above 100"
  %some = arith.cmpi sgt, %N, %c100 : index
  ascendc.require %some "N is small"
  func.return %c256 : index
}
func.func @k(%x : memref<?x?xbf16> {tile.name = "x", tile.role = "input", tile.dims = ["N", "H"]},
             %lengths : memref<?x4xi32> {tile.name = "lengths", tile.role = "input", tile.dims = ["N", 4]},
             %y : memref<?x?xf32> {tile.name = "y", tile.role = "output", tile.dims = ["N", "H"]},
             %parts : memref<?x?xf32> {tile.name = "parts", tile.role = "workspace", tile.dims = ["N", "H"]},
             %more : memref<?xf32> {tile.name = "more", tile.role = "workspace", tile.dims = ["H"]},
             %N : index {tile.name = "N", tile.role = "dim"},
             %H : index {tile.name = "H", tile.role = "dim"},
             %row_pitch : index {tile.name = "row_pitch", tile.role = "tiling"},
             %cores : index {tile.name = "cores", tile.role = "cores"})
             attributes {tile.kernel, tile.equation = "y[n, h] = exp(x[n, h])\nwith care"} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c8 = arith.constant 8 : index
  %c64 = arith.constant 64 : index
  %two = arith.constant 2.0 : f32
  %half = arith.constant 0.5 : f16
  ascendc.stage "first half" %cores (%core) {
    %blocks = arith.divsi %row_pitch, %c8 : index
    %ready = ascendc.event : !ascendc.event<"MTE2_S">
    %rows = arith.muli %c2, %c8 : index
    %x_in_queue = ascendc.queue "x_in" [%rows + 1, %row_pitch] times 2 : !ascendc.queue<"VECIN", bf16>
    %y_out_queue = ascendc.queue "y_out" [8, %row_pitch] : !ascendc.queue<"VECOUT", f32>
    %through_queue = ascendc.queue "through" [1, 32] : !ascendc.queue<"VECBIND", i32>
    %g_buffer = ascendc.buffer "g" [8, %row_pitch] : !ascendc.buffer<f32>
    %g = ascendc.get %g_buffer : !ascendc.buffer<f32> -> memref<?xf32, "ub">
    %h_buffer = ascendc.buffer "h" [8, %row_pitch] : !ascendc.buffer<f16>
    %h = ascendc.get %h_buffer : !ascendc.buffer<f16> -> memref<?xf16, "ub">
    %s_buffer = ascendc.buffer "s" [1, 64] : !ascendc.buffer<i32>
    %s = ascendc.get %s_buffer : !ascendc.buffer<i32> -> memref<?xi32, "ub">
    %length = memref.load %lengths[%core, %c1] : memref<?x4xi32>
    ascendc.copy_in %lengths[%c0] to %s[%c0] blocks %c1 length %c8 gaps %c0, %c0 : memref<?x4xi32>, memref<?xi32, "ub">
    ascendc.set_flag %ready : !ascendc.event<"MTE2_S">
    ascendc.wait_flag %ready : !ascendc.event<"MTE2_S">
    memref.store %length, %s[%c8] : memref<?xi32, "ub">
    %flag = memref.load %s[%c8] : memref<?xi32, "ub">
    %scale = arith.sitofp %flag : i32 to f32
    %at = arith.muli %core, %H : index
    %x_in = ascendc.alloc_tensor %x_in_queue : !ascendc.queue<"VECIN", bf16> -> memref<?xbf16, "ub">
    ascendc.copy_in %x[%at] to %x_in[%row_pitch] blocks %c8 length %c64 gaps %c2, %c1 : memref<?x?xbf16>, memref<?xbf16, "ub">
    ascendc.enque %x_in to %x_in_queue : memref<?xbf16, "ub">, !ascendc.queue<"VECIN", bf16>
    %x_in_1 = ascendc.deque %x_in_queue : !ascendc.queue<"VECIN", bf16> -> memref<?xbf16, "ub">
    ascendc.cast "CAST_NONE" %g[%c0], %x_in_1[%row_pitch] lanes %c64 repeat %c8 strides [%blocks, %c2] : memref<?xf32, "ub">, memref<?xbf16, "ub">
    ascendc.free_tensor %x_in_1 to %x_in_queue : memref<?xbf16, "ub">, !ascendc.queue<"VECIN", bf16>
    ascendc.barrier "V"
    ascendc.unary "Exp" %g[%c0], %g[%c64] lanes %c64 : memref<?xf32, "ub">, memref<?xf32, "ub"> loc("g[h] = exp(x[h])")
    ascendc.unary "Sqrt" %g[%c0], %g[%c64] lanes %c64 repeat %c8 strides [%c8, %c8] : memref<?xf32, "ub">, memref<?xf32, "ub"> loc("g[h] = exp(x[h])")
    ascendc.unary "Copy" %g[%c0], %g[%c64] lanes %c64 repeat %c8 strides [%c8, %c8] : memref<?xf32, "ub">, memref<?xf32, "ub">
    ascendc.binary "Add" %g[%c0], %g[%c64], %g[%c0] lanes %c64 : memref<?xf32, "ub">, memref<?xf32, "ub">, memref<?xf32, "ub">
    ascendc.binary "Max" %g[%c0], %g[%c64], %g[%c0] lanes %c64 repeat %c8 strides [%c0, %blocks, %c0] : memref<?xf32, "ub">, memref<?xf32, "ub">, memref<?xf32, "ub">
    ascendc.scalar "Muls" %g[%c0], %g[%c0] (%two) lanes %c64 : memref<?xf32, "ub">, memref<?xf32, "ub">, f32
    ascendc.scalar "Adds" %g[%c0], %g[%c0] (%scale) lanes %c64 repeat %c8 strides [%c8, %c8] : memref<?xf32, "ub">, memref<?xf32, "ub">, f32
    ascendc.fill "Duplicate" %h[%c0] (%half) lanes %c64 : memref<?xf16, "ub">, f16
    ascendc.fill "Duplicate" %g[%c0] (%two) lanes %c64 repeat %c8 strides [%c8] : memref<?xf32, "ub">, f32
    ascendc.cast "CAST_RINT" %h[%c0], %g[%c0] lanes %c64 : memref<?xf16, "ub">, memref<?xf32, "ub">
    %y_out = ascendc.alloc_tensor %y_out_queue : !ascendc.queue<"VECOUT", f32> -> memref<?xf32, "ub">
    ascendc.fill "Duplicate" %y_out[%c0] (%two) lanes %c64 : memref<?xf32, "ub">, f32
    ascendc.enque %y_out to %y_out_queue : memref<?xf32, "ub">, !ascendc.queue<"VECOUT", f32>
    %y_out_1 = ascendc.deque %y_out_queue : !ascendc.queue<"VECOUT", f32> -> memref<?xf32, "ub">
    ascendc.copy_out %y_out_1[%c0] to %parts[%c0] blocks %c8 length %c64 gaps %c2, %c1 : memref<?xf32, "ub">, memref<?x?xf32>
    ascendc.free_tensor %y_out_1 to %y_out_queue : memref<?xf32, "ub">, !ascendc.queue<"VECOUT", f32>
    ascendc.release_event %ready : !ascendc.event<"MTE2_S">
  }
  ascendc.sync_all
  ascendc.stage "second" %cores when %N (%core) {
    %y_out_queue = ascendc.queue "y_out" [8, %row_pitch] : !ascendc.queue<"VECOUT", f32>
    %y_out = ascendc.alloc_tensor %y_out_queue : !ascendc.queue<"VECOUT", f32> -> memref<?xf32, "ub">
    ascendc.fill "Duplicate" %y_out[%c0] (%two) lanes %c64 : memref<?xf32, "ub">, f32
    ascendc.enque %y_out to %y_out_queue : memref<?xf32, "ub">, !ascendc.queue<"VECOUT", f32>
    %y_out_1 = ascendc.deque %y_out_queue : !ascendc.queue<"VECOUT", f32> -> memref<?xf32, "ub">
    ascendc.copy_out %y_out_1[%c0] to %y[%c0] blocks %c1 length %c64 gaps %c0, %c0 : memref<?xf32, "ub">, memref<?x?xf32>
    ascendc.copy_out %y_out_1[%c0] to %more[%c0] blocks %c1 length %c64 gaps %c0, %c0 : memref<?xf32, "ub">, memref<?xf32>
    ascendc.free_tensor %y_out_1 to %y_out_queue : memref<?xf32, "ub">, !ascendc.queue<"VECOUT", f32>
  }
  func.return
}

// CHECK: // ===== k.cpp =====
// CHECK-NEXT: // k
// CHECK-NEXT: //     y[n, h] = exp(x[n, h])
// CHECK-NEXT: //     with care
// CHECK-NEXT: #include "kernel_operator.h"
// CHECK-NEXT: #include "k_tiling.h"
// CHECK: namespace KKernel {
// CHECK-NEXT: using namespace AscendC;
// CHECK-NEXT: using TilingData = KTilingData;
// CHECK: /// Copies the tiling data word by word: global memory is not addressable as plain memory.
// CHECK-NEXT: __aicore__ inline TilingData ReadTiling(GM_ADDR tiling)
// CHECK-NEXT: {
// CHECK-NEXT: TilingData data;
// CHECK-NEXT: const __gm__ int64_t *from = reinterpret_cast<const __gm__ int64_t *>(tiling);
// CHECK-NEXT: int64_t *to = reinterpret_cast<int64_t *>(&data);
// CHECK-NEXT: for (uint32_t i = 0; i < sizeof(TilingData) / sizeof(int64_t); ++i) {
// CHECK-NEXT: to[i] = from[i];
// CHECK-NEXT: }
// CHECK-NEXT: return data;
// CHECK-NEXT: }
// CHECK: class FirstHalfStage {
// CHECK-NEXT: public:
// CHECK-NEXT: __aicore__ inline void Init(GM_ADDR x, GM_ADDR lengths, GM_ADDR parts, const TilingData &tiling, TPipe *tPipe)
// CHECK-NEXT: {
// CHECK-NEXT: pipe = tPipe;
// CHECK-NEXT: H = tiling.H;
// CHECK-NEXT: rowPitch = tiling.rowPitch;
// CHECK-NEXT: xGm.SetGlobalBuffer(reinterpret_cast<__gm__ bfloat16_t *>(x), tiling.N * tiling.H);
// CHECK-NEXT: lengthsGm.SetGlobalBuffer(reinterpret_cast<__gm__ int32_t *>(lengths), tiling.N * 4);
// CHECK-NEXT: partsGm.SetGlobalBuffer(reinterpret_cast<__gm__ float *>(parts), tiling.N * tiling.H);
// CHECK-NEXT: ready = pipe->AllocEventID<HardEvent::MTE2_S>();
// CHECK-NEXT: const int64_t rows = static_cast<int64_t>(2) * 8;
// CHECK-NEXT: pipe->InitBuffer(xInQueue, 2, (rows + 1) * tiling.rowPitch * sizeof(bfloat16_t));
// CHECK-NEXT: pipe->InitBuffer(yOutQueue, 1, 8 * tiling.rowPitch * sizeof(float));
// CHECK-NEXT: pipe->InitBuffer(throughQueue, 1, 32 * sizeof(int32_t));
// CHECK-NEXT: pipe->InitBuffer(gBuffer, 8 * tiling.rowPitch * sizeof(float));
// CHECK-NEXT: pipe->InitBuffer(hBuffer, 8 * tiling.rowPitch * sizeof(half));
// CHECK-NEXT: pipe->InitBuffer(sBuffer, 64 * sizeof(int32_t));
// CHECK-NEXT: }
// CHECK: __aicore__ inline void Process()
// CHECK-NEXT: {
// CHECK-NEXT: const int64_t core = GetBlockIdx();
// CHECK-NEXT: const int64_t blocks = rowPitch / 8;
// CHECK-NEXT: const int64_t rows = static_cast<int64_t>(2) * 8;
// CHECK-NEXT: LocalTensor<float> g = gBuffer.Get<float>();
// CHECK-NEXT: LocalTensor<half> h = hBuffer.Get<half>();
// CHECK-NEXT: LocalTensor<int32_t> s = sBuffer.Get<int32_t>();
// CHECK-NEXT: const int32_t length = lengthsGm.GetValue(core * 4 + 1);
// CHECK-NEXT: DataCopyPad(s, lengthsGm, DataCopyExtParams(1, 8 * sizeof(int32_t), 0, 0, 0), DataCopyPadExtParams<int32_t>());
// CHECK-NEXT: SetFlag<HardEvent::MTE2_S>(ready);
// CHECK-NEXT: WaitFlag<HardEvent::MTE2_S>(ready);
// CHECK-NEXT: s.SetValue(8, length);
// CHECK-NEXT: const int32_t flag = s.GetValue(8);
// CHECK-NEXT: const float scale = static_cast<float>(flag);
// CHECK-NEXT: const int64_t at = core * H;
// CHECK-NEXT: LocalTensor<bfloat16_t> xIn = xInQueue.AllocTensor<bfloat16_t>();
// CHECK-NEXT: DataCopyPad(xIn[rowPitch], xGm[at],
// CHECK-NEXT: DataCopyExtParams(8, 64 * sizeof(bfloat16_t), 2 * sizeof(bfloat16_t), 1, 0),
// CHECK-NEXT: DataCopyPadExtParams<bfloat16_t>());
// CHECK-NEXT: xInQueue.EnQue(xIn);
// CHECK-NEXT: xIn = xInQueue.DeQue<bfloat16_t>();
// CHECK-NEXT: Cast(g, xIn[rowPitch], RoundMode::CAST_NONE, 64, 8, UnaryRepeatParams(1, 1, blocks, 2));
// CHECK-NEXT: xInQueue.FreeTensor(xIn);
// CHECK-NEXT: PipeBarrier<PIPE_V>();
// CHECK-NEXT: // g[h] = exp(x[h])
// CHECK-NEXT: Exp(g, g[64], 64);
// CHECK-NEXT: Sqrt(g, g[64], 64, 8, UnaryRepeatParams(1, 1, 8, 8));
// CHECK-NEXT: Copy(g, g[64], 64, 8, CopyRepeatParams(1, 1, 8, 8));
// CHECK-NEXT: Add(g, g[64], g, 64);
// CHECK-NEXT: Max(g, g[64], g, 64, 8, BinaryRepeatParams(1, 1, 1, 0, blocks, 0));
// CHECK-NEXT: Muls(g, g, 2.0f, 64);
// CHECK-NEXT: Adds(g, g, scale, 64, 8, UnaryRepeatParams(1, 1, 8, 8));
// CHECK-NEXT: Duplicate(h, static_cast<half>(0.5f), 64);
// CHECK-NEXT: Duplicate(g, 2.0f, 64, 8, 1, 8);
// CHECK-NEXT: Cast(h, g, RoundMode::CAST_RINT, 64);
// CHECK-NEXT: LocalTensor<float> yOut = yOutQueue.AllocTensor<float>();
// CHECK-NEXT: Duplicate(yOut, 2.0f, 64);
// CHECK-NEXT: yOutQueue.EnQue(yOut);
// CHECK-NEXT: yOut = yOutQueue.DeQue<float>();
// CHECK-NEXT: DataCopyPad(partsGm, yOut, DataCopyExtParams(8, 64 * sizeof(float), 1, 2 * sizeof(float), 0));
// CHECK-NEXT: yOutQueue.FreeTensor(yOut);
// CHECK-NEXT: pipe->ReleaseEventID<HardEvent::MTE2_S>(ready);
// CHECK-NEXT: }
// CHECK: private:
// CHECK-NEXT: TPipe *pipe;
// CHECK-NEXT: int32_t ready;
// CHECK-NEXT: TQue<QuePosition::VECIN, 1> xInQueue;
// CHECK-NEXT: TQue<QuePosition::VECOUT, 1> yOutQueue;
// CHECK-NEXT: TQueBind<QuePosition::VECIN, QuePosition::VECOUT, 1> throughQueue;
// CHECK-NEXT: TBuf<TPosition::VECCALC> gBuffer;
// CHECK-NEXT: TBuf<TPosition::VECCALC> hBuffer;
// CHECK-NEXT: TBuf<TPosition::VECIN> sBuffer;
// CHECK-NEXT: GlobalTensor<bfloat16_t> xGm;
// CHECK-NEXT: GlobalTensor<int32_t> lengthsGm;
// CHECK-NEXT: GlobalTensor<float> partsGm;
// CHECK-NEXT: int64_t H;
// CHECK-NEXT: int64_t rowPitch;
// CHECK-NEXT: };
// CHECK: class SecondStage {
// CHECK-NEXT: public:
// CHECK-NEXT: __aicore__ inline void Init(GM_ADDR y, GM_ADDR more, const TilingData &tiling, TPipe *tPipe)
// CHECK-NEXT: {
// CHECK-NEXT: pipe = tPipe;
// CHECK-NEXT: yGm.SetGlobalBuffer(reinterpret_cast<__gm__ float *>(y), tiling.N * tiling.H);
// CHECK-NEXT: moreGm.SetGlobalBuffer(reinterpret_cast<__gm__ float *>(more), tiling.H);
// CHECK-NEXT: pipe->InitBuffer(yOutQueue, 1, 8 * tiling.rowPitch * sizeof(float));
// CHECK-NEXT: }
// CHECK: __aicore__ inline void Process()
// CHECK-NEXT: {
// CHECK-NEXT: LocalTensor<float> yOut = yOutQueue.AllocTensor<float>();
// CHECK-NEXT: Duplicate(yOut, 2.0f, 64);
// CHECK-NEXT: yOutQueue.EnQue(yOut);
// CHECK-NEXT: yOut = yOutQueue.DeQue<float>();
// CHECK-NEXT: DataCopyPad(yGm, yOut, DataCopyExtParams(1, 64 * sizeof(float), 0, 0, 0));
// CHECK-NEXT: DataCopyPad(moreGm, yOut, DataCopyExtParams(1, 64 * sizeof(float), 0, 0, 0));
// CHECK-NEXT: yOutQueue.FreeTensor(yOut);
// CHECK-NEXT: }
// CHECK: private:
// CHECK-NEXT: TPipe *pipe;
// CHECK-NEXT: TQue<QuePosition::VECOUT, 1> yOutQueue;
// CHECK-NEXT: GlobalTensor<float> yGm;
// CHECK-NEXT: GlobalTensor<float> moreGm;
// CHECK-NEXT: };
// CHECK: }  // namespace KKernel
// CHECK: /// Arguments: the inputs, the outputs, the workspace and the tiling data, all in global memory.
// CHECK-NEXT: extern "C" __global__ __aicore__ void k(GM_ADDR x, GM_ADDR lengths, GM_ADDR y, GM_ADDR workspace, GM_ADDR tiling)
// CHECK-NEXT: {
// CHECK-NEXT: KERNEL_TASK_TYPE_DEFAULT(KERNEL_TYPE_MIX_AIV_1_0);
// CHECK-NEXT: const KTilingData data = KKernel::ReadTiling(tiling);
// CHECK-NEXT: AscendC::TPipe pipe;
// CHECK-NEXT: GM_ADDR parts = workspace;
// CHECK-NEXT: GM_ADDR more = workspace + data.moreOffset;
// CHECK: KKernel::FirstHalfStage firstHalfStage;
// CHECK-NEXT: firstHalfStage.Init(x, lengths, parts, data, &pipe);
// CHECK-NEXT: firstHalfStage.Process();
// CHECK: AscendC::PipeBarrier<PIPE_ALL>();
// CHECK-NEXT: AscendC::SyncAll<true>();
// CHECK-NEXT: pipe.Reset();
// CHECK-NEXT: if (data.N != 0) {
// CHECK-NEXT: KKernel::SecondStage secondStage;
// CHECK-NEXT: secondStage.Init(y, more, data, &pipe);
// CHECK-NEXT: secondStage.Process();
// CHECK-NEXT: }
// CHECK-NEXT: }
// CHECK: // ===== k_tiling.h =====
// CHECK-NEXT: #pragma once
// CHECK: #include <cstdint>
// CHECK: /// What the kernel is told; written by the host, read word by word by every core.
// CHECK-NEXT: struct KTilingData {
// CHECK-NEXT: int64_t N;
// CHECK-NEXT: int64_t H;
// CHECK-NEXT: int64_t rowPitch;
// CHECK-NEXT: int64_t cores;
// CHECK-NEXT: int64_t moreOffset;
// CHECK-NEXT: };
// CHECK: /// Computes the tiling data and the size of the workspace in bytes, for a launch on `cores` vector cores.
// CHECK-NEXT: /// Returns a null pointer, or why the kernel cannot run these shapes.
// CHECK-NEXT: const char *KTiling(int64_t N, int64_t H, int64_t cores, KTilingData *data, int64_t *workspaceBytes);
// CHECK: // ===== k_tiling.cpp =====
// CHECK-NEXT: #include "k_tiling.h"
// CHECK: #include <initializer_list>
// CHECK: namespace {
// CHECK: /// The size of a tensor in bytes, rounded up to where the next one may start; -1 above 2^56, which no memory holds.
// CHECK-NEXT: int64_t TensorBytes(std::initializer_list<int64_t> sizes, int64_t elementBytes)
// CHECK-NEXT: {
// CHECK-NEXT: int64_t bytes = elementBytes;
// CHECK-NEXT: bool empty = false;
// CHECK-NEXT: for (int64_t size : sizes) {
// CHECK-NEXT: empty = empty || size == 0;
// CHECK-NEXT: if (size > 0) {
// CHECK-NEXT: if (bytes > (INT64_C(1) << 56) / size) {
// CHECK-NEXT: return -1;
// CHECK-NEXT: }
// CHECK-NEXT: bytes *= size;
// CHECK-NEXT: }
// CHECK-NEXT: }
// CHECK-NEXT: return empty ? 0 : (bytes + 511) / 512 * 512;
// CHECK-NEXT: }
// CHECK: }  // namespace
// CHECK: const char *KTiling(int64_t N, int64_t H, int64_t cores, KTilingData *data, int64_t *workspaceBytes)
// CHECK-NEXT: {
// CHECK-NEXT: if (N < 0) {
// CHECK-NEXT: return "N is negative";
// CHECK-NEXT: }
// CHECK-NEXT: if (H < 0) {
// CHECK-NEXT: return "H is negative";
// CHECK-NEXT: }
// CHECK-NEXT: if (cores < 1) {
// CHECK-NEXT: return "there must be at least one core";
// CHECK-NEXT: }
// CHECK-NEXT: if (TensorBytes({N, H}, 2) < 0 || TensorBytes({N, 4}, 4) < 0 || TensorBytes({N, H}, 4) < 0) {
// CHECK-NEXT: return "a tensor does not fit in memory";
// CHECK-NEXT: }
// CHECK-NEXT: const bool fits = H <= 100;
// CHECK-NEXT: if (H > 100) {
// CHECK-NEXT: return "H is above 100";
// CHECK-NEXT: }
// CHECK-NEXT: const bool some = N > 100;
// CHECK-NEXT: if (!some) {
// CHECK-NEXT: return "N is small";
// CHECK-NEXT: }
// CHECK-NEXT: data->N = N;
// CHECK-NEXT: data->H = H;
// CHECK-NEXT: data->rowPitch = 256;
// CHECK-NEXT: data->cores = cores;
// CHECK-NEXT: const int64_t partsBytes = TensorBytes({data->N, data->H}, 4);
// CHECK-NEXT: if (partsBytes < 0) {
// CHECK-NEXT: return "the workspace does not fit in memory";
// CHECK-NEXT: }
// CHECK-NEXT: data->moreOffset = partsBytes;
// CHECK-NEXT: const int64_t moreBytes = TensorBytes({data->H}, 4);
// CHECK-NEXT: if (moreBytes < 0) {
// CHECK-NEXT: return "the workspace does not fit in memory";
// CHECK-NEXT: }
// CHECK-NEXT: *workspaceBytes = data->moreOffset + moreBytes;
// CHECK-NEXT: return nullptr;
// CHECK-NEXT: }
