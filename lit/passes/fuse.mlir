// RUN: opwright-opt %s -p fuse --split-input-file | filecheck %s

// The second compute joins the nest of the first one; its dims are matched by range and name.
// CHECK-LABEL: spec.operator @Permuted
// CHECK: %y, %s = spec.compute (%i: 0 to %N, %h: 0 to %H) -> (!spec.tensor<[N, H], f32>, !spec.tensor<[H], f32>) {
// CHECK-NEXT: %a = spec.read %x[%i, %h] : f32
// CHECK-NEXT: spec.write %a to 0[%i, %h]
// CHECK-NEXT: %b = spec.read %x[%i, %h] : f32
// CHECK-NEXT: %c = arith.mulf %b, %two : f32
// CHECK-NEXT: spec.write add %c to 1[%h]
// CHECK-NEXT: }
// CHECK-NEXT: spec.output "y" %y
// CHECK-NEXT: spec.output "s" %s
spec.operator @Permuted {
  %N = spec.dim "N"
  %H = spec.dim "H"
  %x = spec.input "x" : !spec.tensor<[N, H], f32>
  %y = spec.compute (%i: 0 to %N, %h: 0 to %H) -> !spec.tensor<[N, H], f32> {
    %a = spec.read %x[%i, %h] : f32
    spec.write %a to 0[%i, %h]
  }
  %two = arith.constant 2.0 : f32
  %s = spec.compute (%h: 0 to %H, %i: 0 to %N) -> !spec.tensor<[H], f32> {
    %b = spec.read %x[%i, %h] : f32
    %c = arith.mulf %b, %two : f32
    spec.write add %c to 0[%h]
  }
  spec.output "y" %y : !spec.tensor<[N, H], f32>
  spec.output "s" %s : !spec.tensor<[H], f32>
}

// -----

// Dims of equal range without equal names are matched in order.
// CHECK-LABEL: spec.operator @Square
// CHECK: %y, %z = spec.compute (%i: 0 to %N, %j: 0 to %N) ->
// CHECK: spec.write %a to 0[%i, %j]
// CHECK: %b = spec.read %x[%j, %i] : f32
// CHECK-NEXT: spec.write %b to 1[%i, %j]
spec.operator @Square {
  %N = spec.dim "N"
  %x = spec.input "x" : !spec.tensor<[N, N], f32>
  %y = spec.compute (%i: 0 to %N, %j: 0 to %N) -> !spec.tensor<[N, N], f32> {
    %a = spec.read %x[%i, %j] : f32
    spec.write %a to 0[%i, %j]
  }
  %z = spec.compute (%u: 0 to %N, %v: 0 to %N) -> !spec.tensor<[N, N], f32> {
    %b = spec.read %x[%v, %u] : f32
    spec.write %b to 0[%u, %v]
  }
  spec.output "y" %y : !spec.tensor<[N, N], f32>
  spec.output "z" %z : !spec.tensor<[N, N], f32>
}

// -----

// Three computes: the third passes one that it shares nothing with.
// CHECK-LABEL: spec.operator @Three
// CHECK: %a, %c = spec.compute (%i: 0 to %N) ->
// CHECK: %b = spec.compute (%i_1: 0 to %N) ->
spec.operator @Three {
  %N = spec.dim "N"
  %x = spec.input "x" : !spec.tensor<[N], f32>
  %y = spec.input "y" : !spec.tensor<[N], f32>
  %a = spec.compute (%i: 0 to %N) -> !spec.tensor<[N], f32> {
    %0 = spec.read %x[%i] : f32
    spec.write %0 to 0[%i]
  }
  %b = spec.compute (%i: 0 to %N) -> !spec.tensor<[N], f32> {
    %0 = spec.read %y[%i] : f32
    spec.write %0 to 0[%i]
  }
  %c = spec.compute (%i: 0 to %N) -> !spec.tensor<[N], f32> {
    %0 = spec.read %x[%i] : f32
    %1 = spec.read %y[%i] : f32
    %2 = arith.addf %0, %1 : f32
    spec.write %2 to 0[%i]
  }
  spec.output "a" %a : !spec.tensor<[N], f32>
  spec.output "b" %b : !spec.tensor<[N], f32>
  spec.output "c" %c : !spec.tensor<[N], f32>
}

// -----

