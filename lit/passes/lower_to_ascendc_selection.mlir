// RUN: opwright-opt %s -p "pipeline{target=ascend910b},insert-sync{target=ascend910b},verify-sync{target=ascend910b},lower-to-ascendc{target=ascend910b},canonicalize,cse" | filecheck %s

// Lanes that are selected. The scalar unit writes the first numbers: it waits for the vector unit, which filled the row.
// Bits of rows that lie side by side come from one comparison; rows whose pitch is wider are compared one by one.

func.func @k_tiling(%N : index {tile.name = "N"}, %cores : index {tile.name = "cores"})
    -> (index {tile.name = "blocks"}) attributes {tile.tiling} {
  %c3 = arith.constant 3 : index
  %blocks = arith.minsi %N, %c3 : index
  func.return %blocks : index
}

func.func @k(%x : memref<?x?xi8> {tile.name = "x", tile.role = "input", tile.dims = ["N", "N"]},
             %y : memref<?x?xi32> {tile.name = "y", tile.role = "output", tile.dims = ["N", "N"]},
             %N : index {tile.name = "N", tile.role = "dim"},
             %blocks : index {tile.name = "blocks", tile.role = "tiling"},
             %cores : index {tile.name = "cores", tile.role = "cores"}) attributes {tile.kernel} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c40 = arith.constant 40 : index
  %c256 = arith.constant 256 : index
  %minus = arith.constant -1 : i32
  %one = arith.constant 1.0 : f16
  tile.cores "s" %cores (%core) {
    %rows = arith.minsi %N, %c40 : index
    %some = arith.maxsi %rows, %c1 : index
    %lanes = arith.muli %blocks, %c256 : index
    %order = tile.alloc "order" temp [1, %blocks * 256] : memref<?x?xi32, "ub">
    %f = tile.alloc "f" temp [40, %blocks * 256] : memref<?x?xf16, "ub">
    %wide = tile.alloc "wide" temp [40, %blocks * 256 + 32] : memref<?x?xf16, "ub">
    %bits = tile.alloc "bits" temp [40, %blocks * 32] : memref<?x?xi8, "ub">
    %z = tile.alloc "z" temp [40, %blocks * 256] : memref<?x?xi32, "ub">
    // CHECK: ascendc.fill "Duplicate" %order[%c0] (%minus) lanes %lanes : memref<?xi32, "ub">, i32
    tile.fill (%minus) to %order[%c0] rows %c1 width %lanes : (i32) -> memref<?x?xi32, "ub">
    // CHECK: ascendc.set_flag %v_s : !ascendc.event<"V_S">
    // CHECK-NEXT: ascendc.wait_flag %v_s : !ascendc.event<"V_S">
    // CHECK-NEXT: ascendc.barrier "V"
    // CHECK: ascendc.index "CreateVecIndex" %order[%c0] (%[[FIRST:.*]]) lanes %N : memref<?xi32, "ub">, i32
    tile.iota to %order[%c0] rows %c1 width %N : () -> memref<?x?xi32, "ub">
    tile.fill (%one) to %f[%c0] rows %some width %lanes : (f16) -> memref<?x?xf16, "ub">
    tile.fill (%one) to %wide[%c0] rows %some width %lanes : (f16) -> memref<?x?xf16, "ub">
    // CHECK: ascendc.barrier "V"
    // CHECK: %[[ALL:.*]] = arith.muli %some, %lanes : index
    // CHECK: ascendc.compare "NE" %bits[%c0], %f[%c0] (%[[ZERO:.*]]) lanes %[[ALL]] : memref<?xi8, "ub">, memref<?xf16, "ub">, f16
    tile.nonzero %f[%c0] to %bits[%c0] rows %some width %lanes : (memref<?x?xf16, "ub">) -> memref<?x?xi8, "ub">
    // CHECK: ascendc.barrier "V"
    // CHECK: scf.for %row{{.*}} = %c0 to %some step %c1 {
    // CHECK: ascendc.gather_mask "GatherMask" %z[%{{.*}}], %order[%c0], %bits[%{{.*}}] lanes %N : memref<?xi32, "ub">, memref<?xi32, "ub">, memref<?xi8, "ub">
    tile.compress %order[%c0] step 0, %bits[%c0] to %z[%c0] rows %some width %N : (memref<?x?xi32, "ub">, memref<?x?xi8, "ub">) -> memref<?x?xi32, "ub">
    // CHECK: ascendc.barrier "V"
    // CHECK: scf.for %row{{.*}} = %c0 to %some step %c1 {
    // CHECK: ascendc.compare "NE" %bits[%{{.*}}], %wide[%{{.*}}] (%{{.*}}) lanes %lanes :
    tile.nonzero %wide[%c0] to %bits[%c0] rows %some width %lanes : (memref<?x?xf16, "ub">) -> memref<?x?xi8, "ub">
    // CHECK: ascendc.barrier "V"
    // CHECK: ascendc.gather_mask "GatherMask" %z[%c0], %order[%c0], %bits[%c0] lanes %N :
    tile.compress %order[%c0], %bits[%c0] to %z[%c0] rows %c1 width %N : (memref<?x?xi32, "ub">, memref<?x?xi8, "ub">) -> memref<?x?xi32, "ub">
  }
  func.return
}
