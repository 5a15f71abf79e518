// RUN: opwright-opt %s -t numpy | filecheck %s

// Lanes that are selected, and places of true elements: all rows at once.

// CHECK: def bits_of(values):
// CHECK: def compress(target, values, bits):
// CHECK: def list_places(target, mask):

// CHECK: def f(x, bits, y, z, mask, places, r, n, w):
func.func @f(%x: memref<?x?xf16>, %bits: memref<?x?xi8>, %y: memref<?x?xi32>, %z: memref<?x?xi32>, %mask: memref<?x?x?xi8>,
             %places: memref<?x?x?xi32>, %r: index, %n: index, %w: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c256 = arith.constant 256 : index
  // CHECK: y[0, :w] = np.arange(w)
  tile.iota to %y[%c0] rows %c1 width %w : () -> memref<?x?xi32>
  // CHECK-NEXT: bits[:n, :256 // 8] = bits_of(x[r:r + n, :256])
  tile.nonzero %x[%r] to %bits[%c0] rows %n width %c256 : (memref<?x?xf16>) -> memref<?x?xi8>
  // CHECK-NEXT: compress(z[:n, :w], y[0, :w], bits[:n, :-(-w // 8)])
  tile.compress %y[%c0] step 0, %bits[%c0] to %z[%c0] rows %n width %w : (memref<?x?xi32>, memref<?x?xi8>) -> memref<?x?xi32>
  // CHECK-NEXT: list_places(places[r, :n, :n], mask[r, :n, :w])
  tile.positions %mask to %places at [%r, %c0] rows %n width %w count %n : memref<?x?x?xi8>, memref<?x?x?xi32>
  func.return
}
