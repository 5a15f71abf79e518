// RUN: opwright-opt %s -p 'vectorize,canonicalize,cse' --split-input-file | filecheck %s

// A row instruction without scalars gets rows of them: one for what is the same for all rows, else one a row, -0 plus the row's.
// CHECK-LABEL: func.func @choose(
// CHECK: %tmp0 = tile.alloc "tmp0" temp [1, %h_tile] : memref<?x?xf32, "ub">
// CHECK: %tmp1 = tile.alloc "tmp1" temp [%i_tile, %h_tile] : memref<?x?xf32, "ub">
// CHECK: %tmp2 = tile.alloc "tmp2" temp [1, %i_tile] : memref<?x?xf32, "ub">
// CHECK: %tmp3 = tile.alloc "tmp3" temp [%i_tile ceildiv 8 * 8, 32] : memref<?x?xf32, "ub">
// CHECK: %[[V0:.*]] = arith.constant -0.000000e+00 : f32
// CHECK: tile.fill (%zero) to %tmp0[%c0] rows %c1 width %width : (f32) -> memref<?x?xf32, "ub">
// CHECK: tile.fill (%zero) to %tmp2[%c0] rows %c1 width %{{.*}} : (f32) -> memref<?x?xf32, "ub">
// CHECK: tile.fill (%[[V0]]) to %tmp1[%c0] rows %rows width %width : (f32) -> memref<?x?xf32, "ub">
// CHECK: tile.by_row "add" %tmp1[%c0], %tmp3[%c0] to %tmp1[%c0] rows %rows width %width : (memref<?x?xf32, "ub">, memref<?x?xf32, "ub">) -> memref<?x?xf32, "ub">
// CHECK: tile.select "lt" %a_in[%c0], %tmp0[%c0] step 0, %tmp1[%c0], %tmp0[%c0] step 0 to %y_out[%c0] rows %rows width %width : (memref<?x?xf32, "ub">, memref<?x?xf32, "ub">, memref<?x?xf32, "ub">, memref<?x?xf32, "ub">) -> memref<?x?xf32, "ub">
func.func @choose_tiling(%N: index {tile.name = "N"}, %H: index {tile.name = "H"}, %cores: index {tile.name = "cores"}) -> (index {tile.name = "h_tile"}, index {tile.name = "i_tile"}) attributes {tile.tiling} {
  %c32 = arith.constant 32 : index
  func.return %c32, %c32 : index, index
}
func.func @choose(%N: index {tile.name = "N", tile.role = "dim"}, %H: index {tile.name = "H", tile.role = "dim"}, %h_tile: index {tile.name = "h_tile", tile.role = "tiling"}, %i_tile: index {tile.name = "i_tile", tile.role = "tiling"}, %cores: index {tile.name = "cores", tile.role = "cores"}) attributes {tile.kernel} {
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
        %v = tile.choose "lt" %a, %zero, %s, %zero : f32
        tile.write %v to %y_out[%r, %l] : memref<?x?xf32, "ub">
      }
    }
  }
  func.return
}

// -----

// A scalar of its row is divided by lanes likewise.
// CHECK-LABEL: func.func @quotient(
// CHECK: %tmp0 = tile.alloc "tmp0" temp [%i_tile, %h_tile] : memref<?x?xf32, "ub">
// CHECK: %tmp1 = tile.alloc "tmp1" temp [1, %i_tile] : memref<?x?xf32, "ub">
// CHECK: %tmp2 = tile.alloc "tmp2" temp [%i_tile ceildiv 8 * 8, 32] : memref<?x?xf32, "ub">
// CHECK: %[[V0:.*]] = arith.constant 0.000000e+00 : f32
// CHECK: %[[V1:.*]] = arith.constant -0.000000e+00 : f32
// CHECK: tile.fill (%[[V0]]) to %tmp1[%c0] rows %c1 width %{{.*}} : (f32) -> memref<?x?xf32, "ub">
// CHECK: tile.fill (%[[V1]]) to %tmp0[%c0] rows %rows width %width : (f32) -> memref<?x?xf32, "ub">
// CHECK: tile.by_row "add" %tmp0[%c0], %tmp2[%c0] to %tmp0[%c0] rows %rows width %width : (memref<?x?xf32, "ub">, memref<?x?xf32, "ub">) -> memref<?x?xf32, "ub">
// CHECK: tile.binary "div" %tmp0[%c0], %a_in[%c0] to %y_out[%c0] rows %rows width %width : (memref<?x?xf32, "ub">, memref<?x?xf32, "ub">) -> memref<?x?xf32, "ub">
func.func @quotient_tiling(%N: index {tile.name = "N"}, %H: index {tile.name = "H"}, %cores: index {tile.name = "cores"}) -> (index {tile.name = "h_tile"}, index {tile.name = "i_tile"}) attributes {tile.tiling} {
  %c32 = arith.constant 32 : index
  func.return %c32, %c32 : index, index
}
func.func @quotient(%N: index {tile.name = "N", tile.role = "dim"}, %H: index {tile.name = "H", tile.role = "dim"}, %h_tile: index {tile.name = "h_tile", tile.role = "tiling"}, %i_tile: index {tile.name = "i_tile", tile.role = "tiling"}, %cores: index {tile.name = "cores", tile.role = "cores"}) attributes {tile.kernel} {
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
        %v = arith.divf %s, %a : f32
        tile.write %v to %y_out[%r, %l] : memref<?x?xf32, "ub">
      }
    }
  }
  func.return
}

// -----

// Functions that round are unary ones.
// CHECK-LABEL: func.func @rounding(
// CHECK: tile.unary "floor" %a_in[%c0] to %y_out[%c0] rows %rows width %width : (memref<?x?xf32, "ub">) -> memref<?x?xf32, "ub">
func.func @rounding_tiling(%N: index {tile.name = "N"}, %H: index {tile.name = "H"}, %cores: index {tile.name = "cores"}) -> (index {tile.name = "h_tile"}, index {tile.name = "i_tile"}) attributes {tile.tiling} {
  %c32 = arith.constant 32 : index
  func.return %c32, %c32 : index, index
}
func.func @rounding(%N: index {tile.name = "N", tile.role = "dim"}, %H: index {tile.name = "H", tile.role = "dim"}, %h_tile: index {tile.name = "h_tile", tile.role = "tiling"}, %i_tile: index {tile.name = "i_tile", tile.role = "tiling"}, %cores: index {tile.name = "cores", tile.role = "cores"}) attributes {tile.kernel} {
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
        %v = math.floor %a : f32
        tile.write %v to %y_out[%r, %l] : memref<?x?xf32, "ub">
      }
    }
  }
  func.return
}
