// RUN: opwright-opt %s -p "verify-ascendc{target=ascend910b}" --split-input-file --verify-diagnostics | filecheck %s

// Limits of the instructions that select lanes.

func.func @k(%x : memref<?xf16, "ub">, %b : memref<?xi8, "ub">, %n : index) {
  %c0 = arith.constant 0 : index
  %c128 = arith.constant 128 : index
  %c192 = arith.constant 192 : index
  %zero = arith.constant 0.0 : f16
  ascendc.compare "NE" %b[%c0], %x[%c0] (%zero) lanes %c128 : memref<?xi8, "ub">, memref<?xf16, "ub">, f16
  // CHECK: verify_ascendc_selection.mlir:[[# @LINE + 2]]:3: error[OPW373]: the lanes of a comparison are not known to fill instructions of 256 bytes
  // CHECK: hint: compare whole rows, with a pitch that does
  ascendc.compare "NE" %b[%c0], %x[%c0] (%zero) lanes %c192 : memref<?xi8, "ub">, memref<?xf16, "ub">, f16
  func.return
}

// -----

func.func @k(%x : memref<?xbf16, "ub">, %b : memref<?xi8, "ub">) {
  %c0 = arith.constant 0 : index
  %c128 = arith.constant 128 : index
  %zero = arith.constant 0.0 : bf16
  // CHECK: verify_ascendc_selection.mlir:[[# @LINE + 1]]:3: error[OPW374]: 'ascend910b' has no CompareScalar of bf16
  ascendc.compare "NE" %b[%c0], %x[%c0] (%zero) lanes %c128 : memref<?xi8, "ub">, memref<?xbf16, "ub">, bf16
  func.return
}

// -----

func.func @k(%y : memref<?xi64, "ub">, %b : memref<?xi8, "ub">, %n : index) {
  %c0 = arith.constant 0 : index
  // CHECK: verify_ascendc_selection.mlir:[[# @LINE + 1]]:3: error[OPW374]: 'ascend910b' has no GatherMask of (i64, i64)
  ascendc.gather_mask "GatherMask" %y[%c0], %y[%c0], %b[%c0] lanes %n : memref<?xi64, "ub">, memref<?xi64, "ub">, memref<?xi8, "ub">
  func.return
}

// -----

func.func @k(%y : memref<?xi64, "ub">, %n : index) {
  %c0 = arith.constant 0 : index
  %first = arith.constant 0 : i64
  // CHECK: verify_ascendc_selection.mlir:[[# @LINE + 1]]:3: error[OPW374]: 'ascend910b' has no CreateVecIndex of (i64)
  ascendc.index "CreateVecIndex" %y[%c0] (%first) lanes %n : memref<?xi64, "ub">, i64
  func.return
}

// -----

func.func @k(%z : memref<?xi32, "ub">, %y : memref<?xi32, "ub">, %b : memref<?xi8, "ub">, %n : index) {
  %c0 = arith.constant 0 : index
  %c16 = arith.constant 16 : index
  // CHECK: verify_ascendc_selection.mlir:[[# @LINE + 1]]:3: error[OPW372]: the place in 'b' is not known to be a multiple of 32 bytes
  ascendc.gather_mask "GatherMask" %z[%c0], %y[%c0], %b[%c16] lanes %n : memref<?xi32, "ub">, memref<?xi32, "ub">, memref<?xi8, "ub">
  func.return
}
