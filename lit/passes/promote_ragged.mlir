// RUN: opwright-opt %s -p 'promote,canonicalize,cse' --split-input-file | filecheck %s

// A tile of %x whose place slides with the innermost loop goes through a cache: four slots with the number of the tile that
// each holds, the place of its first element. Scalars of the rows whose place moves inside the item lie on chip for the item.
// CHECK-LABEL: func.func @slide(
// CHECK: %weight_in = tile.alloc "weight_in" resident [8, %n_tile ceildiv 32 * 32] : memref<?x?xf32, "ub">
// CHECK-NEXT: %x_cache = tile.alloc "x_cache" cache [%n_tile * 4, %d_tile] : memref<?x?xf32, "ub">
// CHECK-NEXT: %x_tags = memref.alloca() : memref<4xindex>
// CHECK-NEXT: memref.store %{{[0-9]+}}, %x_tags[%c0] : memref<4xindex>
// CHECK: tile.load_rows %weight[%c0, %c0] along 0 to %weight_in[%c0] rows %c8 width %rows : memref<8x?xf32>, memref<?x?xf32, "ub">
// CHECK-NEXT: scf.for %w = %c0 to %c step %c1 {
// CHECK-NEXT: %[[V4:.*]] = arith.addi %t, %w : index
// CHECK-NEXT: %[[V5:.*]] = arith.muli %[[V4]], %N : index
// CHECK-NEXT: %x_key = arith.muli %[[V5]], %D : index
// CHECK-NEXT: %slot = arith.remsi %[[V4]], %c4 : index
// CHECK-NEXT: %slot_row = arith.muli %slot, %n_tile : index
// CHECK-NEXT: %held_1 = memref.load %x_tags[%slot] : memref<4xindex>
// CHECK-NEXT: %miss_1 = arith.cmpi ne, %held_1, %x_key : index
// CHECK-NEXT: scf.if %miss_1 {
// CHECK-NEXT: memref.store %x_key, %x_tags[%slot] : memref<4xindex>
// CHECK-NEXT: tile.load_rows %x[%[[V4]], %c0, %c0] along 1 to %x_cache[%slot_row] rows %rows width %width : memref<?x?x?xf32>, memref<?x?xf32, "ub">
// CHECK-NEXT: }
// CHECK-NEXT: tile.foreach (%r: 0 to %rows, %l: 0 to %width) {
// CHECK-NEXT: %a = tile.read %weight_in[%w, %r] : memref<?x?xf32, "ub">
// CHECK-NEXT: %b = tile.read %x_cache[%r + %slot_row, %l] : memref<?x?xf32, "ub">
// CHECK-NEXT: %p = arith.mulf %a, %b : f32
// CHECK-NEXT: tile.write add %p to %acc[%r, %l] : memref<?x?xf32, "ub">
// CHECK-NEXT: }
// CHECK-NEXT: }
// CHECK-NEXT: tile.store_rows %acc[%c0] to %y[%t, %c0, %c0] along 1 rows %rows width %width : memref<?x?xf32, "ub">, memref<?x?x?xf32>
func.func @slide_tiling(%T: index {tile.name = "T"}, %N: index {tile.name = "N"}, %D: index {tile.name = "D"}, %cores: index {tile.name = "cores"}) -> (index {tile.name = "d_tile"}, index {tile.name = "n_tile"}) attributes {tile.tiling} {
  %c32 = arith.constant 32 : index
  func.return %c32, %N : index, index
}
func.func @slide(%count: memref<?xi32> {tile.name = "count", tile.role = "input", tile.dims = ["T"]}, %x: memref<?x?x?xf32> {tile.name = "x", tile.role = "input", tile.dims = ["T", "N", "D"]}, %weight: memref<8x?xf32> {tile.name = "weight", tile.role = "input", tile.dims = [8 : i64, "N"]}, %y: memref<?x?x?xf32> {tile.name = "y", tile.role = "output", tile.dims = ["T", "N", "D"]}, %T: index {tile.name = "T", tile.role = "dim"}, %N: index {tile.name = "N", tile.role = "dim"}, %D: index {tile.name = "D", tile.role = "dim"}, %d_tile: index {tile.name = "d_tile", tile.role = "tiling"}, %n_tile: index {tile.name = "n_tile", tile.role = "tiling"}, %cores: index {tile.name = "cores", tile.role = "cores"}) attributes {tile.kernel} {
  tile.cores ragged "y" %cores (%core) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %acc = tile.alloc "acc" accumulator [%n_tile, %d_tile] : memref<?x?xf32, "ub">
    scf.for %t = %core to %T step %cores {
      %width = arith.minsi %d_tile, %D : index
      %rows = arith.minsi %n_tile, %N : index
      %0 = tile.read %count[%t] : memref<?xi32>
      %c = arith.index_cast %0 : i32 to index
      scf.for %w = %c0 to %c step %c1 {
        tile.foreach (%r: 0 to %rows, %l: 0 to %width) {
          %a = tile.read %weight[%w, %r] : memref<8x?xf32>
          %b = tile.read %x[%t + %w, %r, %l] : memref<?x?x?xf32>
          %p = arith.mulf %a, %b : f32
          tile.write add %p to %acc[%r, %l] : memref<?x?xf32, "ub">
        }
      }
      tile.foreach (%r: 0 to %rows, %l: 0 to %width) {
        %s = tile.read %acc[%r, %l] : memref<?x?xf32, "ub">
        tile.write %s to %y[%t, %r, %l] : memref<?x?x?xf32>
      }
    }
  }
  func.return
}

