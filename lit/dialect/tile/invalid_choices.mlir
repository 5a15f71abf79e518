// RUN: opwright-opt %s --split-input-file --verify-diagnostics | filecheck %s

// Choices by a comparison that there is not, and of what is no float.

func.func @kind(%a : f32) {
  // CHECK: invalid_choices.mlir:[[# @LINE + 2]]:3: error[OPW310]: 'tile.choose' has the unknown kind 'ne'
  // CHECK: hint: kinds: eq, lt, le, gt, ge
  %v = tile.choose "ne" %a, %a, %a, %a : f32
  func.return
}

// -----

func.func @sources(%a : memref<?x?xf32, "ub">, %r : index, %n : index) {
  // CHECK: invalid_choices.mlir:[[# @LINE + 1]]:3: error[OPW310]: 'tile.select' has 2 buffers, 2 rows, 2 steps, 0 scalars
  tile.select "lt" %a[%r], %a[%r] to %a[%r] rows %n width %n : (memref<?x?xf32, "ub">, memref<?x?xf32, "ub">) -> memref<?x?xf32, "ub">
  func.return
}

// -----

func.func @integers(%a : memref<?x?xi32, "ub">, %r : index, %n : index) {
  // CHECK: invalid_choices.mlir:[[# @LINE + 1]]:3: error[OPW312]: 'tile.select' "lt" works on floats, not on i32
  tile.select "lt" %a[%r], %a[%r], %a[%r], %a[%r] to %a[%r] rows %n width %n : (memref<?x?xi32, "ub">, memref<?x?xi32, "ub">, memref<?x?xi32, "ub">, memref<?x?xi32, "ub">) -> memref<?x?xi32, "ub">
  func.return
}

// -----

func.func @rounding(%a : memref<?x?xi32, "ub">, %r : index, %n : index) {
  // CHECK: invalid_choices.mlir:[[# @LINE + 1]]:3: error[OPW312]: 'tile.unary' "trunc" works on floats, not on i32
  tile.unary "trunc" %a[%r] to %a[%r] rows %n width %n : (memref<?x?xi32, "ub">) -> memref<?x?xi32, "ub">
  func.return
}
