// RUN: opwright-opt %s | filecheck %s
// RUN: opwright-opt %s --print-op-generic | opwright-opt | filecheck %s

// Choices between lanes, functions that round, and floats cut to integers.

func.func @choices(%a: memref<?x?xf32, "ub">, %b: memref<?x?xf32, "ub">, %x: memref<?x?xf32, "ub">, %y: memref<?x?xf32, "ub">, %z: memref<?x?xf32, "ub">, %k: memref<?x?xi32, "ub">, %r: index, %n: index, %w: index) {
  %c0 = arith.constant 0 : index
  // CHECK: tile.select "lt" %a[%r], %b[%c0] step 0, %x[%r], %y[%r] to %z[%r] rows %n width %w : (memref<?x?xf32, "ub">, memref<?x?xf32, "ub">, memref<?x?xf32, "ub">, memref<?x?xf32, "ub">) -> memref<?x?xf32, "ub">
  tile.select "lt" %a[%r], %b[%c0] step 0, %x[%r], %y[%r] to %z[%r] rows %n width %w : (memref<?x?xf32, "ub">, memref<?x?xf32, "ub">, memref<?x?xf32, "ub">, memref<?x?xf32, "ub">) -> memref<?x?xf32, "ub">
  // CHECK: tile.unary "rint" %x[%r] to %y[%r] rows %n width %w : (memref<?x?xf32, "ub">) -> memref<?x?xf32, "ub">
  tile.unary "rint" %x[%r] to %y[%r] rows %n width %w : (memref<?x?xf32, "ub">) -> memref<?x?xf32, "ub">
  // CHECK: tile.cast %x[%r] to %k[%r] rows %n width %w : (memref<?x?xf32, "ub">) -> memref<?x?xi32, "ub">
  tile.cast %x[%r] to %k[%r] rows %n width %w : (memref<?x?xf32, "ub">) -> memref<?x?xi32, "ub">
  tile.foreach (%i: 0 to %n, %l: 0 to %w) {
    %p = tile.read %x[%i, %l] : memref<?x?xf32, "ub">
    %q = tile.read %y[%i, %l] : memref<?x?xf32, "ub">
    // CHECK: %v = tile.choose "ge" %p, %q, %q, %p : f32
    %v = tile.choose "ge" %p, %q, %q, %p : f32
    tile.write %v to %z[%i, %l] : memref<?x?xf32, "ub">
  }
  func.return
}
