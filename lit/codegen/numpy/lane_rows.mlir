// RUN: opwright-opt %s -t numpy | filecheck %s

// Combinations over lanes: all rows, or all lanes of a row, at once; the search of a list.

// CHECK: def add_in_order(start, values):
// CHECK: def fold(reduce, target, values, start=0):
// CHECK: def maximum(a, b):
// CHECK: def reduce_pairs(function, start, values):
// CHECK: def tree(function, values):

// CHECK: @np.errstate(all="ignore")
// CHECK-NEXT: def f(x, p, s, ends, r, n, w):
func.func @f(%x: memref<?x?xf32>, %p: memref<?x?xf32>, %s: memref<?x?xf32>, %ends: memref<?xi64>, %r: index, %n: index,
             %w: index) -> index {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %one = arith.constant 1.0 : f32
  %zero = arith.constant 0.0 : f32
  // CHECK: fold(add_in_order, p[:n, :64], x[r:r + n, :w])
  tile.fold "add" %x[%r] to %p[%c0] rows %n width %w : (memref<?x?xf32>) -> memref<?x?xf32>
  // CHECK-NEXT: fold(lambda start, values: reduce_pairs(maximum, start, values), p[0, :64], x[r, :w])
  tile.fold "max" %x[%r] to %p[%c0] rows %c1 width %w : (memref<?x?xf32>) -> memref<?x?xf32>
  // CHECK-NEXT: s[0, :n] = tree(np.add, p[1:n + 1, :64])
  tile.tree "add" %p[%c1] to %s[%c0] rows %n width %c64 : (memref<?x?xf32>) -> memref<?x?xf32>
  // CHECK-NEXT: x[:n, :w] = s[0, :n][:, None]
  tile.splat %s[%c0] to %x[%c0] rows %n width %w : (memref<?x?xf32>) -> memref<?x?xf32>
  // CHECK-NEXT: x[:n, :w] = x[:n, :w] / s[r:r + n, :1]
  tile.by_row "div" %x[%c0], %s[%r] to %x[%c0] rows %n width %w : (memref<?x?xf32>, memref<?x?xf32>) -> memref<?x?xf32>
  // CHECK-NEXT: b = int(np.searchsorted(ends, n, side="right"))
  %b = tile.search %ends for %n : memref<?xi64>
  // CHECK-NEXT: if w > b:
  // CHECK-NEXT: l = np.arange(b, w)
  // CHECK-NEXT: for i in range(n):
  tile.foreach (%i: 0 to %n, %l: %b to %w) {
    // CHECK-NEXT: v = x[i, b:w]
    %v = tile.read %x[%i, %l] : memref<?x?xf32>
    // CHECK-NEXT: at = np.searchsorted(ends, l, side="right")
    %at = tile.search %ends for %l : memref<?xi64>
    // CHECK-NEXT: on = at > i
    %on = arith.cmpi sgt, %at, %i : index
    // CHECK-NEXT: fold(add_in_order, p[i, :64], v, b)
    tile.write add %v to %p[%i, %l mod 64] : memref<?x?xf32>
    // CHECK-NEXT: fold(add_in_order, s[:16, i], np.where(on, v, np.float32(-0.0)), b)
    tile.write add %v to %s[%l mod 16, %i] if %on : memref<?x?xf32>
  }
  func.return %b : index
}
