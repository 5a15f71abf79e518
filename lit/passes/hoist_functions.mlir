// RUN: opwright-opt %s -p hoist-functions{target=ascend910b} --split-input-file | filecheck %s
// RUN: opwright-opt %s -p hoist-functions --split-input-file | filecheck %s --check-prefix=CPU

// A function of a scalar of a row is computed before, along the lanes; where targets stage nothing it stays.
// CHECK-LABEL: spec.operator @Norm
// CHECK: %row_rsqrt = spec.compute (%n: 0 to %N) -> !spec.tensor<[N], f32> {
// CHECK-NEXT: %s = spec.read %sums[%n] : f32
// CHECK-NEXT: %0 = math.exp %s : f32
// CHECK-NEXT: %1 = math.rsqrt %0 : f32
// CHECK-NEXT: spec.write %1 to 0[%n]
// CHECK-NEXT: }
// CHECK-NEXT: %y = spec.compute (%n_1: 0 to %N, %d: 0 to %D) -> !spec.tensor<[N, D], f32> {
// CHECK-NEXT: %a = spec.read %x[%n_1, %d] : f32
// CHECK-NEXT: %2 = spec.read %row_rsqrt[%n_1] : f32
// CHECK-NEXT: %b = arith.mulf %a, %2 : f32
// CHECK-NEXT: spec.write %b to 0[%n_1, %d]
// CPU-LABEL: spec.operator @Norm
// CPU: %a = spec.read %x[%n, %d] : f32
// CPU-NEXT: %s = spec.read %sums[%n] : f32
spec.operator @Norm {
  %N = spec.dim "N"
  %D = spec.dim "D"
  %x = spec.input "x" : !spec.tensor<[N, D], f32>
  %sums = spec.input "sums" : !spec.tensor<[N], f32>
  %y = spec.compute (%n: 0 to %N, %d: 0 to %D) -> !spec.tensor<[N, D], f32> {
    %a = spec.read %x[%n, %d] : f32
    %s = spec.read %sums[%n] : f32
    %0 = math.exp %s : f32
    %1 = math.rsqrt %0 : f32
    %b = arith.mulf %a, %1 : f32
    spec.write %b to 0[%n, %d]
  }
  spec.output "y" %y : !spec.tensor<[N, D], f32>
}

// -----

// The lanes of a sum along the contiguous dim are that dim: a function of a scalar goes, one of the lanes stays.
// CHECK-LABEL: spec.operator @Sum
// CHECK: %e = spec.compute (%n: 0 to %N)
// CHECK: %y = spec.compute (%n_1: 0 to %N, %d: 0 to %D)
// CHECK: math.sqrt
// CHECK: spec.read %e[%n_1]
spec.operator @Sum {
  %N = spec.dim "N"
  %D = spec.dim "D"
  %x = spec.input "x" : !spec.tensor<[N, D], f32>
  %w = spec.input "w" : !spec.tensor<[N], f32>
  %y = spec.compute (%n: 0 to %N, %d: 0 to %D) -> !spec.tensor<[N], f32> {
    %a = spec.read %x[%n, %d] : f32
    %r = math.sqrt %a : f32
    %s = spec.read %w[%n] : f32
    %e = math.exp %s : f32
    %b = arith.mulf %r, %e : f32
    spec.write add %b to 0[%n]
  }
  spec.output "y" %y : !spec.tensor<[N], f32>
}

// -----

// Functions along the lanes stay, and so does one that is computed from an element at a place that is read.
// CHECK-LABEL: spec.operator @Stay
// CHECK-NOT: row_
spec.operator @Stay {
  %N = spec.dim "N"
  %D = spec.dim "D"
  %x = spec.input "x" : !spec.tensor<[N, D], f32>
  %w = spec.input "w" : !spec.tensor<[N], f32>
  %places = spec.input "places" : !spec.tensor<[N], i32>
  %y = spec.compute (%n: 0 to %N, %d: 0 to %D) -> !spec.tensor<[N, D], f32> {
    %a = spec.read %x[%n, %d] : f32
    %r = math.sqrt %a : f32
    %p = spec.read %places[%n] : index
    %s = spec.read %w[%p] : f32
    %e = math.exp %s : f32
    %b = arith.mulf %r, %e : f32
    spec.write %b to 0[%n, %d]
  }
  spec.output "y" %y : !spec.tensor<[N, D], f32>
}
