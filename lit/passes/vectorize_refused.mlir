// RUN: opwright-opt %s -p vectorize --split-input-file --verify-diagnostics | filecheck %s

// CHECK: vectorize_refused.mlir:[[# @LINE + 22]]:11: error[OPW345]: 'sin' has no row instruction
// CHECK: hint: on lanes the chips take + - * /, maximum, minimum, exp, log, sqrt, rsqrt, absolute, floor, ceil, rint, trunc, cast, and where by comparisons of floats
func.func @function_tiling(%N: index {tile.name = "N"}, %H: index {tile.name = "H"}, %cores: index {tile.name = "cores"}) -> (index {tile.name = "h_tile"}, index {tile.name = "i_tile"}) attributes {tile.tiling} {
  %c32 = arith.constant 32 : index
  func.return %c32, %c32 : index, index
}
func.func @function(%N: index {tile.name = "N", tile.role = "dim"}, %H: index {tile.name = "H", tile.role = "dim"}, %h_tile: index {tile.name = "h_tile", tile.role = "tiling"}, %i_tile: index {tile.name = "i_tile", tile.role = "tiling"}, %cores: index {tile.name = "cores", tile.role = "cores"}) attributes {tile.kernel} {
  tile.cores "y" %cores (%core) {
    %a_in = tile.alloc "a_in" in [%i_tile, %h_tile] times 2 : memref<?x?xf32, "ub">
    %k_in = tile.alloc "k_in" scalars [1, %i_tile + 32] : memref<?x?xi8, "ub">
    %y_out = tile.alloc "y_out" out [%i_tile, %h_tile] times 2 : memref<?x?xf32, "ub">
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    scf.for %item = %c0 to %cores step %c1 {
      %h0 = arith.muli %item, %h_tile : index
      %left = arith.subi %H, %h0 : index
      %width = arith.minsi %h_tile, %left : index
      scf.for %i0 = %c0 to %N step %i_tile {
        %more = arith.subi %N, %i0 : index
        %rows = arith.minsi %i_tile, %more : index
        tile.foreach (%r: 0 to %rows, %l: 0 to %width) {
          %a = tile.read %a_in[%r, %l] : memref<?x?xf32, "ub">
          %b = math.sin %a : f32
          tile.write %b to %y_out[%r, %l] : memref<?x?xf32, "ub">
        }
      }
    }
  }
  func.return
}

// -----

// CHECK: vectorize_refused.mlir:[[# @LINE + 22]]:11: error[OPW345]: the index that runs over lanes is computed with, and no row holds its values yet
// CHECK: hint: give what is computed from it as a tensor: x[i, j] * factor[j]
func.func @lane_number_tiling(%N: index {tile.name = "N"}, %H: index {tile.name = "H"}, %cores: index {tile.name = "cores"}) -> (index {tile.name = "h_tile"}, index {tile.name = "i_tile"}) attributes {tile.tiling} {
  %c32 = arith.constant 32 : index
  func.return %c32, %c32 : index, index
}
func.func @lane_number(%N: index {tile.name = "N", tile.role = "dim"}, %H: index {tile.name = "H", tile.role = "dim"}, %h_tile: index {tile.name = "h_tile", tile.role = "tiling"}, %i_tile: index {tile.name = "i_tile", tile.role = "tiling"}, %cores: index {tile.name = "cores", tile.role = "cores"}) attributes {tile.kernel} {
  tile.cores "y" %cores (%core) {
    %a_in = tile.alloc "a_in" in [%i_tile, %h_tile] times 2 : memref<?x?xf32, "ub">
    %k_in = tile.alloc "k_in" scalars [1, %i_tile + 32] : memref<?x?xi8, "ub">
    %y_out = tile.alloc "y_out" out [%i_tile, %h_tile] times 2 : memref<?x?xf32, "ub">
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    scf.for %item = %c0 to %cores step %c1 {
      %h0 = arith.muli %item, %h_tile : index
      %left = arith.subi %H, %h0 : index
      %width = arith.minsi %h_tile, %left : index
      scf.for %i0 = %c0 to %N step %i_tile {
        %more = arith.subi %N, %i0 : index
        %rows = arith.minsi %i_tile, %more : index
        tile.foreach (%r: 0 to %rows, %l: 0 to %width) {
          %a = tile.read %a_in[%r, %l] : memref<?x?xf32, "ub">
          %n = arith.index_cast %l : index to i32
          %g = arith.sitofp %n : i32 to f32
          %b = arith.addf %a, %g : f32
          tile.write %b to %y_out[%r, %l] : memref<?x?xf32, "ub">
        }
      }
    }
  }
  func.return
}

// -----

