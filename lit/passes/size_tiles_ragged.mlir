// RUN: opwright-opt %s -p 'size-tiles{target=ascend910b},canonicalize,cse' --split-input-file | filecheck %s

// Buffers of a stage that follows data may grow with any size of the operator: what does not grow with the rows of a tile is
// taken from the capacity first, and the cap is cut into even tiles.
// CHECK-LABEL: func.func @sum_tiling(
// CHECK: %[[V0:.*]] = arith.muli %K, %c380 : index
// CHECK-NEXT: %fixed_bytes = arith.addi %[[V0]], %c160 : index
// CHECK-NEXT: %c188160 = arith.constant 188160 : index
// CHECK-NEXT: %[[V1:.*]] = arith.subi %c188160, %fixed_bytes : index
// CHECK-NEXT: %[[V2:.*]] = arith.constant 2048 : index
// CHECK-NEXT: %c4 = arith.constant 4 : index
// CHECK-NEXT: %[[V3:.*]] = arith.muli %K, %c4 : index
// CHECK-NEXT: %row_bytes = arith.addi %[[V3]], %[[V2]] : index
// CHECK-NEXT: %[[V4:.*]] = arith.divsi %[[V1]], %row_bytes : index
// CHECK-NEXT: %c1 = arith.constant 1 : index
// CHECK-NEXT: %[[V5:.*]] = arith.maxsi %[[V4]], %c1 : index
// CHECK-NEXT: %[[V6:.*]] = arith.ceildivsi %cap, %[[V5]] : index
// CHECK-NEXT: %n_tile = arith.ceildivsi %cap, %[[V6]] : index
// CHECK-NEXT: func.return %h_tile, %n_tile : index, index
func.func @sum_tiling(%N: index {tile.name = "N"}, %K: index {tile.name = "K"}, %H: index {tile.name = "H"}, %cores: index {tile.name = "cores"}) -> (index {tile.name = "h_tile"}, index {tile.name = "n_tile"}) attributes {tile.tiling} {
  %h_tile = arith.constant 128 : index
  %cap = arith.constant 255 : index
  %n_tile = tile.fit_rows "y" %h_tile cap %cap
  func.return %h_tile, %n_tile : index, index
}
func.func @sum(%y: memref<?xf32> {tile.name = "y", tile.role = "output", tile.dims = ["N"]}, %N: index {tile.name = "N", tile.role = "dim"}, %K: index {tile.name = "K", tile.role = "dim"}, %H: index {tile.name = "H", tile.role = "dim"}, %h_tile: index {tile.name = "h_tile", tile.role = "tiling"}, %n_tile: index {tile.name = "n_tile", tile.role = "tiling"}, %cores: index {tile.name = "cores", tile.role = "cores"}) attributes {tile.kernel} {
  tile.cores ragged "y" %cores (%core) {
    %x_in = tile.alloc "x_in" in [%n_tile, %h_tile] times 2 : memref<?x?xf32, "ub">
    %x_cache = tile.alloc "x_cache" cache [%n_tile * 4, %h_tile] : memref<?x?xbf16, "ub">
    %acc = tile.alloc "acc" accumulator [%K, %n_tile ceildiv 32 * 32] : memref<?x?xf32, "ub">
    %fixed = tile.alloc "fixed" accumulator [%K, 64] : memref<?x?xf32, "ub">
  }
  func.return
}

// -----

// Without a buffer that grows with the rows, a tile has as many as the cap says.
// CHECK-LABEL: func.func @flat_tiling(
// CHECK: %n_tile = arith.constant 255 : index
// CHECK-NEXT: func.return %h_tile, %n_tile : index, index
func.func @flat_tiling(%N: index {tile.name = "N"}, %H: index {tile.name = "H"}, %cores: index {tile.name = "cores"}) -> (index {tile.name = "h_tile"}, index {tile.name = "n_tile"}) attributes {tile.tiling} {
  %h_tile = arith.constant 128 : index
  %cap = arith.constant 255 : index
  %n_tile = tile.fit_rows "y" %h_tile cap %cap
  func.return %h_tile, %n_tile : index, index
}
func.func @flat(%y: memref<?xf32> {tile.name = "y", tile.role = "output", tile.dims = ["N"]}, %N: index {tile.name = "N", tile.role = "dim"}, %H: index {tile.name = "H", tile.role = "dim"}, %h_tile: index {tile.name = "h_tile", tile.role = "tiling"}, %n_tile: index {tile.name = "n_tile", tile.role = "tiling"}, %cores: index {tile.name = "cores", tile.role = "cores"}) attributes {tile.kernel} {
  tile.cores ragged "y" %cores (%core) {
    %acc = tile.alloc "acc" accumulator [1, %h_tile] : memref<?x?xf32, "ub">
  }
  func.return
}

