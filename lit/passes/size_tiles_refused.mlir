// RUN: opwright-opt %s -p 'size-tiles{target=ascend910b}' --split-input-file --verify-diagnostics | filecheck %s

// CHECK: size_tiles_refused.mlir:[[# @LINE + 4]]:3: error[OPW337]: the kernel has no stage 't'
func.func @other_stage_tiling(%N: index {tile.name = "N"}, %H: index {tile.name = "H"}, %cores: index {tile.name = "cores"}) -> (index {tile.name = "h_tile"}, index {tile.name = "i_tile"}) attributes {tile.tiling} {
  %c32 = arith.constant 32 : index
  %pitch = arith.muli %H, %c32 : index
  %n = tile.fit_rows "t" %pitch cap %N
  func.return %pitch, %n : index, index
}
func.func @other_stage(%N: index {tile.name = "N", tile.role = "dim"}, %H: index {tile.name = "H", tile.role = "dim"}, %h_tile: index {tile.name = "h_tile", tile.role = "tiling"}, %i_tile: index {tile.name = "i_tile", tile.role = "tiling"}, %cores: index {tile.name = "cores", tile.role = "cores"}) attributes {tile.kernel} {
  tile.cores "s" %cores (%core) {
  }
  func.return
}

// -----

// CHECK: size_tiles_refused.mlir:[[# @LINE + 9]]:5: error[OPW338]: the size of buffer 'x_in' must be linear in the rows and lanes of the tile
func.func @not_linear_tiling(%N: index {tile.name = "N"}, %H: index {tile.name = "H"}, %cores: index {tile.name = "cores"}) -> (index {tile.name = "h_tile"}, index {tile.name = "i_tile"}) attributes {tile.tiling} {
  %c32 = arith.constant 32 : index
  %pitch = arith.muli %H, %c32 : index
  %n = tile.fit_rows "s" %pitch cap %N
  func.return %pitch, %n : index, index
}
func.func @not_linear(%N: index {tile.name = "N", tile.role = "dim"}, %H: index {tile.name = "H", tile.role = "dim"}, %h_tile: index {tile.name = "h_tile", tile.role = "tiling"}, %i_tile: index {tile.name = "i_tile", tile.role = "tiling"}, %cores: index {tile.name = "cores", tile.role = "cores"}) attributes {tile.kernel} {
  tile.cores "s" %cores (%core) {
    %x_in = tile.alloc "x_in" in [%i_tile floordiv 2, %h_tile] : memref<?x?xf32, "ub">
  }
  func.return
}

// -----

// CHECK: size_tiles_refused.mlir:[[# @LINE + 9]]:5: error[OPW338]: the size of buffer 'x_in' must be linear in the rows and lanes of the tile
func.func @other_size_tiling(%N: index {tile.name = "N"}, %H: index {tile.name = "H"}, %cores: index {tile.name = "cores"}) -> (index {tile.name = "h_tile"}, index {tile.name = "i_tile"}) attributes {tile.tiling} {
  %c32 = arith.constant 32 : index
  %pitch = arith.muli %H, %c32 : index
  %n = tile.fit_rows "s" %pitch cap %N
  func.return %pitch, %n : index, index
}
func.func @other_size(%N: index {tile.name = "N", tile.role = "dim"}, %H: index {tile.name = "H", tile.role = "dim"}, %h_tile: index {tile.name = "h_tile", tile.role = "tiling"}, %i_tile: index {tile.name = "i_tile", tile.role = "tiling"}, %cores: index {tile.name = "cores", tile.role = "cores"}) attributes {tile.kernel} {
  tile.cores "s" %cores (%core) {
    %x_in = tile.alloc "x_in" in [%N, %h_tile] : memref<?x?xf32, "ub">
  }
  func.return
}

// -----

// CHECK: size_tiles_refused.mlir:[[# @LINE + 8]]:3: error[OPW339]: stage 's' needs 206848 bytes for one row of 512 lanes; ascend910b has 188160
func.func @too_large_tiling(%N: index {tile.name = "N"}, %H: index {tile.name = "H"}, %cores: index {tile.name = "cores"}) -> (index {tile.name = "h_tile"}, index {tile.name = "i_tile"}) attributes {tile.tiling} {
  %c32 = arith.constant 32 : index
  %pitch = arith.muli %H, %c32 : index
  %n = tile.fit_rows "s" %pitch cap %N
  func.return %pitch, %n : index, index
}
func.func @too_large(%N: index {tile.name = "N", tile.role = "dim"}, %H: index {tile.name = "H", tile.role = "dim"}, %h_tile: index {tile.name = "h_tile", tile.role = "tiling"}, %i_tile: index {tile.name = "i_tile", tile.role = "tiling"}, %cores: index {tile.name = "cores", tile.role = "cores"}) attributes {tile.kernel} {
  tile.cores "s" %cores (%core) {
    %x_in = tile.alloc "x_in" in [%i_tile + 100, %h_tile] : memref<?x?xf32, "ub">
  }
  func.return
}

// -----

// CHECK: size_tiles_refused.mlir:[[# @LINE + 8]]:3: error[OPW339]: stage 's' reads 300 rows more than a tile has; an instruction of ascend910b repeats 255 times
func.func @far_apart_tiling(%N: index {tile.name = "N"}, %H: index {tile.name = "H"}, %cores: index {tile.name = "cores"}) -> (index {tile.name = "h_tile"}, index {tile.name = "i_tile"}) attributes {tile.tiling} {
  %c32 = arith.constant 32 : index
  %pitch = arith.muli %H, %c32 : index
  %n = tile.fit_rows "s" %pitch cap %N
  func.return %pitch, %n : index, index
}
func.func @far_apart(%N: index {tile.name = "N", tile.role = "dim"}, %H: index {tile.name = "H", tile.role = "dim"}, %h_tile: index {tile.name = "h_tile", tile.role = "tiling"}, %i_tile: index {tile.name = "i_tile", tile.role = "tiling"}, %cores: index {tile.name = "cores", tile.role = "cores"}) attributes {tile.kernel} {
  tile.cores "s" %cores (%core) {
    %x_in = tile.alloc "x_in" in [%i_tile + 300, %h_tile] : memref<?x?xi8, "ub">
  }
  func.return
}

// -----

// A stage whose tiles have one row counts too.
// CHECK: size_tiles_refused.mlir:[[# @LINE + 7]]:3: error[OPW339]: stage 's' needs 204800 bytes for one row of 512 lanes; ascend910b has 188160
func.func @one_row_tiling(%H: index {tile.name = "H"}, %cores: index {tile.name = "cores"}) -> (index {tile.name = "h_tile"}) attributes {tile.tiling} {
  %c32 = arith.constant 32 : index
  %pitch = arith.muli %H, %c32 : index
  func.return %pitch : index
}
func.func @one_row(%H: index {tile.name = "H", tile.role = "dim"}, %h_tile: index {tile.name = "h_tile", tile.role = "tiling"}, %cores: index {tile.name = "cores", tile.role = "cores"}) attributes {tile.kernel} {
  tile.cores "s" %cores (%core) {
    %x_in = tile.alloc "x_in" in [100, %h_tile] : memref<?x?xf32, "ub">
  }
  func.return
}
