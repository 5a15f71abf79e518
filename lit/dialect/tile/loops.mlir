// RUN: opwright-opt %s | filecheck %s
// RUN: opwright-opt %s | opwright-opt | filecheck %s
// RUN: opwright-opt %s --print-op-generic | opwright-opt | filecheck %s
// RUN: opwright-opt %s --print-op-generic | filecheck %s --check-prefix=GENERIC

// The loop level: stages over cores, point loops, element access by index expressions.

func.func @scale(%x : memref<?x?xf32> {tile.name = "x", tile.role = "input", tile.dims = ["N", 8]},
                 %y : memref<?xf32> {tile.name = "y", tile.role = "output", tile.dims = ["N"]},
                 %N : index {tile.name = "N", tile.role = "dim"},
                 %cores : index {tile.name = "cores", tile.role = "cores"}) attributes {tile.kernel} {
  %zero = arith.constant 0.0 : f32
  // CHECK: tile.cores "scale" %cores (%core) {
  // GENERIC: "tile.cores"(%cores) <{label = "scale"}> ({
  tile.cores "scale" %cores (%core) {
    // CHECK-NEXT: tile.foreach (%r: %core to %N, %l: max(0, %r - 2) to min(8, 2 * %r)) {
    // GENERIC: "tile.foreach"(%core, %N) <{lower = [#spec.map<(d2)>, #spec.map<(0, d0 - 2)>], upper = [#spec.map<(d3)>, #spec.map<(8, 2 * d0)>]}>
    tile.foreach (%r: %core to %N, %l: max(0, %r - 2) to min(8, 2 * %r)) {
      // CHECK-NEXT: %a = tile.read %x[%r - 1, %l] else %zero : memref<?x?xf32>
      // GENERIC: "tile.read"(%x, %r, %l, %zero) <{indices = #spec.map<(d0 - 1, d1)>, operandSegmentSizes = array<i32: 1, 2, 1>}>
      %a = tile.read %x[%r - 1, %l] else %zero : memref<?x?xf32>
      // CHECK-NEXT: %b = tile.read %x[%r, %l floordiv 2] : memref<?x?xf32>
      %b = tile.read %x[%r, %l floordiv 2] : memref<?x?xf32>
      %c = arith.cmpf ogt, %a, %b : f32
      // CHECK: tile.write %b to %x[%r, %l] : memref<?x?xf32>
      tile.write %b to %x[%r, %l] : memref<?x?xf32>
      // CHECK-NEXT: tile.write add %a to %y[%r] if %c : memref<?xf32>
      // GENERIC: "tile.write"(%a, %y, %r, %c) <{indices = #spec.map<(d0)>, combiner = "add", operandSegmentSizes = array<i32: 1, 1, 1, 1>}>
      tile.write add %a to %y[%r] if %c : memref<?xf32>
      // CHECK-NEXT: tile.write max %a to %y[%r] : memref<?xf32>
      tile.write max %a to %y[%r] : memref<?xf32>
      // CHECK-NEXT: tile.write min %a to %y[%r] : memref<?xf32>
      tile.write min %a to %y[%r] : memref<?xf32>
    }
  }
  // CHECK: tile.cores ragged "often" %cores when %N (%core_1) {
  // GENERIC: "tile.cores"(%cores, %N) <{label = "often", ragged}> ({
  tile.cores ragged "often" %cores when %N (%core) {
  }
  // CHECK: tile.cores ragged streamed "else" %cores (%core_2) {
  // GENERIC: "tile.cores"(%cores) <{label = "else", ragged, streamed}> ({
  tile.cores ragged streamed "else" %cores (%core) {
  }
  func.return
}
