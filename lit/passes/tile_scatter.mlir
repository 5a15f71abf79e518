// RUN: opwright-opt %s -p 'tile{target=ascend910b},canonicalize,cse' --split-input-file | filecheck %s

// A write at a place that is read. The stage in front finds the owner of each place: the last point that names it and may
// write; a place that none names has -1. A point writes where it owns its place, and a stage behind writes 0 to what has no
// owner.
// CHECK-LABEL: func.func @Scatter_tiling(
// CHECK: tile.cores ragged "y_owner" %cores (%core) {
// CHECK: tile.foreach (%r: 0 to 1, %l: 0 to %count) {
// CHECK-NEXT: %[[V4:.*]] = arith.constant -1 : i32
// CHECK-NEXT: tile.write %[[V4]] to %y_owners_held[%r, %l] : memref<?x?xi32, "ub">
// CHECK-NEXT: }
// CHECK-NEXT: scf.for %m = %zero to %M step %c1 {
// CHECK-NEXT: %[[V5:.*]] = tile.read %place[%m] : memref<?xi32>
// CHECK-NEXT: %p = arith.index_cast %[[V5]] : i32 to index
// CHECK-NEXT: %used = arith.cmpi sge, %p, %zero : index
// CHECK-NEXT: %[[V6:.*]] = arith.andi %used, %used : i1
// CHECK-NEXT: %[[V7:.*]] = arith.cmpi slt, %p, %V : index
// CHECK-NEXT: %[[V8:.*]] = arith.andi %[[V6]], %[[V7]] : i1
// CHECK-NEXT: scf.if %[[V8]] {
// CHECK-NEXT: %[[V9:.*]] = arith.subi %p, %start : index
// CHECK-NEXT: %[[V10:.*]] = arith.cmpi sge, %[[V9]], %zero : index
// CHECK-NEXT: %[[V11:.*]] = arith.cmpi slt, %[[V9]], %count : index
// CHECK-NEXT: %[[V12:.*]] = arith.andi %[[V10]], %[[V11]] : i1
// CHECK-NEXT: scf.if %[[V12]] {
// CHECK-NEXT: %[[V13:.*]] = arith.index_cast %m : index to i32
// CHECK-NEXT: tile.write %[[V13]] to %y_owners_held[0, %[[V9]]] : memref<?x?xi32, "ub">
// CHECK-NEXT: }
// CHECK-NEXT: }
// CHECK-NEXT: }
// CHECK-NEXT: tile.foreach (%r_1: 0 to 1, %l_1: 0 to %count) {
// CHECK-NEXT: %owner = tile.read %y_owners_held[%r_1, %l_1] : memref<?x?xi32, "ub">
// CHECK-NEXT: tile.write %owner to %y_owner[%start + %l_1] : memref<?xi32>
// CHECK: tile.cores ragged "y" %cores (%core_1) {
// CHECK: %owner_1 = tile.read %y_owner[%p_1] : memref<?xi32>
// CHECK-NEXT: %[[V23:.*]] = arith.index_cast %owner_1 : i32 to index
// CHECK-NEXT: %[[V24:.*]] = arith.cmpi eq, %[[V23]], %m_1 : index
// CHECK-NEXT: scf.if %[[V24]] {
// CHECK-NEXT: tile.foreach (%r_2: 0 to 1, %l_2: 0 to %width) {
// CHECK-NEXT: %a = tile.read %x[%m_1, %h0 + %l_2] : memref<?x?xf32>
// CHECK-NEXT: tile.write %a to %y[%p_1, %h0 + %l_2] : memref<?x?xf32>
// CHECK: tile.cores ragged "y_rest" %cores (%core_2) {
// CHECK: %owner_2 = tile.read %y_owner[%row] : memref<?xi32>
// CHECK-NEXT: %[[V31:.*]] = arith.cmpi slt, %owner_2, %{{[0-9]+}} : i32
// CHECK-NEXT: scf.if %[[V31]] {
// CHECK-NEXT: %[[V32:.*]] = arith.constant 0.000000e+00 : f32
// CHECK-NEXT: tile.foreach (%r_3: 0 to 1, %l_3: 0 to %width_1) {
// CHECK-NEXT: tile.write %[[V32]] to %y[%row, %start_1 + %l_3] : memref<?x?xf32>
spec.operator @Scatter {
  %V = spec.dim "V"
  %M = spec.dim "M"
  %H = spec.dim "H"
  %x = spec.input "x" : !spec.tensor<[M, H], f32>
  %place = spec.input "place" : !spec.tensor<[M], i32>
  %w = spec.input "w" : !spec.tensor<[V], f32>
  %zero = arith.constant 0 : index
  %y = spec.compute (%m: 0 to %M, %h: 0 to %H) -> !spec.tensor<[V, H], f32> {
    %a = spec.read %x[%m, %h] : f32
    %p = spec.read %place[%m] : index
    %used = arith.cmpi sge, %p, %zero : index
    spec.write %a to 0[%p, %h] unique if %used
  }
  spec.output "y" %y : !spec.tensor<[V, H], f32>
}

