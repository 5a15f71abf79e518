// RUN: opwright-opt %s -p hoist-rows --split-input-file | filecheck %s

// Rows that count up come from one loop in front of the walk; both conversions of %w go, that of the moving row stays.
// CHECK-LABEL: func.func @weights
// CHECK: %w_rows = tile.alloc "w_rows" temp [2, %h_tile] : memref<?x?xf32, "ub">
// CHECK-NEXT: %w_rows_1 = tile.alloc "w_rows" temp [1, %h_tile] : memref<?x?xf32, "ub">
// CHECK-NEXT: scf.for %item
// CHECK: %width = arith.minsi
// CHECK-NEXT: tile.foreach (%a: 0 to 2, %l: 0 to %width) {
// CHECK-NEXT: %w0 = tile.read %w[%a, %h0 + %l] : memref<4x?xbf16>
// CHECK-NEXT: %f0 = arith.extf %w0 : bf16 to f32
// CHECK-NEXT: tile.write %f0 to %w_rows[%a, %l] : memref<?x?xf32, "ub">
// CHECK-NEXT: }
// CHECK-NEXT: tile.foreach (%a_1: 0 to 1, %l_1: 0 to %width) {
// CHECK-NEXT: %w3 = tile.read %w[%a_1 + 3, %h0 + %l_1] : memref<4x?xbf16>
// CHECK-NEXT: %f3 = arith.extf %w3 : bf16 to f32
// CHECK-NEXT: tile.write %f3 to %w_rows_1[%a_1, %l_1] : memref<?x?xf32, "ub">
// CHECK-NEXT: }
// CHECK-NEXT: scf.for %i0 = %c0 to %N step %i_tile {
// CHECK: tile.foreach (%r: 0 to %rows, %l_2: 0 to %width) {
// CHECK-NEXT: %x0 = tile.read %x[%i0 + %r, %h0 + %l_2] : memref<?x?xbf16>
// CHECK-NEXT: %g = arith.extf %x0 : bf16 to f32
// CHECK-NEXT: %f0_1 = tile.read %w_rows[0, %l_2] : memref<?x?xf32, "ub">
// CHECK-NEXT: %f1 = tile.read %w_rows[1, %l_2] : memref<?x?xf32, "ub">
// CHECK-NEXT: %f3_1 = tile.read %w_rows_1[0, %l_2] : memref<?x?xf32, "ub">
// CHECK-NEXT: %p = arith.mulf %g, %f0_1 : f32
func.func @weights_tiling(%N: index {tile.name = "N"}, %H: index {tile.name = "H"}, %cores: index {tile.name = "cores"}) -> (index {tile.name = "h_tile"}, index {tile.name = "i_tile"}) attributes {tile.tiling} {
  %c32 = arith.constant 32 : index
  func.return %c32, %N : index, index
}
func.func @weights(%x: memref<?x?xbf16> {tile.name = "x", tile.role = "input", tile.dims = ["N", "H"]}, %w: memref<4x?xbf16> {tile.name = "w", tile.role = "input", tile.dims = [4 : i64, "H"]}, %y: memref<?x?xf32> {tile.name = "y", tile.role = "output", tile.dims = ["N", "H"]}, %N: index {tile.name = "N", tile.role = "dim"}, %H: index {tile.name = "H", tile.role = "dim"}, %h_tile: index {tile.name = "h_tile", tile.role = "tiling"}, %i_tile: index {tile.name = "i_tile", tile.role = "tiling"}, %cores: index {tile.name = "cores", tile.role = "cores"}) attributes {tile.kernel} {
  tile.cores "y" %cores (%core) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    scf.for %item = %c0 to %c1 step %c1 {
      %h0 = arith.muli %item, %h_tile : index
      %left = arith.subi %H, %h0 : index
      %width = arith.minsi %h_tile, %left : index
      scf.for %i0 = %c0 to %N step %i_tile {
        %more = arith.subi %N, %i0 : index
        %rows = arith.minsi %i_tile, %more : index
        tile.foreach (%r: 0 to %rows, %l: 0 to %width) {
          %x0 = tile.read %x[%i0 + %r, %h0 + %l] : memref<?x?xbf16>
          %g = arith.extf %x0 : bf16 to f32
          %w0 = tile.read %w[0, %h0 + %l] : memref<4x?xbf16>
          %f0 = arith.extf %w0 : bf16 to f32
          %w1 = tile.read %w[1, %h0 + %l] : memref<4x?xbf16>
          %f1 = arith.extf %w1 : bf16 to f32
          %w3 = tile.read %w[3, %h0 + %l] : memref<4x?xbf16>
          %f3 = arith.extf %w3 : bf16 to f32
          %p = arith.mulf %g, %f0 : f32
          %q = arith.mulf %p, %f1 : f32
          %s = arith.addf %q, %f3 : f32
          tile.write %s to %y[%i0 + %r, %h0 + %l] : memref<?x?xf32>
        }
      }
    }
  }
  func.return
}

// -----

