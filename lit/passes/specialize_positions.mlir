// RUN: opwright-opt %s -p "specialize,canonicalize" | filecheck %s
// RUN: opwright-opt %s -p "specialize{present=mask},canonicalize" | filecheck %s --check-prefix=GIVEN

// In a mask that is not given no element is true; what only its places were needed for is gone.

// CHECK: %[[NOWHERE:.*]] = arith.constant -1 : i32
// CHECK-NOT: spec.input "mask"
// CHECK-NOT: spec.positions
// CHECK: %list = spec.compute (%{{.*}}: 0 to %T, %{{.*}}: 0 to 2) -> !spec.tensor<[T, 2], i32> {
// CHECK-NEXT: spec.write %[[NOWHERE]] to 0[%{{.*}}, %{{.*}}]
// CHECK-NOT: spec.compute
// CHECK: spec.output "list" %list : !spec.tensor<[T, 2], i32>

// GIVEN: %mask = spec.input "mask" : !spec.tensor<[T, E], i1>
// GIVEN: %list = spec.positions %mask : !spec.tensor<[T, 2], i32>
// GIVEN-NOT: spec.positions
spec.operator @Places {
  %T = spec.dim "T"
  %E = spec.dim "E"
  %x = spec.input "x" : !spec.tensor<[T], f32>
  %mask = spec.input "mask" optional : !spec.tensor<[T, E], i1>
  %list = spec.positions %mask : !spec.tensor<[T, 2], i32>
  %unused = spec.positions %mask : !spec.tensor<[T, 5], i32>
  spec.output "list" %list : !spec.tensor<[T, 2], i32>
}
