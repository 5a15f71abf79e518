// RUN: opwright-opt %s -p legalize-types --split-input-file | filecheck %s

// Elements are read as they are stored and widened; what is written is rounded once.
// CHECK-LABEL: spec.operator @Half
// CHECK: spec.compute (%i: 0 to %N) -> !spec.tensor<[N], bf16> {
// CHECK-NEXT: %0 = arith.constant 0.000000e+00 : bf16
// CHECK-NEXT: %1 = spec.read %x[%i + 1] else %0 : bf16
// CHECK-NEXT: %a = arith.extf %1 : bf16 to f32
// CHECK-NEXT: %b = arith.mulf %a, %a : f32
// CHECK-NEXT: %b_1 = arith.truncf %b : f32 to bf16
// CHECK-NEXT: spec.write %b_1 to 0[%i]
spec.operator @Half {
  %N = spec.dim "N"
  %x = spec.input "x" : !spec.tensor<[N], bf16>
  %zero = arith.constant 0.0 : f32
  %y = spec.compute (%i: 0 to %N) -> !spec.tensor<[N], bf16> {
    %a = spec.read %x[%i + 1] else %zero : f32
    %b = arith.mulf %a, %a : f32
    spec.write %b to 0[%i]
  }
  spec.output "y" %y : !spec.tensor<[N], bf16>
}

// -----

// A copy keeps all bits: nothing is widened and rounded again.
// CHECK-LABEL: spec.operator @Copy
// CHECK: %[[STORED:.*]] = spec.read %x[%i] : bf16
// CHECK: spec.write %[[STORED]] to 0[%i]
spec.operator @Copy {
  %N = spec.dim "N"
  %x = spec.input "x" : !spec.tensor<[N], bf16>
  %y = spec.compute (%i: 0 to %N) -> !spec.tensor<[N], bf16> {
    %a = spec.read %x[%i] : f32
    spec.write %a to 0[%i]
  }
  spec.output "y" %y : !spec.tensor<[N], bf16>
}

// -----

// A combining write rounds when its element is complete, so it stays. f32 needs no conversion.
// CHECK-LABEL: spec.operator @Sum
// CHECK: %a = spec.read %x[%i] : f32
// CHECK-NEXT: spec.write add %a to 0[0]
spec.operator @Sum {
  %N = spec.dim "N"
  %x = spec.input "x" : !spec.tensor<[N], f32>
  %y = spec.compute (%i: 0 to %N) -> !spec.tensor<[1], f16> {
    %a = spec.read %x[%i] : f32
    spec.write add %a to 0[0]
  }
  spec.output "y" %y : !spec.tensor<[1], f16>
}

// -----

// Booleans are bytes: any but 0 is true (here -1 beyond the end), and true is written as 1.
// CHECK-LABEL: spec.operator @Mask
// CHECK: %m = spec.input "m" : !spec.tensor<[N], i8>
// CHECK: spec.compute (%i: 0 to %N) -> !spec.tensor<[N], i8> {
// CHECK-NEXT: %0 = arith.constant -1 : i8
// CHECK-NEXT: %1 = spec.read %m[%i + 1] else %0 : i8
// CHECK-NEXT: %2 = arith.constant 0 : i8
// CHECK-NEXT: %a = arith.cmpi ne, %1, %2 : i8
// CHECK-NEXT: %b = arith.xori %a, %true : i1
// CHECK-NEXT: %b_1 = arith.extui %b : i1 to i8
// CHECK-NEXT: spec.write %b_1 to 0[%i]
// CHECK: spec.output "y" %y : !spec.tensor<[N], i8>
spec.operator @Mask {
  %N = spec.dim "N"
  %m = spec.input "m" : !spec.tensor<[N], i1>
  %true = arith.constant true
  %y = spec.compute (%i: 0 to %N) -> !spec.tensor<[N], i1> {
    %a = spec.read %m[%i + 1] else %true : i1
    %b = arith.xori %a, %true : i1
    spec.write %b to 0[%i]
  }
  spec.output "y" %y : !spec.tensor<[N], i1>
}

// -----

// What the front end lets through for booleans means nothing for the bytes that stand for them.
// CHECK-LABEL: spec.operator @Accepts
// CHECK: %mask = spec.input "mask" : !spec.tensor<[N], i8>
spec.operator @Accepts {
  %N = spec.dim "N"
  %mask = spec.input "mask" accepts [i8] : !spec.tensor<[N], i1>
  %zero = arith.constant 0.0 : f32
  %one = arith.constant 1.0 : f32
  %y = spec.compute (%n: 0 to %N) -> !spec.tensor<[N], f32> {
    %m = spec.read %mask[%n] : i1
    %v = arith.select %m, %one, %zero : f32
    spec.write %v to 0[%n]
  }
  spec.output "y" %y : !spec.tensor<[N], f32>
}