// A chain of operations goes as a whole, up to the first that needs something else or is needed twice. A row that moves
// with the walk, one that may be outside, and one that is used as it is read stay.
// CHECK-LABEL: func.func @chains
// CHECK: %w_rows = tile.alloc "w_rows" temp [1, %h_tile] : memref<?x?xf32, "ub">
// CHECK-NEXT: %w_rows_1 = tile.alloc "w_rows" temp [1, %h_tile] : memref<?x?xf32, "ub">
// CHECK-NOT: tile.alloc
// CHECK: tile.foreach (%a: 0 to 1, %l: 0 to %width) {
// CHECK-NEXT: %0 = tile.read %w[%a + 2, %h0 + %l] : memref<4x?xf32>
// CHECK-NEXT: %1 = math.exp %0 : f32
// CHECK-NEXT: %2 = arith.negf %1 : f32
// CHECK-NEXT: tile.write %2 to %w_rows[%a, %l] : memref<?x?xf32, "ub">
// CHECK: tile.foreach (%a_1: 0 to 1, %l_1: 0 to %width) {
// CHECK-NEXT: %{{.*}} = tile.read %w[%a_1, %h0 + %l_1] : memref<4x?xf32>
// CHECK-NEXT: %[[S:.*]] = math.sqrt
// CHECK-NEXT: tile.write %[[S]] to %w_rows_1[%a_1, %l_1]
// CHECK: tile.foreach (%r: 0 to %rows, %l_2: 0 to %width) {
// CHECK-NEXT: %[[A:.*]] = tile.read %w_rows[0, %l_2] : memref<?x?xf32, "ub">
// CHECK-NEXT: %{{.*}} = tile.read %w[%i0, %h0 + %l_2] : memref<4x?xf32>
// CHECK-NEXT: %[[C:.*]] = arith.negf
// CHECK-NEXT: %{{.*}} = tile.read %w[3, %h0 + %l_2] else %z : memref<4x?xf32>
// CHECK-NEXT: %[[E:.*]] = arith.negf
// CHECK-NEXT: %[[F:.*]] = tile.read %w[1, %h0 + %l_2] : memref<4x?xf32>
// CHECK-NEXT: %[[G:.*]] = tile.read %w_rows_1[0, %l_2] : memref<?x?xf32, "ub">
// CHECK-NEXT: arith.negf %[[G]]
// CHECK-NEXT: arith.addf %[[A]], %[[C]]
func.func @chains_tiling(%N: index {tile.name = "N"}, %H: index {tile.name = "H"}, %cores: index {tile.name = "cores"}) -> (index {tile.name = "h_tile"}, index {tile.name = "i_tile"}) attributes {tile.tiling} {
  %c32 = arith.constant 32 : index
  func.return %c32, %N : index, index
}
func.func @chains(%w: memref<4x?xf32> {tile.name = "w", tile.role = "input", tile.dims = [4 : i64, "H"]}, %y: memref<?x?xf32> {tile.name = "y", tile.role = "output", tile.dims = ["N", "H"]}, %N: index {tile.name = "N", tile.role = "dim"}, %H: index {tile.name = "H", tile.role = "dim"}, %h_tile: index {tile.name = "h_tile", tile.role = "tiling"}, %i_tile: index {tile.name = "i_tile", tile.role = "tiling"}, %cores: index {tile.name = "cores", tile.role = "cores"}) attributes {tile.kernel} {
  %z = arith.constant 0.0 : f32
  tile.cores "y" %cores (%core) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    scf.for %item = %c0 to %c1 step %c1 {
      %h0 = arith.muli %item, %h_tile : index
      %left = arith.subi %H, %h0 : index
      %width = arith.minsi %h_tile, %left : index
      scf.for %i0 = %c0 to %N step %i_tile {
        %more = arith.subi %N, %i0 : index
        %rows = arith.minsi %i_tile, %more : index
        tile.foreach (%r: 0 to %rows, %l: 0 to %width) {
          %0 = tile.read %w[2, %h0 + %l] : memref<4x?xf32>
          %1 = math.exp %0 : f32
          %2 = arith.negf %1 : f32
          %3 = tile.read %w[%i0, %h0 + %l] : memref<4x?xf32>
          %4 = arith.negf %3 : f32
          %5 = tile.read %w[3, %h0 + %l] else %z : memref<4x?xf32>
          %6 = arith.negf %5 : f32
          %7 = tile.read %w[1, %h0 + %l] : memref<4x?xf32>
          %w0 = tile.read %w[0, %h0 + %l] : memref<4x?xf32>
          %s = math.sqrt %w0 : f32
          %n = arith.negf %s : f32
          %8 = arith.addf %2, %4 : f32
          %9 = arith.addf %8, %6 : f32
          %10 = arith.addf %9, %7 : f32
          %11 = arith.addf %10, %s : f32
          %12 = arith.addf %11, %n : f32
          tile.write %12 to %y[%i0 + %r, %h0 + %l] : memref<?x?xf32>
        }
      }
    }
  }
  func.return
}

// -----

// Without a walk every row is used once.
// CHECK-LABEL: func.func @once
// CHECK-NOT: tile.alloc
func.func @once_tiling(%H: index {tile.name = "H"}, %cores: index {tile.name = "cores"}) -> (index {tile.name = "h_tile"}) attributes {tile.tiling} {
  %c32 = arith.constant 32 : index
  func.return %c32 : index
}
func.func @once(%w: memref<?xf32> {tile.name = "w", tile.role = "input", tile.dims = ["H"]}, %y: memref<?xf32> {tile.name = "y", tile.role = "output", tile.dims = ["H"]}, %H: index {tile.name = "H", tile.role = "dim"}, %h_tile: index {tile.name = "h_tile", tile.role = "tiling"}, %cores: index {tile.name = "cores", tile.role = "cores"}) attributes {tile.kernel} {
  tile.cores "y" %cores (%core) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    scf.for %item = %c0 to %c1 step %c1 {
      %h0 = arith.muli %item, %h_tile : index
      %left = arith.subi %H, %h0 : index
      %width = arith.minsi %h_tile, %left : index
      tile.foreach (%r: 0 to %c1, %l: 0 to %width) {
        %0 = tile.read %w[%h0 + %l] : memref<?xf32>
        %1 = arith.negf %0 : f32
        tile.write %1 to %y[%h0 + %l] : memref<?xf32>
      }
    }
  }
  func.return
}
