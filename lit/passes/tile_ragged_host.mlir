// RUN: opwright-opt %s -p 'tile{target=cpu},canonicalize,cse' --split-input-file | filecheck %s

// Where nothing is staged, lanes fold onto 16 partial results in loops of a fixed length: whole folds, then the rest.
// CHECK-LABEL: func.func @Dots_tiling(
// CHECK: %w_fold = tile.alloc "w_fold" temp [%w_n_tile, 32] : memref<?x?xf32, "ub">
// CHECK: %whole = arith.divsi %width, %c16 : index
// CHECK-NEXT: %[[V12:.*]] = arith.muli %whole, %c16 : index
// CHECK-NEXT: tile.foreach (%r_1: 0 to %rows, %q: 0 to %whole, %l_2: 0 to 16) {
// CHECK-NEXT: %a_1 = tile.read %x[%t, %n0 + %r_1, %d0 + %q * 16 + %l_2] : memref<?x?x?xf32>
// CHECK-NEXT: tile.write add %a_1 to %w_fold[%r_1, %l_2] : memref<?x?xf32, "ub">
// CHECK-NEXT: }
// CHECK-NEXT: %rest = arith.subi %width, %[[V12]] : index
// CHECK-NEXT: tile.foreach (%r_2: 0 to %rows, %l_3: 0 to %rest) {
// CHECK-NEXT: %a_2 = tile.read %x[%t, %n0 + %r_2, %d0 + %[[V12]] + %l_3] : memref<?x?x?xf32>
// CHECK-NEXT: tile.write add %a_2 to %w_fold[%r_2, %l_3] : memref<?x?xf32, "ub">
// CHECK-NEXT: }
// CHECK-NEXT: tile.tree "add" %w_fold[%c0] to %w_totals[%c0] rows %rows width %c16 : (memref<?x?xf32, "ub">) -> memref<?x?xf32, "ub">
spec.operator @Dots {
  %T = spec.dim "T"
  %N = spec.dim "N"
  %D = spec.dim "D"
  %K = spec.dim "K" = [%T + 1]
  %x = spec.input "x" : !spec.tensor<[T, N, D], f32>
  %place = spec.input "place" : !spec.tensor<[T], i32>
  %w = spec.compute (%t: 0 to %T, %n: 0 to %N, %d: 0 to %D) -> !spec.tensor<[K, N], f32> {
    %k = spec.read %place[%t] : index
    %a = spec.read %x[%t, %n, %d] : f32
    spec.write add %a to 0[%k, %n]
  }
  spec.output "w" %w : !spec.tensor<[K, N], f32>
}
