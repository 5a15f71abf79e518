// RUN: opwright-opt %s -p unroll --split-input-file | filecheck %s
// RUN: opwright-opt %s -p 'unroll{limit=2}' --split-input-file | filecheck %s --check-prefix=LIMIT

// A reduced dim: its terms are added in order, into a plain write.
// CHECK-LABEL: spec.operator @Sum
// CHECK: spec.compute (%i: 0 to %N) -> !spec.tensor<[N], f32> {
// CHECK-NEXT: %a = spec.read %x[%i] : f32
// CHECK-NEXT: %a_1 = spec.read %x[%i + 1] : f32
// CHECK-NEXT: %sum = arith.addf %a, %a_1 : f32
// CHECK-NEXT: %a_2 = spec.read %x[%i + 2] : f32
// CHECK-NEXT: %sum_1 = arith.addf %sum, %a_2 : f32
// CHECK-NEXT: spec.write %sum_1 to 0[%i]
// CHECK-NEXT: }
// LIMIT-LABEL: spec.operator @Sum
// LIMIT: spec.compute (%i: 0 to %N, %k: 0 to 3)
spec.operator @Sum {
  %M = spec.dim "M"
  %N = spec.dim "N" = [%M - 2]
  %x = spec.input "x" : !spec.tensor<[M], f32>
  %y = spec.compute (%i: 0 to %N, %k: 0 to 3) -> !spec.tensor<[N], f32> {
    %a = spec.read %x[%i + %k] : f32
    spec.write add %a to 0[%i]
  }
  spec.output "y" %y : !spec.tensor<[N], f32>
}

// -----

// A parallel dim: one write each, their places told apart by a constant.
// CHECK-LABEL: spec.operator @Copies
// CHECK: spec.compute (%i: 0 to %N) -> !spec.tensor<[2, N], f32> {
// CHECK: spec.write %a to 0[0, %i]
// CHECK: spec.write %a_1 to 0[1, %i]
// CHECK-NEXT: }
// LIMIT-LABEL: spec.operator @Copies
// LIMIT: spec.compute (%i: 0 to %N) -> !spec.tensor<[2, N], f32> {
spec.operator @Copies {
  %N = spec.dim "N"
  %x = spec.input "x" : !spec.tensor<[N], f32>
  %y = spec.compute (%k: 0 to 2, %i: 0 to %N) -> !spec.tensor<[2, N], f32> {
    %a = spec.read %x[%i] : f32
    spec.write %a to 0[%k, %i]
  }
  spec.output "y" %y : !spec.tensor<[2, N], f32>
}

// -----

// A reduced dim and another one that stays: the points that are written out are added first.
// CHECK-LABEL: spec.operator @Both
// CHECK: spec.compute (%h: 0 to %H, %i: 0 to %N) -> !spec.tensor<[H], f32> {
// CHECK: %max = arith.maximumf %a, %a_1 : f32
// CHECK-NEXT: spec.write max %max to 0[%h]
// CHECK-NEXT: }
spec.operator @Both {
  %N = spec.dim "N"
  %H = spec.dim "H"
  %x = spec.input "x" : !spec.tensor<[N, 2, H], f32>
  %y = spec.compute (%h: 0 to %H, %i: 0 to %N, %k: 0 to 2) -> !spec.tensor<[H], f32> {
    %a = spec.read %x[%i, %k, %h] : f32
    spec.write max %a to 0[%h]
  }
  spec.output "y" %y : !spec.tensor<[H], f32>
}

// -----

