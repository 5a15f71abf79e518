// RUN: opwright-opt %s | opwright-opt | filecheck %s
// RUN: opwright-opt %s --print-op-generic | opwright-opt | filecheck %s
// RUN: opwright-opt %s -p specialize | filecheck %s --check-prefix=GONE

// What the elements of integer inputs are: read, printed, and dropped before anything is compiled.

// CHECK-LABEL: spec.operator @Take {
// GONE-NOT: spec.places
spec.operator @Take {
  %N = spec.dim "N"
  %M = spec.dim "M"
  %strict = spec.attr "strict" default false : i1
  %x = spec.input "x" : !spec.tensor<[N], f32>
  %slot = spec.input "slot" : !spec.tensor<[M], i32>
  // CHECK: spec.places %slot below [%N]
  // CHECK-NEXT: spec.places %slot below [2 * %N - 1] unused
  // CHECK-NEXT: spec.places %slot below [%N] distinct
  // CHECK-NEXT: spec.when not %strict {
  // CHECK-NEXT:   spec.places %slot below [%N + %M] unused distinct
  // CHECK-NEXT: }
  spec.places %slot below [%N]
  spec.places %slot below [2 * %N - 1] unused
  spec.places %slot below [%N] distinct
  spec.when not %strict {
    spec.places %slot below [%N + %M] unused distinct
  }
  %y = spec.compute (%m: 0 to %M) -> !spec.tensor<[M], f32> {
    %place = spec.read %slot[%m] : index
    %a = spec.read %x[%place] : f32
    spec.write %a to 0[%m]
  }
  spec.output "y" %y : !spec.tensor<[M], f32>
}
