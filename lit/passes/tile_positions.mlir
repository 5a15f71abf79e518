// RUN: opwright-opt %s -p "tile{target=cpu},cse,canonicalize,cse" | filecheck %s --check-prefix=HOST
// RUN: opwright-opt %s -p "tile{target=ascend910b},cse,canonicalize,cse" | filecheck %s

// The places of true elements. The host looks at the rows where they are, cores share tiles of them.

// HOST: %[[TILES:.*]] = arith.muli %cores, %c4 : index
// HOST-NEXT: %[[ROWS:.*]] = arith.ceildivsi %T, %[[TILES]] : index
// HOST-NEXT: %list_rows = arith.maxsi %[[ROWS]], %c1 : index
// HOST: tile.cores ragged "list" %cores (%core) {
// HOST: scf.for %item = %first to %last step %c1 {
// HOST-NEXT: %row = arith.muli %item, %list_rows : index
// HOST-NEXT: %[[LEFT:.*]] = arith.subi %T, %row : index
// HOST-NEXT: %rows = arith.minsi %list_rows, %[[LEFT]] : index
// HOST-NEXT: tile.positions %mask to %list at [%row] rows %rows width %E count %K : memref<?x?xi8>, memref<?x?xi32>

// A chip packs the numbers of lanes whose element is not 0; behind those of a row stand K lanes of -1 that are always
// packed.

// CHECK: %[[LANES:.*]] = arith.addi %E, %K : index
// CHECK: %[[BLOCKS:.*]] = arith.ceildivsi %[[LANES]], %c256 : index
// CHECK-NEXT: %list_blocks = arith.maxsi %[[BLOCKS]], %c1 : index
// CHECK: %list_rows = tile.fit_rows "list" %list_blocks cap
// CHECK: tile.cores ragged "list" %cores (%core) {
// CHECK-NEXT: %mask_in = tile.alloc "mask_in" in [%list_rows, %E ceildiv 32 * 32] times 2 : memref<?x?xi8, "ub">
// CHECK-NEXT: %list_flags = tile.alloc "list_flags" temp [%list_rows, %list_blocks * 256] : memref<?x?xf16, "ub">
// CHECK-NEXT: %list_bits = tile.alloc "list_bits" temp [%list_rows, %list_blocks * 32] : memref<?x?xi8, "ub">
// CHECK-NEXT: %list_order = tile.alloc "list_order" temp [1, %list_blocks * 256] : memref<?x?xi32, "ub">
// CHECK-NEXT: %list_out = tile.alloc "list_out" out [%list_rows, %list_blocks * 256] times 2 : memref<?x?xi32, "ub">
// CHECK: tile.fill (%{{.*}}) to %list_order[%c0] rows %c1 width %lanes : (i32) -> memref<?x?xi32, "ub">
// CHECK: tile.iota to %list_order[%c0] rows %c1 width %E : () -> memref<?x?xi32, "ub">
// CHECK: tile.fill (%{{.*}}) to %list_flags[%c0] rows %list_rows width %lanes : (f16) -> memref<?x?xf16, "ub">
// CHECK: scf.for %item = %first to %last step %c1 {
// CHECK: tile.load_rows %mask[%row, %c0] along 0 to %mask_in[%c0] rows %rows width %E :
// CHECK-NEXT: tile.cast %mask_in[%c0] to %list_flags[%c0] rows %rows width %E :
// CHECK-NEXT: tile.nonzero %list_flags[%c0] to %list_bits[%c0] rows %rows width %lanes :
// CHECK-NEXT: %selected = arith.addi %E, %K : index
// CHECK-NEXT: tile.compress %list_order[%c0] step 0, %list_bits[%c0] to %list_out[%c0] rows %rows width %selected :
// CHECK-NEXT: tile.store_rows %list_out[%c0] to %list[%row, %c0] along 0 rows %rows width %K :
spec.operator @places {
  %T = spec.dim "T"
  %E = spec.dim "E"
  %M = spec.dim "M"
  %K = spec.dim "K" = [%M floordiv %T]
  %mask = spec.input "mask" : !spec.tensor<[T, E], i8>
  %slot = spec.input "slot" : !spec.tensor<[M], i32>
  spec.require [%T] >= [1] code 561002
  %list = spec.positions %mask : !spec.tensor<[T, K], i32>
  spec.output "list" %list : !spec.tensor<[T, K], i32>
}
