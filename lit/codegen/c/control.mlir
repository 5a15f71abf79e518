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

// A loop with a test: the test is part of the loop's head where it is one expression of what the loop carries.

// CHECK-LABEL: int64_t search(const int64_t *restrict list, int64_t value, int64_t size)
// CHECK-NEXT:  {
// CHECK-NEXT:      int64_t found = 0;
// CHECK-NEXT:      int64_t last_one = size;
// CHECK-NEXT:      while (found < last_one) {
// CHECK-NEXT:          const int64_t middle = (found + last_one) / 2;
// CHECK-NEXT:          const bool below = list[middle] <= value;
// CHECK-NEXT:          const int64_t number = below ? middle + 1 : found;
// CHECK-NEXT:          const int64_t number_1 = below ? last_one : middle;
// CHECK-NEXT:          found = number;
// CHECK-NEXT:          last_one = number_1;
// CHECK-NEXT:      }
// CHECK-NEXT:      return found;
// CHECK-NEXT:  }
func.func @search(%list: memref<8xindex>, %value: index, %size: index) -> index {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %found, %last_one = scf.while (%first = %c0, %last = %size) : (index, index) -> (index, index) {
    %0 = arith.cmpi slt, %first, %last : index
    scf.condition(%0) %first, %last : index, index
  } do {
  ^bb0(%first: index, %last: index):
    %0 = arith.addi %first, %last : index
    %middle = arith.divsi %0, %c2 : index
    %1 = memref.load %list[%middle] : memref<8xindex>
    %below = arith.cmpi sle, %1, %value : index
    %2 = arith.addi %middle, %c1 : index
    %3 = arith.select %below, %2, %first : index
    %4 = arith.select %below, %last, %middle : index
    scf.yield %3, %4 : index, index
  }
  func.return %found : index
}

// Otherwise it stands inside the loop, behind what the loop hands on.

// CHECK-LABEL: int32_t halve(int32_t *restrict x, int32_t a)
// CHECK-NEXT:  {
// CHECK-NEXT:      int32_t half;
// CHECK-NEXT:      int32_t v = a;
// CHECK-NEXT:      while (true) {
// CHECK-NEXT:          const int32_t next = v / 2;
// CHECK-NEXT:          x[0] = next;
// CHECK-NEXT:          half = next;
// CHECK-NEXT:          if (!(v > 10)) {
// CHECK-NEXT:              break;
// CHECK-NEXT:          }
// CHECK-NEXT:          v = half - 1;
// CHECK-NEXT:      }
// CHECK-NEXT:      return half;
// CHECK-NEXT:  }
func.func @halve(%x: memref<1xi32>, %a: i32) -> i32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : i32
  %c2 = arith.constant 2 : i32
  %c10 = arith.constant 10 : i32
  %half = scf.while (%v = %a) : (i32) -> i32 {
    %next = arith.divsi %v, %c2 : i32
    memref.store %next, %x[%c0] : memref<1xi32>
    %0 = arith.cmpi sgt, %v, %c10 : i32
    scf.condition(%0) %next : i32
  } do {
  ^bb0(%w: i32):
    %0 = arith.subi %w, %c1 : i32
    scf.yield %0 : i32
  }
  func.return %half : i32
}
