// RUN: opwright-opt %s -p 'promote,canonicalize,cse' --split-input-file | filecheck %s

// Reads that differ by a number of rows share a buffer with a halo, here on both sides; rows outside the tensor are filled.
// A tensor whose contiguous dim is the walked one is read by scalars. A fixed row has one row. What is written leaves by
// a copy.
// CHECK-LABEL: func.func @halo(
// CHECK: %k_in = tile.alloc "k_in" scalars [1, %i_tile + 33] : memref<?x?xi8, "ub">
// CHECK-NEXT: %x_in = tile.alloc "x_in" in [%i_tile + 3, %h_tile] times 2 : memref<?x?xf32, "ub">
// CHECK-NEXT: %w_in = tile.alloc "w_in" in [1, %h_tile] times 2 : memref<?x?xf32, "ub">
// CHECK-NEXT: %y_out = tile.alloc "y_out" out [%i_tile, %h_tile] times 2 : memref<?x?xf32, "ub">
// CHECK: scf.for %i0 = %c0 to %N step %i_tile {
// CHECK: %rows = arith.minsi
// CHECK-NEXT: %[[SCALARS:.*]] = arith.addi %rows, %c1 : index
// CHECK-NEXT: %[[NATURAL:.*]] = arith.maxsi %more, %c0 : index
// CHECK-NEXT: %valid = arith.minsi %[[NATURAL]], %[[SCALARS]] : index
// CHECK-NEXT: tile.load_rows %k[%i0] along 0 to %k_in[%c0] rows %c1 width %valid : memref<?xi8>, memref<?x?xi8, "ub">
// CHECK-NEXT: scf.for %q = %valid to %[[SCALARS]] step %c1 {
// CHECK-NEXT: memref.store %no, %k_in[%c0, %q] : memref<?x?xi8, "ub">
// CHECK-NEXT: }
// CHECK-NEXT: %[[START:.*]] = arith.subi %i0, %c1 : index
// CHECK: %[[WANTED:.*]] = arith.addi %rows, %c3 : index
// CHECK-NEXT: %[[BEFORE:.*]] = arith.subi %c0, %[[START]] : index
// CHECK-NEXT: %[[ALL:.*]] = arith.maxsi %[[BEFORE]], %c0 : index
// CHECK-NEXT: %lead = arith.minsi %[[ALL]], %[[WANTED]] : index
// CHECK-NEXT: %[[FIRST:.*]] = arith.addi %[[START]], %lead : index
// CHECK-NEXT: %[[REST:.*]] = arith.subi %[[WANTED]], %lead : index
// CHECK: %valid_1 = arith.minsi %{{.*}}, %[[REST]] : index
// CHECK-NEXT: tile.load_rows %x[%[[FIRST]], %h0] along 0 to %x_in[%lead] rows %valid_1 width %width : memref<?x?xf32>, memref<?x?xf32, "ub">
// CHECK-NEXT: %[[AFTER:.*]] = arith.addi %lead, %valid_1 : index
// CHECK-NEXT: tile.fill (%z) to %x_in[%c0] rows %lead width %width : (f32) -> memref<?x?xf32, "ub">
// CHECK-NEXT: %missing = arith.subi %[[WANTED]], %[[AFTER]] : index
// CHECK-NEXT: tile.fill (%z) to %x_in[%[[AFTER]]] rows %missing width %width : (f32) -> memref<?x?xf32, "ub">
// CHECK-NEXT: tile.load_rows %w[%c2, %h0] along 0 to %w_in[%c0] rows %c1 width %width : memref<4x?xf32>, memref<?x?xf32, "ub">
// CHECK-NEXT: tile.foreach (%r: 0 to %rows, %l: 0 to %width) {
// CHECK-NEXT: %a = tile.read %x_in[%r, %l] : memref<?x?xf32, "ub">
// CHECK-NEXT: %b = tile.read %x_in[%r + 1, %l] : memref<?x?xf32, "ub">
// CHECK-NEXT: %c = tile.read %x_in[%r + 3, %l] : memref<?x?xf32, "ub">
// CHECK-NEXT: %d = tile.read %k_in[0, %r + 1] : memref<?x?xi8, "ub">
// CHECK-NEXT: %k0 = tile.read %k_in[0, %r] : memref<?x?xi8, "ub">
// CHECK-NEXT: %e = tile.read %w_in[0, %l] : memref<?x?xf32, "ub">
// CHECK: tile.write %{{.*}} to %y_out[%r, %l] : memref<?x?xf32, "ub">
// CHECK-NEXT: }
// CHECK-NEXT: tile.store_rows %y_out[%c0] to %y[%i0, %h0] along 0 rows %rows width %width : memref<?x?xf32, "ub">, memref<?x?xf32>
func.func @halo_tiling(%N: index {tile.name = "N"}, %H: index {tile.name = "H"}, %cores: index {tile.name = "cores"}) -> (index {tile.name = "h_tile"}, index {tile.name = "i_tile"}) attributes {tile.tiling} {
  %c32 = arith.constant 32 : index
  func.return %c32, %N : index, index
}
func.func @halo(%x: memref<?x?xf32> {tile.name = "x", tile.role = "input", tile.dims = ["N", "H"]}, %k: memref<?xi8> {tile.name = "k", tile.role = "input", tile.dims = ["N"]}, %w: memref<4x?xf32> {tile.name = "w", tile.role = "input", tile.dims = [4 : i64, "H"]}, %y: memref<?x?xf32> {tile.name = "y", tile.role = "output", tile.dims = ["N", "H"]}, %N: index {tile.name = "N", tile.role = "dim"}, %H: index {tile.name = "H", tile.role = "dim"}, %h_tile: index {tile.name = "h_tile", tile.role = "tiling"}, %i_tile: index {tile.name = "i_tile", tile.role = "tiling"}, %cores: index {tile.name = "cores", tile.role = "cores"}) attributes {tile.kernel} {
  %z = arith.constant 0.0 : f32
  %no = arith.constant 0 : i8
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
          %a = tile.read %x[%i0 + %r - 1, %h0 + %l] else %z : memref<?x?xf32>
          %b = tile.read %x[%i0 + %r, %h0 + %l] : memref<?x?xf32>
          %c = tile.read %x[%i0 + %r + 2, %h0 + %l] else %z : memref<?x?xf32>
          %d = tile.read %k[%i0 + %r + 1] else %no : memref<?xi8>
          %k0 = tile.read %k[%i0 + %r] : memref<?xi8>
          %e = tile.read %w[2, %h0 + %l] : memref<4x?xf32>
          %f = arith.cmpi ne, %d, %k0 : i8
          %g = arith.select %f, %a, %b : f32
          %s = arith.addf %g, %c : f32
          %t = arith.mulf %s, %e : f32
          tile.write %t to %y[%i0 + %r, %h0 + %l] : memref<?x?xf32>
        }
      }
    }
  }
  func.return
}