// CHECK: vectorize_refused.mlir:[[# @LINE + 20]]:11: error[OPW345]: a read of a buffer must be by row and lane, or by row
func.func @transposed_tiling(%N: index {tile.name = "N"}, %H: index {tile.name = "H"}, %cores: index {tile.name = "cores"}) -> (index {tile.name = "h_tile"}, index {tile.name = "i_tile"}) attributes {tile.tiling} {
  %c32 = arith.constant 32 : index
  func.return %c32, %c32 : index, index
}
func.func @transposed(%N: index {tile.name = "N", tile.role = "dim"}, %H: index {tile.name = "H", tile.role = "dim"}, %h_tile: index {tile.name = "h_tile", tile.role = "tiling"}, %i_tile: index {tile.name = "i_tile", tile.role = "tiling"}, %cores: index {tile.name = "cores", tile.role = "cores"}) attributes {tile.kernel} {
  tile.cores "y" %cores (%core) {
    %a_in = tile.alloc "a_in" in [%i_tile, %h_tile] times 2 : memref<?x?xf32, "ub">
    %k_in = tile.alloc "k_in" scalars [1, %i_tile + 32] : memref<?x?xi8, "ub">
    %y_out = tile.alloc "y_out" out [%i_tile, %h_tile] times 2 : memref<?x?xf32, "ub">
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    scf.for %item = %c0 to %cores step %c1 {
      %h0 = arith.muli %item, %h_tile : index
      %left = arith.subi %H, %h0 : index
      %width = arith.minsi %h_tile, %left : index
      scf.for %i0 = %c0 to %N step %i_tile {
        %more = arith.subi %N, %i0 : index
        %rows = arith.minsi %i_tile, %more : index
        tile.foreach (%r: 0 to %rows, %l: 0 to %width) {
          %b = tile.read %a_in[%l, %r] : memref<?x?xf32, "ub">
          tile.write %b to %y_out[%r, %l] : memref<?x?xf32, "ub">
        }
      }
    }
  }
  func.return
}

// -----

// CHECK: vectorize_refused.mlir:[[# @LINE + 21]]:11: error[OPW345]: a write to a buffer must be by row and lane
func.func @transposed_write_tiling(%N: index {tile.name = "N"}, %H: index {tile.name = "H"}, %cores: index {tile.name = "cores"}) -> (index {tile.name = "h_tile"}, index {tile.name = "i_tile"}) attributes {tile.tiling} {
  %c32 = arith.constant 32 : index
  func.return %c32, %c32 : index, index
}
func.func @transposed_write(%N: index {tile.name = "N", tile.role = "dim"}, %H: index {tile.name = "H", tile.role = "dim"}, %h_tile: index {tile.name = "h_tile", tile.role = "tiling"}, %i_tile: index {tile.name = "i_tile", tile.role = "tiling"}, %cores: index {tile.name = "cores", tile.role = "cores"}) attributes {tile.kernel} {
  tile.cores "y" %cores (%core) {
    %a_in = tile.alloc "a_in" in [%i_tile, %h_tile] times 2 : memref<?x?xf32, "ub">
    %k_in = tile.alloc "k_in" scalars [1, %i_tile + 32] : memref<?x?xi8, "ub">
    %y_out = tile.alloc "y_out" out [%i_tile, %h_tile] times 2 : memref<?x?xf32, "ub">
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    scf.for %item = %c0 to %cores step %c1 {
      %h0 = arith.muli %item, %h_tile : index
      %left = arith.subi %H, %h0 : index
      %width = arith.minsi %h_tile, %left : index
      scf.for %i0 = %c0 to %N step %i_tile {
        %more = arith.subi %N, %i0 : index
        %rows = arith.minsi %i_tile, %more : index
        tile.foreach (%r: 0 to %rows, %l: 0 to %width) {
          %a = tile.read %a_in[%r, %l] : memref<?x?xf32, "ub">
          tile.write %a to %y_out[%l, %r] : memref<?x?xf32, "ub">
        }
      }
    }
  }
  func.return
}

// -----

// CHECK: vectorize_refused.mlir:[[# @LINE + 22]]:11: error[OPW345]: rows that differ are written to one row
// CHECK: hint: combine them, or name the row
func.func @last_row_wins_tiling(%N: index {tile.name = "N"}, %H: index {tile.name = "H"}, %cores: index {tile.name = "cores"}) -> (index {tile.name = "h_tile"}, index {tile.name = "i_tile"}) attributes {tile.tiling} {
  %c32 = arith.constant 32 : index
  func.return %c32, %c32 : index, index
}
func.func @last_row_wins(%N: index {tile.name = "N", tile.role = "dim"}, %H: index {tile.name = "H", tile.role = "dim"}, %h_tile: index {tile.name = "h_tile", tile.role = "tiling"}, %i_tile: index {tile.name = "i_tile", tile.role = "tiling"}, %cores: index {tile.name = "cores", tile.role = "cores"}) attributes {tile.kernel} {
  tile.cores "y" %cores (%core) {
    %a_in = tile.alloc "a_in" in [%i_tile, %h_tile] times 2 : memref<?x?xf32, "ub">
    %k_in = tile.alloc "k_in" scalars [1, %i_tile + 32] : memref<?x?xi8, "ub">
    %y_out = tile.alloc "y_out" out [%i_tile, %h_tile] times 2 : memref<?x?xf32, "ub">
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    scf.for %item = %c0 to %cores step %c1 {
      %h0 = arith.muli %item, %h_tile : index
      %left = arith.subi %H, %h0 : index
      %width = arith.minsi %h_tile, %left : index
      scf.for %i0 = %c0 to %N step %i_tile {
        %more = arith.subi %N, %i0 : index
        %rows = arith.minsi %i_tile, %more : index
        tile.foreach (%r: 0 to %rows, %l: 0 to %width) {
          %a = tile.read %a_in[%r, %l] : memref<?x?xf32, "ub">
          tile.write %a to %y_out[0, %l] : memref<?x?xf32, "ub">
        }
      }
    }
  }
  func.return
}

