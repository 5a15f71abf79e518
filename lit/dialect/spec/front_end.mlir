// RUN: opwright-opt %s | opwright-opt | filecheck %s
// RUN: opwright-opt %s --print-op-generic | opwright-opt | filecheck %s
// RUN: opwright-opt %s -p specialize{present=mask} | filecheck %s --check-prefix=DROPPED

// What only the front end of an operator looks at, printed as it was read; compiling an operator drops it.

// CHECK-LABEL: spec.operator @FrontEnd {
// DROPPED-LABEL: spec.operator @front_end_mask {
// DROPPED-NOT: {{spec.when|spec.need|spec.length|spec.require|spec.check|i64> {}}
spec.operator @FrontEnd {
  %N = spec.dim "N"
  %R = spec.dim "R"
  %flag = spec.attr "flag" default false : i1
  // CHECK: %sizes = spec.attr "sizes" default [2, -3] allowed {{\[\[}}], [2, -3]] code 161002 : !spec.integers
  %sizes = spec.attr "sizes" default [2, -3] allowed [[], [2, -3]] code 161002 : !spec.integers
  // CHECK-NEXT: %length = spec.length %sizes
  // CHECK-NEXT: spec.require [%length] <= [2] code 561002
  %length = spec.length %sizes
  spec.require [%length] <= [2] code 561002
  // CHECK-NEXT: %x = spec.input "x" dense : !spec.tensor<[N], f32>
  %x = spec.input "x" dense : !spec.tensor<[N], f32>
  // CHECK-NEXT: %mask = spec.input "mask" optional accepts [i8] mismatch N code 161002 : !spec.tensor<[N], i1>
  %mask = spec.input "mask" optional accepts [i8] mismatch N code 161002 : !spec.tensor<[N], i1>
  %act = spec.input "act" list : !spec.tensor<[R], i64>
  // CHECK: %given = spec.given %mask
  %given = spec.given %mask
  // CHECK-NEXT: spec.when %given, not %flag {
  // CHECK-NEXT:   spec.require [%N] <= [512] code 561002
  // CHECK-NEXT:   spec.need "mask" code 561002
  // CHECK-NEXT: }
  spec.when %given, not %flag {
    spec.require [%N] <= [512] code 561002
    spec.need "mask" code 561002
  }
  %y = spec.compute (%b: 0 to %N) -> !spec.tensor<[N], f32> {
    %n = spec.read %x[%b] : f32
    spec.write %n to 0[%b]
  }
  %l = spec.compute (%b: 0 to %R) -> !spec.tensor<[R], i64> {
    %n = spec.read %act[%b] : i64
    spec.write %n to 0[%b]
  }
  // CHECK: spec.check %l >= %l code 561002
  spec.check %l >= %l code 561002
  // CHECK-NEXT: spec.output "y" strided %y : !spec.tensor<[N], f32>
  spec.output "y" strided %y : !spec.tensor<[N], f32>
}