// -----

// A number a place: a product over the lanes of the point that owns it. The zeros come first, to all places.
// CHECK-LABEL: func.func @Points_tiling(
// CHECK: tile.cores ragged "y_owner" %cores (%core) {
// CHECK: tile.cores ragged "y_zero" %cores (%core_1) {
// CHECK: tile.foreach (%r_2: 0 to 1, %l_2: 0 to %width) {
// CHECK-NEXT: tile.write %{{[0-9]+}} to %y[%row, %start_1 + %l_2] : memref<?x1xf32>
// CHECK: tile.cores ragged "y" %cores when %y_runs (%core_2) {
// CHECK: %owner_1 = tile.read %y_owner[%p_1] : memref<?xi32>
// CHECK-NEXT: %[[V29:.*]] = arith.index_cast %owner_1 : i32 to index
// CHECK-NEXT: %[[V30:.*]] = arith.cmpi eq, %[[V29]], %m_1 : index
// CHECK-NEXT: scf.if %[[V30]] {
// CHECK-NEXT: %[[V31:.*]] = arith.constant 0.000000e+00 : f32
// CHECK-NEXT: tile.foreach (%r_3: 0 to 1, %l_3: 0 to 64) {
// CHECK-NEXT: tile.write %[[V31]] to %y_fold[%r_3, %l_3] : memref<?x?xf32, "ub">
// CHECK-NEXT: }
// CHECK-NEXT: tile.foreach (%r_4: 0 to 1, %l_4: 0 to %width_1) {
// CHECK-NEXT: %a = tile.read %x[%m_1, %h0 + %l_4] : memref<?x?xf32>
// CHECK-NEXT: %b = tile.read %w[%p_1, %h0 + %l_4] : memref<?x?xf32>
// CHECK-NEXT: %c = arith.mulf %a, %b : f32
// CHECK-NEXT: tile.write add %c to %y_fold[%r_4, %l_4 mod 64] : memref<?x?xf32, "ub">
// CHECK-NEXT: }
// CHECK-NEXT: %c64 = arith.constant 64 : index
// CHECK-NEXT: tile.tree "add" %y_fold[%c0_1] to %y_totals[%c0_1] rows %c1_2 width %c64 : (memref<?x?xf32, "ub">) -> memref<?x?xf32, "ub">
// CHECK-NEXT: tile.foreach (%r_5: 0 to 1, %l_5: 0 to 1) {
// CHECK-NEXT: %total = tile.read %y_totals[%r_5, %l_5] : memref<?x?xf32, "ub">
// CHECK-NEXT: tile.write %total to %y[%p_1, %l_5] : memref<?x1xf32>
// CHECK: tile.cores ragged streamed "y_large" %cores when %y_large_runs (%core_3) {
// CHECK: scf.for %strip = %{{.*}} to %H step %y_large_h_tile {
spec.operator @Points {
  %V = spec.dim "V"
  %M = spec.dim "M"
  %H = spec.dim "H"
  %x = spec.input "x" : !spec.tensor<[M, H], f32>
  %w = spec.input "w" : !spec.tensor<[V, H], f32>
  %place = spec.input "place" : !spec.tensor<[M], i32>
  %y = spec.compute (%m: 0 to %M, %h: 0 to %H) -> !spec.tensor<[V, 1], f32> {
    %a = spec.read %x[%m, %h] : f32
    %p = spec.read %place[%m] : index
    %b = spec.read %w[%p, %h] : f32
    %c = arith.mulf %a, %b : f32
    spec.write add %c to 0[%p, 0] unique
  }
  spec.output "y" %y : !spec.tensor<[V, 1], f32>
}

