// RUN: opwright-opt %s -p 'legalize-lanes' --split-input-file --verify-diagnostics | filecheck %s

// CHECK: legalize_lanes_refused.mlir:[[# @LINE + 23]]:9: error[OPW345]: 'x > y' of lanes of i32 has no row instruction
// CHECK: hint: compare floats: cast(k, f32) of small integers
func.func @integers_tiling(%N: index {tile.name = "N"}, %H: index {tile.name = "H"}, %cores: index {tile.name = "cores"}) -> (index {tile.name = "h_tile"}, index {tile.name = "i_tile"}) attributes {tile.tiling} {
  %c32 = arith.constant 32 : index
  func.return %c32, %c32 : index, index
}
func.func @integers(%N: index {tile.name = "N", tile.role = "dim"}, %H: index {tile.name = "H", tile.role = "dim"}, %h_tile: index {tile.name = "h_tile", tile.role = "tiling"}, %i_tile: index {tile.name = "i_tile", tile.role = "tiling"}, %cores: index {tile.name = "cores", tile.role = "cores"}) attributes {tile.kernel} {
  %zero = arith.constant 0.0 : f32
  tile.cores "y" %cores (%core) {
    %a_in = tile.alloc "a_in" in [%i_tile, %h_tile] times 2 : memref<?x?xf32, "ub">
    %s_in = tile.alloc "s_in" in [4, %i_tile ceildiv 32 * 32] times 2 : memref<?x?xf32, "ub">
    %k_in = tile.alloc "k_in" in [%i_tile, %h_tile] times 2 : memref<?x?xi32, "ub">
    %y_out = tile.alloc "y_out" out [%i_tile, %h_tile] times 2 : memref<?x?xf32, "ub">
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    scf.for %item = %c0 to %cores step %c1 {
      %rows = arith.minsi %i_tile, %N : index
      %width = arith.minsi %h_tile, %H : index
      tile.foreach (%r: 0 to %rows, %l: 0 to %width) {
        %a = tile.read %a_in[%r, %l] : memref<?x?xf32, "ub">
        %s = tile.read %s_in[0, %r] : memref<?x?xf32, "ub">
        %k = tile.read %k_in[%r, %l] : memref<?x?xi32, "ub">
        %three = arith.constant 3 : i32
        %p = arith.cmpi sgt, %k, %three : i32
        %v = arith.select %p, %a, %zero : f32
        tile.write %v to %y_out[%r, %l] : memref<?x?xf32, "ub">
      }
    }
  }
  func.return
}

// -----

// CHECK: legalize_lanes_refused.mlir:[[# @LINE + 22]]:9: error[OPW345]: 'x > y' that chooses i32 has no row instruction
// CHECK: hint: choose between f32
func.func @sides_tiling(%N: index {tile.name = "N"}, %H: index {tile.name = "H"}, %cores: index {tile.name = "cores"}) -> (index {tile.name = "h_tile"}, index {tile.name = "i_tile"}) attributes {tile.tiling} {
  %c32 = arith.constant 32 : index
  func.return %c32, %c32 : index, index
}
func.func @sides(%N: index {tile.name = "N", tile.role = "dim"}, %H: index {tile.name = "H", tile.role = "dim"}, %h_tile: index {tile.name = "h_tile", tile.role = "tiling"}, %i_tile: index {tile.name = "i_tile", tile.role = "tiling"}, %cores: index {tile.name = "cores", tile.role = "cores"}) attributes {tile.kernel} {
  %zero = arith.constant 0.0 : f32
  tile.cores "y" %cores (%core) {
    %a_in = tile.alloc "a_in" in [%i_tile, %h_tile] times 2 : memref<?x?xf32, "ub">
    %s_in = tile.alloc "s_in" in [4, %i_tile ceildiv 32 * 32] times 2 : memref<?x?xf32, "ub">
    %k_in = tile.alloc "k_in" in [%i_tile, %h_tile] times 2 : memref<?x?xi32, "ub">
    %y_out = tile.alloc "y_out" out [%i_tile, %h_tile] times 2 : memref<?x?xf32, "ub">
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    scf.for %item = %c0 to %cores step %c1 {
      %rows = arith.minsi %i_tile, %N : index
      %width = arith.minsi %h_tile, %H : index
      tile.foreach (%r: 0 to %rows, %l: 0 to %width) {
        %a = tile.read %a_in[%r, %l] : memref<?x?xf32, "ub">
        %s = tile.read %s_in[0, %r] : memref<?x?xf32, "ub">
        %k = tile.read %k_in[%r, %l] : memref<?x?xi32, "ub">
        %p = arith.cmpf ogt, %a, %zero : f32
        %three = arith.constant 3 : i32
        %w = arith.select %p, %k, %three : i32
        %v = arith.sitofp %w : i32 to f32
        tile.write %v to %y_out[%r, %l] : memref<?x?xf32, "ub">
      }
    }
  }
  func.return
}

// -----

// CHECK: legalize_lanes_refused.mlir:[[# @LINE + 22]]:9: error[OPW345]: 'cast' from i8 to i1 has no row instruction
// CHECK: hint: a condition on lanes is a comparison of floats, or several of them
func.func @condition_tiling(%N: index {tile.name = "N"}, %H: index {tile.name = "H"}, %cores: index {tile.name = "cores"}) -> (index {tile.name = "h_tile"}, index {tile.name = "i_tile"}) attributes {tile.tiling} {
  %c32 = arith.constant 32 : index
  func.return %c32, %c32 : index, index
}
func.func @condition(%N: index {tile.name = "N", tile.role = "dim"}, %H: index {tile.name = "H", tile.role = "dim"}, %h_tile: index {tile.name = "h_tile", tile.role = "tiling"}, %i_tile: index {tile.name = "i_tile", tile.role = "tiling"}, %cores: index {tile.name = "cores", tile.role = "cores"}) attributes {tile.kernel} {
  %zero = arith.constant 0.0 : f32
  tile.cores "y" %cores (%core) {
    %a_in = tile.alloc "a_in" in [%i_tile, %h_tile] times 2 : memref<?x?xf32, "ub">
    %s_in = tile.alloc "s_in" in [4, %i_tile ceildiv 32 * 32] times 2 : memref<?x?xf32, "ub">
    %k_in = tile.alloc "k_in" in [%i_tile, %h_tile] times 2 : memref<?x?xi8, "ub">
    %y_out = tile.alloc "y_out" out [%i_tile, %h_tile] times 2 : memref<?x?xf32, "ub">
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    scf.for %item = %c0 to %cores step %c1 {
      %rows = arith.minsi %i_tile, %N : index
      %width = arith.minsi %h_tile, %H : index
      tile.foreach (%r: 0 to %rows, %l: 0 to %width) {
        %a = tile.read %a_in[%r, %l] : memref<?x?xf32, "ub">
        %s = tile.read %s_in[0, %r] : memref<?x?xf32, "ub">
        %k = tile.read %k_in[%r, %l] : memref<?x?xi8, "ub">
        %p = arith.trunci %k : i8 to i1
        %v = arith.select %p, %a, %zero : f32
        tile.write %v to %y_out[%r, %l] : memref<?x?xf32, "ub">
      }
    }
  }
  func.return
}