// -----

// Rows in front of the walk stay for the whole item. What is only moved is copied from where it lies. Values outside that
// differ have buffers of their own; the read inside goes with the first.
// CHECK-LABEL: func.func @moves(
// CHECK: %acc = tile.alloc "acc" accumulator [2, %h_tile]
// CHECK: %w_in = tile.alloc "w_in" resident [2, %h_tile] : memref<?x?xf32, "ub">
// CHECK-NEXT: %x_in = tile.alloc "x_in" in [%i_tile + 1, %h_tile] times 2 : memref<?x?xf32, "ub">
// CHECK-NEXT: %x_in_1 = tile.alloc "x_in" in [%i_tile, %h_tile] times 2 : memref<?x?xf32, "ub">
// CHECK-NOT: tile.alloc
// CHECK: tile.load_rows %w[%c1, %h0] along 0 to %w_in[%c0] rows %c2 width %width : memref<4x?xf32>, memref<?x?xf32, "ub">
// CHECK-NEXT: tile.foreach (%a: 0 to 2, %l: 0 to %width) {
// CHECK-NEXT: %b = tile.read %w_in[%a, %l]
// CHECK: scf.for %i0
// CHECK: tile.fill (%z) to %x_in[
// CHECK: tile.fill (%one) to %x_in_1[
// CHECK: %v = tile.read %x_in[%r + 1, %l_1]
// CHECK-NEXT: %t = tile.read %x_in_1[%r, %l_1]
// CHECK: tile.store_rows %x_in[%c0] to %y[%i0, %h0] along 0 rows %rows width %width
// CHECK: tile.store_rows %acc[%c0] to %s[%c0, %h0] along 0 rows %c2 width %width : memref<?x?xf32, "ub">, memref<2x?xf32>
// CHECK-NOT: tile.foreach
func.func @moves_tiling(%N: index {tile.name = "N"}, %H: index {tile.name = "H"}, %cores: index {tile.name = "cores"}) -> (index {tile.name = "h_tile"}, index {tile.name = "i_tile"}) attributes {tile.tiling} {
  %c32 = arith.constant 32 : index
  func.return %c32, %N : index, index
}
func.func @moves(%x: memref<?x?xf32> {tile.name = "x", tile.role = "input", tile.dims = ["N", "H"]}, %w: memref<4x?xf32> {tile.name = "w", tile.role = "input", tile.dims = [4 : i64, "H"]}, %y: memref<?x?xf32> {tile.name = "y", tile.role = "output", tile.dims = ["N", "H"]}, %s: memref<2x?xf32> {tile.name = "s", tile.role = "output", tile.dims = [2 : i64, "H"]}, %N: index {tile.name = "N", tile.role = "dim"}, %H: index {tile.name = "H", tile.role = "dim"}, %h_tile: index {tile.name = "h_tile", tile.role = "tiling"}, %i_tile: index {tile.name = "i_tile", tile.role = "tiling"}, %cores: index {tile.name = "cores", tile.role = "cores"}) attributes {tile.kernel} {
  %z = arith.constant 0.0 : f32
  %one = arith.constant 1.0 : f32
  tile.cores "y" %cores (%core) {
    %acc = tile.alloc "acc" accumulator [2, %h_tile] : memref<?x?xf32, "ub">
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    scf.for %item = %c0 to %cores step %c1 {
      %h0 = arith.muli %item, %h_tile : index
      %left = arith.subi %H, %h0 : index
      %width = arith.minsi %h_tile, %left : index
      tile.foreach (%a: 0 to 2, %l: 0 to %width) {
        %b = tile.read %w[%a + 1, %h0 + %l] : memref<4x?xf32>
        tile.write %b to %acc[%a, %l] : memref<?x?xf32, "ub">
      }
      scf.for %i0 = %c0 to %N step %i_tile {
        %more = arith.subi %N, %i0 : index
        %rows = arith.minsi %i_tile, %more : index
        tile.foreach (%r: 0 to %rows, %l: 0 to %width) {
          %u = tile.read %x[%i0 + %r, %h0 + %l] : memref<?x?xf32>
          %v = tile.read %x[%i0 + %r + 1, %h0 + %l] else %z : memref<?x?xf32>
          %t = tile.read %x[%i0 + %r + 1, %h0 + %l] else %one : memref<?x?xf32>
          %p = arith.mulf %v, %t : f32
          tile.write add %p to %acc[0, %l] : memref<?x?xf32, "ub">
          tile.write %u to %y[%i0 + %r, %h0 + %l] : memref<?x?xf32>
        }
      }
      tile.foreach (%a: 0 to 2, %l: 0 to %width) {
        %b = tile.read %acc[%a, %l] : memref<?x?xf32, "ub">
        tile.write %b to %s[%a, %h0 + %l] : memref<2x?xf32>
      }
    }
  }
  func.return
}

