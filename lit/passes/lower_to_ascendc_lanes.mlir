// RUN: opwright-opt %s --split-input-file -p "pipeline{target=ascend910b},lower-to-ascendc{target=ascend910b},canonicalize,cse" | filecheck %s
// RUN: opwright-opt %s --split-input-file -p "pipeline{target=ascend950},lower-to-ascendc{target=ascend950},canonicalize,cse" | filecheck %s --check-prefix=ORDERED

// Sums over lanes, one scalar a row, and searches.

// Columns of a fold follow one another, with a barrier in between where the chip needs one.
builtin.module {
func.func @k_tiling(%N : index {tile.name = "N"}, %H : index {tile.name = "H"}, %cores : index {tile.name = "cores"})
    -> (index {tile.name = "pitch"}) attributes {tile.tiling} {
  %pitch = arith.constant 256 : index
  func.return %pitch : index
}

func.func @k(%x : memref<?x?xf32> {tile.name = "x", tile.role = "input", tile.dims = ["N", "H"]},
             %y : memref<?x?xf32> {tile.name = "y", tile.role = "output", tile.dims = ["N", "H"]},
             %N : index {tile.name = "N", tile.role = "dim"},
             %H : index {tile.name = "H", tile.role = "dim"},
             %pitch : index {tile.name = "pitch", tile.role = "tiling"},
             %cores : index {tile.name = "cores", tile.role = "cores"}) attributes {tile.kernel} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c300 = arith.constant 300 : index
  %c40 = arith.constant 40 : index
  %c8 = arith.constant 8 : index
  %c64 = arith.constant 64 : index
  %zero = arith.constant 0.0 : f32
  tile.cores "s" %cores (%core) {
    %rows = arith.minsi %N, %c40 : index
    %some = arith.maxsi %rows, %c1 : index
    %a = tile.alloc "a" temp [40, %pitch] : memref<?x?xf32, "ub">
    %f = tile.alloc "f" temp [40, 64] : memref<?x?xf32, "ub">
    %t = tile.alloc "t" temp [1, 64] : memref<?x?xf32, "ub">
    // CHECK: scf.for %column = %c0 to %H step %c64 {
    // CHECK: %lanes = arith.minsi
    // CHECK-NEXT: ascendc.barrier "V"
    // CHECK-NEXT: ascendc.binary "Add" %f[%c0], %a[%column], %f[%c0] lanes %lanes repeat %some strides [%[[FOLD:.*]], %row_blocks_f32, %[[FOLD]]] :
    // ORDERED: scf.for %column = %c0 to %H step %c64 {
    // ORDERED: %lanes = arith.minsi
    // ORDERED-NEXT: ascendc.binary "Add" %f[%c0], %a[%column], %f[%c0] lanes %lanes repeat %some
    tile.fold "add" %a[%c0] to %f[%c0] rows %some width %H : (memref<?x?xf32, "ub">) -> memref<?x?xf32, "ub">
    // Loops over columns that change the same lanes stay apart.
    // ORDERED: scf.for %column_1 = %c0 to %H step %c64 {
    tile.fold "add" %a[%c0] to %f[%c0] rows %some width %H : (memref<?x?xf32, "ub">) -> memref<?x?xf32, "ub">
    // CHECK: ascendc.reduce "WholeReduceSum" %t[%c0], %f[%c0] lanes %c64 repeat %some strides [%c1, %[[FOLD]]] :
    tile.tree "add" %f[%c0] to %t[%c0] rows %some width %c64 : (memref<?x?xf32, "ub">) -> memref<?x?xf32, "ub">
    // CHECK: ascendc.reduce "WholeReduceMax" %t[%c0], %f[%c0] lanes %c64 repeat %some strides [%c1, %[[FOLD]]] :
    tile.tree "max" %f[%c0] to %t[%c0] rows %some width %c64 : (memref<?x?xf32, "ub">) -> memref<?x?xf32, "ub">
  }
  func.return
}
}

// -----

