// RUN: opwright-opt %s -p "size-tiles{target=ascend910b},pipeline{target=ascend910b},insert-sync{target=ascend910b},lower-to-ascendc{target=ascend910b},canonicalize,cse" -t "ascendc{target=ascend910b}" | filecheck %s
// RUN: opwright-opt %s -p "size-tiles{target=ascend950},pipeline{target=ascend950},insert-sync{target=ascend950},lower-to-ascendc{target=ascend950},canonicalize,cse" -t "ascendc{target=ascend950}" | filecheck %s --check-prefix=ORDERED

// A whole kernel: long loop bodies become methods, what they share members.

// CHECK: // blur
// CHECK-NEXT: //     y[i, h] = g[i, h] * w[h] + g[i + 1, h]
// CHECK-NEXT: #include "kernel_operator.h"
// CHECK: class BlurStage {
// CHECK-NEXT: public:
// CHECK-NEXT: __aicore__ inline void Init(GM_ADDR x, GM_ADDR w, GM_ADDR keep, GM_ADDR y, GM_ADDR partial,
// CHECK-NEXT: const TilingData &tiling, TPipe *tPipe)
// CHECK: pipe->InitBuffer(xInQueue, 2, (tiling.tileRows + 1) * tiling.tileH * sizeof(bfloat16_t));
// CHECK: __aicore__ inline void Process()
// CHECK: hTiles = CeilDiv(H, tileH);
// CHECK: for (int64_t item = lo; item < hi; ++item) {
// CHECK-NEXT: ProcessItem(item);
// CHECK-NEXT: }
// CHECK: private:
// CHECK-NEXT: __aicore__ inline void ProcessItem(int64_t item)
// CHECK: LocalTensor<float> acc = partialAccQueue.AllocTensor<float>();
// CHECK: for (int64_t i0 = iLo; i0 < iHi; i0 += tileRows) {
// CHECK-NEXT: ProcessTile(i0, iHi, h0, width, acc);
// CHECK-NEXT: }
// CHECK: DataCopyPad(partialGm[c * H + h0], acc, DataCopyExtParams(1, width * sizeof(float), 0, 0, 0));
// CHECK: __aicore__ inline void ProcessTile(int64_t i0, int64_t iHi, int64_t h0, int64_t width,
// CHECK-NEXT: const LocalTensor<float> &acc)
// CHECK: SetFlag<HardEvent::MTE2_S>(keepInLoaded);
// CHECK: if (missing > 0) {
// CHECK: Duplicate(g[valid * tileH + column], 0.0f, lanes, missing, 1, rowBlocksF32);
// CHECK: WaitFlag<HardEvent::MTE2_S>(keepInLoaded);
// CHECK-NEXT: PipeBarrier<PIPE_V>();
// CHECK-NEXT: for (int64_t r = 0; r < valid; ++r) {
// CHECK-NEXT: const int8_t k = keepIn.GetValue(r);
// CHECK: Add(acc[column], p[column], acc[column], lanes, rows, BinaryRepeatParams(1, 1, 1, 0, rowBlocksF32, 0));
// CHECK-NEXT: }
// CHECK-NEXT: PipeBarrier<PIPE_V>();
// CHECK: int64_t hTiles;
// CHECK: LocalTensor<float> g;
// CHECK: };
// CHECK: class CombineStage {
// CHECK: extern "C" __global__ __aicore__ void blur(GM_ADDR x, GM_ADDR w, GM_ADDR keep, GM_ADDR y, GM_ADDR s, GM_ADDR workspace,

// A chip that orders its vector instructions: no barrier, and one loop over the columns for all of them.

// ORDERED-NOT: PipeBarrier<PIPE_V>
// ORDERED: for (int64_t column = 0; column < width; column += 64) {
// ORDERED: Mul(p[column], g[column], wF32[column], lanes, rows,
// ORDERED: Add(acc[column], p[column], acc[column], lanes, rows, BinaryRepeatParams(1, 1, 1, 0, rowBlocksF32, 0));
// ORDERED-NEXT: Add(p[column], p[column], g[tileH + column], lanes, rows,

