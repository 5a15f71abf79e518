// RUN: opwright-opt %s -t numpy | filecheck %s

// Choices between lanes, functions that round, and floats cut to integers by the assignment.

func.func @f(%a: memref<?x?xf32>, %b: memref<?x?xf32>, %x: memref<?x?xf32>, %y: memref<?x?xf32>, %z: memref<?x?xf32>, %k: memref<?x?xi32>, %r: index, %n: index, %w: index) {
  %c0 = arith.constant 0 : index
  // CHECK: z[r:r + n, :w] = np.where(a[r:r + n, :w] < b[0, :w], x[r:r + n, :w], y[r:r + n, :w])
  tile.select "lt" %a[%r], %b[%c0] step 0, %x[%r], %y[%r] to %z[%r] rows %n width %w : (memref<?x?xf32>, memref<?x?xf32>, memref<?x?xf32>, memref<?x?xf32>) -> memref<?x?xf32>
  // CHECK-NEXT: y[r:r + n, :w] = np.rint(x[r:r + n, :w])
  tile.unary "rint" %x[%r] to %y[%r] rows %n width %w : (memref<?x?xf32>) -> memref<?x?xf32>
  // CHECK-NEXT: k[r:r + n, :w] = x[r:r + n, :w]
  tile.cast %x[%r] to %k[%r] rows %n width %w : (memref<?x?xf32>) -> memref<?x?xi32>
  tile.foreach (%i: 0 to %n, %l: 0 to %w) {
    %p = tile.read %x[%i, %l] : memref<?x?xf32>
    %q = tile.read %y[%i, %l] : memref<?x?xf32>
    // CHECK: np.where(p >= q, q, p)
    %v = tile.choose "ge" %p, %q, %q, %p : f32
    tile.write %v to %z[%i, %l] : memref<?x?xf32>
  }
  func.return
}
