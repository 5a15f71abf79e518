// RUN: opwright-opt %s -p 'tile{target=ascend910b},canonicalize,cse' --split-input-file | filecheck %s

// A range that is read: a scalar loop around the point loop, beside it the scalars, and an accumulator that is cleared
// before it and written behind it. The items are the segments and the tiles of lanes.
// CHECK-LABEL: func.func @Segments_tiling(
// CHECK: %total_acc = tile.alloc "total_acc" accumulator [1, %total_h_tile] : memref<?x?xf32, "ub">
// CHECK: tile.foreach (%a: 0 to 1, %l: 0 to %width) {
// CHECK-NEXT: tile.write %{{[0-9]+}} to %total_acc[%a, %l] : memref<?x?xf32, "ub">
// CHECK-NEXT: }
// CHECK-NEXT: %[[V7:.*]] = tile.read %ends[%b - 1] else %{{[0-9]+}} : memref<?xi64>
// CHECK-NEXT: %begin = arith.index_cast %[[V7]] : i64 to index
// CHECK-NEXT: %[[V8:.*]] = tile.read %ends[%b] : memref<?xi64>
// CHECK-NEXT: %end = arith.index_cast %[[V8]] : i64 to index
// CHECK-NEXT: scf.for %t = %begin to %end step %c1 {
// CHECK-NEXT: %[[V9:.*]] = arith.cmpi sge, %t, %c0 : index
// CHECK-NEXT: %[[V10:.*]] = arith.cmpi slt, %t, %T : index
// CHECK-NEXT: %[[V11:.*]] = arith.andi %[[V9]], %[[V10]] : i1
// CHECK-NEXT: scf.if %[[V11]] {
// CHECK-NEXT: tile.foreach (%r: 0 to 1, %l_1: 0 to %width) {
// CHECK-NEXT: %a_1 = tile.read %x[%t, %h0 + %l_1] : memref<?x?xf32>
// CHECK-NEXT: tile.write add %a_1 to %total_acc[0, %l_1] : memref<?x?xf32, "ub">
// CHECK-NEXT: }
// CHECK-NEXT: }
// CHECK-NEXT: }
// CHECK-NEXT: tile.foreach (%a_2: 0 to 1, %l_2: 0 to %width) {
// CHECK-NEXT: %total_acc_1 = tile.read %total_acc[%a_2, %l_2] : memref<?x?xf32, "ub">
// CHECK-NEXT: tile.write %total_acc_1 to %total[%b, %h0 + %l_2] : memref<?x?xf32>
spec.operator @Segments {
  %T = spec.dim "T"
  %R = spec.dim "R"
  %H = spec.dim "H"
  %x = spec.input "x" : !spec.tensor<[T, H], f32>
  %ends = spec.input "ends" list : !spec.tensor<[R], i64>
  %zero = arith.constant 0 : index
  %total = spec.compute (%b: 0 to %R, %h: 0 to %H) -> !spec.tensor<[R, H], f32> {
    %begin = spec.read %ends[%b - 1] else %zero : index
    %end = spec.read %ends[%b] : index
    spec.each (%t: %begin to %end) {
      %a = spec.read %x[%t, %h] : f32
      spec.write add %a to 0[%b, %h]
    }
  }
  spec.output "total" %total : !spec.tensor<[R, H], f32>
}

// -----

// A sum over lanes: they fold onto partial results, lane l onto number l mod 64, and a tree combines those; the rows of a
// tile, here heads, stay apart. A place that is computed counts the rows of the accumulator. A tile holds all lanes; rows too
// wide for an instruction to repeat over have a stage of their own.
// CHECK-LABEL: func.func @Dots_tiling(
// CHECK: %items_1 = arith.select %{{[0-9]+}}, %items, %c0 : index
// CHECK: %w_acc = tile.alloc "w_acc" accumulator [%K, %w_n_tile ceildiv 32 * 32] : memref<?x?xf32, "ub">
// CHECK-NEXT: %w_fold = tile.alloc "w_fold" temp [%w_n_tile, 64] : memref<?x?xf32, "ub">
// CHECK-NEXT: %w_totals = tile.alloc "w_totals" temp [1, %w_n_tile ceildiv 32 * 32] : memref<?x?xf32, "ub">
// CHECK: tile.foreach (%a: 0 to %K, %l: 0 to %rows) {
// CHECK-NEXT: tile.write %{{[0-9]+}} to %w_acc[%a, %l] : memref<?x?xf32, "ub">
// CHECK-NEXT: }
// CHECK-NEXT: scf.for %t = %c0 to %T step %c1 {
// CHECK-NEXT: %[[V9:.*]] = tile.read %place[%t] : memref<?xi32>
// CHECK-NEXT: %k = arith.index_cast %[[V9]] : i32 to index
// CHECK-NEXT: %[[V10:.*]] = arith.cmpi sge, %k, %c0 : index
// CHECK-NEXT: %[[V11:.*]] = arith.cmpi slt, %k, %K : index
// CHECK-NEXT: %[[V12:.*]] = arith.andi %[[V10]], %[[V11]] : i1
// CHECK-NEXT: scf.if %[[V12]] {
// CHECK-NEXT: tile.foreach (%r: 0 to %rows, %l_1: 0 to 64) {
// CHECK-NEXT: tile.write %{{[0-9]+}} to %w_fold[%r, %l_1] : memref<?x?xf32, "ub">
// CHECK-NEXT: }
// CHECK-NEXT: tile.foreach (%r_1: 0 to %rows, %l_2: 0 to %width) {
// CHECK-NEXT: %a_1 = tile.read %x[%t, %n0 + %r_1, %d0 + %l_2] : memref<?x?x?xf32>
// CHECK-NEXT: tile.write add %a_1 to %w_fold[%r_1, %l_2 mod 64] : memref<?x?xf32, "ub">
// CHECK-NEXT: }
// CHECK-NEXT: %c64 = arith.constant 64 : index
// CHECK-NEXT: tile.tree "add" %w_fold[%c0] to %w_totals[%c0] rows %rows width %c64 : (memref<?x?xf32, "ub">) -> memref<?x?xf32, "ub">
// CHECK-NEXT: tile.foreach (%r_2: 0 to 1, %l_3: 0 to %rows) {
// CHECK-NEXT: %total = tile.read %w_totals[%r_2, %l_3] : memref<?x?xf32, "ub">
// CHECK-NEXT: tile.write add %total to %w_acc[%k + %r_2, %l_3] : memref<?x?xf32, "ub">
// CHECK-NEXT: }
// CHECK-NEXT: }
// CHECK-NEXT: }
// CHECK-NEXT: tile.foreach (%a_2: 0 to %K, %l_4: 0 to %rows) {
// CHECK-NEXT: %w_acc_1 = tile.read %w_acc[%a_2, %l_4] : memref<?x?xf32, "ub">
// CHECK-NEXT: tile.write %w_acc_1 to %w[%a_2, %n0 + %l_4] : memref<?x?xf32>
// CHECK: tile.cores ragged "w_wide" %cores (%core_1) {
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