// A guard leaves terms out: a value that changes nothing stands for them. Integers work alike.
// CHECK-LABEL: spec.operator @Guarded
// CHECK: %keep = spec.read %mask[0, %i] : i1
// CHECK-NEXT: %0 = arith.constant -2147483648 : i32
// CHECK-NEXT: %1 = arith.select %keep, %a, %0 : i32
// CHECK: %max = arith.maxsi %1, %{{.*}} : i32
// CHECK-NEXT: spec.write %max to 0[%i]
spec.operator @Guarded {
  %N = spec.dim "N"
  %x = spec.input "x" : !spec.tensor<[2, N], i32>
  %mask = spec.input "mask" : !spec.tensor<[2, N], i1>
  %y = spec.compute (%i: 0 to %N, %k: 0 to 2) -> !spec.tensor<[N], i32> {
    %a = spec.read %x[%k, %i] : i32
    %keep = spec.read %mask[%k, %i] : i1
    spec.write max %a to 0[%i] if %keep
  }
  spec.output "y" %y : !spec.tensor<[N], i32>
}

// -----

// A guard of a sum that stays a sum.
// CHECK-LABEL: spec.operator @GuardedSum
// CHECK: %[[NOTHING:.*]] = arith.constant 0.000000e+00 : f32
// CHECK-NEXT: %[[V:.*]] = arith.select %keep, %a, %[[NOTHING]] : f32
// CHECK-NEXT: spec.write add %[[V]] to 0[%h]
spec.operator @GuardedSum {
  %N = spec.dim "N"
  %H = spec.dim "H"
  %x = spec.input "x" : !spec.tensor<[N, H], f32>
  %mask = spec.input "mask" : !spec.tensor<[N], i1>
  %y = spec.compute (%h: 0 to %H, %i: 0 to %N) -> !spec.tensor<[H], f32> {
    %a = spec.read %x[%i, %h] : f32
    %keep = spec.read %mask[%i] : i1
    spec.write add %a to 0[%h] if %keep
  }
  spec.output "y" %y : !spec.tensor<[H], f32>
}

// -----

// A dim that another range depends on stays.
// CHECK-LABEL: spec.operator @Ragged
// CHECK: spec.compute (%i: 0 to %N, %k: 0 to 2, %t: 0 to %k + 1) -> !spec.tensor<[N], f32> {
spec.operator @Ragged {
  %M = spec.dim "M"
  %N = spec.dim "N" = [%M - 1]
  %x = spec.input "x" : !spec.tensor<[M], f32>
  %y = spec.compute (%i: 0 to %N, %k: 0 to 2, %t: 0 to %k + 1) -> !spec.tensor<[N], f32> {
    %a = spec.read %x[%i + %t] : f32
    spec.write add %a to 0[%i]
  }
  spec.output "y" %y : !spec.tensor<[N], f32>
}

// -----

// Writes to neighbouring places stay apart: each element combines several of them.
// CHECK-LABEL: spec.operator @Overlapping
// CHECK: spec.write add %a to 0[%i]
// CHECK: spec.write add %a_1 to 0[%i + 1]
spec.operator @Overlapping {
  %N = spec.dim "N"
  %M = spec.dim "M" = [%N + 1]
  %x = spec.input "x" : !spec.tensor<[N], f32>
  %y = spec.compute (%i: 0 to %N, %k: 0 to 2) -> !spec.tensor<[M], f32> {
    %a = spec.read %x[%i] : f32
    spec.write add %a to 0[%i + %k]
  }
  spec.output "y" %y : !spec.tensor<[M], f32>
}

// -----

// A compute whose dims would all go stays, and so does a dim without points: what combines over it is the identity.
// CHECK-LABEL: spec.operator @Small
// CHECK: spec.compute (%k: 0 to 2) -> !spec.tensor<[2], f32> {
// CHECK: spec.compute (%k_1: 0 to 0) -> !spec.tensor<[2], f32> {
spec.operator @Small {
  %x = spec.input "x" : !spec.tensor<[2], f32>
  %y = spec.compute (%k: 0 to 2) -> !spec.tensor<[2], f32> {
    %a = spec.read %x[%k] : f32
    spec.write %a to 0[%k]
  }
  %z = spec.compute (%i: 0 to 2, %k: 0 to 0) -> !spec.tensor<[2], f32> {
    %a = spec.read %x[%k] : f32
    spec.write add %a to 0[%i]
  }
  spec.output "y" %y : !spec.tensor<[2], f32>
  spec.output "z" %z : !spec.tensor<[2], f32>
}
