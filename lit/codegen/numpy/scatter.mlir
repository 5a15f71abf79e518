// RUN: opwright-opt %s -t numpy | filecheck %s

// Places that are computed from data: lanes may share an element, so they combine one by one.

// CHECK: def scatter_add(target, place, values, guard=True):
// CHECK: def f(x, y, places, n):
func.func @f(%x: memref<?xf32>, %y: memref<?x?xf32>, %places: memref<?xi32>, %n: index) {
  %zero = arith.constant 0.0 : f32
  tile.foreach (%l: 0 to %n) {
    %p = tile.read %places[%l] : memref<?xi32>
    %at = arith.index_cast %p : i32 to index
    // CHECK: v = gathered(x, (at,), zero)
    %v = tile.read %x[%at] else %zero : memref<?xf32>
    %ok = arith.cmpf ogt, %v, %zero : f32
    // CHECK: scatter_add(y, (at, 0), v, ok)
    tile.write add %v to %y[%at, 0] if %ok : memref<?x?xf32>
  }
  tile.foreach (%l: 0 to %n) {
    %p = tile.read %places[%l] : memref<?xi32>
    %at = arith.index_cast %p : i32 to index
    %v = tile.read %x[%l] : memref<?xf32>
    // CHECK: scatter_with(maximum, y, (at, 1), v)
    tile.write max %v to %y[%at, 1] : memref<?x?xf32>
  }
  tile.foreach (%l: 0 to %n) {
    %p = tile.read %places[%l] : memref<?xi32>
    %at = arith.index_cast %p : i32 to index
    %v = tile.read %x[%n - 1 - %l] : memref<?xf32>
    // CHECK: v = x[:n][::-1]
    // CHECK-NEXT: y[at, 2] = v
    tile.write %v to %y[%at, 2] : memref<?x?xf32>
  }
  func.return
}