// -----

// The places of a row of spec.positions differ: a point that is told by its row and its place needs no owner, so no stage
// looks for one.
// CHECK-LABEL: func.func @Distinct_tiling(
// CHECK-NOT: owner
// CHECK: tile.cores ragged "e" %cores
// CHECK: tile.cores ragged "s_zero" %cores
// CHECK: tile.cores ragged "s" %cores
// CHECK-NOT: owner
// CHECK: tile.tree "add"
spec.operator @Distinct {
  %T = spec.dim "T"
  %K = spec.dim "K"
  %E = spec.dim "E"
  %H = spec.dim "H"
  %mask = spec.input "mask" : !spec.tensor<[T, E], i8>
  %x = spec.input "x" : !spec.tensor<[T, K, H], f32>
  %e = spec.positions %mask : !spec.tensor<[T, K], i32>
  %zero = arith.constant 0 : index
  %s = spec.compute (%t: 0 to %T, %k: 0 to %K, %h: 0 to %H) -> !spec.tensor<[T, E], f32> {
    %a = spec.read %x[%t, %k, %h] : f32
    %p = spec.read %e[%t, %k] : index
    %used = arith.cmpi sge, %p, %zero : index
    spec.write add %a to 0[%t, %p] unique if %used
  }
  spec.output "s" %s : !spec.tensor<[T, E], f32>
}

// -----

// Without the row among the indices two rows may have the same place, and with half of a point's number two points.
// CHECK-LABEL: func.func @Mixed_tiling(
// CHECK: tile.cores ragged "r_owner" %cores
// CHECK: tile.cores ragged "s_owner" %cores
spec.operator @Mixed {
  %T = spec.dim "T"
  %K = spec.dim "K"
  %E = spec.dim "E"
  %H = spec.dim "H"
  %M = spec.dim "M" = [%T * %K]
  spec.require [%K] >= [1] code 561002
  %mask = spec.input "mask" : !spec.tensor<[T, E], i8>
  %x = spec.input "x" : !spec.tensor<[T, K, H], f32>
  %e = spec.positions %mask : !spec.tensor<[T, K], i32>
  %zero = arith.constant 0 : index
  %r = spec.compute (%t: 0 to %T, %k: 0 to %K, %h: 0 to %H) -> !spec.tensor<[E, 1], f32> {
    %a = spec.read %x[%t, %k, %h] : f32
    %p = spec.read %e[%t, %k] : index
    %used = arith.cmpi sge, %p, %zero : index
    spec.write add %a to 0[%p, 0] unique if %used
  }
  %s = spec.compute (%i: 0 to %M, %h: 0 to %H) -> !spec.tensor<[T, E], f32> {
    %t = spec.index [%i floordiv %K]
    %a = spec.read %x[%t, %i mod %K, %h] : f32
    %p = spec.read %e[%t, 0] : index
    %used = arith.cmpi sge, %p, %zero : index
    spec.write add %a to 0[%t, %p] unique if %used
  }
  spec.output "r" %r : !spec.tensor<[E, 1], f32>
  spec.output "s" %s : !spec.tensor<[T, E], f32>
}
