// RUN: opwright-opt %s --split-input-file --verify-diagnostics | filecheck %s

// Rules of the row instructions.

func.func @kind(%a : memref<?x?xf32, "ub">, %r : index, %n : index) {
  // CHECK: invalid_rows.mlir:[[# @LINE + 2]]:3: error[OPW310]: 'tile.binary' has the unknown kind 'pow'
  // CHECK: hint: kinds: add, sub, mul, div, max, min
  tile.binary "pow" %a[%r], %a[%r] to %a[%r] rows %n width %n : (memref<?x?xf32, "ub">, memref<?x?xf32, "ub">) -> memref<?x?xf32, "ub">
  func.return
}

// -----

func.func @count(%a : memref<?x?xf32, "ub">, %r : index, %n : index) {
  // CHECK: invalid_rows.mlir:[[# @LINE + 2]]:3: error[OPW310]: 'tile.binary' has 1 buffers, 1 rows, 1 steps, 0 scalars
  // CHECK: hint: it takes 2 buffers and 0 scalars as sources
  tile.binary "add" %a[%r] to %a[%r] rows %n width %n : (memref<?x?xf32, "ub">) -> memref<?x?xf32, "ub">
  func.return
}

// -----

func.func @steps(%a : memref<?x?xf32, "ub">, %r : index, %n : index) {
  // CHECK: invalid_rows.mlir:[[# @LINE + 1]]:3: error[OPW310]: 'tile.unary' has 1 buffers, 1 rows, 2 steps, 0 scalars
  "tile.unary"(%a, %r, %a, %r, %n, %n) <{kind = "neg", steps = array<i64: 1, 1>, operandSegmentSizes = array<i32: 1, 1, 0, 1, 1, 1, 1>}> : (memref<?x?xf32, "ub">, index, memref<?x?xf32, "ub">, index, index, index) -> ()
  func.return
}

// -----

func.func @step(%a : memref<?x?xf32, "ub">, %r : index, %n : index) {
  // CHECK: invalid_rows.mlir:[[# @LINE + 2]]:3: error[OPW311]: a source of 'tile.unary' has step 2
  // CHECK: hint: step 1 reads a row for each row, step 0 the start row for all
  tile.unary "neg" %a[%r] step 2 to %a[%r] rows %n width %n : (memref<?x?xf32, "ub">) -> memref<?x?xf32, "ub">
  func.return
}

// -----

func.func @binary(%a : memref<?x?xf32, "ub">, %b : memref<?x?xbf16, "ub">, %r : index, %n : index) {
  // CHECK: invalid_rows.mlir:[[# @LINE + 2]]:3: error[OPW312]: 'tile.binary' reads bf16 and writes f32
  // CHECK: hint: all element types are equal; tile.cast converts
  tile.binary "add" %a[%r], %b[%r] to %a[%r] rows %n width %n : (memref<?x?xf32, "ub">, memref<?x?xbf16, "ub">) -> memref<?x?xf32, "ub">
  func.return
}

// -----

func.func @accumulate(%a : memref<?x?xf32, "ub">, %b : memref<?x?xf16, "ub">, %r : index, %n : index) {
  // CHECK: invalid_rows.mlir:[[# @LINE + 1]]:3: error[OPW312]: 'tile.accumulate' reads f16 and writes f32
  tile.accumulate "add" %b[%r] to %a[%r] rows %n width %n : (memref<?x?xf16, "ub">) -> memref<?x?xf32, "ub">
  func.return
}

// -----

func.func @scalar(%a : memref<?x?xf32, "ub">, %s : f16, %r : index, %n : index) {
  // CHECK: invalid_rows.mlir:[[# @LINE + 1]]:3: error[OPW312]: 'tile.scalar' reads f16 and writes f32
  tile.scalar "mul" %a[%r] (%s) to %a[%r] rows %n width %n : (memref<?x?xf32, "ub">, f16) -> memref<?x?xf32, "ub">
  func.return
}

// -----

