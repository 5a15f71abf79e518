// RUN: opwright-opt %s -p "lower-to-loops,cse,canonicalize,cse" --split-input-file | filecheck %s

// Numbers of lanes, and a byte of bits from eight elements.

// CHECK-LABEL: func.func @bits
// CHECK: scf.for %e = %c0 to %w step %c1 {
// CHECK-NEXT: %[[NUMBER:.*]] = arith.index_cast %e : index to i32
// CHECK-NEXT: memref.store %[[NUMBER]], %y[%r, %e] : memref<?x?xi32>
// CHECK-NEXT: } {tile.lanes}
// CHECK: %bytes = arith.divsi %c256, %c8 : index
// CHECK: scf.for %r_1 = %c0 to %n step %c1 {
// CHECK: scf.for %byte = %c0 to %bytes step %c1 {
// CHECK-NEXT: %[[LANE:.*]] = arith.muli %byte, %c8 : index
// CHECK-NEXT: %[[V:.*]] = memref.load %x[%{{.*}}, %[[LANE]]] : memref<?x?xf16>
// CHECK-NEXT: %[[WIDE:.*]] = arith.extf %[[V]] : f16 to f32
// CHECK-NEXT: %[[ON:.*]] = arith.cmpf une, %[[WIDE]], %{{.*}} : f32
// CHECK-NEXT: %[[BIT:.*]] = arith.extui %[[ON]] : i1 to i8
// CHECK-NEXT: %[[NEXT:.*]] = arith.addi %[[LANE]], %c1 : index
// CHECK: %[[MOVED:.*]] = arith.shli %{{.*}}, %{{.*}} : i8
// CHECK: arith.ori %{{.*}}, %{{.*}} : i8
// CHECK: memref.store %{{.*}}, %b[%{{.*}}, %byte] : memref<?x?xi8>
// CHECK-NEXT: } {tile.lanes}
func.func @bits(%x: memref<?x?xf16>, %y: memref<?x?xi32>, %b: memref<?x?xi8>, %r: index, %n: index, %w: index) {
  %c1 = arith.constant 1 : index
  %c256 = arith.constant 256 : index
  tile.iota to %y[%r] rows %c1 width %w : () -> memref<?x?xi32>
  tile.nonzero %x[%r] to %b[%r] rows %n width %c256 : (memref<?x?xf16>) -> memref<?x?xi8>
  func.return
}

// -----

// Selected lanes go where the loop counts.

// CHECK-LABEL: func.func @compress
// CHECK: scf.for %r_1 = %c0 to %n step %c1 {
// CHECK: %{{.*}} = scf.for %e = %c0 to %w step %c1 iter_args(%n_1 = %c0) -> (index) {
// CHECK-NEXT: %[[BYTE:.*]] = arith.divsi %e, %c8 : index
// CHECK-NEXT: %[[BITS:.*]] = memref.load %b[%r_1, %[[BYTE]]] : memref<?x?xi8>
// CHECK-NEXT: %[[REST:.*]] = arith.remsi %e, %c8 : index
// CHECK-NEXT: %[[PLACE:.*]] = arith.index_cast %[[REST]] : index to i8
// CHECK-NEXT: %[[MOVED:.*]] = arith.shrui %[[BITS]], %[[PLACE]] : i8
// CHECK-NEXT: %[[BIT:.*]] = arith.andi %[[MOVED]], %{{.*}} : i8
// CHECK-NEXT: %[[ON:.*]] = arith.cmpi ne, %[[BIT]], %{{.*}} : i8
// CHECK-NEXT: scf.if %[[ON]] {
// CHECK-NEXT: %[[V:.*]] = memref.load %y[%r, %e] : memref<?x?xi32>
// CHECK-NEXT: memref.store %[[V]], %z[%r_1, %n_1] : memref<?x?xi32>
// CHECK-NEXT: }
// CHECK-NEXT: %[[MORE:.*]] = arith.addi %n_1, %c1 : index
// CHECK-NEXT: %[[COUNT:.*]] = arith.select %[[ON]], %[[MORE]], %n_1 : index
// CHECK-NEXT: scf.yield %[[COUNT]] : index
func.func @compress(%y: memref<?x?xi32>, %z: memref<?x?xi32>, %b: memref<?x?xi8>, %r: index, %n: index, %w: index) {
  %c0 = arith.constant 0 : index
  tile.compress %y[%r] step 0, %b[%c0] to %z[%c0] rows %n width %w : (memref<?x?xi32>, memref<?x?xi8>) -> memref<?x?xi32>
  func.return
}

// -----

// Places: -1 everywhere, then a row is read once.

// CHECK-LABEL: func.func @positions
// CHECK: scf.for %r = %c0 to %n step %c1 {
// CHECK-NEXT: %[[ROW:.*]] = arith.addi %t, %r : index
// CHECK-NEXT: scf.for %s = %c0 to %k step %c1 {
// CHECK-NEXT: memref.store %{{.*}}, %list[%i, %[[ROW]], %s] : memref<?x?x?xi32>
// CHECK-NEXT: } {tile.lanes}
// CHECK-NEXT: scf.for %e = %c0 to %w step %c1 iter_args(%n_1 = %c0) -> (index) {
// CHECK-NEXT: %[[BYTE:.*]] = memref.load %mask[%i, %[[ROW]], %e] : memref<?x?x?xi8>
// CHECK-NEXT: %[[ON:.*]] = arith.cmpi ne, %[[BYTE]], %{{.*}} : i8
// CHECK-NEXT: %[[ROOM:.*]] = arith.cmpi slt, %n_1, %k : index
// CHECK-NEXT: %[[KEEP:.*]] = arith.andi %[[ON]], %[[ROOM]] : i1
// CHECK-NEXT: scf.if %[[KEEP]] {
// CHECK-NEXT: %[[E:.*]] = arith.index_cast %e : index to i32
// CHECK-NEXT: memref.store %[[E]], %list[%i, %[[ROW]], %n_1] : memref<?x?x?xi32>
func.func @positions(%mask: memref<?x?x?xi8>, %list: memref<?x?x?xi32>, %i: index, %t: index, %n: index, %w: index,
                     %k: index) {
  tile.positions %mask to %list at [%i, %t] rows %n width %w count %k : memref<?x?x?xi8>, memref<?x?x?xi32>
  func.return
}