// -----

// CHECK: vectorize_refused.mlir:[[# @LINE + 24]]:11: error[OPW346]: a guarded write has no row instruction yet
func.func @guarded_tiling(%N: index {tile.name = "N"}, %H: index {tile.name = "H"}, %cores: index {tile.name = "cores"}) -> (index {tile.name = "h_tile"}, index {tile.name = "i_tile"}) attributes {tile.tiling} {
  %c32 = arith.constant 32 : index
  func.return %c32, %c32 : index, index
}
func.func @guarded(%N: index {tile.name = "N", tile.role = "dim"}, %H: index {tile.name = "H", tile.role = "dim"}, %h_tile: index {tile.name = "h_tile", tile.role = "tiling"}, %i_tile: index {tile.name = "i_tile", tile.role = "tiling"}, %cores: index {tile.name = "cores", tile.role = "cores"}) attributes {tile.kernel} {
  %no = arith.constant 0 : i8
  tile.cores "y" %cores (%core) {
    %a_in = tile.alloc "a_in" in [%i_tile, %h_tile] times 2 : memref<?x?xf32, "ub">
    %k_in = tile.alloc "k_in" scalars [1, %i_tile + 32] : memref<?x?xi8, "ub">
    %y_out = tile.alloc "y_out" out [%i_tile, %h_tile] times 2 : memref<?x?xf32, "ub">
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    scf.for %item = %c0 to %cores step %c1 {
      %h0 = arith.muli %item, %h_tile : index
      %left = arith.subi %H, %h0 : index
      %width = arith.minsi %h_tile, %left : index
      scf.for %i0 = %c0 to %N step %i_tile {
        %more = arith.subi %N, %i0 : index
        %rows = arith.minsi %i_tile, %more : index
        tile.foreach (%r: 0 to %rows, %l: 0 to %width) {
          %a = tile.read %a_in[%r, %l] : memref<?x?xf32, "ub">
          %k = tile.read %k_in[0, %r] : memref<?x?xi8, "ub">
          %c = arith.cmpi ne, %k, %no : i8
          tile.write %a to %y_out[%r, %l] if %c : memref<?x?xf32, "ub">
        }
      }
    }
  }
  func.return
}

// -----

// CHECK: vectorize_refused.mlir:[[# @LINE + 24]]:11: error[OPW347]: two values are summed into one row
// CHECK: hint: add them first
func.func @two_sums_tiling(%N: index {tile.name = "N"}, %H: index {tile.name = "H"}, %cores: index {tile.name = "cores"}) -> (index {tile.name = "h_tile"}, index {tile.name = "i_tile"}) attributes {tile.tiling} {
  %c32 = arith.constant 32 : index
  func.return %c32, %c32 : index, index
}
func.func @two_sums(%N: index {tile.name = "N", tile.role = "dim"}, %H: index {tile.name = "H", tile.role = "dim"}, %h_tile: index {tile.name = "h_tile", tile.role = "tiling"}, %i_tile: index {tile.name = "i_tile", tile.role = "tiling"}, %cores: index {tile.name = "cores", tile.role = "cores"}) attributes {tile.kernel} {
  tile.cores "y" %cores (%core) {
    %a_in = tile.alloc "a_in" in [%i_tile, %h_tile] times 2 : memref<?x?xf32, "ub">
    %k_in = tile.alloc "k_in" scalars [1, %i_tile + 32] : memref<?x?xi8, "ub">
    %y_out = tile.alloc "y_out" out [%i_tile, %h_tile] times 2 : memref<?x?xf32, "ub">
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    scf.for %item = %c0 to %cores step %c1 {
      %h0 = arith.muli %item, %h_tile : index
      %left = arith.subi %H, %h0 : index
      %width = arith.minsi %h_tile, %left : index
      scf.for %i0 = %c0 to %N step %i_tile {
        %more = arith.subi %N, %i0 : index
        %rows = arith.minsi %i_tile, %more : index
        tile.foreach (%r: 0 to %rows, %l: 0 to %width) {
          %a = tile.read %a_in[%r, %l] : memref<?x?xf32, "ub">
          %b = arith.negf %a : f32
          tile.write add %a to %y_out[0, %l] : memref<?x?xf32, "ub">
          tile.write add %b to %y_out[0, %l] : memref<?x?xf32, "ub">
        }
      }
    }
  }
  func.return
}
