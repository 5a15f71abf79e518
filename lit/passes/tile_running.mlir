// RUN: opwright-opt %s -p "tile{target=ascend910b},cse,canonicalize" --split-input-file | filecheck %s

// A sum of the terms in front of a place is carried from place to place; the last place of a row has one term less.
// CHECK-LABEL: func.func @Exclusive(
// CHECK: %y_sums = tile.alloc "y_sums" accumulator [1, %y_h_tile] : memref<?x?xf32, "ub">
// CHECK: scf.for %item = %first to %last step %c1 {
// CHECK: %total = scf.for %h0 = %c0 to %H step %y_h_tile iter_args(%before = %{{.*}}) -> (f32) {
// CHECK: %terms = arith.minsi %y_h_tile, %{{.*}} : index
// CHECK-NEXT: tile.foreach (%r: 0 to 1, %l: 0 to %terms) {
// CHECK-NEXT: %a = tile.read %x[%t, %h0 + %l] : memref<?x?xf32>
// CHECK-NEXT: tile.write %a to %y_sums[%r, %l] : memref<?x?xf32, "ub">
// CHECK: %total_1 = scf.for %e = %c0 to %terms step %c1 iter_args(%sum = %before) -> (f32) {
// CHECK-NEXT: %term = tile.read %y_sums[0, %e] : memref<?x?xf32, "ub">
// CHECK-NEXT: %after = arith.addf %sum, %term : f32
// CHECK-NEXT: tile.write %sum to %y_sums[0, %e] : memref<?x?xf32, "ub">
// CHECK-NEXT: scf.yield %after : f32
// CHECK: %[[LAST:.*]] = arith.cmpi slt, %terms, %width : index
// CHECK-NEXT: scf.if %[[LAST]] {
// CHECK-NEXT: tile.write %total_1 to %y_sums[0, %terms] : memref<?x?xf32, "ub">
// CHECK: tile.foreach (%r_1: 0 to 1, %l_1: 0 to %width) {
// CHECK-NEXT: %sum_1 = tile.read %y_sums[%r_1, %l_1] : memref<?x?xf32, "ub">
// CHECK-NEXT: %[[ROUNDED:.*]] = arith.truncf %sum_1 : f32 to bf16
// CHECK-NEXT: tile.write %[[ROUNDED]] to %y[%t, %h0 + %l_1] : memref<?x?xbf16>
// CHECK: scf.yield %total_1 : f32
spec.operator @Exclusive {
  %T = spec.dim "T"
  %H = spec.dim "H"
  %x = spec.input "x" : !spec.tensor<[T, H], f32>
  %y = spec.compute (%t: 0 to %T, %h: 0 to %H, %k: 0 to %h) -> !spec.tensor<[T, H], bf16> {
    %a = spec.read %x[%t, %k] : f32
    spec.write add %a to 0[%t, %h]
  }
  spec.output "y" %y : !spec.tensor<[T, H], bf16>
}

// -----

// With its own term a place is written behind the sum; what is the same for all terms stands in front of their loop.
// CHECK-LABEL: func.func @Inclusive(
// CHECK: %s = tile.read %scale[%t] : memref<?xi32>
// CHECK-NEXT: tile.foreach (%r: 0 to 1, %l: 0 to %width) {
// CHECK: arith.muli %a, %s : i32
// CHECK: scf.for %e = %c0 to %width step %c1 iter_args(%sum = %before) -> (i32) {
// CHECK: %after = arith.addi %sum, %term : i32
// CHECK-NEXT: tile.write %after to %y_sums[0, %e] : memref<?x?xi32, "ub">
// CHECK-NOT: scf.if
spec.operator @Inclusive {
  %T = spec.dim "T"
  %H = spec.dim "H"
  %x = spec.input "x" : !spec.tensor<[T, H], i32>
  %scale = spec.input "scale" : !spec.tensor<[T], i32>
  %y = spec.compute (%t: 0 to %T, %h: 0 to %H, %k: 0 to %h + 1) -> !spec.tensor<[T, H], i32> {
    %s = spec.read %scale[%t] : i32
    %a = spec.read %x[%t, %k] : i32
    %b = arith.muli %a, %s : i32
    spec.write add %b to 0[%t, %h]
  }
  spec.output "y" %y : !spec.tensor<[T, H], i32>
}
