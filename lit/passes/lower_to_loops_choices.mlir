// RUN: opwright-opt %s -p lower-to-loops,canonicalize,cse | filecheck %s

// Choices as comparisons and selects, functions that round, and floats cut to integers.

func.func @k_tiling(%N : index {tile.name = "N"}, %cores : index {tile.name = "cores"})
    -> (index {tile.name = "n"}) attributes {tile.tiling} {
  %n = arith.constant 4 : index
  func.return %n : index
}
func.func @k(%out : memref<?x?xf32> {tile.name = "out", tile.role = "output", tile.dims = ["N", "N"]},
             %N : index {tile.name = "N", tile.role = "dim"}, %n : index {tile.name = "n", tile.role = "tiling"},
             %cores : index {tile.name = "cores", tile.role = "cores"}) attributes {tile.kernel} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c200 = arith.constant 200 : index
  %w = arith.minsi %N, %c200 : index
  tile.cores "s" %cores (%core) {
    %a = tile.alloc "a" temp [4, 224] : memref<?x?xf32, "ub">
    %b = tile.alloc "b" temp [1, 224] : memref<?x?xf32, "ub">
    %x = tile.alloc "x" temp [4, 224] : memref<?x?xf32, "ub">
    %y = tile.alloc "y" temp [4, 224] : memref<?x?xf32, "ub">
    %z = tile.alloc "z" temp [4, 224] : memref<?x?xf32, "ub">
    %k = tile.alloc "k" temp [4, 224] : memref<?x?xi32, "ub">
    // CHECK: %[[A:.*]] = memref.load %a[%r, %e]
    // CHECK-NEXT: %[[B:.*]] = memref.load %b[%c0, %e]
    // CHECK-NEXT: %[[X:.*]] = memref.load %x[%r, %e]
    // CHECK-NEXT: %[[Y:.*]] = memref.load %y[%r, %e]
    // CHECK-NEXT: %[[C:.*]] = arith.cmpf olt, %[[A]], %[[B]] : f32
    // CHECK-NEXT: %[[V:.*]] = arith.select %[[C]], %[[X]], %[[Y]] : f32
    // CHECK-NEXT: memref.store %[[V]], %z[%r, %e]
    tile.select "lt" %a[%c0], %b[%c0] step 0, %x[%c0], %y[%c0] to %z[%c0] rows %n width %w : (memref<?x?xf32, "ub">, memref<?x?xf32, "ub">, memref<?x?xf32, "ub">, memref<?x?xf32, "ub">) -> memref<?x?xf32, "ub">
    // CHECK: %[[C:.*]] = arith.cmpf olt
    // CHECK-NEXT: %[[V:.*]] = arith.select %[[C]],
    // CHECK-NEXT: memref.store %[[V]], %z[%c0, %
    tile.select "lt" %a[%c0], %b[%c0] step 0, %x[%c0], %y[%c0] to %z[%c0] rows %c1 width %w : (memref<?x?xf32, "ub">, memref<?x?xf32, "ub">, memref<?x?xf32, "ub">, memref<?x?xf32, "ub">) -> memref<?x?xf32, "ub">
    // CHECK: %[[X:.*]] = memref.load %x
    // CHECK-NEXT: %[[V:.*]] = math.roundeven %[[X]] : f32
    // CHECK-NEXT: memref.store %[[V]], %y
    tile.unary "rint" %x[%c0] to %y[%c0] rows %n width %w : (memref<?x?xf32, "ub">) -> memref<?x?xf32, "ub">
    // CHECK: %[[X:.*]] = memref.load %x
    // CHECK-NEXT: %[[V:.*]] = arith.fptosi %[[X]] : f32 to i32
    // CHECK-NEXT: memref.store %[[V]], %k
    tile.cast %x[%c0] to %k[%c0] rows %n width %w : (memref<?x?xf32, "ub">) -> memref<?x?xi32, "ub">
    // CHECK: %[[X:.*]] = memref.load %k
    // CHECK-NEXT: %[[V:.*]] = arith.sitofp %[[X]] : i32 to f32
    // CHECK-NEXT: memref.store %[[V]], %x
    tile.cast %k[%c0] to %x[%c0] rows %n width %w : (memref<?x?xi32, "ub">) -> memref<?x?xf32, "ub">
    // CHECK: %[[X:.*]] = memref.load %x
    // CHECK-NEXT: %[[V:.*]] = math.floor %[[X]] : f32
    // CHECK-NEXT: memref.store %[[V]], %y
    tile.unary "floor" %x[%c0] to %y[%c0] rows %c1 width %w : (memref<?x?xf32, "ub">) -> memref<?x?xf32, "ub">
  }
  func.return
}
