// RUN: opwright-opt %s -p 'tile{target=ascend910b},canonicalize,cse' --split-input-file | filecheck %s --check-prefixes=CHECK,CHIP
// RUN: opwright-opt %s -p 'tile{target=cpu},canonicalize,cse' --split-input-file | filecheck %s --check-prefixes=CHECK,CPU

// The tiling function: equal lane tiles in whole blocks, of at most 512 bytes on the chip; as many rows as fit.
// CHECK-LABEL: func.func @sum_bf16_tiling(%N: index {tile.name = "N"}, %H: index {tile.name = "H"}, %cores: index {tile.name = "cores"}) -> (index {tile.name = "s_h_tile"}, index {tile.name = "s_i_tile"}) attributes {tile.tiling}
// CHIP-NEXT: %c256 = arith.constant 256 : index
// CHIP-NEXT: %c1 = arith.constant 1 : index
// CHIP-NEXT: %0 = arith.ceildivsi %H, %c256 : index
// CHIP-NEXT: %1 = arith.maxsi %0, %c1 : index
// CHIP-NEXT: %2 = arith.ceildivsi %H, %1 : index
// CHIP-NEXT: %c32 = arith.constant 32 : index
// CHIP-NEXT: %3 = arith.ceildivsi %2, %c32 : index
// CHIP-NEXT: %4 = arith.maxsi %3, %c1 : index
// CHIP-NEXT: %s_h_tile = arith.muli %4, %c32 : index
// CHIP-NEXT: %5 = arith.maxsi %N, %c1 : index
// CHIP-NEXT: %c255 = arith.constant 255 : index
// CHIP-NEXT: %6 = arith.minsi %5, %c255 : index
// CHIP-NEXT: %s_i_tile = tile.fit_rows "s" %s_h_tile cap %6
// The host leaves the lanes whole where the outer dims alone give each core four items.
// CPU: arith.constant 2048 : index
// CPU: %[[FOUR:.*]] = arith.muli %cores, %c4 : index
// CPU-NEXT: %[[ENOUGH:.*]] = arith.cmpi sge, %c1, %[[FOUR]] : index
// CPU-NEXT: %[[MOST:.*]] = arith.select %[[ENOUGH]], %H, %c2048 : index
// CPU-NEXT: %[[ONE:.*]] = arith.maxsi %[[MOST]], %c1 : index
// CPU-NEXT: arith.ceildivsi %H, %[[ONE]] : index
// Nothing of its rows has to fit on chip.
// CPU: %s_i_tile = arith.maxsi %N, %c1 : index
// CHECK-NEXT: func.return %s_h_tile, %s_i_tile : index, index

