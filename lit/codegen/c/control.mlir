// RUN: opwright-opt %s -t c | filecheck %s

// Loops that carry values, branches with results, names in scopes: the second loop has a variable i again.

// CHECK-LABEL: float control(const float *restrict x, int64_t n, bool c)
// CHECK-NEXT:  {
// CHECK-NEXT:      float sum = 0.0f;
// CHECK-NEXT:      for (int64_t i = 0; i < n; ++i) {
// CHECK-NEXT:          sum = sum + x[i];
// CHECK-NEXT:      }
// CHECK-NEXT:      const int64_t end = n - 3;
// CHECK-NEXT:      float a = sum;
// CHECK-NEXT:      float b = 0.0f;
// CHECK-NEXT:      for (int64_t i = 0; i < end; i += 4) {
// CHECK-NEXT:          const float a_before = a;
// CHECK-NEXT:          a = b;
// CHECK-NEXT:          b = a_before;
// CHECK-NEXT:      }
// CHECK-NEXT:      float r;
// CHECK-NEXT:      if (c) {
// CHECK-NEXT:          r = a;
// CHECK-NEXT:      } else {
// CHECK-NEXT:          r = b * b;
// CHECK-NEXT:      }
// CHECK-NEXT:      return r;
// CHECK-NEXT:  }
func.func @control(%x: memref<?xf32>, %n: index, %c: i1) -> f32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %c4 = arith.constant 4 : index
  %zero = arith.constant 0.0 : f32
  %0 = scf.for %i = %c0 to %n step %c1 iter_args(%sum = %zero) -> (f32) {
    %1 = memref.load %x[%i] : memref<?xf32>
    %2 = arith.addf %sum, %1 : f32
    scf.yield %2 : f32
  }
  %3 = arith.subi %n, %c3 : index
  %4, %5 = scf.for %i = %c0 to %3 step %c4 iter_args(%a = %0, %b = %zero) -> (f32, f32) {
    scf.yield %b, %a : f32, f32
  }
  %6 = scf.if %c -> (f32) {
    scf.yield %4 : f32
  } else {
    %7 = arith.mulf %5, %5 : f32
    scf.yield %7 : f32
  }
  func.return %6 : f32
}

// A read is not moved past a write, and not into an operand that C evaluates only sometimes.

// CHECK-LABEL: void reads(float *restrict x, bool c)
// CHECK-NEXT:  {
// CHECK-NEXT:      const float v = x[0];
// CHECK-NEXT:      x[0] = x[1] + 1.0f;
// CHECK-NEXT:      const float v_1 = x[2];
// CHECK-NEXT:      x[2] = v + (c ? v_1 : 1.0f);
// CHECK-NEXT:  }
func.func @reads(%x: memref<4xf32>, %c: i1) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %one = arith.constant 1.0 : f32
  %0 = memref.load %x[%c0] : memref<4xf32>
  %1 = memref.load %x[%c1] : memref<4xf32>
  %2 = arith.addf %1, %one : f32
  memref.store %2, %x[%c0] : memref<4xf32>
  %3 = memref.load %x[%c2] : memref<4xf32>
  %4 = arith.select %c, %3, %one : f32
  %5 = arith.addf %0, %4 : f32
  memref.store %5, %x[%c2] : memref<4xf32>
  func.return
}

// Pure operations whose result nobody needs are left out; a branch without another side has no else; calls.

// CHECK-LABEL: void calls(float *restrict x, bool c)
// CHECK-NEXT:  {
// CHECK-NEXT:      if (c) {
// CHECK-NEXT:          reads(x, c);
// CHECK-NEXT:      }
// CHECK-NEXT:      const float v = first(x, 4, c);
// CHECK-NEXT:      x[0] = v;
// CHECK-NEXT:  }
func.func @first(%x: memref<4xf32>, %n: index, %c: i1) -> f32 {
  %0 = memref.load %x[%n] : memref<4xf32>
  func.return %0 : f32
}
func.func @calls(%x: memref<4xf32>, %c: i1) {
  %c0 = arith.constant 0 : index
  %c4 = arith.constant 4 : index
  %0 = arith.addi %c4, %c4 : index
  %1 = arith.muli %0, %c4 : index
  scf.if %c {
    func.call @reads(%x, %c) : (memref<4xf32>, i1) -> ()
  }
  %2 = func.call @first(%x, %c4, %c) : (memref<4xf32>, index, i1) -> f32
  memref.store %2, %x[%c0] : memref<4xf32>
  func.return
}