builtin.module {
  func.func @blur_tiling(%N: index {tile.name = "N"}, %H: index {tile.name = "H"}, %cores: index {tile.name = "cores"}) -> (index {tile.name = "tile_h"}, index {tile.name = "rows_per_chunk"}, index {tile.name = "chunks"}, index {tile.name = "tile_rows"}) attributes {tile.tiling} {
    %c256 = arith.constant 256 : index
    %c32 = arith.constant 32 : index
    %r = arith.constant 64 : index
    %t = arith.minsi %H, %c256 : index
    %u = arith.ceildivsi %t, %c32 : index
    %tile_h = arith.muli %u, %c32 : index
    %chunks = arith.ceildivsi %N, %r : index
    %tile_rows = tile.fit_rows "blur" %tile_h cap %r
    func.return %tile_h, %r, %chunks, %tile_rows : index, index, index, index
  }
  func.func @blur(%x: memref<?x?xbf16> {tile.name = "x", tile.role = "input", tile.dims = ["N", "H"]}, %w: memref<?xbf16> {tile.name = "w", tile.role = "input", tile.dims = ["H"]}, %keep: memref<?xi8> {tile.name = "keep", tile.role = "input", tile.dims = ["N"]}, %y: memref<?x?xbf16> {tile.name = "y", tile.role = "output", tile.dims = ["N", "H"]}, %s: memref<?xbf16> {tile.name = "s", tile.role = "output", tile.dims = ["H"]}, %partial: memref<?x?xf32> {tile.name = "partial", tile.role = "workspace", tile.dims = ["chunks", "H"]}, %N: index {tile.name = "N", tile.role = "dim"}, %H: index {tile.name = "H", tile.role = "dim"}, %tile_h: index {tile.name = "tile_h", tile.role = "tiling"}, %rows_per_chunk: index {tile.name = "rows_per_chunk", tile.role = "tiling"}, %chunks: index {tile.name = "chunks", tile.role = "tiling"}, %tile_rows: index {tile.name = "tile_rows", tile.role = "tiling"}, %cores: index {tile.name = "cores", tile.role = "cores"}) attributes {tile.kernel, tile.equation = "y[i, h] = g[i, h] * w[h] + g[i + 1, h]"} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %zero = arith.constant 0.0 : f32
    %zero_i8 = arith.constant 0 : i8
    tile.cores "blur" %cores (%core) {
      %x_in = tile.alloc "x_in" in [%tile_rows + 1, %tile_h] times 2 : memref<?x?xbf16, "ub">
      %keep_in = tile.alloc "keep_in" scalars [1, %tile_rows + 33] : memref<?x?xi8, "ub">
      %w_in = tile.alloc "w_in" resident [1, %tile_h] : memref<?x?xbf16, "ub">
      %w_f32 = tile.alloc "w_f32" temp [1, %tile_h] : memref<?x?xf32, "ub">
      %g = tile.alloc "g" temp [%tile_rows + 1, %tile_h] : memref<?x?xf32, "ub">
      %p = tile.alloc "p" temp [%tile_rows, %tile_h] : memref<?x?xf32, "ub">
      %y_out = tile.alloc "y_out" out [%tile_rows, %tile_h] times 2 : memref<?x?xbf16, "ub">
      %acc = tile.alloc "partial_acc" accumulator [1, %tile_h] : memref<?x?xf32, "ub">
      %h_tiles = arith.ceildivsi %H, %tile_h : index
      %items = arith.muli %chunks, %h_tiles : index
      %lo_n = arith.muli %core, %items : index
      %lo = arith.divsi %lo_n, %cores : index
      %core1 = arith.addi %core, %c1 : index
      %hi_n = arith.muli %core1, %items : index
      %hi = arith.divsi %hi_n, %cores : index
      scf.for %item = %lo to %hi step %c1 {
        %c = arith.divsi %item, %h_tiles : index
        %ht = arith.remsi %item, %h_tiles : index
        %h0 = arith.muli %ht, %tile_h : index
        %h_left = arith.subi %H, %h0 : index
        %width = arith.minsi %tile_h, %h_left : index
        %i_lo = arith.muli %c, %rows_per_chunk : index
        %i_end = arith.addi %i_lo, %rows_per_chunk : index
        %i_hi = arith.minsi %i_end, %N : index
        tile.load_rows %w[%h0] along 0 to %w_in[%c0] rows %c1 width %width : memref<?xbf16>, memref<?x?xbf16, "ub">
        tile.cast %w_in[%c0] to %w_f32[%c0] rows %c1 width %width : (memref<?x?xbf16, "ub">) -> memref<?x?xf32, "ub">
        tile.fill (%zero) to %acc[%c0] rows %c1 width %width : (f32) -> memref<?x?xf32, "ub">
        scf.for %i0 = %i_lo to %i_hi step %tile_rows {
          %left = arith.subi %i_hi, %i0 : index
          %rows = arith.minsi %tile_rows, %left : index
          %halo = arith.addi %rows, %c1 : index
          %avail = arith.subi %N, %i0 : index
          %valid = arith.minsi %halo, %avail : index
          %missing = arith.subi %halo, %valid : index
          tile.load_rows %keep[%i0] along 0 to %keep_in[%c0] rows %c1 width %valid : memref<?xi8>, memref<?x?xi8, "ub">
          tile.load_rows %x[%i0, %h0] along 0 to %x_in[%c0] rows %valid width %width : memref<?x?xbf16>, memref<?x?xbf16, "ub">
          tile.cast %x_in[%c0] to %g[%c0] rows %valid width %width : (memref<?x?xbf16, "ub">) -> memref<?x?xf32, "ub">
          tile.fill (%zero) to %g[%valid] rows %missing width %width : (f32) -> memref<?x?xf32, "ub">
          scf.for %r = %c0 to %valid step %c1 {
            %k = memref.load %keep_in[%c0, %r] : memref<?x?xi8, "ub">
            %off = arith.cmpi eq, %k, %zero_i8 : i8
            scf.if %off {
              tile.fill (%zero) to %g[%r] rows %c1 width %width : (f32) -> memref<?x?xf32, "ub">
            }
          }
          tile.binary "mul" %g[%c0], %w_f32[%c0] step 0 to %p[%c0] rows %rows width %width : (memref<?x?xf32, "ub">, memref<?x?xf32, "ub">) -> memref<?x?xf32, "ub">
          tile.accumulate "add" %p[%c0] to %acc[%c0] rows %rows width %width : (memref<?x?xf32, "ub">) -> memref<?x?xf32, "ub">
          tile.binary "add" %p[%c0], %g[%c1] to %p[%c0] rows %rows width %width : (memref<?x?xf32, "ub">, memref<?x?xf32, "ub">) -> memref<?x?xf32, "ub">
          tile.cast %p[%c0] to %y_out[%c0] rows %rows width %width : (memref<?x?xf32, "ub">) -> memref<?x?xbf16, "ub">
          tile.store_rows %y_out[%c0] to %y[%i0, %h0] along 0 rows %rows width %width : memref<?x?xbf16, "ub">, memref<?x?xbf16>
        }
        tile.store_rows %acc[%c0] to %partial[%c, %h0] along 0 rows %c1 width %width : memref<?x?xf32, "ub">, memref<?x?xf32>
      }
    }
    tile.cores "combine" %cores (%core) {
      %p_in = tile.alloc "partial_in" in [%tile_rows, %tile_h] times 2 : memref<?x?xf32, "ub">
      %acc = tile.alloc "s_acc" accumulator [1, %tile_h] : memref<?x?xf32, "ub">
      %s_out = tile.alloc "s_out" out [1, %tile_h] : memref<?x?xbf16, "ub">
      %h_tiles = arith.ceildivsi %H, %tile_h : index
      %lo_n = arith.muli %core, %h_tiles : index
      %lo = arith.divsi %lo_n, %cores : index
      %core1 = arith.addi %core, %c1 : index
      %hi_n = arith.muli %core1, %h_tiles : index
      %hi = arith.divsi %hi_n, %cores : index
      scf.for %ht = %lo to %hi step %c1 {
        %h0 = arith.muli %ht, %tile_h : index
        %h_left = arith.subi %H, %h0 : index
        %width = arith.minsi %tile_h, %h_left : index
        tile.fill (%zero) to %acc[%c0] rows %c1 width %width : (f32) -> memref<?x?xf32, "ub">
        scf.for %p0 = %c0 to %chunks step %tile_rows {
          %left = arith.subi %chunks, %p0 : index
          %rows = arith.minsi %tile_rows, %left : index
          tile.load_rows %partial[%p0, %h0] along 0 to %p_in[%c0] rows %rows width %width : memref<?x?xf32>, memref<?x?xf32, "ub">
          tile.accumulate "add" %p_in[%c0] to %acc[%c0] rows %rows width %width : (memref<?x?xf32, "ub">) -> memref<?x?xf32, "ub">
        }
        tile.cast %acc[%c0] to %s_out[%c0] rows %c1 width %width : (memref<?x?xf32, "ub">) -> memref<?x?xbf16, "ub">
        tile.store_rows %s_out[%c0] to %s[%h0] along 0 rows %c1 width %width : memref<?x?xbf16, "ub">, memref<?xbf16>
      }
    }
    func.return
  }
}