// The kernel: cores share the items evenly, each walks its rows, sums go to an accumulator that is rounded once.
// CHECK: func.func @sum_bf16(%x: memref<?x?xbf16> {tile.name = "x", tile.role = "input", tile.dims = ["N", "H"]}, %s: memref<?xbf16> {tile.name = "s", tile.role = "output", tile.dims = ["H"]}, %N: index {tile.name = "N", tile.role = "dim"}, %H: index {tile.name = "H", tile.role = "dim"}, %s_h_tile: index {tile.name = "s_h_tile", tile.role = "tiling"}, %s_i_tile: index {tile.name = "s_i_tile", tile.role = "tiling"}, %cores: index {tile.name = "cores", tile.role = "cores"}) attributes {tile.kernel}
// CHECK-NEXT: tile.cores "s" %cores (%core) {
// CHECK-NEXT: %h_tiles = arith.ceildivsi %H, %s_h_tile : index
// CHECK-NEXT: %0 = arith.muli %core, %h_tiles : index
// CHECK-NEXT: %first = arith.divsi %0, %cores : index
// CHECK-NEXT: %c1 = arith.constant 1 : index
// CHECK-NEXT: %1 = arith.addi %core, %c1 : index
// CHECK-NEXT: %2 = arith.muli %1, %h_tiles : index
// CHECK-NEXT: %last = arith.divsi %2, %cores : index
// CHECK-NEXT: %s_acc = tile.alloc "s_acc" accumulator [1, %s_h_tile] : memref<?x?xf32, "ub">
// CHECK: scf.for %item = %first to %last step %c1 {
// CHECK-NEXT: %4 = arith.remsi %item, %h_tiles : index
// CHECK-NEXT: %h0 = arith.muli %4, %s_h_tile : index
// CHECK-NEXT: %5 = arith.subi %H, %h0 : index
// CHECK-NEXT: %width = arith.minsi %s_h_tile, %5 : index
// CHECK-NEXT: tile.foreach (%a: 0 to 1, %l: 0 to %width) {
// CHECK-NEXT: tile.write %3 to %s_acc[%a, %l] : memref<?x?xf32, "ub">
// CHECK-NEXT: }
// CHECK-NEXT: scf.for %i0 = %c0 to %N step %s_i_tile {
// CHECK-NEXT: %6 = arith.subi %N, %i0 : index
// CHECK-NEXT: %rows = arith.minsi %s_i_tile, %6 : index
// CHIP-NEXT: tile.foreach (%r: 0 to %rows, %l_1: 0 to %width) {
// CHIP-NEXT: %a_1 = tile.read %x[%i0 + %r, %h0 + %l_1] : memref<?x?xbf16>
// CHIP-NEXT: %b = arith.extf %a_1 : bf16 to f32
// CHIP-NEXT: tile.write add %b to %s_acc[0, %l_1] : memref<?x?xf32, "ub">
// CHIP-NEXT: }
// CHIP-NEXT: }
// The host takes four rows together, then those that are left over.
// CPU-NEXT: %blocks = arith.floordivsi %rows, %c4 : index
// CPU-NEXT: tile.foreach (%block: 0 to %blocks, %r: 0 to 4, %l_1: 0 to %width) {
// CPU: tile.foreach (%r_1: 0 to %{{.*}}, %l_2: 0 to %width) {
// CHECK: tile.foreach (%[[A:.*]]: 0 to 1, %[[L:.*]]: 0 to %width) {
// CHECK-NEXT: %s_acc_1 = tile.read %s_acc[%[[A]], %[[L]]] : memref<?x?xf32, "ub">
// CHECK-NEXT: %s_acc_2 = arith.truncf %s_acc_1 : f32 to bf16
// CHECK-NEXT: tile.write %s_acc_2 to %s[%h0 + %[[L]]] : memref<?xbf16>
spec.operator @sum_bf16 {
  %N = spec.dim "N"
  %H = spec.dim "H"
  %x = spec.input "x" : !spec.tensor<[N, H], bf16>
  %s = spec.compute (%h: 0 to %H, %i: 0 to %N) -> !spec.tensor<[H], bf16> {
    %a = spec.read %x[%i, %h] : bf16
    %b = arith.extf %a : bf16 to f32
    spec.write add %b to 0[%h]
  }
  spec.output "s" %s : !spec.tensor<[H], bf16>
}

// -----

// Nothing is summed: the innermost dim beside the lanes is walked, the number of an item tells the others. Where there are
// fewer tiles than cores, an item has a part of the rows.
// CHECK-LABEL: func.func @walk_tiling(
// CHIP: tile.fit_rows "y" %y_h_tile
// CHECK: func.func @walk(
// CHECK: %z = arith.constant 0.000000e+00 : f32
// CHECK: %tiles = arith.muli
// CHECK: %[[SOME:.*]] = arith.maxsi %tiles, %c1 : index
// CHECK-NEXT: %[[WANTED:.*]] = arith.ceildivsi %cores, %[[SOME]] : index
// CHECK-NEXT: %[[MOST:.*]] = arith.minsi %[[WANTED]], %C : index
// CHECK-NEXT: %parts = arith.maxsi %[[MOST]], %c1 : index
// CHECK-NEXT: %items = arith.muli %tiles, %parts : index
// CHECK: scf.for %item = %first to %last step %c1 {
// CHECK-NEXT: %part = arith.divsi %item, %tiles : index
// CHECK-NEXT: %[[TILE:.*]] = arith.remsi %item, %tiles : index
// CHECK-NEXT: %[[LANES:.*]] = arith.remsi %[[TILE]], %h_tiles : index
// CHECK-NEXT: %[[REST:.*]] = arith.divsi %[[TILE]], %h_tiles : index
// CHECK-NEXT: %b = arith.remsi %[[REST]], %B : index
// CHECK-NEXT: %a = arith.divsi %[[REST]], %B : index
// CHECK-NEXT: %h0 = arith.muli %[[LANES]], %y_h_tile : index
// CHECK: %part_begin = arith.divsi
// CHECK: %part_end = arith.divsi
// CHECK-NEXT: %end = arith.minsi %part_end, %C : index
// CHECK-NEXT: scf.for %t0 = %part_begin to %end step %y_t_tile {
// CHECK: tile.foreach (%r: 0 to %rows, %l: 0 to %width) {
// CHECK-NEXT: %u = tile.read %x[%a, %b, %t0 + %r + 1, %h0 + %l] else %z : memref<?x?x?x?xf32>
// CHECK-NEXT: tile.write %u to %y[%a, %b, %t0 + %r, %h0 + %l] : memref<?x?x?x?xf32>
spec.operator @walk {
  %A = spec.dim "A"
  %B = spec.dim "B"
  %C = spec.dim "C"
  %H = spec.dim "H"
  %x = spec.input "x" : !spec.tensor<[A, B, C, H], f32>
  %z = arith.constant 0.0 : f32
  %y = spec.compute (%a: 0 to %A, %b: 0 to %B, %t: 0 to %C, %h: 0 to %H) -> !spec.tensor<[A, B, C, H], f32> {
    %u = spec.read %x[%a, %b, %t + 1, %h] else %z : f32
    spec.write %u to 0[%a, %b, %t, %h]
  }
  spec.output "y" %y : !spec.tensor<[A, B, C, H], f32>
}

