// RUN: opwright-opt %s -p 'vectorize,canonicalize,cse' --split-input-file | filecheck %s

// Lanes that combine onto 64 partial results become a fold. Floats that differ from row to row only are computed as a row of
// scalars, each is repeated to a block, and rows of lanes are multiplied by blocks; what fills the row up to a whole group of
// scalars is 0.
// CHECK-LABEL: func.func @folds(
// CHECK: %tmp0 = tile.alloc "tmp0" temp [%n_tile, %h_tile] : memref<?x?xf32, "ub">
// CHECK-NEXT: %tmp1 = tile.alloc "tmp1" temp [1, %n_tile ceildiv 32 * 32] : memref<?x?xf32, "ub">
// CHECK-NEXT: %tmp2 = tile.alloc "tmp2" temp [%n_tile ceildiv 8 * 8, 32] : memref<?x?xf32, "ub">
// CHECK-NEXT: %c0 = arith.constant 0 : index
// CHECK-NEXT: %[[V0:.*]] = arith.constant 0.000000e+00 : f32
// CHECK-NEXT: %c8 = arith.constant 8 : index
// CHECK-NEXT: scf.for %item = %core to %cores step %c1 {
// CHECK: %[[V1:.*]] = arith.ceildivsi %rows, %c8 : index
// CHECK-NEXT: %[[V2:.*]] = arith.muli %[[V1]], %c8 : index
// CHECK-NEXT: tile.fill (%[[V0]]) to %tmp1[%c0] rows %c1 width %[[V2]] : (f32) -> memref<?x?xf32, "ub">
// CHECK-NEXT: tile.cast %w_in[%item] to %tmp1[%c0] rows %c1 width %rows : (memref<?x?xbf16, "ub">) -> memref<?x?xf32, "ub">
// CHECK-NEXT: tile.splat %tmp1[%c0] to %tmp2[%c0] rows %rows width %c8 : (memref<?x?xf32, "ub">) -> memref<?x?xf32, "ub">
// CHECK-NEXT: tile.by_row "mul" %x_in[%c0], %tmp2[%c0] to %tmp0[%c0] rows %rows width %width : (memref<?x?xf32, "ub">, memref<?x?xf32, "ub">) -> memref<?x?xf32, "ub">
// CHECK-NEXT: tile.unary "copy" %tmp0[%c0] to %acc[%c0] rows %rows width %width : (memref<?x?xf32, "ub">) -> memref<?x?xf32, "ub">
// CHECK-NEXT: tile.fold "add" %tmp0[%c0] to %fold[%c0] rows %rows width %width : (memref<?x?xf32, "ub">) -> memref<?x?xf32, "ub">
func.func @folds_tiling(%N: index {tile.name = "N"}, %H: index {tile.name = "H"}, %cores: index {tile.name = "cores"}) -> (index {tile.name = "h_tile"}, index {tile.name = "n_tile"}) attributes {tile.tiling} {
  %c32 = arith.constant 32 : index
  func.return %c32, %N : index, index
}
func.func @folds(%y: memref<?xf32> {tile.name = "y", tile.role = "output", tile.dims = ["N"]}, %N: index {tile.name = "N", tile.role = "dim"}, %H: index {tile.name = "H", tile.role = "dim"}, %h_tile: index {tile.name = "h_tile", tile.role = "tiling"}, %n_tile: index {tile.name = "n_tile", tile.role = "tiling"}, %cores: index {tile.name = "cores", tile.role = "cores"}) attributes {tile.kernel} {
  tile.cores ragged "y" %cores (%core) {
    %x_in = tile.alloc "x_in" in [%n_tile, %h_tile] times 2 : memref<?x?xf32, "ub">
    %w_in = tile.alloc "w_in" resident [4, %n_tile ceildiv 32 * 32] : memref<?x?xbf16, "ub">
    %acc = tile.alloc "acc" accumulator [%n_tile, %h_tile] : memref<?x?xf32, "ub">
    %fold = tile.alloc "fold" temp [%n_tile, 64] : memref<?x?xf32, "ub">
    %c1 = arith.constant 1 : index
    scf.for %item = %core to %cores step %c1 {
      %rows = arith.minsi %n_tile, %N : index
      %width = arith.minsi %h_tile, %H : index
      tile.foreach (%r: 0 to %rows, %l: 0 to %width) {
        %0 = tile.read %w_in[%item, %r] : memref<?x?xbf16, "ub">
        %w = arith.extf %0 : bf16 to f32
        %a = tile.read %x_in[%r, %l] : memref<?x?xf32, "ub">
        %p = arith.mulf %w, %a : f32
        tile.write %p to %acc[%r, %l] : memref<?x?xf32, "ub">
        tile.write add %p to %fold[%r, %l mod 64] : memref<?x?xf32, "ub">
      }
    }
  }
  func.return
}
