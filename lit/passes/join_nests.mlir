// RUN: opwright-opt %s -p join-nests --split-input-file | filecheck %s

// The second nest runs over the points of the first and joins it; what stood between stands in front. A third with other
// points stays.
// CHECK-LABEL: spec.operator @Joined
// CHECK: %n = spec.read %count[%t] : index
// CHECK-NEXT: %r = spec.read %start[%t] : index
// CHECK-NEXT: spec.each (%w: 0 to %n) {
// CHECK-NEXT: %a = spec.read %x[%w, %i] : f32
// CHECK-NEXT: spec.write add %a to 0[%t, %i]
// CHECK-NEXT: %b = spec.read %x[%w, %i] : f32
// CHECK-NEXT: spec.write add %b to 1[%r + %w, %i]
// CHECK-NEXT: }
// CHECK-NEXT: spec.each (%v: 1 to %n) {
// CHECK-NEXT: %c = spec.read %x[%v, %i] : f32
// CHECK-NEXT: spec.write max %c to 2[%t, %i]
// CHECK-NEXT: }
// CHECK-NEXT: }
spec.operator @Joined {
  %T = spec.dim "T"
  %N = spec.dim "N"
  %K = spec.dim "K" = [2 * %T]
  %count = spec.input "count" : !spec.tensor<[T], i64>
  %start = spec.input "start" : !spec.tensor<[T], i64>
  %x = spec.input "x" : !spec.tensor<[T, N], f32>
  %y, %z, %u = spec.compute (%t: 0 to %T, %i: 0 to %N) -> (!spec.tensor<[T, N], f32>, !spec.tensor<[K, N], f32>, !spec.tensor<[T, N], f32>) {
    %n = spec.read %count[%t] : index
    spec.each (%w: 0 to %n) {
      %a = spec.read %x[%w, %i] : f32
      spec.write add %a to 0[%t, %i]
    }
    %r = spec.read %start[%t] : index
    spec.each (%v: 0 to %n) {
      %b = spec.read %x[%v, %i] : f32
      spec.write add %b to 1[%r + %v, %i]
    }
    spec.each (%v: 1 to %n) {
      %c = spec.read %x[%v, %i] : f32
      spec.write max %c to 2[%t, %i]
    }
  }
  spec.output "y" %y : !spec.tensor<[T, N], f32>
  spec.output "z" %z : !spec.tensor<[K, N], f32>
  spec.output "u" %u : !spec.tensor<[T, N], f32>
}

// -----

// Equal ranges on values that are not the same value stay apart: cse makes one of them first.
// CHECK-LABEL: spec.operator @Apart
// CHECK: %n = spec.read %count[%t] : index
// CHECK-NEXT: spec.each (%w: 0 to %n) {
// CHECK-NEXT: %a = spec.read %x[%w, %i] : f32
// CHECK-NEXT: spec.write add %a to 0[%t, %i]
// CHECK-NEXT: }
// CHECK-NEXT: %m = spec.read %count[%t] : index
// CHECK-NEXT: spec.each (%v: 0 to %m) {
// CHECK-NEXT: %b = spec.read %x[%v, %i] : f32
// CHECK-NEXT: spec.write max %b to 1[%t, %i]
// CHECK-NEXT: }
// CHECK-NEXT: }
spec.operator @Apart {
  %T = spec.dim "T"
  %N = spec.dim "N"
  %count = spec.input "count" : !spec.tensor<[T], i64>
  %x = spec.input "x" : !spec.tensor<[T, N], f32>
  %y, %z = spec.compute (%t: 0 to %T, %i: 0 to %N) -> (!spec.tensor<[T, N], f32>, !spec.tensor<[T, N], f32>) {
    %n = spec.read %count[%t] : index
    spec.each (%w: 0 to %n) {
      %a = spec.read %x[%w, %i] : f32
      spec.write add %a to 0[%t, %i]
    }
    %m = spec.read %count[%t] : index
    spec.each (%v: 0 to %m) {
      %b = spec.read %x[%v, %i] : f32
      spec.write max %b to 1[%t, %i]
    }
  }
  spec.output "y" %y : !spec.tensor<[T, N], f32>
  spec.output "z" %z : !spec.tensor<[T, N], f32>
}
