// RUN: opwright-opt %s -p promote --split-input-file --verify-diagnostics | filecheck %s

// CHECK: promote_refused.mlir:[[# @LINE + 17]]:11: error[OPW340]: an index of a tile must be linear in the row and the lane
func.func @quotient_tiling(%N: index {tile.name = "N"}, %H: index {tile.name = "H"}, %cores: index {tile.name = "cores"}) -> (index {tile.name = "h_tile"}, index {tile.name = "i_tile"}) attributes {tile.tiling} {
  %c32 = arith.constant 32 : index
  func.return %c32, %c32 : index, index
}
func.func @quotient(%x: memref<?x?xf32> {tile.name = "x", tile.role = "input", tile.dims = ["N", "H"]}, %y: memref<?x?xf32> {tile.name = "y", tile.role = "output", tile.dims = ["N", "H"]}, %N: index {tile.name = "N", tile.role = "dim"}, %H: index {tile.name = "H", tile.role = "dim"}, %h_tile: index {tile.name = "h_tile", tile.role = "tiling"}, %i_tile: index {tile.name = "i_tile", tile.role = "tiling"}, %cores: index {tile.name = "cores", tile.role = "cores"}) attributes {tile.kernel} {
  tile.cores "y" %cores (%core) {
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
          %a = tile.read %x[(%i0 + %r) floordiv 2, %h0 + %l] : memref<?x?xf32>
          tile.write %a to %y[%i0 + %r, %h0 + %l] : memref<?x?xf32>
        }
      }
    }
  }
  func.return
}

// -----

// CHECK: promote_refused.mlir:[[# @LINE + 17]]:11: error[OPW340]: the row and the lane must each count one index up by 1
func.func @strided_tiling(%N: index {tile.name = "N"}, %H: index {tile.name = "H"}, %cores: index {tile.name = "cores"}) -> (index {tile.name = "h_tile"}, index {tile.name = "i_tile"}) attributes {tile.tiling} {
  %c32 = arith.constant 32 : index
  func.return %c32, %c32 : index, index
}
func.func @strided(%x: memref<?x?xf32> {tile.name = "x", tile.role = "input", tile.dims = ["N", "H"]}, %y: memref<?x?xf32> {tile.name = "y", tile.role = "output", tile.dims = ["N", "H"]}, %N: index {tile.name = "N", tile.role = "dim"}, %H: index {tile.name = "H", tile.role = "dim"}, %h_tile: index {tile.name = "h_tile", tile.role = "tiling"}, %i_tile: index {tile.name = "i_tile", tile.role = "tiling"}, %cores: index {tile.name = "cores", tile.role = "cores"}) attributes {tile.kernel} {
  tile.cores "y" %cores (%core) {
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
          %a = tile.read %x[%i0 + 2 * %r, %h0 + %l] : memref<?x?xf32>
          tile.write %a to %y[%i0 + %r, %h0 + %l] : memref<?x?xf32>
        }
      }
    }
  }
  func.return
}

// -----

// CHECK: promote_refused.mlir:[[# @LINE + 18]]:11: error[OPW340]: the row and the lane must each count one index up by 1
func.func @reversed__tiling(%N: index {tile.name = "N"}, %H: index {tile.name = "H"}, %cores: index {tile.name = "cores"}) -> (index {tile.name = "h_tile"}, index {tile.name = "i_tile"}) attributes {tile.tiling} {
  %c32 = arith.constant 32 : index
  func.return %c32, %c32 : index, index
}
func.func @reversed_(%x: memref<?x?xf32> {tile.name = "x", tile.role = "input", tile.dims = ["N", "H"]}, %y: memref<?x?xf32> {tile.name = "y", tile.role = "output", tile.dims = ["N", "H"]}, %N: index {tile.name = "N", tile.role = "dim"}, %H: index {tile.name = "H", tile.role = "dim"}, %h_tile: index {tile.name = "h_tile", tile.role = "tiling"}, %i_tile: index {tile.name = "i_tile", tile.role = "tiling"}, %cores: index {tile.name = "cores", tile.role = "cores"}) attributes {tile.kernel} {
  tile.cores "y" %cores (%core) {
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
          %a = tile.read %x[%i0 + %r, %h0 + %l] : memref<?x?xf32>
          tile.write %a to %y[%N - 1 - %i0 - %r, %h0 + %l] : memref<?x?xf32>
        }
      }
    }
  }
  func.return
}

