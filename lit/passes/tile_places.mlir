// RUN: opwright-opt %s -p "tile{target=ascend910b},cse,canonicalize" --split-input-file | filecheck %s

// A row whose place follows from data is read behind a test; where that fails, the row of the result is 0.
// CHECK-LABEL: func.func @Rows(
// CHECK: %p = arith.index_cast %{{.*}} : i32 to index
// CHECK-NEXT: %[[LOW:.*]] = arith.cmpi sge, %p, %c0 : index
// CHECK-NEXT: %[[HIGH:.*]] = arith.cmpi slt, %p, %V : index
// CHECK-NEXT: %[[INSIDE:.*]] = arith.andi %[[LOW]], %[[HIGH]] : i1
// CHECK-NEXT: scf.if %[[INSIDE]] {
// CHECK-NEXT: tile.foreach (%r: 0 to 1, %l: 0 to %width) {
// CHECK-NEXT: %a = tile.read %table[%p, %h0 + %l] : memref<?x?xf32>
// CHECK-NEXT: tile.write %a to %y[%m, %h0 + %l] : memref<?x?xf32>
// CHECK: %[[FAILED:.*]] = arith.xori %[[INSIDE]], %{{.*}} : i1
// CHECK-NEXT: scf.if %[[FAILED]] {
// CHECK-NEXT: tile.foreach (%r_1: 0 to 1, %l_1: 0 to %width) {
// CHECK: tile.write %{{.*}} to %y[%m, %h0 + %l_1] : memref<?x?xf32>
spec.operator @Rows {
  %V = spec.dim "V"
  %M = spec.dim "M"
  %H = spec.dim "H"
  %table = spec.input "table" : !spec.tensor<[V, H], f32>
  %index = spec.input "index" : !spec.tensor<[M], i32>
  %y = spec.compute (%m: 0 to %M, %h: 0 to %H) -> !spec.tensor<[M, H], f32> {
    %p = spec.read %index[%m] : index
    %a = spec.read %table[%p, %h] : f32
    spec.write %a to 0[%m, %h]
  }
  spec.output "y" %y : !spec.tensor<[M, H], f32>
}

// -----

// A scalar at such a place is 0 beyond its tensor.
// CHECK-LABEL: func.func @Scalars(
// CHECK: %s = tile.read %w[%p] else %{{.*}} : memref<?xf32>
spec.operator @Scalars {
  %V = spec.dim "V"
  %M = spec.dim "M"
  %H = spec.dim "H"
  %x = spec.input "x" : !spec.tensor<[M, H], f32>
  %w = spec.input "w" : !spec.tensor<[V], f32>
  %index = spec.input "index" : !spec.tensor<[M], i32>
  %y = spec.compute (%m: 0 to %M, %h: 0 to %H) -> !spec.tensor<[M, H], f32> {
    %p = spec.read %index[%m] : index
    %s = spec.read %w[%p] : f32
    %a = spec.read %x[%m, %h] : f32
    %b = arith.mulf %a, %s : f32
    spec.write %b to 0[%m, %h]
  }
  spec.output "y" %y : !spec.tensor<[M, H], f32>
}

// -----

// A point that would read outside of a tensor writes nothing, and so owns no place.
// CHECK-LABEL: func.func @Scattered(
// CHECK: tile.cores ragged "y_owner"
// CHECK: %[[R:r_.*]] = arith.index_cast %{{.*}} : i32 to index
// CHECK-NEXT: arith.cmpi sge, %[[R]], %c0 : index
// CHECK-NEXT: arith.cmpi slt, %[[R]], %V : index
// CHECK: arith.cmpi sge, %p, %c0 : index
// CHECK: arith.cmpi slt, %p, %V : index
// CHECK: tile.write %{{.*}} to %y_owners_held
spec.operator @Scattered {
  %V = spec.dim "V"
  %M = spec.dim "M"
  %H = spec.dim "H"
  %x = spec.input "x" : !spec.tensor<[V, H], f32>
  %row = spec.input "row" : !spec.tensor<[M], i32>
  %place = spec.input "place" : !spec.tensor<[M], i32>
  %y = spec.compute (%m: 0 to %M, %h: 0 to %H) -> !spec.tensor<[V, H], f32> {
    %p = spec.read %place[%m] : index
    %r = spec.read %row[%m] : index
    %a = spec.read %x[%r, %h] : f32
    spec.write %a to 0[%p, %h] unique
  }
  spec.output "y" %y : !spec.tensor<[V, H], f32>
}
