// RUN: opwright-opt %s | filecheck %s
// RUN: opwright-opt %s | opwright-opt | filecheck %s
// RUN: opwright-opt %s --print-op-generic | opwright-opt | filecheck %s
// RUN: opwright-opt %s --print-op-generic | filecheck %s --check-prefix=GENERIC

// Row instructions that combine the lanes of a row or spread one lane over a row; the search of a list.

func.func @lanes(%x : memref<?x?xf32, "ub">, %p : memref<?x?xf32, "ub">, %s : memref<?x?xf32, "ub">,
                 %ends : memref<?xi64>, %r : index, %n : index, %w : index) {
  %c64 = arith.constant 64 : index
  // CHECK: tile.fold "add" %x[%r] to %p[%r] rows %n width %w : (memref<?x?xf32, "ub">) -> memref<?x?xf32, "ub">
  // GENERIC: "tile.fold"(%x, %r, %p, %r, %n, %w) <{kind = "add", steps = array<i64: 1>, operandSegmentSizes = array<i32: 1, 1, 0, 1, 1, 1, 1>}>
  tile.fold "add" %x[%r] to %p[%r] rows %n width %w : (memref<?x?xf32, "ub">) -> memref<?x?xf32, "ub">
  // CHECK-NEXT: tile.fold "max" %x[%r] step 0 to %p[%r] rows %n width %w : (memref<?x?xf32, "ub">) -> memref<?x?xf32, "ub">
  tile.fold "max" %x[%r] step 0 to %p[%r] rows %n width %w : (memref<?x?xf32, "ub">) -> memref<?x?xf32, "ub">
  // CHECK-NEXT: tile.tree "min" %p[%r] to %s[%r] rows %n width %c64 : (memref<?x?xf32, "ub">) -> memref<?x?xf32, "ub">
  tile.tree "min" %p[%r] to %s[%r] rows %n width %c64 : (memref<?x?xf32, "ub">) -> memref<?x?xf32, "ub">
  // CHECK-NEXT: tile.splat %s[%r] to %p[%r] rows %n width %w : (memref<?x?xf32, "ub">) -> memref<?x?xf32, "ub">
  tile.splat %s[%r] to %p[%r] rows %n width %w : (memref<?x?xf32, "ub">) -> memref<?x?xf32, "ub">
  // CHECK-NEXT: tile.by_row "div" %x[%r], %p[%r] to %x[%r] rows %n width %w : (memref<?x?xf32, "ub">, memref<?x?xf32, "ub">) -> memref<?x?xf32, "ub">
  tile.by_row "div" %x[%r], %p[%r] to %x[%r] rows %n width %w : (memref<?x?xf32, "ub">, memref<?x?xf32, "ub">) -> memref<?x?xf32, "ub">
  // CHECK-NEXT: %segment = tile.search %ends for %r : memref<?xi64>
  // GENERIC: %segment = "tile.search"(%ends, %r) : (memref<?xi64>, index) -> index
  %segment = tile.search %ends for %r : memref<?xi64>
  // CHECK-NEXT: tile.foreach (%l: 0 to %w) {
  // CHECK-NEXT: %{{.*}} = tile.search %ends for %l : memref<?xi64>
  tile.foreach (%l: 0 to %w) {
    %0 = tile.search %ends for %l : memref<?xi64>
  }
  func.return
}
