// RUN: opwright-opt %s --split-input-file --verify-diagnostics --parsing-diagnostics | filecheck %s

// The form of vector instructions and copies.

// An unknown instruction.
func.func @k(%g : memref<?xf32, "ub">, %n : index) {
  %c0 = arith.constant 0 : index
  // CHECK: invalid_vector.mlir:[[# @LINE + 1]]:3: error[OPW002]: 'ascendc.unary': the instruction is one of Exp, Ln, Sqrt, Rsqrt, Abs, Relu, Reciprocal, Copy, found 'Tanh'
  ascendc.unary "Tanh" %g[%c0], %g[%c0] lanes %n : memref<?xf32, "ub">, memref<?xf32, "ub">
  func.return
}

// -----

// Too few sources.
func.func @k(%g : memref<?xf32, "ub">, %n : index) {
  %c0 = arith.constant 0 : index
  // CHECK: invalid_vector.mlir:[[# @LINE + 1]]:3: error[OPW002]: 'ascendc.binary': expected a target, 2 sources and 0 scalars
  ascendc.binary "Add" %g[%c0], %g[%c0] lanes %n : memref<?xf32, "ub">, memref<?xf32, "ub">
  func.return
}

// -----

// No scalar.
func.func @k(%g : memref<?xf32, "ub">, %n : index) {
  %c0 = arith.constant 0 : index
  // CHECK: invalid_vector.mlir:[[# @LINE + 1]]:3: error[OPW002]: 'ascendc.scalar': expected a target, 1 sources and 1 scalars
  ascendc.scalar "Adds" %g[%c0], %g[%c0] lanes %n : memref<?xf32, "ub">, memref<?xf32, "ub">
  func.return
}

// -----

// A stride too few.
func.func @k(%g : memref<?xf32, "ub">, %n : index) {
  %c0 = arith.constant 0 : index
  // CHECK: invalid_vector.mlir:[[# @LINE + 1]]:3: error[OPW002]: 'ascendc.unary': the repeat form has one stride for each tensor, the count form has none
  ascendc.unary "Exp" %g[%c0], %g[%c0] lanes %n repeat %n strides [%c0] : memref<?xf32, "ub">, memref<?xf32, "ub">
  func.return
}

// -----

// An instruction without a count form.
func.func @k(%g : memref<?xf32, "ub">, %n : index) {
  %c0 = arith.constant 0 : index
  // CHECK: invalid_vector.mlir:[[# @LINE + 1]]:3: error[OPW002]: 'ascendc.reduce': the instruction has the repeat form only
  ascendc.reduce "WholeReduceSum" %g[%c0], %g[%c0] lanes %n : memref<?xf32, "ub">, memref<?xf32, "ub">
  func.return
}

// -----

// An unknown reduction.
func.func @k(%g : memref<?xf32, "ub">, %n : index) {
  %c0 = arith.constant 0 : index
  // CHECK: invalid_vector.mlir:[[# @LINE + 1]]:3: error[OPW002]: 'ascendc.reduce': the instruction is one of WholeReduceSum, WholeReduceMax, WholeReduceMin, found 'ReduceSum'
  ascendc.reduce "ReduceSum" %g[%c0], %g[%c0] lanes %n repeat %n strides [%n, %n] : memref<?xf32, "ub">, memref<?xf32, "ub">
  func.return
}

// -----

// Both ends of a copy have their place in brackets.
func.func @k(%x : memref<?xf32>, %g : memref<?xf32, "ub">, %n : index) {
  // CHECK: invalid_vector.mlir:[[# @LINE + 1]]:22: error[OPW001]: '[' expected
  ascendc.copy_in %x to %g[%n] blocks %n length %n gaps %n, %n : memref<?xf32>, memref<?xf32, "ub">
  func.return
}

// -----

// A comparison on which chips disagree.
func.func @k(%g : memref<?xf32, "ub">, %n : index) {
  %c0 = arith.constant 0 : index
  // CHECK: invalid_vector.mlir:[[# @LINE + 1]]:3: error[OPW002]: 'ascendc.select': the instruction is one of EQ, LT, LE, GT, GE, found 'NE'
  ascendc.select "NE" %g[%c0], %g[%c0], %g[%c0], %g[%c0], %g[%c0] lanes %n : memref<?xf32, "ub">, memref<?xf32, "ub">, memref<?xf32, "ub">, memref<?xf32, "ub">, memref<?xf32, "ub">
  func.return
}