// -----

// CHECK: promote_refused.mlir:[[# @LINE + 17]]:11: error[OPW341]: the lane must count the last index, the contiguous one
func.func @transposed_tiling(%N: index {tile.name = "N"}, %H: index {tile.name = "H"}, %cores: index {tile.name = "cores"}) -> (index {tile.name = "h_tile"}, index {tile.name = "i_tile"}) attributes {tile.tiling} {
  %c32 = arith.constant 32 : index
  func.return %c32, %c32 : index, index
}
func.func @transposed(%x: memref<?x?xf32> {tile.name = "x", tile.role = "input", tile.dims = ["H", "N"]}, %y: memref<?x?xf32> {tile.name = "y", tile.role = "output", tile.dims = ["N", "H"]}, %N: index {tile.name = "N", tile.role = "dim"}, %H: index {tile.name = "H", tile.role = "dim"}, %h_tile: index {tile.name = "h_tile", tile.role = "tiling"}, %i_tile: index {tile.name = "i_tile", tile.role = "tiling"}, %cores: index {tile.name = "cores", tile.role = "cores"}) attributes {tile.kernel} {
  tile.cores "y" %cores (%core) {
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
          %a = tile.read %x[%h0 + %l, %i0 + %r] : memref<?x?xf32>
          tile.write %a to %y[%i0 + %r, %h0 + %l] : memref<?x?xf32>
        }
      }
    }
  }
  func.return
}

// -----

// A copy adds at most a block in front of a row or behind it.
// CHECK: promote_refused.mlir:[[# @LINE + 19]]:11: error[OPW342]: lanes that lie 9 apart may leave the tensor; a copy adds a border of at most 8
// CHECK: hint: pad that dim
func.func @shifted_lanes_tiling(%N: index {tile.name = "N"}, %H: index {tile.name = "H"}, %cores: index {tile.name = "cores"}) -> (index {tile.name = "h_tile"}, index {tile.name = "i_tile"}) attributes {tile.tiling} {
  %c32 = arith.constant 32 : index
  func.return %c32, %c32 : index, index
}
func.func @shifted_lanes(%x: memref<?x?xf32> {tile.name = "x", tile.role = "input", tile.dims = ["N", "H"]}, %y: memref<?x?xf32> {tile.name = "y", tile.role = "output", tile.dims = ["N", "H"]}, %N: index {tile.name = "N", tile.role = "dim"}, %H: index {tile.name = "H", tile.role = "dim"}, %h_tile: index {tile.name = "h_tile", tile.role = "tiling"}, %i_tile: index {tile.name = "i_tile", tile.role = "tiling"}, %cores: index {tile.name = "cores", tile.role = "cores"}) attributes {tile.kernel} {
  %z = arith.constant 0.0 : f32
  tile.cores "y" %cores (%core) {
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
          %a = tile.read %x[%i0 + %r, %h0 + %l + 9] else %z : memref<?x?xf32>
          tile.write %a to %y[%i0 + %r, %h0 + %l] : memref<?x?xf32>
        }
      }
    }
  }
  func.return
}

// -----

