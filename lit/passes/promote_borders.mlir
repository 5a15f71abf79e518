// RUN: opwright-opt %s -p promote --split-input-file | filecheck %s
// RUN: opwright-opt %s -p promote,lower-to-loops --split-input-file | filecheck %s --check-prefix=LOOPS

// Lanes before a row come with its copy; a row of which no lane is inside is filled.
// CHECK-LABEL: func.func @before(
// CHECK: %[[WANTED:.*]] = arith.subi %h0, %c1_1 : index
// CHECK: %[[MISSING:.*]] = arith.subi %c0_3, %[[WANTED]] : index
// CHECK-NEXT: %[[POSITIVE:.*]] = arith.maxsi %[[MISSING]], %c0_3 : index
// CHECK-NEXT: %[[LANES:.*]] = arith.minsi %[[POSITIVE]], %width : index
// CHECK: %left_1 = arith.minsi %[[LANES]], %c1_2 : index
// CHECK-NEXT: %[[START:.*]] = arith.addi %[[WANTED]], %left_1 : index
// CHECK-NEXT: %inside = arith.subi %width, %left_1 : index
// CHECK-NEXT: tile.load_rows %x[%i0, %[[START]]] along 0 to %x_in[%c0_1] rows %valid width %inside border %left_1, %c0_3 of %z
// CHECK: %[[EMPTY:.*]] = arith.cmpi sle, %inside, %c0_4 : index
// CHECK-NEXT: %outside = arith.select %[[EMPTY]], %valid, %c0_4 : index
// CHECK-NEXT: tile.fill (%z) to %x_in[%c0_1] rows %outside width %width
// LOOPS-LABEL: func.func @before(
// LOOPS: scf.for %e = %c0 to %left_1 step %c1 {
// LOOPS-NEXT: memref.store %z, %x_in[%r, %e] : memref<?x?xf32>
// LOOPS: scf.for %e_2 = %c0 to %inside step %c1 {
// LOOPS: %[[LANE:.*]] = arith.addi %left_1, %e_2 : index
// LOOPS: memref.store %{{.*}}, %x_in[%r_2, %[[LANE]]] : memref<?x?xf32>
func.func @before_tiling(%N: index {tile.name = "N"}, %H: index {tile.name = "H"}, %cores: index {tile.name = "cores"}) -> (index {tile.name = "h_tile"}, index {tile.name = "i_tile"}) attributes {tile.tiling} {
  %c32 = arith.constant 32 : index
  func.return %c32, %c32 : index, index
}
func.func @before(%x: memref<?x?xf32> {tile.name = "x", tile.role = "input", tile.dims = ["N", "H"]}, %y: memref<?x?xf32> {tile.name = "y", tile.role = "output", tile.dims = ["N", "H"]}, %N: index {tile.name = "N", tile.role = "dim"}, %H: index {tile.name = "H", tile.role = "dim"}, %h_tile: index {tile.name = "h_tile", tile.role = "tiling"}, %i_tile: index {tile.name = "i_tile", tile.role = "tiling"}, %cores: index {tile.name = "cores", tile.role = "cores"}) attributes {tile.kernel} {
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
          %a = tile.read %x[%i0 + %r, %h0 + %l - 1] else %z : memref<?x?xf32>
          tile.write %a to %y[%i0 + %r, %h0 + %l] : memref<?x?xf32>
        }
      }
    }
  }
  func.return
}


// -----

// CHECK-LABEL: func.func @behind(
// CHECK: %[[START:.*]] = arith.addi %h0, %c2 : index
// CHECK: %[[LEFT:.*]] = arith.subi %H, %[[START]] : index
// CHECK-NEXT: %[[SOME:.*]] = arith.minsi %[[LEFT]], %width : index
// CHECK-NEXT: %inside = arith.maxsi %[[SOME]], %c0_3 : index
// CHECK-NEXT: %[[REST:.*]] = arith.subi %width, %inside : index
// CHECK: %right = arith.minsi %[[REST]], %c2_1 : index
// CHECK-NEXT: tile.load_rows %x[%i0, %[[START]]] along 0 to %x_in[%c0_1] rows %valid width %inside border %c0_3, %right of %z
func.func @behind_tiling(%N: index {tile.name = "N"}, %H: index {tile.name = "H"}, %cores: index {tile.name = "cores"}) -> (index {tile.name = "h_tile"}, index {tile.name = "i_tile"}) attributes {tile.tiling} {
  %c32 = arith.constant 32 : index
  func.return %c32, %c32 : index, index
}
func.func @behind(%x: memref<?x?xf32> {tile.name = "x", tile.role = "input", tile.dims = ["N", "H"]}, %y: memref<?x?xf32> {tile.name = "y", tile.role = "output", tile.dims = ["N", "H"]}, %N: index {tile.name = "N", tile.role = "dim"}, %H: index {tile.name = "H", tile.role = "dim"}, %h_tile: index {tile.name = "h_tile", tile.role = "tiling"}, %i_tile: index {tile.name = "i_tile", tile.role = "tiling"}, %cores: index {tile.name = "cores", tile.role = "cores"}) attributes {tile.kernel} {
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
          %a = tile.read %x[%i0 + %r, %h0 + %l + 2] else %z : memref<?x?xf32>
          tile.write %a to %y[%i0 + %r, %h0 + %l] : memref<?x?xf32>
        }
      }
    }
  }
  func.return
}

