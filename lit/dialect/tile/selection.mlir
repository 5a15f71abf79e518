// RUN: opwright-opt %s | filecheck %s
// RUN: opwright-opt %s | opwright-opt | filecheck %s
// RUN: opwright-opt %s --print-op-generic | opwright-opt | filecheck %s
// RUN: opwright-opt %s --print-op-generic | filecheck %s --check-prefix=GENERIC

// Row instructions that select lanes, and the places of true elements in global memory.

func.func @selection(%x : memref<?x?xf16, "ub">, %bits : memref<?x?xi8, "ub">, %y : memref<?x?xi32, "ub">, %z : memref<?x?xi32, "ub">,
                     %mask : memref<?x?x?xi8>, %list : memref<?x?x?xi32>, %row : memref<?xi8>, %places : memref<?xi32>,
                     %r : index, %n : index, %w : index) {
  %c1 = arith.constant 1 : index
  %c512 = arith.constant 512 : index
  // CHECK: tile.iota to %y[%r] rows %n width %w : () -> memref<?x?xi32, "ub">
  // GENERIC: "tile.iota"(%y, %r, %n, %w) <{kind = "", steps = array<i64>, operandSegmentSizes = array<i32: 0, 0, 0, 1, 1, 1, 1>}>
  tile.iota to %y[%r] rows %n width %w : () -> memref<?x?xi32, "ub">
  // CHECK-NEXT: tile.nonzero %x[%r] to %bits[%r] rows %n width %c512 : (memref<?x?xf16, "ub">) -> memref<?x?xi8, "ub">
  tile.nonzero %x[%r] to %bits[%r] rows %n width %c512 : (memref<?x?xf16, "ub">) -> memref<?x?xi8, "ub">
  // CHECK-NEXT: tile.compress %y[%r] step 0, %bits[%r] to %z[%n] rows %c1 width %w : (memref<?x?xi32, "ub">, memref<?x?xi8, "ub">) -> memref<?x?xi32, "ub">
  tile.compress %y[%r] step 0, %bits[%r] to %z[%n] rows %c1 width %w : (memref<?x?xi32, "ub">, memref<?x?xi8, "ub">) -> memref<?x?xi32, "ub">
  // CHECK-NEXT: tile.positions %mask to %list at [%r, %n] rows %n width %w count %c1 : memref<?x?x?xi8>, memref<?x?x?xi32>
  // GENERIC: "tile.positions"(%mask, %list, %r, %n, %n, %w, %c1) : (memref<?x?x?xi8>, memref<?x?x?xi32>, index, index, index, index, index) -> ()
  tile.positions %mask to %list at [%r, %n] rows %n width %w count %c1 : memref<?x?x?xi8>, memref<?x?x?xi32>
  // CHECK-NEXT: tile.positions %row to %places at [] rows %c1 width %w count %n : memref<?xi8>, memref<?xi32>
  tile.positions %row to %places at [] rows %c1 width %w count %n : memref<?xi8>, memref<?xi32>
  func.return
}