// CHECK: promote_refused.mlir:[[# @LINE + 18]]:11: error[OPW342]: a read that may leave the tensor along index 0 cannot be promoted yet
func.func @shifted_item_tiling(%N: index {tile.name = "N"}, %H: index {tile.name = "H"}, %cores: index {tile.name = "cores"}) -> (index {tile.name = "h_tile"}, index {tile.name = "i_tile"}) attributes {tile.tiling} {
  %c32 = arith.constant 32 : index
  func.return %c32, %c32 : index, index
}
func.func @shifted_item(%x: memref<?x?x?xf32> {tile.name = "x", tile.role = "input", tile.dims = ["N", "N", "H"]}, %y: memref<?x?xf32> {tile.name = "y", tile.role = "output", tile.dims = ["N", "H"]}, %N: index {tile.name = "N", tile.role = "dim"}, %H: index {tile.name = "H", tile.role = "dim"}, %h_tile: index {tile.name = "h_tile", tile.role = "tiling"}, %i_tile: index {tile.name = "i_tile", tile.role = "tiling"}, %cores: index {tile.name = "cores", tile.role = "cores"}) attributes {tile.kernel} {
  %z = arith.constant 0.0 : f32
  tile.cores "y" %cores (%core) {
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
          %a = tile.read %x[%item, %i0 + %r, %h0 + %l] else %z : memref<?x?x?xf32>
          tile.write %a to %y[%i0 + %r, %h0 + %l] : memref<?x?xf32>
        }
      }
    }
  }
  func.return
}

// -----

// CHECK: promote_refused.mlir:[[# @LINE + 19]]:11: error[OPW342]: a read that may leave the tensor along index 1 cannot be promoted yet
// CHECK: hint: only lanes a fixed number apart, and the rows of a tile, may leave it
func.func @far_lanes_tiling(%N: index {tile.name = "N"}, %H: index {tile.name = "H"}, %cores: index {tile.name = "cores"}) -> (index {tile.name = "h_tile"}, index {tile.name = "i_tile"}) attributes {tile.tiling} {
  %c32 = arith.constant 32 : index
  func.return %c32, %c32 : index, index
}
func.func @far_lanes(%x: memref<?x?xf32> {tile.name = "x", tile.role = "input", tile.dims = ["N", "H"]}, %y: memref<?x?xf32> {tile.name = "y", tile.role = "output", tile.dims = ["N", "H"]}, %N: index {tile.name = "N", tile.role = "dim"}, %H: index {tile.name = "H", tile.role = "dim"}, %h_tile: index {tile.name = "h_tile", tile.role = "tiling"}, %i_tile: index {tile.name = "i_tile", tile.role = "tiling"}, %cores: index {tile.name = "cores", tile.role = "cores"}) attributes {tile.kernel} {
  %z = arith.constant 0.0 : f32
  tile.cores "y" %cores (%core) {
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
          %a = tile.read %x[%i0 + %r, %h0 + %l + %item] else %z : memref<?x?xf32>
          tile.write %a to %y[%i0 + %r, %h0 + %l] : memref<?x?xf32>
        }
      }
    }
  }
  func.return
}

// -----

// Nothing says that there is a row 3.
// CHECK: promote_refused.mlir:[[# @LINE + 18]]:11: error[OPW342]: a read that may leave the tensor along index 0 cannot be promoted yet
func.func @fixed_row_tiling(%N: index {tile.name = "N"}, %H: index {tile.name = "H"}, %cores: index {tile.name = "cores"}) -> (index {tile.name = "h_tile"}, index {tile.name = "i_tile"}) attributes {tile.tiling} {
  %c32 = arith.constant 32 : index
  func.return %c32, %c32 : index, index
}
func.func @fixed_row(%x: memref<?x?xf32> {tile.name = "x", tile.role = "input", tile.dims = ["N", "H"]}, %y: memref<?x?xf32> {tile.name = "y", tile.role = "output", tile.dims = ["N", "H"]}, %N: index {tile.name = "N", tile.role = "dim"}, %H: index {tile.name = "H", tile.role = "dim"}, %h_tile: index {tile.name = "h_tile", tile.role = "tiling"}, %i_tile: index {tile.name = "i_tile", tile.role = "tiling"}, %cores: index {tile.name = "cores", tile.role = "cores"}) attributes {tile.kernel} {
  %z = arith.constant 0.0 : f32
  tile.cores "y" %cores (%core) {
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
          %a = tile.read %x[3, %h0 + %l] else %z : memref<?x?xf32>
          tile.write %a to %y[%i0 + %r, %h0 + %l] : memref<?x?xf32>
        }
      }
    }
  }
  func.return
}

