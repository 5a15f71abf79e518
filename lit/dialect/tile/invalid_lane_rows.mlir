// RUN: opwright-opt %s --split-input-file --verify-diagnostics | filecheck %s

// Rules of the row instructions whose lanes move, and of the search.

func.func @kind(%a : memref<?x?xf32, "ub">, %b : memref<?x?xf32, "ub">, %r : index, %n : index) {
  // CHECK: invalid_lane_rows.mlir:[[# @LINE + 2]]:3: error[OPW310]: 'tile.fold' has the unknown kind 'mul'
  // CHECK: hint: kinds: add, max, min
  tile.fold "mul" %a[%r] to %b[%r] rows %n width %n : (memref<?x?xf32, "ub">) -> memref<?x?xf32, "ub">
  func.return
}

// -----

func.func @count(%a : memref<?x?xf32, "ub">, %b : memref<?x?xf32, "ub">, %r : index, %n : index) {
  // CHECK: invalid_lane_rows.mlir:[[# @LINE + 1]]:3: error[OPW310]: 'tile.by_row' has 1 buffers, 1 rows, 1 steps, 0 scalars
  tile.by_row "mul" %a[%r] to %b[%r] rows %n width %n : (memref<?x?xf32, "ub">) -> memref<?x?xf32, "ub">
  func.return
}

// -----

func.func @width(%a : memref<?x?xf32, "ub">, %b : memref<?x?xf32, "ub">, %r : index, %n : index) {
  // CHECK: invalid_lane_rows.mlir:[[# @LINE + 2]]:3: error[OPW310]: the width of 'tile.tree' is no power of two from 2 to 64
  // CHECK: hint: give a constant, the number of partial results
  tile.tree "add" %a[%r] to %b[%r] rows %n width %n : (memref<?x?xf32, "ub">) -> memref<?x?xf32, "ub">
  func.return
}

// -----

func.func @narrow(%a : memref<?x?xf32, "ub">, %b : memref<?x?xf32, "ub">, %r : index, %n : index) {
  %c48 = arith.constant 48 : index
  // CHECK: invalid_lane_rows.mlir:[[# @LINE + 1]]:3: error[OPW310]: the width of 'tile.tree' is no power of two from 2 to 64
  tile.tree "add" %a[%r] to %b[%r] rows %n width %c48 : (memref<?x?xf32, "ub">) -> memref<?x?xf32, "ub">
  func.return
}

// -----

func.func @step(%a : memref<?x?xf32, "ub">, %b : memref<?x?xf32, "ub">, %r : index, %n : index) {
  // CHECK: invalid_lane_rows.mlir:[[# @LINE + 2]]:3: error[OPW311]: the source of 'tile.splat' has step 0
  // CHECK: hint: its elements are all in one row
  tile.splat %a[%r] step 0 to %b[%r] rows %n width %n : (memref<?x?xf32, "ub">) -> memref<?x?xf32, "ub">
  func.return
}

// -----

func.func @types(%a : memref<?x?xf32, "ub">, %b : memref<?x?xbf16, "ub">, %r : index, %n : index) {
  // CHECK: invalid_lane_rows.mlir:[[# @LINE + 2]]:3: error[OPW312]: 'tile.fold' reads bf16 and writes f32
  // CHECK: hint: all element types are equal; tile.cast converts
  tile.fold "add" %b[%r] to %a[%r] rows %n width %n : (memref<?x?xbf16, "ub">) -> memref<?x?xf32, "ub">
  func.return
}

// -----

func.func @integers(%a : memref<?x?xi32, "ub">, %b : memref<?x?xi32, "ub">, %r : index, %n : index) {
  // CHECK: invalid_lane_rows.mlir:[[# @LINE + 1]]:3: error[OPW312]: 'tile.by_row' "div" works on floats, not on i32
  tile.by_row "div" %a[%r], %b[%r] to %a[%r] rows %n width %n : (memref<?x?xi32, "ub">, memref<?x?xi32, "ub">) -> memref<?x?xi32, "ub">
  func.return
}

