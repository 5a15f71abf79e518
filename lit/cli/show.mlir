// RUN: opwright show %s | filecheck %s
// RUN: opwright show %s --json | filecheck %s --check-prefix=JSON
// RUN: opwright show %s --mlir | filecheck %s --check-prefix=MLIR
// RUN: opwright show %s --after specialize --target ascend950 --variant bf16_f32 | filecheck %s --check-prefix=IR

spec.operator @Rows {
  %T = spec.dim "T"
  %E = spec.dim "E"
  %M = spec.dim "M"
  spec.require [%T] >= [1] code 561002
  %K = spec.dim "K" = [%M floordiv %T]
  %P = spec.attr "stride" default 2 : index
  spec.columns ["A", "B"] [[f32, f32], [bf16, f32]]
  %map = spec.input "routing" : !spec.tensor<[T, E], i32>
  %x = spec.input "x" : !spec.tensor<[M, E], A>
  %scale = spec.input "scale" optional : !spec.tensor<[T], B>
  spec.require [%M mod %T] == [0] code 561002
  %one = arith.constant 1.0 : f32
  %zero = arith.constant 0.0 : f32
  %rank = spec.scan exclusive %map dim 1 : !spec.tensor<[T, E], i32>
  %y = spec.compute (%t: 0 to %T, %e: 0 to %E, %k: max(0, %t - 3) to min(%K, %t + 1)) -> !spec.tensor<[T, E], A> {
    %a = spec.read %x[%t * %K + %k, %e + %P] else %zero : f32
    %s = spec.read %scale[%t] absent %one : f32
    %b = arith.addf %a, %one : f32
    %c = arith.mulf %b, %s : f32
    %e2 = math.exp %c : f32
    %d = arith.mulf %e2, %e2 : f32
    %m = spec.read %rank[%t, %e] : i32
    %limit = arith.constant 7 : i32
    %few = arith.cmpi slt, %m, %limit : i32
    spec.write max %d to 0[%t, %e] if %few
  }
  spec.output "y" %y : !spec.tensor<[T, E], A>
}

//      CHECK: Rows
// CHECK-EMPTY:
// CHECK-NEXT: inputs
// CHECK-NEXT:   routing: i32[T, E]
// CHECK-NEXT:   x: A[M, E]
// CHECK-NEXT:   scale: B[T] optional
// CHECK-EMPTY:
// CHECK-NEXT: attributes
// CHECK-NEXT:   stride: index = 2
// CHECK-EMPTY:
// CHECK-NEXT: outputs
// CHECK-NEXT:   y: A[T, E]
// CHECK-EMPTY:
// CHECK-NEXT: dims
// CHECK-NEXT:   K = M floordiv T
// CHECK-EMPTY:
// CHECK-NEXT: dtypes
// CHECK-NEXT:   A = f32, B = f32 | A = bf16, B = f32
// CHECK-EMPTY:
// CHECK-NEXT: constraints
// CHECK-NEXT:   T >= 1    (else 561002)
// CHECK-NEXT:   M mod T == 0    (else 561002)
// CHECK-EMPTY:
// CHECK-NEXT: equations
// CHECK-NEXT:   rank = sum of the elements before, along dim 1 of routing
// CHECK-NEXT:   y[t, e] = max(k from max(0, t - 3) to min(K, t + 1) - 1) e2 * e2, where rank[t, e] < 7
// CHECK-NEXT:       with e2 = exp((x[t * K + k, e + stride]{outside: 0} + 1) * scale[t]{absent: 1})

// JSON: "name": "Rows"
// JSON: "name": "scale",
// JSON: "optional": true
// JSON: "condition": "M mod T == 0",
// JSON-NEXT: "code": 561002

// MLIR: builtin.module {
// MLIR-NEXT: spec.operator @Rows {
// MLIR: %y = spec.compute (%t: 0 to %T, %e: 0 to %E, %k: max(0, %t - 3) to min(%K, %t + 1)) -> !spec.tensor<[T, E], A> {

// IR-NOT: spec.columns
// IR: %x = spec.input "x" : !spec.tensor<[M, E], bf16>
// IR-NOT: spec.input "scale"