// -----

// CHECK: promote_refused.mlir:[[# @LINE + 18]]:11: error[OPW343]: a write to global memory must be plain
func.func @combined_tiling(%N: index {tile.name = "N"}, %H: index {tile.name = "H"}, %cores: index {tile.name = "cores"}) -> (index {tile.name = "h_tile"}, index {tile.name = "i_tile"}) attributes {tile.tiling} {
  %c32 = arith.constant 32 : index
  func.return %c32, %c32 : index, index
}
func.func @combined(%x: memref<?x?xf32> {tile.name = "x", tile.role = "input", tile.dims = ["N", "H"]}, %y: memref<?x?xf32> {tile.name = "y", tile.role = "output", tile.dims = ["N", "H"]}, %N: index {tile.name = "N", tile.role = "dim"}, %H: index {tile.name = "H", tile.role = "dim"}, %h_tile: index {tile.name = "h_tile", tile.role = "tiling"}, %i_tile: index {tile.name = "i_tile", tile.role = "tiling"}, %cores: index {tile.name = "cores", tile.role = "cores"}) attributes {tile.kernel} {
  tile.cores "y" %cores (%core) {
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
          %a = tile.read %x[%i0 + %r, %h0 + %l] : memref<?x?xf32>
          tile.write add %a to %y[%i0 + %r, %h0 + %l] : memref<?x?xf32>
        }
      }
    }
  }
  func.return
}

// -----

// CHECK: promote_refused.mlir:[[# @LINE + 17]]:11: error[OPW344]: a read of one element a tile cannot be promoted yet
func.func @one_element_tiling(%N: index {tile.name = "N"}, %H: index {tile.name = "H"}, %cores: index {tile.name = "cores"}) -> (index {tile.name = "h_tile"}, index {tile.name = "i_tile"}) attributes {tile.tiling} {
  %c32 = arith.constant 32 : index
  func.return %c32, %c32 : index, index
}
func.func @one_element(%x: memref<?x?xf32> {tile.name = "x", tile.role = "input", tile.dims = ["N", "H"]}, %y: memref<?x?xf32> {tile.name = "y", tile.role = "output", tile.dims = ["N", "H"]}, %N: index {tile.name = "N", tile.role = "dim"}, %H: index {tile.name = "H", tile.role = "dim"}, %h_tile: index {tile.name = "h_tile", tile.role = "tiling"}, %i_tile: index {tile.name = "i_tile", tile.role = "tiling"}, %cores: index {tile.name = "cores", tile.role = "cores"}) attributes {tile.kernel} {
  tile.cores "y" %cores (%core) {
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
          %a = tile.read %x[%i0, 0] : memref<?x?xf32>
          tile.write %a to %y[%i0 + %r, %h0 + %l] : memref<?x?xf32>
        }
      }
    }
  }
  func.return
}

// -----

// CHECK: promote_refused.mlir:[[# @LINE + 17]]:11: error[OPW344]: scalars of a tile must be contiguous: the row must count the last index
func.func @column_tiling(%N: index {tile.name = "N"}, %H: index {tile.name = "H"}, %cores: index {tile.name = "cores"}) -> (index {tile.name = "h_tile"}, index {tile.name = "i_tile"}) attributes {tile.tiling} {
  %c32 = arith.constant 32 : index
  func.return %c32, %c32 : index, index
}
func.func @column(%x: memref<?x?xf32> {tile.name = "x", tile.role = "input", tile.dims = ["N", "H"]}, %y: memref<?x?xf32> {tile.name = "y", tile.role = "output", tile.dims = ["N", "H"]}, %N: index {tile.name = "N", tile.role = "dim"}, %H: index {tile.name = "H", tile.role = "dim"}, %h_tile: index {tile.name = "h_tile", tile.role = "tiling"}, %i_tile: index {tile.name = "i_tile", tile.role = "tiling"}, %cores: index {tile.name = "cores", tile.role = "cores"}) attributes {tile.kernel} {
  tile.cores "y" %cores (%core) {
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
          %a = tile.read %x[%i0 + %r, 0] : memref<?x?xf32>
          tile.write %a to %y[%i0 + %r, %h0 + %l] : memref<?x?xf32>
        }
      }
    }
  }
  func.return
}