// -----

// A place with a symbol in it may be negative, so rows may come before the tensor. A fixed row in range needs no fill.
// CHECK-LABEL: func.func @symbol(
// CHECK: %w_in = tile.alloc "w_in" in [1, %h_tile] times 2
// CHECK: %[[START:.*]] = arith.subi %i0, %K : index
// CHECK: %lead = arith.minsi
// CHECK: tile.load_rows %x[
// CHECK: tile.fill (%z) to %x_in[%c0] rows %lead
// CHECK: tile.fill (%z) to %x_in[
// CHECK: tile.load_rows %w[%c3, %h0] along 0 to %w_in[%c0] rows %c1 width %width
// CHECK-NOT: tile.fill
func.func @symbol_tiling(%N: index {tile.name = "N"}, %K: index {tile.name = "K"}, %H: index {tile.name = "H"}, %cores: index {tile.name = "cores"}) -> (index {tile.name = "h_tile"}, index {tile.name = "i_tile"}) attributes {tile.tiling} {
  %c32 = arith.constant 32 : index
  func.return %c32, %N : index, index
}
func.func @symbol(%x: memref<?x?xf32> {tile.name = "x", tile.role = "input", tile.dims = ["N", "H"]}, %w: memref<4x?xf32> {tile.name = "w", tile.role = "input", tile.dims = [4 : i64, "H"]}, %y: memref<?x?xf32> {tile.name = "y", tile.role = "output", tile.dims = ["N", "H"]}, %N: index {tile.name = "N", tile.role = "dim"}, %K: index {tile.name = "K", tile.role = "dim"}, %H: index {tile.name = "H", tile.role = "dim"}, %h_tile: index {tile.name = "h_tile", tile.role = "tiling"}, %i_tile: index {tile.name = "i_tile", tile.role = "tiling"}, %cores: index {tile.name = "cores", tile.role = "cores"}) attributes {tile.kernel} {
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
          %z = arith.constant 0.0 : f32
          %a = tile.read %x[%i0 + %r - %K, %h0 + %l] else %z : memref<?x?xf32>
          %b = tile.read %w[3, %h0 + %l] else %z : memref<4x?xf32>
          %c = arith.addf %a, %b : f32
          tile.write %c to %y[%i0 + %r, %h0 + %l] : memref<?x?xf32>
        }
      }
    }
  }
  func.return
}