// -----

func.func @flat(%a : memref<?x?xf32, "ub">, %b : memref<?xf32, "ub">, %r : index, %n : index) {
  // CHECK: invalid_lane_rows.mlir:[[# @LINE + 1]]:3: error[OPW315]: '%b' has rank 1, a buffer has rank 2: rows by pitch
  tile.splat %b[%r] to %a[%r] rows %n width %n : (memref<?xf32, "ub">) -> memref<?x?xf32, "ub">
  func.return
}

// -----

// Other rows do not help: partial results of one row would be read as elements of another.

func.func @fold(%a : memref<?x?xf32, "ub">, %n : index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  // CHECK: invalid_lane_rows.mlir:[[# @LINE + 2]]:3: error[OPW318]: 'tile.fold' reads lanes of '%a' that it writes
  // CHECK: hint: give it a buffer of its own as target
  tile.fold "add" %a[%c1] to %a[%c0] rows %c1 width %n : (memref<?x?xf32, "ub">) -> memref<?x?xf32, "ub">
  func.return
}

// -----

func.func @tree(%a : memref<?x?xf32, "ub">, %n : index) {
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : index
  // CHECK: invalid_lane_rows.mlir:[[# @LINE + 1]]:3: error[OPW318]: 'tile.tree' reads lanes of '%a' that it writes
  tile.tree "add" %a[%c0] to %a[%c0] rows %n width %c64 : (memref<?x?xf32, "ub">) -> memref<?x?xf32, "ub">
  func.return
}

// -----

func.func @splat(%a : memref<?x?xf32, "ub">, %r : index, %n : index) {
  // CHECK: invalid_lane_rows.mlir:[[# @LINE + 1]]:3: error[OPW318]: 'tile.splat' reads lanes of '%a' that it writes
  tile.splat %a[%r] to %a[%r] rows %n width %n : (memref<?x?xf32, "ub">) -> memref<?x?xf32, "ub">
  func.return
}

// -----

func.func @by_row(%a : memref<?x?xf32, "ub">, %b : memref<?x?xf32, "ub">, %r : index, %n : index) {
  tile.by_row "mul" %a[%r], %b[%n] to %a[%r] rows %n width %n : (memref<?x?xf32, "ub">, memref<?x?xf32, "ub">) -> memref<?x?xf32, "ub">
  // CHECK: invalid_lane_rows.mlir:[[# @LINE + 1]]:3: error[OPW318]: 'tile.by_row' reads lanes of '%b' that it writes
  tile.by_row "mul" %a[%r], %b[%r] to %b[%r] rows %n width %n : (memref<?x?xf32, "ub">, memref<?x?xf32, "ub">) -> memref<?x?xf32, "ub">
  func.return
}

// -----

func.func @moved(%a : memref<?x?xf32, "ub">, %b : memref<?x?xf32, "ub">, %r : index, %n : index) {
  // CHECK: invalid_lane_rows.mlir:[[# @LINE + 2]]:3: error[OPW318]: 'tile.by_row' reads rows of '%a' that it writes
  // CHECK: hint: the first source is the target at the same start row, or another buffer
  tile.by_row "mul" %a[%n], %b[%r] to %a[%r] rows %n width %n : (memref<?x?xf32, "ub">, memref<?x?xf32, "ub">) -> memref<?x?xf32, "ub">
  func.return
}

// -----

func.func @list(%a : memref<?x?xi32>, %n : index) {
  // CHECK: invalid_lane_rows.mlir:[[# @LINE + 1]]:3: error[OPW306]: 'tile.search' searches a list, the memref has rank 2
  %0 = tile.search %a for %n : memref<?x?xi32>
  func.return
}

// -----

func.func @floats(%a : memref<?xf32>, %n : index) {
  // CHECK: invalid_lane_rows.mlir:[[# @LINE + 1]]:3: error[OPW309]: 'tile.search' searches integers, the memref holds f32
  %0 = tile.search %a for %n : memref<?xf32>
  func.return
}
