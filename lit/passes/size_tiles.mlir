// RUN: opwright-opt %s -p 'size-tiles{target=ascend910b}' --split-input-file | filecheck %s --check-prefixes=CHECK,CHIP
// RUN: opwright-opt %s -p 'size-tiles{target=cpu}' --split-input-file | filecheck %s --check-prefixes=CHECK,CPU

// A row takes 2 copies of 2 bytes a lane and one of 4, and a byte for its scalar. Fixed: 2 copies of 2 rows of 2 bytes a
// lane, 3 rows of 4 bytes, and for the scalars 34 and a block of 32 bytes: 188160 - 66 = 188094. An instruction repeats
// 255 times, 2 rows of them for the halo. The host stages nothing, so its rows are the cap.
// CHECK-LABEL: func.func @halo_tiling(
// CHECK: %pitch = arith.muli
// CHIP-NEXT: %[[MOST:.*]] = arith.constant 253 : index
// CHIP-NEXT: %[[CAP:.*]] = arith.minsi %N, %[[MOST]] : index
// CHIP-NEXT: %[[EIGHT:.*]] = arith.constant 8 : index
// CHIP-NEXT: %[[LANES:.*]] = arith.muli %pitch, %[[EIGHT]] : index
// CHIP-NEXT: %[[ONE:.*]] = arith.constant 1 : index
// CHIP-NEXT: %row_bytes = arith.addi %[[LANES]], %[[ONE]] : index
// CHIP-NEXT: %[[TWENTY:.*]] = arith.constant 20 : index
// CHIP-NEXT: %fixed_bytes = arith.muli %pitch, %[[TWENTY]] : index
// CHIP-NEXT: %[[ALL:.*]] = arith.constant 188094 : index
// CHIP-NEXT: %[[FREE:.*]] = arith.subi %[[ALL]], %fixed_bytes : index
// CHIP-NEXT: %[[FIT:.*]] = arith.divsi %[[FREE]], %row_bytes : index
// CHIP-NEXT: %{{.*}} = arith.constant 1 : index
// CHIP-NEXT: %[[SOME:.*]] = arith.maxsi %[[FIT]], %{{.*}} : index
// CHIP-NEXT: %n = arith.minsi %[[CAP]], %[[SOME]] : index
// CHIP-NEXT: func.return %pitch, %n : index, index
// CPU-NEXT: func.return %pitch, %N : index, index
func.func @halo_tiling(%N: index {tile.name = "N"}, %H: index {tile.name = "H"}, %cores: index {tile.name = "cores"}) -> (index {tile.name = "h_tile"}, index {tile.name = "i_tile"}) attributes {tile.tiling} {
  %c32 = arith.constant 32 : index
  %blocks = arith.ceildivsi %H, %c32 : index
  %pitch = arith.muli %blocks, %c32 : index
  %n = tile.fit_rows "s" %pitch cap %N
  func.return %pitch, %n : index, index
}
func.func @halo(%N: index {tile.name = "N", tile.role = "dim"}, %H: index {tile.name = "H", tile.role = "dim"}, %h_tile: index {tile.name = "h_tile", tile.role = "tiling"}, %i_tile: index {tile.name = "i_tile", tile.role = "tiling"}, %cores: index {tile.name = "cores", tile.role = "cores"}) attributes {tile.kernel} {
  tile.cores "s" %cores (%core) {
    %x_in = tile.alloc "x_in" in [%i_tile + 2, %h_tile] times 2 : memref<?x?xbf16, "ub">
    %w_rows = tile.alloc "w_rows" temp [3, %h_tile] : memref<?x?xf32, "ub">
    %tmp0 = tile.alloc "tmp0" temp [%i_tile, %h_tile] : memref<?x?xf32, "ub">
    %m_in = tile.alloc "m_in" scalars [1, %i_tile + 34] : memref<?x?xi8, "ub">
  }
  func.return
}

// -----

// Two stages with one pitch, which has two names; only rows that no tile cuts: nothing grows with the rows of the first.
// CHECK-LABEL: func.func @twice_tiling(
// CHECK: %pitch = arith.muli
// CHIP: %row_bytes = arith.muli %pitch, %{{.*}} : index
// CHIP: %n = arith.minsi %N, %{{.*}} : index
// CHIP: func.return %pitch, %N, %pitch, %n
// CPU: func.return %pitch, %N, %pitch, %N
func.func @twice_tiling(%N: index {tile.name = "N"}, %H: index {tile.name = "H"}, %cores: index {tile.name = "cores"}) -> (index {tile.name = "s_h_tile"}, index {tile.name = "s_i_tile"}, index {tile.name = "t_h_tile"}, index {tile.name = "t_i_tile"}) attributes {tile.tiling} {
  %c32 = arith.constant 32 : index
  %blocks = arith.ceildivsi %H, %c32 : index
  %pitch = arith.muli %blocks, %c32 : index
  %m = tile.fit_rows "s" %pitch cap %N
  %n = tile.fit_rows "t" %pitch cap %N
  func.return %pitch, %m, %pitch, %n : index, index, index, index
}
func.func @twice(%N: index {tile.name = "N", tile.role = "dim"}, %H: index {tile.name = "H", tile.role = "dim"}, %s_h_tile: index {tile.name = "s_h_tile", tile.role = "tiling"}, %s_i_tile: index {tile.name = "s_i_tile", tile.role = "tiling"}, %t_h_tile: index {tile.name = "t_h_tile", tile.role = "tiling"}, %t_i_tile: index {tile.name = "t_i_tile", tile.role = "tiling"}, %cores: index {tile.name = "cores", tile.role = "cores"}) attributes {tile.kernel} {
  tile.cores "s" %cores (%core) {
    %w_rows = tile.alloc "w_rows" temp [3, %s_h_tile] : memref<?x?xf32, "ub">
  }
  tile.cores "t" %cores (%core) {
    %x_in = tile.alloc "x_in" in [%t_i_tile, %t_h_tile] times 2 : memref<?x?xbf16, "ub">
  }
  func.return
}
