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
// tile, here heads, stay apart. A place that is computed counts the rows of the accumulator. A tile holds all lanes. Where that
// does not fit on chip, or rows are too wide for an instruction to repeat over, another stage runs in its place: lanes come in
// strips of one row, and an accumulator holds the row of the result that is added to.
// CHECK-LABEL: func.func @Dots_tiling(
// CHECK: %w_n_tile = tile.fit_rows "w" %{{.*}} cap %
// CHECK-NEXT: %[[FITS:.*]] = tile.fits "w"
// CHECK-NEXT: %[[NARROW:.*]] = arith.cmpi sle, %D, %c1984 : index
// CHECK: %[[KEPT:.*]] = arith.select %[[NARROW]], %[[FITS]], %c0 : index
// CHECK: %w_large_d_tile = tile.fit_lanes "w_large" cap %D
// CHECK-NEXT: %[[LARGE:.*]] = arith.subi %c1, %[[KEPT]] : index
// CHECK: tile.cores ragged "w" %cores when %w_runs (%core) {
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
// CHECK: tile.cores ragged streamed "w_large" %cores when %w_large_runs (%core_1) {
// CHECK: %w_acc_2 = tile.alloc "w_acc" accumulator [1, 32] : memref<?x?xf32, "ub">
// CHECK: scf.for %item_1 =
// CHECK-NEXT: scf.for %a0 = %{{.*}} to %K step %c8 {
// CHECK: tile.foreach (%a_3: 0 to %rows_1, %l_5: 0 to 1) {
// CHECK-NEXT: tile.write %{{[0-9]+}} to %w[%a0 + %a_3, %item_1 + %l_5] : memref<?x?xf32>
// CHECK: scf.for %t_1 =
// CHECK: tile.foreach (%a_4: 0 to 1, %l_6: 0 to 1) {
// CHECK-NEXT: %w_acc_3 = tile.read %w[%k_1, %item_1 + %l_6] : memref<?x?xf32>
// CHECK-NEXT: tile.write %w_acc_3 to %w_acc_2[%a_4, %l_6] : memref<?x?xf32, "ub">
// CHECK: scf.for %strip = %{{.*}} to %D step %w_large_d_tile {
// CHECK-NEXT: %[[LEFT:.*]] = arith.subi %D, %strip : index
// CHECK-NEXT: %width_1 = arith.minsi %w_large_d_tile, %[[LEFT]] : index
// CHECK-NEXT: tile.foreach (%r_4: 0 to 1, %l_8: 0 to %width_1) {
// CHECK-NEXT: %a_5 = tile.read %x[%t_1, %item_1 + %r_4, %strip + %l_8] : memref<?x?x?xf32>
// CHECK-NEXT: tile.write add %a_5 to %w_fold_1[%r_4, %l_8 mod 64] : memref<?x?xf32, "ub">
// CHECK: tile.tree "add" %w_fold_1[%{{.*}}] to %w_totals_1
// CHECK: tile.write add %{{.*}} to %w_acc_2[%r_5, %l_9] : memref<?x?xf32, "ub">
// CHECK: tile.foreach (%a_6: 0 to 1, %l_10: 0 to 1) {
// CHECK-NEXT: %w_acc_4 = tile.read %w_acc_2[%a_6, %l_10] : memref<?x?xf32, "ub">
// CHECK-NEXT: tile.write %w_acc_4 to %w[%k_1, %item_1 + %l_10] : memref<?x?xf32>
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

// -----

// Lanes in chunks, each with a row of the result: a chunk is a tile, and its number follows from its first lane.
// CHECK-LABEL: func.func @Chunks(
// CHECK: %d_tiles = arith.ceildivsi %D, %lanes : index
// CHECK: %s_acc = tile.alloc "s_acc" accumulator [1, %s_n_tile ceildiv 32 * 32] : memref<?x?xf32, "ub">
// CHECK: %d0 = arith.muli %{{.*}}, %lanes : index
// CHECK: %width = arith.minsi %lanes, %{{.*}} : index
// CHECK: tile.write %s_acc_1 to %s[%c * %chunks + %d0 floordiv %lanes, %n0 + %l_{{[0-9]+}}] : memref<?x?xf32>
spec.operator @Chunks {
  %C = spec.dim "C"
  %N = spec.dim "N"
  %D = spec.dim "D"
  %lanes = spec.dim "lanes" = [128]
  %chunks = spec.dim "chunks" = [%D ceildiv %lanes]
  %parts = spec.dim "parts" = [%C * %chunks]
  %x = spec.input "x" : !spec.tensor<[C, N, D], f32>
  %s = spec.compute (%c: 0 to %C, %n: 0 to %N, %d: 0 to %D) -> !spec.tensor<[parts, N], f32> {
    %a = spec.read %x[%c, %n, %d] : f32
    spec.write add %a to 0[%c * %chunks + %d floordiv %lanes, %n]
  }
  spec.output "s" %s : !spec.tensor<[parts, N], f32>
}
