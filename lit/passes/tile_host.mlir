// RUN: opwright-opt %s -p 'tile{target=cpu},canonicalize,cse' --split-input-file | filecheck %s

// The host sums over further dims inside a block of rows, in order, and takes the rows that are left over one by one.
// CHECK-LABEL: func.func @sum(
// CHECK: scf.for %i0 = %c0 to %N step %s_i_tile {
// CHECK: %blocks = arith.floordivsi %rows, %c4 : index
// CHECK-NEXT: tile.foreach (%block: 0 to %blocks, %j: 0 to %B, %r: 0 to 4, %l_1: 0 to %width) {
// CHECK-NEXT: %a_1 = tile.read %x[%i0 + %block * 4 + %r, %j, %h0 + %l_1] : memref<?x?x?xf32>
// CHECK-NEXT: tile.write add %a_1 to %s_acc[0, %l_1] : memref<?x?xf32, "ub">
// CHECK: %[[DONE:.*]] = arith.muli %blocks, %c4 : index
// CHECK-NEXT: %[[START:.*]] = arith.addi %i0, %[[DONE]] : index
// CHECK-NEXT: %[[LEFT:.*]] = arith.subi %rows, %[[DONE]] : index
// CHECK-NEXT: tile.foreach (%r_1: 0 to %[[LEFT]], %j_1: 0 to %B, %l_2: 0 to %width) {
// CHECK-NEXT: %a_2 = tile.read %x[%[[START]] + %r_1, %j_1, %h0 + %l_2] : memref<?x?x?xf32>
spec.operator @sum {
  %N = spec.dim "N"
  %B = spec.dim "B"
  %H = spec.dim "H"
  %x = spec.input "x" : !spec.tensor<[N, B, H], f32>
  %s = spec.compute (%i: 0 to %N, %j: 0 to %B, %h: 0 to %H) -> !spec.tensor<[H], f32> {
    %a = spec.read %x[%i, %j, %h] : f32
    spec.write add %a to 0[%h]
  }
  spec.output "s" %s : !spec.tensor<[H], f32>
}

// -----

// A guard leaves points out of a sum of integers. The walk ends where the ragged range ends.
// CHECK-LABEL: func.func @guarded(
// CHECK: %[[LEAST:.*]] = arith.constant -128 : i8
// CHECK: tile.write %[[LEAST]] to %s_acc
// CHECK: %j_end = arith.addi %i, %{{.*}} : index
// CHECK: scf.for %j0 = %c0 to %j_end step %s_j_tile {
// CHECK: tile.write max %{{.*}} to %s_acc[0, %{{.*}}] if %{{.*}} : memref<?x?xi8, "ub">
// CHECK: tile.write %{{.*}} to %s[%i, %h0 + %{{.*}}] : memref<?x?xi8>
spec.operator @guarded {
  %N = spec.dim "N"
  %H = spec.dim "H"
  %x = spec.input "x" : !spec.tensor<[N, H], i8>
  %zero = arith.constant 0 : i8
  %s = spec.compute (%i: 0 to %N, %j: 0 to %i + 1, %h: 0 to %H) -> !spec.tensor<[N, H], i8> {
    %a = spec.read %x[%j, %h] : i8
    %c = arith.cmpi ne, %a, %zero : i8
    spec.write max %a to 0[%i, %h] if %c
  }
  spec.output "s" %s : !spec.tensor<[N, H], i8>
}

// -----

// Rows that do not count up by one leave the accumulator one by one.
// CHECK-LABEL: func.func @apart(
// CHECK: tile.alloc "s_acc" accumulator [2, %s_h_tile]
// CHECK: tile.foreach (%[[A:.*]]: 0 to 1, %[[L:.*]]: 0 to %width) {
// CHECK-NEXT: %[[V:.*]] = tile.read %s_acc[%[[A]], %[[L]]]
// CHECK-NEXT: tile.write %[[V]] to %s[1, %h0 + %[[L]]] : memref<2x?xf32>
// CHECK: tile.foreach (%[[A2:.*]]: 0 to 1, %[[L2:.*]]: 0 to %width) {
// CHECK-NEXT: %[[V2:.*]] = tile.read %s_acc[%[[A2]] + 1, %[[L2]]]
// CHECK-NEXT: tile.write %[[V2]] to %s[0, %h0 + %[[L2]]] : memref<2x?xf32>
spec.operator @apart {
  %N = spec.dim "N"
  %H = spec.dim "H"
  %x = spec.input "x" : !spec.tensor<[N, H], f32>
  %s = spec.compute (%i: 0 to %N, %h: 0 to %H) -> !spec.tensor<[2, H], f32> {
    %a = spec.read %x[%i, %h] : f32
    spec.write add %a to 0[1, %h]
    spec.write add %a to 0[0, %h]
  }
  spec.output "s" %s : !spec.tensor<[2, H], f32>
}