// -----

// Rows whose place is read once an item are copied there, and filled where that place lies outside the tensor. Scalars that
// loops of the item walk come in blocks: one that is held is not copied again.
// CHECK-LABEL: func.func @rows(
// CHECK: %place_block = tile.alloc "place_block" cache [1, 512] : memref<?x?xi32, "ub">
// CHECK-NEXT: %place_tag = memref.alloca() : memref<1xindex>
// CHECK-NEXT: %[[V0:.*]] = arith.constant -1 : index
// CHECK-NEXT: %c0 = arith.constant 0 : index
// CHECK-NEXT: memref.store %[[V0]], %place_tag[%c0] : memref<1xindex>
// CHECK: %x_in = tile.alloc "x_in" in [1, %h_tile] times 2 : memref<?x?xf32, "ub">
// CHECK: %block = arith.divsi %m, %c512 : index
// CHECK-NEXT: %start = arith.muli %block, %c512 : index
// CHECK-NEXT: %[[V1:.*]] = arith.subi %M, %start : index
// CHECK-NEXT: %count = arith.minsi %c512, %[[V1]] : index
// CHECK-NEXT: %[[V2:.*]] = arith.subi %m, %start : index
// CHECK-NEXT: %held = memref.load %place_tag[%c0] : memref<1xindex>
// CHECK-NEXT: %miss = arith.cmpi ne, %held, %block : index
// CHECK-NEXT: scf.if %miss {
// CHECK-NEXT: memref.store %block, %place_tag[%c0] : memref<1xindex>
// CHECK-NEXT: tile.load_rows %place[%start] along 0 to %place_block[%c0] rows %c1 width %count : memref<?xi32>, memref<?x?xi32, "ub">
// CHECK-NEXT: }
// CHECK-NEXT: %[[V3:.*]] = memref.load %place_block[%c0, %[[V2]]] : memref<?x?xi32, "ub">
// CHECK-NEXT: %p = arith.index_cast %[[V3]] : i32 to index
// CHECK-NEXT: %[[V4:.*]] = arith.cmpi sge, %p, %c0 : index
// CHECK-NEXT: %[[V5:.*]] = arith.cmpi slt, %p, %V : index
// CHECK-NEXT: %[[V6:.*]] = arith.andi %[[V4]], %[[V5]] : i1
// CHECK-NEXT: %valid = arith.select %[[V6]], %c1, %c0 : index
// CHECK-NEXT: %[[V7:.*]] = arith.select %[[V6]], %p, %c0 : index
// CHECK-NEXT: tile.load_rows %x[%[[V7]], %c0] along 0 to %x_in[%c0] rows %valid width %width : memref<?x?xf32>, memref<?x?xf32, "ub">
// CHECK-NEXT: %missing = arith.subi %c1, %valid : index
// CHECK-NEXT: tile.fill (%z) to %x_in[%valid] rows %missing width %width : (f32) -> memref<?x?xf32, "ub">
// CHECK-NEXT: tile.foreach (%r: 0 to 1, %l: 0 to %width) {
// CHECK-NEXT: %a = tile.read %x_in[0, %l] : memref<?x?xf32, "ub">
// CHECK-NEXT: %b = arith.addf %a, %a : f32
// CHECK-NEXT: tile.write %b to %y_out[%r, %l] : memref<?x?xf32, "ub">
// CHECK-NEXT: }
// CHECK-NEXT: tile.store_rows %y_out[%c0] to %y[%m, %c0] along 0 rows %c1 width %width : memref<?x?xf32, "ub">, memref<?x?xf32>
func.func @rows_tiling(%M: index {tile.name = "M"}, %H: index {tile.name = "H"}, %V: index {tile.name = "V"}, %cores: index {tile.name = "cores"}) -> (index {tile.name = "h_tile"}) attributes {tile.tiling} {
  %c32 = arith.constant 32 : index
  func.return %c32 : index
}
func.func @rows(%place: memref<?xi32> {tile.name = "place", tile.role = "input", tile.dims = ["M"]}, %x: memref<?x?xf32> {tile.name = "x", tile.role = "input", tile.dims = ["V", "H"]}, %y: memref<?x?xf32> {tile.name = "y", tile.role = "output", tile.dims = ["M", "H"]}, %M: index {tile.name = "M", tile.role = "dim"}, %H: index {tile.name = "H", tile.role = "dim"}, %V: index {tile.name = "V", tile.role = "dim"}, %h_tile: index {tile.name = "h_tile", tile.role = "tiling"}, %cores: index {tile.name = "cores", tile.role = "cores"}) attributes {tile.kernel} {
  tile.cores ragged "y" %cores (%core) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    scf.for %item = %core to %cores step %c1 {
      %width = arith.minsi %h_tile, %H : index
      scf.for %m = %c0 to %M step %c1 {
        %0 = tile.read %place[%m] : memref<?xi32>
        %p = arith.index_cast %0 : i32 to index
        tile.foreach (%r: 0 to 1, %l: 0 to %width) {
          %z = arith.constant 0.0 : f32
          %a = tile.read %x[%p, %l] else %z : memref<?x?xf32>
          %b = arith.addf %a, %a : f32
          tile.write %b to %y[%m, %l] : memref<?x?xf32>
        }
      }
    }
  }
  func.return
}

