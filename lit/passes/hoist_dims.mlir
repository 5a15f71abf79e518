// RUN: opwright-opt %s -p hoist-dims --split-input-file | filecheck %s

// The dim of the inner nest whose range follows from the sizes moves out; the one whose range is read stays. Points then
// combine in the order t, i, w.
// CHECK-LABEL: spec.operator @Counts
// CHECK: %y = spec.compute (%t: 0 to %T, %i: 0 to %N) -> !spec.tensor<[K, N], f32> {
// CHECK-NEXT: %n = spec.read %count[%t] : index
// CHECK-NEXT: spec.each (%w: 0 to %n) {
// CHECK-NEXT: %a = spec.read %x[%t, %i] : f32
// CHECK-NEXT: spec.write add %a to 0[%w, %i]
// CHECK-NEXT: }
// CHECK-NEXT: }
spec.operator @Counts {
  %T = spec.dim "T"
  %N = spec.dim "N"
  %K = spec.dim "K" = [%T + 1]
  %count = spec.input "count" : !spec.tensor<[T], i64>
  %x = spec.input "x" : !spec.tensor<[T, N], f32>
  %y = spec.compute (%t: 0 to %T) -> !spec.tensor<[K, N], f32> {
    %n = spec.read %count[%t] : index
    spec.each (%w: 0 to %n, %i: 0 to %N) {
      %a = spec.read %x[%t, %i] : f32
      spec.write add %a to 0[%w, %i]
    }
  }
  spec.output "y" %y : !spec.tensor<[K, N], f32>
}

// -----

// Where every dim moves, no inner nest is left; a range may follow from the outer dims.
// CHECK-LABEL: spec.operator @Whole
// CHECK: %y = spec.compute (%t: 0 to %T, %s: 0 to %t + 1, %i: 0 to %N) -> !spec.tensor<[T, N], f32> {
// CHECK-NEXT: %two = arith.constant 2.000000e+00 : f32
// CHECK-NEXT: %a = spec.read %x[%s, %i] : f32
// CHECK-NEXT: %b = arith.mulf %a, %two : f32
// CHECK-NEXT: spec.write add %b to 0[%t, %i]
// CHECK-NEXT: }
spec.operator @Whole {
  %T = spec.dim "T"
  %N = spec.dim "N"
  %x = spec.input "x" : !spec.tensor<[T, N], f32>
  %y = spec.compute (%t: 0 to %T) -> !spec.tensor<[T, N], f32> {
    %two = arith.constant 2.0 : f32
    spec.each (%s: 0 to %t + 1, %i: 0 to %N) {
      %a = spec.read %x[%s, %i] : f32
      %b = arith.mulf %a, %two : f32
      spec.write add %b to 0[%t, %i]
    }
  }
  spec.output "y" %y : !spec.tensor<[T, N], f32>
}

// -----

// A range that follows from another dim of the nest stays; so do the dims of two nests in one body.
// CHECK-LABEL: spec.operator @Stay
// CHECK: %y = spec.compute (%t: 0 to %T) -> !spec.tensor<[K, N], f32> {
// CHECK-NEXT: %n = spec.read %count[%t] : index
// CHECK-NEXT: spec.each (%w: 0 to %n, %i: %w to %N) {
// CHECK-NEXT: %a = spec.read %x[%t, %i] : f32
// CHECK-NEXT: spec.write add %a to 0[%w, %i]
// CHECK-NEXT: }
// CHECK-NEXT: }
// CHECK-NEXT: %z = spec.compute (%t_1: 0 to %T) -> !spec.tensor<[K, N], f32> {
// CHECK-NEXT: %n_1 = spec.read %count[%t_1] : index
// CHECK-NEXT: spec.each (%w_1: 0 to %n_1, %i_1: 0 to %N) {
// CHECK-NEXT: %a_1 = spec.read %x[%t_1, %i_1] : f32
// CHECK-NEXT: spec.write add %a_1 to 0[%w_1, %i_1]
// CHECK-NEXT: }
// CHECK-NEXT: spec.each (%w_2: 0 to %n_1) {
spec.operator @Stay {
  %T = spec.dim "T"
  %N = spec.dim "N"
  %K = spec.dim "K" = [%T + 1]
  %count = spec.input "count" : !spec.tensor<[T], i64>
  %x = spec.input "x" : !spec.tensor<[T, N], f32>
  %y = spec.compute (%t: 0 to %T) -> !spec.tensor<[K, N], f32> {
    %n = spec.read %count[%t] : index
    spec.each (%w: 0 to %n, %i: %w to %N) {
      %a = spec.read %x[%t, %i] : f32
      spec.write add %a to 0[%w, %i]
    }
  }
  %z = spec.compute (%t: 0 to %T) -> !spec.tensor<[K, N], f32> {
    %n = spec.read %count[%t] : index
    spec.each (%w: 0 to %n, %i: 0 to %N) {
      %a = spec.read %x[%t, %i] : f32
      spec.write add %a to 0[%w, %i]
    }
    spec.each (%w: 0 to %n) {
      %b = spec.read %x[%t, 0] : f32
      spec.write add %b to 0[%w, 0]
    }
  }
  spec.output "y" %y : !spec.tensor<[K, N], f32>
  spec.output "z" %z : !spec.tensor<[K, N], f32>
}

// -----

// What the body itself writes would be written once a point of the nest: all dims stay.
// CHECK-LABEL: spec.operator @Outer
// CHECK: %y, %z = spec.compute (%t: 0 to %T) -> (!spec.tensor<[T, N], f32>, !spec.tensor<[1], f32>) {
// CHECK-NEXT: %c = spec.read %w[%t] : f32
// CHECK-NEXT: spec.write add %c to 1[0]
// CHECK-NEXT: spec.each (%i: 0 to %N) {
spec.operator @Outer {
  %T = spec.dim "T"
  %N = spec.dim "N"
  %x = spec.input "x" : !spec.tensor<[T, N], f32>
  %w = spec.input "w" : !spec.tensor<[T], f32>
  %y, %z = spec.compute (%t: 0 to %T) -> (!spec.tensor<[T, N], f32>, !spec.tensor<[1], f32>) {
    %c = spec.read %w[%t] : f32
    spec.write add %c to 1[0]
    spec.each (%i: 0 to %N) {
      %a = spec.read %x[%t, %i] : f32
      spec.write %a to 0[%t, %i]
    }
  }
  spec.output "y" %y : !spec.tensor<[T, N], f32>
  spec.output "z" %z : !spec.tensor<[1], f32>
}