// -----

// Where operands are staged, the walk goes along the dim that a read may leave, or that scalars of rows lie along.
// CHECK-LABEL: func.func @leading(
// CHIP: %b = arith.divsi
// CHIP: scf.for %a0 = %part_begin to %end step %y_a_tile {
// CHIP: tile.read %x[%a0 + %r + 1, %b, %h0 + %l] else %z
// CPU: %a = arith.divsi
// CPU: scf.for %b0 = %part_begin to %end step %y_b_tile {
// CHECK-LABEL: func.func @scale(
// CHIP: scf.for %a0 = %part_begin to %end step %y_a_tile {
// CHIP: tile.read %s[%a0 + %r]
// CPU: scf.for %b0
spec.operator @leading {
  %A = spec.dim "A"
  %B = spec.dim "B"
  %H = spec.dim "H"
  %x = spec.input "x" : !spec.tensor<[A, B, H], f32>
  %z = arith.constant 0.0 : f32
  %y = spec.compute (%a: 0 to %A, %b: 0 to %B, %h: 0 to %H) -> !spec.tensor<[A, B, H], f32> {
    %u = spec.read %x[%a + 1, %b, %h] else %z : f32
    spec.write %u to 0[%a, %b, %h]
  }
  spec.output "y" %y : !spec.tensor<[A, B, H], f32>
}

// -----

spec.operator @scale {
  %A = spec.dim "A"
  %B = spec.dim "B"
  %H = spec.dim "H"
  %x = spec.input "x" : !spec.tensor<[A, B, H], f32>
  %s = spec.input "s" : !spec.tensor<[A], f32>
  %y = spec.compute (%a: 0 to %A, %b: 0 to %B, %h: 0 to %H) -> !spec.tensor<[A, B, H], f32> {
    %u = spec.read %x[%a, %b, %h] : f32
    %v = spec.read %s[%a] : f32
    %w = arith.mulf %u, %v : f32
    spec.write %w to 0[%a, %b, %h]
  }
  spec.output "y" %y : !spec.tensor<[A, B, H], f32>
}

// -----

// One dim alone: a tile has one row, and no number of rows is computed.
// CHECK-LABEL: func.func @line_tiling(
// CHECK-SAME: -> (index {tile.name = "y_i_tile"})
// CHECK-NOT: tile.fit_rows
// CHECK: scf.for %item
// CHECK-NOT: scf.for
// CHECK: tile.foreach (%r: 0 to 1, %l: 0 to %width) {
// CHECK-NEXT: %a = tile.read %x[%i0 + %l] : memref<?xf32>
// CHECK-NEXT: tile.write %a to %y[%i0 + %l] : memref<?xf32>
spec.operator @line {
  %N = spec.dim "N"
  %x = spec.input "x" : !spec.tensor<[N], f32>
  %y = spec.compute (%i: 0 to %N) -> !spec.tensor<[N], f32> {
    %a = spec.read %x[%i] : f32
    spec.write %a to 0[%i]
  }
  spec.output "y" %y : !spec.tensor<[N], f32>
}

// -----