// -----

// A streamed stage keeps no rows of scalars: they are copied in when a loop names them.
// CHECK-LABEL: func.func @stream(
// CHECK: %weight_in = tile.alloc "weight_in" in [1, %n_tile ceildiv 32 * 32] times 2 : memref<?x?xf32, "ub">
// CHECK: scf.for %w = %c0 to %c step %c1 {
// CHECK: tile.load_rows %weight[%w, %c0] along 1 to %weight_in[%c0] rows %c1 width %rows : memref<8x?xf32>, memref<?x?xf32, "ub">
// CHECK: %a = tile.read %weight_in[0, %r] : memref<?x?xf32, "ub">
func.func @stream_tiling(%T: index {tile.name = "T"}, %N: index {tile.name = "N"}, %D: index {tile.name = "D"}, %cores: index {tile.name = "cores"}) -> (index {tile.name = "d_tile"}, index {tile.name = "n_tile"}) attributes {tile.tiling} {
  %c32 = arith.constant 32 : index
  func.return %c32, %N : index, index
}
func.func @stream(%count: memref<?xi32> {tile.name = "count", tile.role = "input", tile.dims = ["T"]}, %x: memref<?x?x?xf32> {tile.name = "x", tile.role = "input", tile.dims = ["T", "N", "D"]}, %weight: memref<8x?xf32> {tile.name = "weight", tile.role = "input", tile.dims = [8 : i64, "N"]}, %y: memref<?x?x?xf32> {tile.name = "y", tile.role = "output", tile.dims = ["T", "N", "D"]}, %T: index {tile.name = "T", tile.role = "dim"}, %N: index {tile.name = "N", tile.role = "dim"}, %D: index {tile.name = "D", tile.role = "dim"}, %d_tile: index {tile.name = "d_tile", tile.role = "tiling"}, %n_tile: index {tile.name = "n_tile", tile.role = "tiling"}, %cores: index {tile.name = "cores", tile.role = "cores"}) attributes {tile.kernel} {
  tile.cores ragged streamed "y" %cores (%core) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %acc = tile.alloc "acc" accumulator [%n_tile, %d_tile] : memref<?x?xf32, "ub">
    scf.for %t = %core to %T step %cores {
      %width = arith.minsi %d_tile, %D : index
      %rows = arith.minsi %n_tile, %N : index
      %0 = tile.read %count[%t] : memref<?xi32>
      %c = arith.index_cast %0 : i32 to index
      scf.for %w = %c0 to %c step %c1 {
        tile.foreach (%r: 0 to %rows, %l: 0 to %width) {
          %a = tile.read %weight[%w, %r] : memref<8x?xf32>
          %b = tile.read %x[%t + %w, %r, %l] : memref<?x?x?xf32>
          %p = arith.mulf %a, %b : f32
          tile.write add %p to %acc[%r, %l] : memref<?x?xf32, "ub">
        }
      }
      tile.foreach (%r: 0 to %rows, %l: 0 to %width) {
        %s = tile.read %acc[%r, %l] : memref<?x?xf32, "ub">
        tile.write %s to %y[%t, %r, %l] : memref<?x?x?xf32>
      }
    }
  }
  func.return
}