// -----

// CHECK: promote_refused.mlir:[[# @LINE + 18]]:11: error[OPW344]: scalars before the start of a tensor cannot be promoted yet
func.func @early_scalars_tiling(%N: index {tile.name = "N"}, %H: index {tile.name = "H"}, %cores: index {tile.name = "cores"}) -> (index {tile.name = "h_tile"}, index {tile.name = "i_tile"}) attributes {tile.tiling} {
  %c32 = arith.constant 32 : index
  func.return %c32, %c32 : index, index
}
func.func @early_scalars(%k: memref<?xf32> {tile.name = "k", tile.role = "input", tile.dims = ["N"]}, %y: memref<?x?xf32> {tile.name = "y", tile.role = "output", tile.dims = ["N", "H"]}, %N: index {tile.name = "N", tile.role = "dim"}, %H: index {tile.name = "H", tile.role = "dim"}, %h_tile: index {tile.name = "h_tile", tile.role = "tiling"}, %i_tile: index {tile.name = "i_tile", tile.role = "tiling"}, %cores: index {tile.name = "cores", tile.role = "cores"}) attributes {tile.kernel} {
  %z = arith.constant 0.0 : f32
  tile.cores "y" %cores (%core) {
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
          %a = tile.read %k[%i0 + %r - 1] else %z : memref<?xf32>
          tile.write %a to %y[%i0 + %r, %h0 + %l] : memref<?x?xf32>
        }
      }
    }
  }
  func.return
}

// -----

// CHECK: promote_refused.mlir:[[# @LINE + 17]]:9: error[OPW337]: a point loop on buffers runs over rows and lanes, this one has 3 dims
// CHECK: hint: sums inside a tile are for targets that stage nothing
func.func @inside_tiling(%N: index {tile.name = "N"}, %H: index {tile.name = "H"}, %cores: index {tile.name = "cores"}) -> (index {tile.name = "h_tile"}, index {tile.name = "i_tile"}) attributes {tile.tiling} {
  %c32 = arith.constant 32 : index
  func.return %c32, %c32 : index, index
}
func.func @inside(%x: memref<?x?xf32> {tile.name = "x", tile.role = "input", tile.dims = ["N", "H"]}, %y: memref<?x?xf32> {tile.name = "y", tile.role = "output", tile.dims = ["N", "H"]}, %N: index {tile.name = "N", tile.role = "dim"}, %H: index {tile.name = "H", tile.role = "dim"}, %h_tile: index {tile.name = "h_tile", tile.role = "tiling"}, %i_tile: index {tile.name = "i_tile", tile.role = "tiling"}, %cores: index {tile.name = "cores", tile.role = "cores"}) attributes {tile.kernel} {
  tile.cores "y" %cores (%core) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    scf.for %item = %c0 to %cores step %c1 {
      %h0 = arith.muli %item, %h_tile : index
      %left = arith.subi %H, %h0 : index
      %width = arith.minsi %h_tile, %left : index
      scf.for %i0 = %c0 to %N step %i_tile {
        %more = arith.subi %N, %i0 : index
        %rows = arith.minsi %i_tile, %more : index
        tile.foreach (%r: 0 to %rows, %j: 0 to 2, %l: 0 to %width) {
          %a = tile.read %x[%i0 + %r, %h0 + %l] : memref<?x?xf32>
          tile.write %a to %y[%i0 + %r, %h0 + %l] : memref<?x?xf32>
        }
      }
    }
  }
  func.return
}