// The second needs the first, directly or through something between the two.
// CHECK-LABEL: spec.operator @Dependent
// CHECK: %a = spec.compute
// CHECK: %b = spec.compute
// CHECK: %r = spec.scan
// CHECK: %c = spec.compute
spec.operator @Dependent {
  %N = spec.dim "N"
  %x = spec.input "x" : !spec.tensor<[N], i32>
  %a = spec.compute (%i: 0 to %N) -> !spec.tensor<[N], i32> {
    %0 = spec.read %x[%i] : i32
    spec.write %0 to 0[%i]
  }
  %b = spec.compute (%i: 0 to %N) -> !spec.tensor<[N], i32> {
    %0 = spec.read %x[%i] : i32
    %1 = spec.read %a[%i] : i32
    %2 = arith.addi %0, %1 : i32
    spec.write %2 to 0[%i]
  }
  %r = spec.scan %a dim 0 : !spec.tensor<[N], i32>
  %c = spec.compute (%i: 0 to %N) -> !spec.tensor<[N], i32> {
    %0 = spec.read %x[%i] : i32
    %1 = spec.read %r[%i] : i32
    %2 = arith.addi %0, %1 : i32
    spec.write %2 to 0[%i]
  }
  spec.output "b" %b : !spec.tensor<[N], i32>
  spec.output "c" %c : !spec.tensor<[N], i32>
}

// -----

// Other ranges, no common input, ranges that depend on other dims.
// CHECK-LABEL: spec.operator @Unlike
// CHECK: %a = spec.compute
// CHECK: %b = spec.compute
// CHECK: %c = spec.compute
// CHECK: %d = spec.compute
// CHECK: %e = spec.compute
spec.operator @Unlike {
  %N = spec.dim "N"
  %M = spec.dim "M"
  %x = spec.input "x" : !spec.tensor<[N], f32>
  %y = spec.input "y" : !spec.tensor<[M], f32>
  %zero = arith.constant 0.0 : f32
  %a = spec.compute (%i: 0 to %N) -> !spec.tensor<[N], f32> {
    %0 = spec.read %x[%i] : f32
    spec.write %0 to 0[%i]
  }
  %b = spec.compute (%i: 0 to %M) -> !spec.tensor<[M], f32> {
    %0 = spec.read %x[%i] else %zero : f32
    spec.write %0 to 0[%i]
  }
  %c = spec.compute (%i: 0 to %N) -> !spec.tensor<[N], f32> {
    %0 = spec.read %y[%i] else %zero : f32
    spec.write %0 to 0[%i]
  }
  %d = spec.compute (%i: 0 to %N, %j: 0 to %i) -> !spec.tensor<[N], f32> {
    %0 = spec.read %x[%j] : f32
    spec.write add %0 to 0[%i]
  }
  %e = spec.compute (%i: 0 to %N, %j: 0 to %i) -> !spec.tensor<[N], f32> {
    %0 = spec.read %x[%j] : f32
    spec.write max %0 to 0[%i]
  }
  spec.output "a" %a : !spec.tensor<[N], f32>
  spec.output "b" %b : !spec.tensor<[M], f32>
  spec.output "c" %c : !spec.tensor<[N], f32>
  spec.output "d" %d : !spec.tensor<[N], f32>
  spec.output "e" %e : !spec.tensor<[N], f32>
}

// -----

// One nest has its lanes along one dim and combines over one set of dims: sums over others and a transpose stay apart.
// CHECK-LABEL: spec.operator @Apart
// CHECK: %a = spec.compute
// CHECK: %b = spec.compute
// CHECK: %c = spec.compute
spec.operator @Apart {
  %N = spec.dim "N"
  %M = spec.dim "M"
  %H = spec.dim "H"
  %x = spec.input "x" : !spec.tensor<[N, M, H], f32>
  %a = spec.compute (%i: 0 to %N, %j: 0 to %M, %h: 0 to %H) -> !spec.tensor<[N, H], f32> {
    %0 = spec.read %x[%i, %j, %h] : f32
    spec.write add %0 to 0[%i, %h]
  }
  %b = spec.compute (%i: 0 to %N, %j: 0 to %M, %h: 0 to %H) -> !spec.tensor<[M, H], f32> {
    %0 = spec.read %x[%i, %j, %h] : f32
    spec.write add %0 to 0[%j, %h]
  }
  %c = spec.compute (%h: 0 to %H, %j: 0 to %M, %i: 0 to %N) -> !spec.tensor<[H, M, N], f32> {
    %0 = spec.read %x[%i, %j, %h] : f32
    spec.write %0 to 0[%h, %j, %i]
  }
  spec.output "a" %a : !spec.tensor<[N, H], f32>
  spec.output "b" %b : !spec.tensor<[M, H], f32>
  spec.output "c" %c : !spec.tensor<[H, M, N], f32>
}
