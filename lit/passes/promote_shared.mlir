// RUN: opwright-opt %s -p "tile{target=ascend910b},cse,promote" | filecheck %s

// Both results of a point read the same row of %x: it is copied once, by the first of them that is computed.
// CHECK: tile.cores ragged "y"
// CHECK: %x_cache = tile.alloc "x_cache" cache [1, %y_h_tile] : memref<?x?xf32, "ub">
// CHECK-NOT: tile.alloc "x_
// CHECK: %[[FIRST:.*]] = memref.load %x_tags[%{{.*}}] : memref<1xindex>
// CHECK-NEXT: %[[MISS:.*]] = arith.cmpi ne, %[[FIRST]], %x_key : index
// CHECK-NEXT: scf.if %[[MISS]] {
// CHECK: tile.load_rows %x[%r_{{.*}}, %h0] along 0 to %x_cache[%{{.*}}]
// CHECK: tile.read %x_cache[
// CHECK: memref.load %x_tags[%{{.*}}] : memref<1xindex>
// CHECK: tile.load_rows %x[%r_{{.*}}, %h0] along 0 to %x_cache[%{{.*}}]
// CHECK: tile.read %x_cache[
spec.operator @Twice {
  %V = spec.dim "V"
  %M = spec.dim "M"
  %H = spec.dim "H"
  %x = spec.input "x" : !spec.tensor<[V, H], f32>
  %w = spec.input "w" : !spec.tensor<[M, H], f32>
  %row = spec.input "row" : !spec.tensor<[M], i32>
  %place = spec.input "place" : !spec.tensor<[M], i32>
  %y, %dots = spec.compute (%m: 0 to %M, %h: 0 to %H) -> (!spec.tensor<[V, H], f32>, !spec.tensor<[V, 1], f32>) {
    %p = spec.read %place[%m] : index
    %r = spec.read %row[%m] : index
    %a = spec.read %x[%r, %h] : f32
    %two = arith.addf %a, %a : f32
    spec.write %two to 0[%p, %h] unique
    %b = spec.read %w[%m, %h] : f32
    %c = arith.mulf %a, %b : f32
    spec.write add %c to 1[%p, 0] unique
  }
  spec.output "y" %y : !spec.tensor<[V, H], f32>
  spec.output "dots" %dots : !spec.tensor<[V, 1], f32>
}
