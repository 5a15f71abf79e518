// RUN: opwright-opt %s --split-input-file --verify-diagnostics | filecheck %s

// Row instructions that select lanes, and places of true elements.

func.func @floats(%a : memref<?x?xf32, "ub">, %n : index) {
  // CHECK: invalid_selection.mlir:[[# @LINE + 2]]:3: error[OPW312]: 'tile.iota' does not take () to f32
  // CHECK: hint: lanes are numbered in integers, bits lie in i8
  tile.iota to %a[%n] rows %n width %n : () -> memref<?x?xf32, "ub">
  func.return
}

// -----

func.func @width(%a : memref<?x?xf16, "ub">, %b : memref<?x?xi8, "ub">, %n : index) {
  // CHECK: invalid_selection.mlir:[[# @LINE + 2]]:3: error[OPW310]: the width of 'tile.nonzero' is not known to be a multiple of 256
  // CHECK: hint: round it up to a multiple of 256: the bits of a row fill whole blocks
  tile.nonzero %a[%n] to %b[%n] rows %n width %n : (memref<?x?xf16, "ub">) -> memref<?x?xi8, "ub">
  func.return
}

// -----

func.func @bits(%a : memref<?x?xf16, "ub">, %b : memref<?x?xi16, "ub">, %n : index) {
  %c256 = arith.constant 256 : index
  // CHECK: invalid_selection.mlir:[[# @LINE + 1]]:3: error[OPW312]: 'tile.nonzero' does not take (f16) to i16
  tile.nonzero %a[%n] to %b[%n] rows %n width %c256 : (memref<?x?xf16, "ub">) -> memref<?x?xi16, "ub">
  func.return
}

// -----

func.func @moved(%a : memref<?x?xf16, "ub">, %b : memref<?x?xi8, "ub">, %c : memref<?x?xi32, "ub">, %n : index) {
  // CHECK: invalid_selection.mlir:[[# @LINE + 1]]:3: error[OPW312]: 'tile.compress' does not take (f16, i8) to i32
  tile.compress %a[%n], %b[%n] to %c[%n] rows %n width %n : (memref<?x?xf16, "ub">, memref<?x?xi8, "ub">) -> memref<?x?xi32, "ub">
  func.return
}

// -----

func.func @apart(%a : memref<?x?xi32, "ub">, %b : memref<?x?xi8, "ub">, %n : index) {
  // CHECK: invalid_selection.mlir:[[# @LINE + 1]]:3: error[OPW318]: 'tile.compress' reads lanes of '%a' that it writes
  tile.compress %a[%n], %b[%n] to %a[%n] rows %n width %n : (memref<?x?xi32, "ub">, memref<?x?xi8, "ub">) -> memref<?x?xi32, "ub">
  func.return
}

// -----

func.func @rank(%a : memref<?x?xi8>, %b : memref<?x?xi32>, %n : index) {
  // CHECK: invalid_selection.mlir:[[# @LINE + 1]]:3: error[OPW307]: 'tile.positions' starts at 2 indices in memref<?x?xi8>
  tile.positions %a to %b at [%n, %n] rows %n width %n count %n : memref<?x?xi8>, memref<?x?xi32>
  func.return
}

// -----

func.func @places(%a : memref<?x?xi8>, %b : memref<?x?xf32>, %n : index) {
  // CHECK: invalid_selection.mlir:[[# @LINE + 1]]:3: error[OPW312]: 'tile.positions' works on integers, not on memref<?x?xf32>
  tile.positions %a to %b at [%n] rows %n width %n count %n : memref<?x?xi8>, memref<?x?xf32>
  func.return
}

// -----

func.func @one(%a : memref<?xi8>, %b : memref<?xi32>, %n : index) {
  // CHECK: invalid_selection.mlir:[[# @LINE + 1]]:3: error[OPW310]: 'tile.positions' finds more than one row in rank 1
  tile.positions %a to %b at [] rows %n width %n count %n : memref<?xi8>, memref<?xi32>
  func.return
}
