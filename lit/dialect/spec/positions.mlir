// RUN: opwright-opt %s | opwright-opt | filecheck %s
// RUN: opwright-opt %s --print-op-generic | opwright-opt | filecheck %s

// Places of true elements: of booleans, of bytes that stand for them, of a mask that may be absent, and of one row.

// CHECK-LABEL: spec.operator @Places {
spec.operator @Places {
  %T = spec.dim "T"
  %E = spec.dim "E"
  %K = spec.dim "K" = [%E floordiv 2]
  %mask = spec.input "mask" : !spec.tensor<[T, E], i1>
  %bytes = spec.input "bytes" optional : !spec.tensor<[T, E], i8>
  %row = spec.input "row" : !spec.tensor<[E], i1>
  // CHECK: %a = spec.positions %mask : !spec.tensor<[T, K], i32>
  %a = spec.positions %mask : !spec.tensor<[T, K], i32>
  // CHECK-NEXT: %b = spec.positions %bytes : !spec.tensor<[T, 7], i32>
  %b = spec.positions %bytes : !spec.tensor<[T, 7], i32>
  // CHECK-NEXT: %c = spec.positions %row : !spec.tensor<[E], i32>
  %c = spec.positions %row : !spec.tensor<[E], i32>
  spec.output "a" %a : !spec.tensor<[T, K], i32>
  spec.output "b" %b : !spec.tensor<[T, 7], i32>
  spec.output "c" %c : !spec.tensor<[E], i32>
}