// A single row folds along itself: all columns go onto the same partial results.
builtin.module {
func.func @k_tiling(%N : index {tile.name = "N"}, %H : index {tile.name = "H"}, %cores : index {tile.name = "cores"})
    -> (index {tile.name = "pitch"}) attributes {tile.tiling} {
  %pitch = arith.constant 256 : index
  func.return %pitch : index
}

func.func @k(%x : memref<?x?xf32> {tile.name = "x", tile.role = "input", tile.dims = ["N", "H"]},
             %y : memref<?x?xf32> {tile.name = "y", tile.role = "output", tile.dims = ["N", "H"]},
             %N : index {tile.name = "N", tile.role = "dim"},
             %H : index {tile.name = "H", tile.role = "dim"},
             %pitch : index {tile.name = "pitch", tile.role = "tiling"},
             %cores : index {tile.name = "cores", tile.role = "cores"}) attributes {tile.kernel} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c300 = arith.constant 300 : index
  %c40 = arith.constant 40 : index
  %c8 = arith.constant 8 : index
  %c64 = arith.constant 64 : index
  %zero = arith.constant 0.0 : f32
  tile.cores "s" %cores (%core) {
    %a = tile.alloc "a" temp [1, 640] : memref<?x?xf32, "ub">
    %f = tile.alloc "f" temp [1, 64] : memref<?x?xf32, "ub">
    %left = arith.minsi %H, %c300 : index
    // CHECK: %columns = arith.divsi %left, %c64
    // CHECK: ascendc.binary "Min" %f[%c0], %a[%c0], %f[%c0] lanes %c64 repeat %columns strides [%c0, %c8, %c0] :
    // CHECK: %rest = arith.remsi
    // CHECK: ascendc.barrier "V"
    // CHECK: ascendc.binary "Min" %f[%c0], %a[%{{.*}}], %f[%c0] lanes %rest repeat %c1 strides [%c0, %c0, %c0] :
    tile.fold "min" %a[%c0] to %f[%c0] rows %c1 width %left : (memref<?x?xf32, "ub">) -> memref<?x?xf32, "ub">
  }
  func.return
}
}

// -----

// One element a row, eight rows a time, and the rows that take it as their partner.
builtin.module {
func.func @k_tiling(%N : index {tile.name = "N"}, %H : index {tile.name = "H"}, %cores : index {tile.name = "cores"})
    -> (index {tile.name = "pitch"}) attributes {tile.tiling} {
  %pitch = arith.constant 256 : index
  func.return %pitch : index
}

func.func @k(%x : memref<?x?xf32> {tile.name = "x", tile.role = "input", tile.dims = ["N", "H"]},
             %y : memref<?x?xf32> {tile.name = "y", tile.role = "output", tile.dims = ["N", "H"]},
             %N : index {tile.name = "N", tile.role = "dim"},
             %H : index {tile.name = "H", tile.role = "dim"},
             %pitch : index {tile.name = "pitch", tile.role = "tiling"},
             %cores : index {tile.name = "cores", tile.role = "cores"}) attributes {tile.kernel} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c300 = arith.constant 300 : index
  %c40 = arith.constant 40 : index
  %c8 = arith.constant 8 : index
  %c64 = arith.constant 64 : index
  %zero = arith.constant 0.0 : f32
  tile.cores "s" %cores (%core) {
    %rows = arith.minsi %N, %c40 : index
    %some = arith.maxsi %rows, %c1 : index
    %a = tile.alloc "a" temp [40, %pitch] : memref<?x?xf32, "ub">
    %v = tile.alloc "v" temp [1, 64] : memref<?x?xf32, "ub">
    %s = tile.alloc "s" temp [40, 32] : memref<?x?xf32, "ub">
    // CHECK: %groups = arith.ceildivsi %some, %c8 : index
    // CHECK: ascendc.spread "Brcb" %s[%c0], %v[%c0] lanes %c8 repeat %groups strides [%{{.*}}, %{{.*}}] :
    tile.splat %v[%c0] to %s[%c0] rows %some width %c8 : (memref<?x?xf32, "ub">) -> memref<?x?xf32, "ub">
    // CHECK: scf.for %column = %c0 to %H step %c64 {
    // CHECK: ascendc.by_row "Mul" %a[%column], %a[%column], %s[%c0] lanes %lanes repeat %some strides
    // CHECK-NEXT: ascendc.by_row "Add" %a[%column], %a[%column], %s[%c0] lanes %lanes repeat %some strides
    tile.by_row "mul" %a[%c0], %s[%c0] to %a[%c0] rows %some width %H : (memref<?x?xf32, "ub">, memref<?x?xf32, "ub">) -> memref<?x?xf32, "ub">
    tile.by_row "add" %a[%c0], %s[%c0] to %a[%c0] rows %some width %H : (memref<?x?xf32, "ub">, memref<?x?xf32, "ub">) -> memref<?x?xf32, "ub">
  }
  func.return
}
}
