// RUN: opwright-opt %s -t "ascendc{target=ascend910b}" | filecheck %s

// The text of instructions that select lanes.

func.func @k_tiling(%N : index {tile.name = "N"}, %cores : index {tile.name = "cores"}) attributes {tile.tiling} {
  func.return
}
func.func @k(%y : memref<?xf32> {tile.name = "y", tile.role = "output", tile.dims = ["N"]},
             %N : index {tile.name = "N", tile.role = "dim"},
             %cores : index {tile.name = "cores", tile.role = "cores"}) attributes {tile.kernel} {
  %c0 = arith.constant 0 : index
  %c32 = arith.constant 32 : index
  %c256 = arith.constant 256 : index
  %first = arith.constant 0 : i32
  %zero = arith.constant 0.0 : f16
  ascendc.stage "s" %cores (%core) {
    %x_buffer = ascendc.buffer "x" [1, 256] : !ascendc.buffer<f16>
    %x = ascendc.get %x_buffer : !ascendc.buffer<f16> -> memref<?xf16, "ub">
    %bits_buffer = ascendc.buffer "bits" [1, 64] : !ascendc.buffer<i8>
    %bits = ascendc.get %bits_buffer : !ascendc.buffer<i8> -> memref<?xi8, "ub">
    %order_buffer = ascendc.buffer "order" [1, 256] : !ascendc.buffer<i32>
    %order = ascendc.get %order_buffer : !ascendc.buffer<i32> -> memref<?xi32, "ub">
    %list_buffer = ascendc.buffer "list" [1, 256] : !ascendc.buffer<i32>
    %list = ascendc.get %list_buffer : !ascendc.buffer<i32> -> memref<?xi32, "ub">
    // CHECK: CreateVecIndex(order, 0, N);
    ascendc.index "CreateVecIndex" %order[%c0] (%first) lanes %N : memref<?xi32, "ub">, i32
    // CHECK-NEXT: CompareScalar(bits[32].ReinterpretCast<uint8_t>(), x, static_cast<half>(0.0f), CMPMODE::NE, 256);
    ascendc.compare "NE" %bits[%c32], %x[%c0] (%zero) lanes %c256 : memref<?xi8, "ub">, memref<?xf16, "ub">, f16
    // CHECK-NEXT: uint64_t kept = 0;
    // CHECK-NEXT: GatherMask(list, order, bits[32].ReinterpretCast<uint32_t>(), true, N, GatherMaskParams(1, 1, 0, 0), kept);
    ascendc.gather_mask "GatherMask" %list[%c0], %order[%c0], %bits[%c32] lanes %N : memref<?xi32, "ub">, memref<?xi32, "ub">, memref<?xi8, "ub">
    // CHECK-NEXT: uint64_t kept_1 = 0;
    // CHECK-NEXT: GatherMask(x, x, bits.ReinterpretCast<uint16_t>(), true, 32, GatherMaskParams(1, 1, 0, 0), kept_1);
    ascendc.gather_mask "GatherMask" %x[%c0], %x[%c0], %bits[%c0] lanes %c32 : memref<?xf16, "ub">, memref<?xf16, "ub">, memref<?xi8, "ub">
    %a_buffer = ascendc.buffer "a" [1, 256] : !ascendc.buffer<f32>
    %a = ascendc.get %a_buffer : !ascendc.buffer<f32> -> memref<?xf32, "ub">
    %b_buffer = ascendc.buffer "b" [1, 256] : !ascendc.buffer<f32>
    %b = ascendc.get %b_buffer : !ascendc.buffer<f32> -> memref<?xf32, "ub">
    // CHECK: Compare(a, b[32], CMPMODE::GE, 32, BinaryRepeatParams(1, 1, 1, 8, 8, 8));
    // CHECK-NEXT: PipeBarrier<PIPE_V>();
    // CHECK-NEXT: SetVectorMask<float>(32);
    // CHECK-NEXT: Select<float, SELMODE::VSEL_CMPMASK_SPR>(a[32], b, a[32], 1, BinaryRepeatParams(1, 1, 1, 8, 8, 8));
    // CHECK-NEXT: ResetMask();
    ascendc.select "GE" %a[%c32], %a[%c0], %b[%c32], %b[%c0], %a[%c32] lanes %c32 : memref<?xf32, "ub">, memref<?xf32, "ub">, memref<?xf32, "ub">, memref<?xf32, "ub">, memref<?xf32, "ub">
    // CHECK-NEXT: Cast(a, b, RoundMode::CAST_FLOOR, 256);
    ascendc.cast "CAST_FLOOR" %a[%c0], %b[%c0] lanes %c256 : memref<?xf32, "ub">, memref<?xf32, "ub">
  }
  func.return
}
