// RUN: opwright-opt %s -p "pipeline{target=ascend910b},insert-sync{target=ascend910b},verify-sync{target=ascend910b},lower-to-ascendc{target=ascend910b},canonicalize,cse,verify-ascendc{target=ascend910b}" | filecheck %s

// Choices run row by row, as many lanes at a time as an instruction compares; rounding and cutting are conversions.

func.func @k_tiling(%N : index {tile.name = "N"}, %cores : index {tile.name = "cores"})
    -> (index {tile.name = "n"}) attributes {tile.tiling} {
  %n = arith.constant 4 : index
  func.return %n : index
}
func.func @k(%out : memref<?x?xf32> {tile.name = "out", tile.role = "output", tile.dims = ["N", "N"]},
             %N : index {tile.name = "N", tile.role = "dim"}, %n : index {tile.name = "n", tile.role = "tiling"},
             %cores : index {tile.name = "cores", tile.role = "cores"}) attributes {tile.kernel} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c200 = arith.constant 200 : index
  %w = arith.minsi %N, %c200 : index
  tile.cores "s" %cores (%core) {
    %a = tile.alloc "a" temp [4, 224] : memref<?x?xf32, "ub">
    %b = tile.alloc "b" temp [1, 224] : memref<?x?xf32, "ub">
    %x = tile.alloc "x" temp [4, 224] : memref<?x?xf32, "ub">
    %y = tile.alloc "y" temp [4, 224] : memref<?x?xf32, "ub">
    %z = tile.alloc "z" temp [4, 224] : memref<?x?xf32, "ub">
    %k = tile.alloc "k" temp [4, 224] : memref<?x?xi32, "ub">
    // CHECK: scf.for %row = %c0 to %n step %c1 {
    // CHECK-NEXT: scf.for %column = %c0 to %w step %c64 {
    // CHECK-NEXT: %[[LEFT:.*]] = arith.subi %w, %column : index
    // CHECK-NEXT: %lanes = arith.minsi %[[LEFT]], %c64 : index
    // CHECK-NEXT: ascendc.barrier "V"
    // CHECK-NEXT: %[[ROW:.*]] = arith.muli %row, %c224 : index
    // CHECK-NEXT: %[[AT:.*]] = arith.addi %[[ROW]], %column : index
    // CHECK-NEXT: ascendc.select "LT" %z[%[[AT]]], %a[%[[AT]]], %b[%column], %x[%[[AT]]], %y[%[[AT]]] lanes %lanes : memref<?xf32, "ub">, memref<?xf32, "ub">, memref<?xf32, "ub">, memref<?xf32, "ub">, memref<?xf32, "ub">
    // CHECK-NEXT: }
    // CHECK-NEXT: }
    tile.select "lt" %a[%c0], %b[%c0] step 0, %x[%c0], %y[%c0] to %z[%c0] rows %n width %w : (memref<?x?xf32, "ub">, memref<?x?xf32, "ub">, memref<?x?xf32, "ub">, memref<?x?xf32, "ub">) -> memref<?x?xf32, "ub">
    // CHECK-NEXT: ascendc.barrier "V"
    // CHECK-NEXT: scf.for %[[COLUMN:.*]] = %c0 to %w step %c64 {
    // CHECK: ascendc.select "LT" %z[%[[COLUMN]]], %a[%[[COLUMN]]], %b[%[[COLUMN]]], %x[%[[COLUMN]]], %y[%[[COLUMN]]] lanes
    tile.select "lt" %a[%c0], %b[%c0] step 0, %x[%c0], %y[%c0] to %z[%c0] rows %c1 width %w : (memref<?x?xf32, "ub">, memref<?x?xf32, "ub">, memref<?x?xf32, "ub">, memref<?x?xf32, "ub">) -> memref<?x?xf32, "ub">
    // CHECK: ascendc.cast "CAST_RINT" %y[%{{.*}}], %x[%{{.*}}] lanes
    tile.unary "rint" %x[%c0] to %y[%c0] rows %n width %w : (memref<?x?xf32, "ub">) -> memref<?x?xf32, "ub">
    // CHECK-NEXT: ascendc.cast "CAST_TRUNC" %k[%{{.*}}], %x[%{{.*}}] lanes
    tile.cast %x[%c0] to %k[%c0] rows %n width %w : (memref<?x?xf32, "ub">) -> memref<?x?xi32, "ub">
    // CHECK: ascendc.cast "CAST_RINT" %x[%{{.*}}], %k[%{{.*}}] lanes
    tile.cast %k[%c0] to %x[%c0] rows %n width %w : (memref<?x?xi32, "ub">) -> memref<?x?xf32, "ub">
    // CHECK: ascendc.cast "CAST_FLOOR" %y[%c0], %x[%c0] lanes %w
    tile.unary "floor" %x[%c0] to %y[%c0] rows %c1 width %w : (memref<?x?xf32, "ub">) -> memref<?x?xf32, "ub">
  }
  func.return
}