func.func @fill(%a : memref<?x?xf32, "ub">, %s : i32, %r : index, %n : index) {
  // CHECK: invalid_rows.mlir:[[# @LINE + 1]]:3: error[OPW312]: 'tile.fill' reads i32 and writes f32
  tile.fill (%s) to %a[%r] rows %n width %n : (i32) -> memref<?x?xf32, "ub">
  func.return
}

// -----

func.func @integers(%a : memref<?x?xi32, "ub">, %r : index, %n : index) {
  // CHECK: invalid_rows.mlir:[[# @LINE + 1]]:3: error[OPW312]: 'tile.unary' "exp" works on floats, not on i32
  tile.unary "exp" %a[%r] to %a[%r] rows %n width %n : (memref<?x?xi32, "ub">) -> memref<?x?xi32, "ub">
  func.return
}

// -----

func.func @same(%a : memref<?x?xf16, "ub">, %b : memref<?x?xbf16, "ub">, %r : index, %n : index) {
  // CHECK: invalid_rows.mlir:[[# @LINE + 2]]:3: error[OPW312]: tile.cast does not convert f16 to bf16
  // CHECK: hint: it widens, narrows floats, and converts between integers and floats
  tile.cast %a[%r] to %b[%r] rows %n width %n : (memref<?x?xf16, "ub">) -> memref<?x?xbf16, "ub">
  func.return
}

// -----

func.func @as_wide(%a : memref<?x?xf16, "ub">, %b : memref<?x?xbf16, "ub">, %r : index, %n : index) {
  // CHECK: invalid_rows.mlir:[[# @LINE + 1]]:3: error[OPW312]: tile.cast does not convert f16 to bf16
  tile.cast %a[%r] to %b[%r] rows %n width %n : (memref<?x?xf16, "ub">) -> memref<?x?xbf16, "ub">
  func.return
}

// -----

func.func @narrower(%a : memref<?x?xi32, "ub">, %b : memref<?x?xi8, "ub">, %r : index, %n : index) {
  // CHECK: invalid_rows.mlir:[[# @LINE + 1]]:3: error[OPW312]: tile.cast does not convert i32 to i8
  tile.cast %a[%r] to %b[%r] rows %n width %n : (memref<?x?xi32, "ub">) -> memref<?x?xi8, "ub">
  func.return
}

// -----

func.func @flat(%a : memref<?xf32, "ub">, %r : index, %n : index) {
  // CHECK: invalid_rows.mlir:[[# @LINE + 1]]:3: error[OPW315]: '%a' has rank 1, a buffer has rank 2: rows by pitch
  tile.unary "neg" %a[%r] to %a[%r] rows %n width %n : (memref<?xf32, "ub">) -> memref<?xf32, "ub">
  func.return
}

// -----

func.func @overlap(%a : memref<?x?xf32, "ub">, %n : index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  // Rows 0 and 1 to rows 2 and 3, and a row to itself.
  tile.unary "neg" %a[%c0] to %a[%c2] rows %c2 width %n : (memref<?x?xf32, "ub">) -> memref<?x?xf32, "ub">
  tile.unary "neg" %a[%c0] to %a[%c0] rows %n width %n : (memref<?x?xf32, "ub">) -> memref<?x?xf32, "ub">
  // CHECK: invalid_rows.mlir:[[# @LINE + 2]]:3: error[OPW318]: 'tile.unary' reads rows of '%a' that it writes
  // CHECK: hint: a source overlaps the target only with the same start row and step 1
  tile.unary "neg" %a[%c0] to %a[%c1] rows %c2 width %n : (memref<?x?xf32, "ub">) -> memref<?x?xf32, "ub">
  func.return
}

// -----

func.func @broadcast(%a : memref<?x?xf32, "ub">, %b : memref<?x?xf32, "ub">, %r : index, %n : index) {
  // CHECK: invalid_rows.mlir:[[# @LINE + 1]]:3: error[OPW318]: 'tile.binary' reads rows of '%a' that it writes
  tile.binary "mul" %a[%r] step 0, %b[%r] to %a[%r] rows %n width %n : (memref<?x?xf32, "ub">, memref<?x?xf32, "ub">) -> memref<?x?xf32, "ub">
  func.return
}