// -----

// CHECK: promote_refused.mlir:[[# @LINE + 16]]:9: error[OPW337]: the range of a tile.foreach must be 0 to a value
func.func @ragged_tiling(%N: index {tile.name = "N"}, %H: index {tile.name = "H"}, %cores: index {tile.name = "cores"}) -> (index {tile.name = "h_tile"}, index {tile.name = "i_tile"}) attributes {tile.tiling} {
  %c32 = arith.constant 32 : index
  func.return %c32, %c32 : index, index
}
func.func @ragged(%x: memref<?x?xf32> {tile.name = "x", tile.role = "input", tile.dims = ["N", "H"]}, %y: memref<?x?xf32> {tile.name = "y", tile.role = "output", tile.dims = ["N", "H"]}, %N: index {tile.name = "N", tile.role = "dim"}, %H: index {tile.name = "H", tile.role = "dim"}, %h_tile: index {tile.name = "h_tile", tile.role = "tiling"}, %i_tile: index {tile.name = "i_tile", tile.role = "tiling"}, %cores: index {tile.name = "cores", tile.role = "cores"}) attributes {tile.kernel} {
  tile.cores "y" %cores (%core) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    scf.for %item = %c0 to %cores step %c1 {
      %h0 = arith.muli %item, %h_tile : index
      %left = arith.subi %H, %h0 : index
      %width = arith.minsi %h_tile, %left : index
      scf.for %i0 = %c0 to %N step %i_tile {
        %more = arith.subi %N, %i0 : index
        %rows = arith.minsi %i_tile, %more : index
        tile.foreach (%r: 0 to %rows - 1, %l: 0 to %width) {
          %a = tile.read %x[%i0 + %r, %h0 + %l] : memref<?x?xf32>
          tile.write %a to %y[%i0 + %r, %h0 + %l] : memref<?x?xf32>
        }
      }
    }
  }
  func.return
}

// -----

// CHECK: promote_refused.mlir:[[# @LINE + 16]]:9: error[OPW337]: the lanes of a tile must be the minimum of a kernel argument and what is left
func.func @lanes_tiling(%N: index {tile.name = "N"}, %H: index {tile.name = "H"}, %cores: index {tile.name = "cores"}) -> (index {tile.name = "h_tile"}, index {tile.name = "i_tile"}) attributes {tile.tiling} {
  %c32 = arith.constant 32 : index
  func.return %c32, %c32 : index, index
}
func.func @lanes(%x: memref<?x?xf32> {tile.name = "x", tile.role = "input", tile.dims = ["N", "H"]}, %y: memref<?x?xf32> {tile.name = "y", tile.role = "output", tile.dims = ["N", "H"]}, %N: index {tile.name = "N", tile.role = "dim"}, %H: index {tile.name = "H", tile.role = "dim"}, %h_tile: index {tile.name = "h_tile", tile.role = "tiling"}, %i_tile: index {tile.name = "i_tile", tile.role = "tiling"}, %cores: index {tile.name = "cores", tile.role = "cores"}) attributes {tile.kernel} {
  tile.cores "y" %cores (%core) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    scf.for %item = %c0 to %cores step %c1 {
      %h0 = arith.muli %item, %h_tile : index
      %left = arith.subi %H, %h0 : index
      %width = arith.minsi %h_tile, %left : index
      scf.for %i0 = %c0 to %N step %i_tile {
        %more = arith.subi %N, %i0 : index
        %rows = arith.minsi %i_tile, %more : index
        tile.foreach (%r: 0 to %rows, %l: 0 to %left) {
          %a = tile.read %x[%i0 + %r, %h0 + %l] : memref<?x?xf32>
          tile.write %a to %y[%i0 + %r, %h0 + %l] : memref<?x?xf32>
        }
      }
    }
  }
  func.return
}