// -----

// Rows that the stage itself writes are copied in whenever they are read, and never from a cache.
// CHECK-LABEL: func.func @again(
// CHECK-NOT: tile.alloc "y_cache"
// CHECK: scf.for %w = %c0 to %c4 step %c1 {
// CHECK-NEXT: %[[ROW:.*]] = arith.addi %t, %w : index
// CHECK-NEXT: tile.load_rows %y[%[[ROW]], %c0] along 0 to %y_in[%c0] rows %c1 width %width : memref<?x?xf32>, memref<?x?xf32, "ub">
// CHECK-NEXT: tile.foreach (%r: 0 to 1, %l: 0 to %width) {
// CHECK: tile.store_rows %y_out[%c0] to %y[%[[ROW]], %c0] along 0 rows %c1 width %width : memref<?x?xf32, "ub">, memref<?x?xf32>
func.func @again_tiling(%T: index {tile.name = "T"}, %D: index {tile.name = "D"}, %cores: index {tile.name = "cores"}) -> (index {tile.name = "d_tile"}) attributes {tile.tiling} {
  %c32 = arith.constant 32 : index
  func.return %c32 : index
}
func.func @again(%y: memref<?x?xf32> {tile.name = "y", tile.role = "output", tile.dims = ["T", "D"]}, %T: index {tile.name = "T", tile.role = "dim"}, %D: index {tile.name = "D", tile.role = "dim"}, %d_tile: index {tile.name = "d_tile", tile.role = "tiling"}, %cores: index {tile.name = "cores", tile.role = "cores"}) attributes {tile.kernel} {
  tile.cores ragged "y" %cores (%core) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    scf.for %t = %core to %T step %cores {
      %width = arith.minsi %d_tile, %D : index
      scf.for %w = %c0 to %c4 step %c1 {
        tile.foreach (%r: 0 to 1, %l: 0 to %width) {
          %a = tile.read %y[%t + %w, %l] : memref<?x?xf32>
          %p = arith.mulf %a, %a : f32
          tile.write %p to %y[%t + %w, %l] : memref<?x?xf32>
        }
      }
    }
  }
  func.return
}
