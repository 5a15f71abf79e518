// RUN: opwright-opt %s -t "ascendc{target=ascend910b}" | filecheck %s

// The text of instructions whose lanes do not stay in their place, of scalar stores, and of the scalar cache.

func.func @k_tiling(%N : index {tile.name = "N"}, %cores : index {tile.name = "cores"}) attributes {tile.tiling} {
  func.return
}
func.func @k(%ends : memref<?xi64> {tile.name = "ends", tile.role = "workspace", tile.dims = ["N"]},
             %y : memref<?xf32> {tile.name = "y", tile.role = "output", tile.dims = ["N"]},
             %N : index {tile.name = "N", tile.role = "dim"},
             %cores : index {tile.name = "cores", tile.role = "cores"}) attributes {tile.kernel} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %c8 = arith.constant 8 : index
  %c32 = arith.constant 32 : index
  %c64 = arith.constant 64 : index
  %big = arith.constant 7 : i64
  ascendc.stage "s" %cores (%core) {
    %a_buffer = ascendc.buffer "a" [%N ceildiv 8 * 8, 64] : !ascendc.buffer<f32>
    %a = ascendc.get %a_buffer : !ascendc.buffer<f32> -> memref<?xf32, "ub">
    %t_buffer = ascendc.buffer "t" [1, 64] : !ascendc.buffer<f32>
    %t = ascendc.get %t_buffer : !ascendc.buffer<f32> -> memref<?xf32, "ub">
    // CHECK: pipe->InitBuffer(aBuffer, CeilDiv(tiling.N, 8) * 8 * 64 * sizeof(float));
    // CHECK: DataCacheCleanAndInvalid<int64_t, CacheLine::ENTIRE_DATA_CACHE, DcciDst::CACHELINE_OUT>(endsGm);
    // CHECK-NEXT: DataSyncBarrier<MemDsbT::ALL>();
    ascendc.clean_cache %ends : memref<?xi64>
    // CHECK-NEXT: endsGm.SetValue(4, 7);
    memref.store %big, %ends[%c4] : memref<?xi64>
    // CHECK-NEXT: Brcb(a, t, 4, BrcbRepeatParams(8, 64));
    ascendc.spread "Brcb" %a[%c0], %t[%c0] lanes %c8 repeat %c4 strides [%c8, %c64] : memref<?xf32, "ub">, memref<?xf32, "ub">
    // CHECK-NEXT: Mul(a[64], a[64], a, 64, 8, BinaryRepeatParams(1, 1, 0, 8, 8, 0));
    ascendc.by_row "Mul" %a[%c64], %a[%c64], %a[%c0] lanes %c64 repeat %c8 strides [%c8, %c8, %c0] : memref<?xf32, "ub">, memref<?xf32, "ub">, memref<?xf32, "ub">
    // CHECK-NEXT: WholeReduceSum<float>(t, a, 64, 32, 1, 1, 8);
    ascendc.reduce "WholeReduceSum" %t[%c0], %a[%c0] lanes %c64 repeat %c32 strides [%c1, %c8] : memref<?xf32, "ub">, memref<?xf32, "ub">
    // CHECK-NEXT: WholeReduceMin<float>(t[32], a, 64, 32, 1, 1, 8, ReduceOrder::ORDER_ONLY_VALUE);
    ascendc.reduce "WholeReduceMin" %t[%c32], %a[%c0] lanes %c64 repeat %c32 strides [%c1, %c8] : memref<?xf32, "ub">, memref<?xf32, "ub">
  }
  func.return
}
