// RUN: opwright-opt %s -t numpy | filecheck %s

// Loops, branches and memrefs; a value without a name becomes part of its only user.

// CHECK: def f(m, n, flag):
func.func @f(%m: memref<?x4xf32>, %n: index, %flag: i1) -> f32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  // CHECK-NEXT: zero = np.float32(0.0)
  %zero = arith.constant 0.0 : f32
  // CHECK-NEXT: sum, end = zero, zero
  // CHECK-NEXT: for i in range(1, n + 1):
  %0 = arith.addi %n, %c1 : index
  %sum, %end = scf.for %i = %c1 to %0 step %c1 iter_args(%acc = %zero, %last = %zero) -> (f32, f32) {
    // CHECK-NEXT: sum, end = sum + (m[i, 0] - m[i, 1]) * end, sum
    %1 = memref.load %m[%i, %c0] : memref<?x4xf32>
    %2 = memref.load %m[%i, %c1] : memref<?x4xf32>
    %3 = arith.subf %1, %2 : f32
    %4 = arith.mulf %3, %last : f32
    %5 = arith.addf %acc, %4 : f32
    scf.yield %5, %acc : f32, f32
  }
  // A load does not move past a store.
  // CHECK-NEXT: v = m[0, 0]
  // CHECK-NEXT: m[0, 0] = zero
  // CHECK-NEXT: m[0, 1] = v + zero
  %6 = memref.load %m[%c0, %c0] : memref<?x4xf32>
  memref.store %zero, %m[%c0, %c0] : memref<?x4xf32>
  %7 = arith.addf %6, %zero : f32
  memref.store %7, %m[%c0, %c1] : memref<?x4xf32>
  // CHECK-NEXT: if flag:
  // CHECK-NEXT:     r = sum
  // CHECK-NEXT: else:
  // CHECK-NEXT:     r = -end
  %r = scf.if %flag -> (f32) {
    scf.yield %sum : f32
  } else {
    %8 = arith.negf %end : f32
    scf.yield %8 : f32
  }
  // CHECK-NEXT: if flag:
  // CHECK-NEXT:     pass
  scf.if %flag {
  }
  // CHECK-NEXT: return r
  func.return %r : f32
}
