// RUN: opwright-opt %s -p strip-tile-attributes | filecheck %s
// RUN: opwright-opt %s -p strip-tile-attributes | filecheck %s --check-prefix=NONE

// NONE-NOT: tile.
// CHECK:      func.func @f(%x: memref<?xf32>, %n: index {other.mark}) -> index attributes {other.kernel} {
// CHECK:        scf.for %i = %c0 to %n step %c1 {
// CHECK-NEXT:     memref.store
// CHECK-NEXT:   } {other.note = 1 : i64}
func.func @f(%x: memref<?xf32> {tile.name = "x"}, %n: index {tile.name = "n", other.mark})
    -> (index {tile.name = "m"}) attributes {tile.kernel, other.kernel} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f32
  scf.for %i = %c0 to %n step %c1 {
    memref.store %zero, %x[%i] : memref<?xf32>
  } {tile.lanes, other.note = 1 : i64}
  func.return %n : index
}