// -----

// Whether a stage fits with one row a tile: the sum of all its buffers, each in whole blocks, against the capacity.
// CHECK-LABEL: func.func @kept_tiling(
// CHECK: %[[V0:.*]] = arith.muli %K, %c{{[0-9]+}} : index
// CHECK: %y_bytes = arith.addi %{{.*}}, %{{.*}} : index
// CHECK: %[[FITS:.*]] = arith.cmpi sle, %y_bytes, %c188160 : index
// CHECK-NEXT: %c0 = arith.constant 0 : index
// CHECK-NEXT: %y_runs = arith.select %[[FITS]], %c1, %c0 : index
// CHECK: func.return %h_tile, %n_tile, %y_runs : index, index, index
func.func @kept_tiling(%N: index {tile.name = "N"}, %K: index {tile.name = "K"}, %cores: index {tile.name = "cores"}) -> (index {tile.name = "h_tile"}, index {tile.name = "n_tile"}, index {tile.name = "y_runs"}) attributes {tile.tiling} {
  %h_tile = arith.constant 128 : index
  %cap = arith.constant 255 : index
  %n_tile = tile.fit_rows "y" %h_tile cap %cap
  %y_runs = tile.fits "y"
  func.return %h_tile, %n_tile, %y_runs : index, index, index
}
func.func @kept(%y: memref<?xf32> {tile.name = "y", tile.role = "output", tile.dims = ["N"]}, %N: index {tile.name = "N", tile.role = "dim"}, %K: index {tile.name = "K", tile.role = "dim"}, %h_tile: index {tile.name = "h_tile", tile.role = "tiling"}, %n_tile: index {tile.name = "n_tile", tile.role = "tiling"}, %y_runs: index {tile.name = "y_runs", tile.role = "tiling"}, %cores: index {tile.name = "cores", tile.role = "cores"}) attributes {tile.kernel} {
  tile.cores ragged "y" %cores when %y_runs (%core) {
    %x_in = tile.alloc "x_in" in [%n_tile, %h_tile] times 2 : memref<?x?xf32, "ub">
    %acc = tile.alloc "acc" accumulator [%K, %n_tile ceildiv 32 * 32] : memref<?x?xf32, "ub">
  }
  func.return
}

// -----

// The lanes of a strip, in whole folds: as many as fit, cut evenly.
// CHECK-LABEL: func.func @strips_tiling(
// CHECK: %[[WANTED:.*]] = arith.maxsi %{{[0-9]+}}, %c1 : index
// CHECK: %[[FREE:.*]] = arith.subi %c188160, %fixed_bytes : index
// CHECK: %[[MOST:.*]] = arith.divsi %[[FREE]], %row_bytes : index
// CHECK-NEXT: %[[FOLDS:.*]] = arith.divsi %[[MOST]], %c64 : index
// CHECK-NEXT: %[[FITS:.*]] = arith.maxsi %[[FOLDS]], %c1 : index
// CHECK-NEXT: %[[STRIPS:.*]] = arith.ceildivsi %[[WANTED]], %[[FITS]] : index
// CHECK-NEXT: %[[EVEN:.*]] = arith.ceildivsi %[[WANTED]], %[[STRIPS]] : index
// CHECK-NEXT: %h_tile = arith.muli %[[EVEN]], %c64 : index
func.func @strips_tiling(%H: index {tile.name = "H"}, %K: index {tile.name = "K"}, %cores: index {tile.name = "cores"}) -> (index {tile.name = "h_tile"}) attributes {tile.tiling} {
  %h_tile = tile.fit_lanes "y" cap %H
  func.return %h_tile : index
}
func.func @strips(%y: memref<?xf32> {tile.name = "y", tile.role = "output", tile.dims = ["H"]}, %H: index {tile.name = "H", tile.role = "dim"}, %K: index {tile.name = "K", tile.role = "dim"}, %h_tile: index {tile.name = "h_tile", tile.role = "tiling"}, %cores: index {tile.name = "cores", tile.role = "cores"}) attributes {tile.kernel} {
  tile.cores ragged "y" %cores (%core) {
    %x_in = tile.alloc "x_in" in [1, %h_tile] times 2 : memref<?x?xf32, "ub">
    %w = tile.alloc "w" resident [%K, 32] : memref<?x?xf32, "ub">
  }
  func.return
}
