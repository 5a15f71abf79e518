// RUN: opwright-opt %s | filecheck %s
// RUN: opwright-opt %s --print-op-generic | opwright-opt | filecheck %s
// RUN: opwright-opt %s --print-op-generic | filecheck %s --check-prefix=GENERIC

// Instructions that select lanes.

func.func @k(%y : memref<?xi32, "ub">, %z : memref<?xi32, "ub">, %x : memref<?xf16, "ub">, %b : memref<?xi8, "ub">,
             %f : memref<?xf32, "ub">,
             %n : index) {
  %c0 = arith.constant 0 : index
  %first = arith.constant 0 : i32
  %zero = arith.constant 0.0 : f16
  // CHECK: ascendc.index "CreateVecIndex" %y[%c0] (%first) lanes %n : memref<?xi32, "ub">, i32
  // GENERIC: "ascendc.index"(%y, %c0, %first, %n) <{api = "CreateVecIndex", operandSegmentSizes = array<i32: 1, 1, 1, 1, 0, 0>}>
  ascendc.index "CreateVecIndex" %y[%c0] (%first) lanes %n : memref<?xi32, "ub">, i32
  // CHECK-NEXT: ascendc.compare "NE" %b[%c0], %x[%n] (%zero) lanes %n : memref<?xi8, "ub">, memref<?xf16, "ub">, f16
  ascendc.compare "NE" %b[%c0], %x[%n] (%zero) lanes %n : memref<?xi8, "ub">, memref<?xf16, "ub">, f16
  // CHECK-NEXT: ascendc.gather_mask "GatherMask" %z[%c0], %y[%n], %b[%c0] lanes %n : memref<?xi32, "ub">, memref<?xi32, "ub">, memref<?xi8, "ub">
  ascendc.gather_mask "GatherMask" %z[%c0], %y[%n], %b[%c0] lanes %n : memref<?xi32, "ub">, memref<?xi32, "ub">, memref<?xi8, "ub">
  // CHECK-NEXT: ascendc.select "LT" %f[%c0], %f[%c0], %f[%n], %f[%n], %f[%c0] lanes %n : memref<?xf32, "ub">, memref<?xf32, "ub">, memref<?xf32, "ub">, memref<?xf32, "ub">, memref<?xf32, "ub">
  ascendc.select "LT" %f[%c0], %f[%c0], %f[%n], %f[%n], %f[%c0] lanes %n : memref<?xf32, "ub">, memref<?xf32, "ub">, memref<?xf32, "ub">, memref<?xf32, "ub">, memref<?xf32, "ub">
  func.return
}