// Rows of a result that are told apart by numbers that count up have one accumulator, and leave it in one loop. A result
// that is no output goes to a workspace.
// CHECK-LABEL: func.func @rows(
// CHECK-SAME: %m_1: memref<2x?xf32> {tile.name = "m_1", tile.role = "workspace", tile.dims = [2 : i64, "H"]}
// CHECK: %m_acc = tile.alloc "m_acc" accumulator [2, %m_h_tile] : memref<?x?xf32, "ub">
// CHECK: %[[LEAST:.*]] = arith.constant 0xff800000 : f32
// CHECK: tile.foreach (%a: 0 to 2, %l: 0 to %width) {
// CHECK-NEXT: tile.write %[[LEAST]] to %m_acc[%a, %l]
// CHECK: tile.write max %{{.*}} to %m_acc[0, %{{.*}}]
// CHECK: tile.write max %{{.*}} to %m_acc[1, %{{.*}}]
// CHECK: tile.foreach (%[[A:a_.*]]: 0 to 2, %[[L:.*]]: 0 to %width) {
// CHECK-NEXT: %m_acc_1 = tile.read %m_acc[%[[A]], %[[L]]]
// CHECK-NEXT: tile.write %m_acc_1 to %m_1[%[[A]], %h0 + %[[L]]] : memref<2x?xf32>
// CHECK: tile.cores "q" %cores
// CHECK: tile.read %m_1[%i0_1 + %{{.*}}, %h0_1 + %{{.*}}]
spec.operator @rows {
  %N = spec.dim "N"
  %H = spec.dim "H"
  %x = spec.input "m" : !spec.tensor<[N, H], f32>
  %m = spec.compute (%i: 0 to %N, %h: 0 to %H) -> !spec.tensor<[2, H], f32> {
    %a = spec.read %x[%i, %h] : f32
    %b = arith.negf %a : f32
    spec.write max %a to 0[0, %h]
    spec.write max %b to 0[1, %h]
  }
  %q = spec.compute (%i: 0 to 2, %h: 0 to %H) -> !spec.tensor<[2, H], f32> {
    %a = spec.read %m[%i, %h] : f32
    spec.write %a to 0[%i, %h]
  }
  spec.output "y" %q : !spec.tensor<[2, H], f32>
}

// -----

// Symbols and scalars between the declarations are computed in the kernel too; a loop variable may be data.
// CHECK-LABEL: func.func @scalars(
// CHECK: %[[HALF:.*]] = arith.ceildivsi %N, %c2 : index
// CHECK: %[[COUNT:.*]] = arith.index_cast %N : index to i32
// CHECK: scf.for %i0 = %part_begin to %end step
// CHECK: %[[ROW:.*]] = arith.addi %i0, %r : index
// CHECK-NEXT: %[[I:.*]] = arith.index_cast %[[ROW]] : index to i32
// CHECK-NEXT: arith.addi %[[I]], %[[COUNT]] : i32
spec.operator @scalars {
  %N = spec.dim "N"
  %H = spec.dim "H"
  %M = spec.dim "M" = [%N ceildiv 2]
  %x = spec.input "x" : !spec.tensor<[N, H], i32>
  %half = spec.index [%N ceildiv 2]
  %n = arith.index_cast %N : index to i32
  %y = spec.compute (%i: 0 to %half, %h: 0 to %H) -> !spec.tensor<[M, H], i32> {
    %v = arith.index_cast %i : index to i32
    %w = arith.addi %v, %n : i32
    spec.write %w to 0[%i, %h]
  }
  spec.output "y" %y : !spec.tensor<[M, H], i32>
}

// -----

// Rows that a chip holds must be neighbours: a dim that is counted in twos, or halved, is no dim of rows there.
// CHECK-LABEL: func.func @pairs(
// CHIP: tile.foreach (%r: 0 to %rows, %l: 0 to %width) {
// CHIP-NEXT: tile.read %x[%n0 + %r, %o * 2, %c0 + %l]
// CPU: tile.read %x[%n, %o0 * 2 + %r * 2, %c0 + %l]
spec.operator @pairs {
  %N = spec.dim "N"
  %L = spec.dim "L"
  %C = spec.dim "C"
  %O = spec.dim "O" = [%L floordiv 2]
  %x = spec.input "x" : !spec.tensor<[N, L, C], f32>
  %y = spec.compute (%n: 0 to %N, %o: 0 to %O, %c: 0 to %C) -> !spec.tensor<[N, O, C], f32> {
    %a = spec.read %x[%n, %o * 2, %c] : f32
    spec.write %a to 0[%n, %o, %c]
  }
  spec.output "y" %y : !spec.tensor<[N, O, C], f32>
}
