// RUN: opwright-opt %s --split-input-file -p "pipeline{target=ascend910b},lower-to-ascendc{target=ascend910b},canonicalize,cse" | filecheck %s

// Row copies as block copies, and what the tiling function has to check.

// Rows lie as far apart as the later dims are large; on chip the gap is counted in blocks.
// CHECK: [[FITS:%.*]] = arith.cmpi sle, %H, %c1073741823
// CHECK-NEXT: ascendc.require [[FITS]] "the rows of x lie more than 4294967295 bytes apart"
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
  %zero = arith.constant 0.0 : f32
  tile.cores "s" %cores (%core) {
    %left = arith.minsi %H, %pitch : index
    %w = arith.maxsi %left, %c1 : index
    %a = tile.alloc "a" temp [8, %pitch] : memref<?x?xf32, "ub">
    // CHECK: [[R:%.*]] = arith.muli %N, %H
    // CHECK-NEXT: [[AT:%.*]] = arith.addi [[R]], %c1
    // CHECK: [[USED:%.*]] = arith.ceildivsi %w, {{%.*}}
    // CHECK-NEXT: [[GAP:%.*]] = arith.subi %H, %w
    // CHECK-NEXT: [[UB:%.*]] = arith.subi %row_blocks_f32, [[USED]]
    // CHECK-NEXT: ascendc.copy_in %x[[[AT]]] to %a[%c0{{.*}}] blocks %c8 length %w gaps [[GAP]], [[UB]] : memref<?x?xf32>, memref<?xf32, "ub">
    tile.load_rows %x[%N, %c1] along 0 to %a[%c0] rows %c8 width %w : memref<?x?xf32>, memref<?x?xf32, "ub">
  }
  func.return
}
}

// -----

// A single row has no gaps.
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
  %zero = arith.constant 0.0 : f32
  tile.cores "s" %cores (%core) {
    %left = arith.minsi %H, %pitch : index
    %w = arith.maxsi %left, %c1 : index
    %a = tile.alloc "a" temp [8, %pitch] : memref<?x?xf32, "ub">
    // CHECK: ascendc.copy_in %x[{{%.*}}] to %a[%c0{{.*}}] blocks %c1{{.*}} length %w gaps [[Z:%.*]], [[Z2:%.*]] :
    tile.load_rows %x[%N, %c1] along 0 to %a[%c0] rows %c1 width %w : memref<?x?xf32>, memref<?x?xf32, "ub">
  }
  func.return
}
}

// -----

// Rows that start one element apart are copied one by one.
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
  %zero = arith.constant 0.0 : f32
  tile.cores "s" %cores (%core) {
    %left = arith.minsi %H, %pitch : index
    %w = arith.maxsi %left, %c1 : index
    %a = tile.alloc "a" temp [8, %pitch] : memref<?x?xf32, "ub">
    // CHECK: scf.for %row = {{%.*}} to %c8
    // CHECK: [[AT:%.*]] = arith.addi %row, %c1
    // CHECK: ascendc.copy_in %x[{{%.*}}] to %a[{{%.*}}] blocks {{%.*}} length %w
    tile.load_rows %x[%N, %c1] along 1 to %a[%c0] rows %c8 width %w : memref<?x?xf32>, memref<?x?xf32, "ub">
  }
  func.return
}
}

// -----

// More rows than blocks of a copy: pieces.
builtin.module {
func.func @k_tiling(%N : index {tile.name = "N"}, %H : index {tile.name = "H"}, %cores : index {tile.name = "cores"})
    -> (index {tile.name = "pitch"}) attributes {tile.tiling} {
  %pitch = arith.constant 256 : index
  func.return %pitch : index
}

func.func @k(%m : memref<?x?xi8> {tile.name = "m", tile.role = "input", tile.dims = ["N", "H"]},
             %x : memref<?x?xf32> {tile.name = "x", tile.role = "input", tile.dims = ["N", "H"]},
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
  %zero = arith.constant 0.0 : f32
  tile.cores "s" %cores (%core) {
    %a = tile.alloc "a" in [5000, 32] : memref<?x?xi8, "ub">
    %rows = arith.constant 5000 : index
    // CHECK: scf.for %first = {{%.*}} to %rows step {{%.*}} {
    // CHECK: %count = arith.minsi
    // CHECK: ascendc.copy_in %m[{{%.*}}] to %a[{{%.*}}] blocks %count length %c8
    tile.load_rows %m[%c0, %c0] along 0 to %a[%c0] rows %rows width %c8 : memref<?x?xi8>, memref<?x?xi8, "ub">
  }
  func.return
}
}

// -----

// Copies out mirror copies in; scalars find their element in the flat tensor.
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
  %zero = arith.constant 0.0 : f32
  tile.cores "s" %cores (%core) {
    %left = arith.minsi %H, %pitch : index
    %w = arith.maxsi %left, %c1 : index
    %a = tile.alloc "a" out [8, %pitch] : memref<?x?xf32, "ub">
    %b = tile.alloc "b" temp [2, %pitch] : memref<?x?xf32, "ub">
    // CHECK: {{%.*}} = memref.load %b[{{%.*}}] : memref<?xf32, "ub">
    %v = memref.load %b[%c1, %c8] : memref<?x?xf32, "ub">
    tile.fill (%v) to %a[%c0] rows %c1 width %w : (f32) -> memref<?x?xf32, "ub">
    // CHECK: ascendc.copy_out %a_1[%c0{{.*}}] to %y[{{%.*}}] blocks
    tile.store_rows %a[%c0] to %y[%c0, %c8] along 0 rows %c1 width %w : memref<?x?xf32, "ub">, memref<?x?xf32>
  }
  func.return
}
}

// -----

// Buffers whose size the numbers do not bound: the tiling function compares them with what the chip has.
// CHECK: %a_bytes = arith.muli
// CHECK: %b_bytes = arith.muli
// CHECK: %s_bytes = arith.addi %a_bytes, %b_bytes
// CHECK: [[FITS:%.*]] = arith.cmpi sle, %s_bytes, %c188160
// CHECK-NEXT: ascendc.require [[FITS]] "the buffers of stage s take more than 188160 bytes"
builtin.module {
func.func @k_tiling(%N : index {tile.name = "N"}, %H : index {tile.name = "H"}, %cores : index {tile.name = "cores"})
    -> (index {tile.name = "pitch"}) attributes {tile.tiling} {
  %c32 = arith.constant 32 : index
  %pitch = arith.muli %N, %c32 : index
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
  %zero = arith.constant 0.0 : f32
  tile.cores "s" %cores (%core) {
    %a = tile.alloc "a" temp [8, %pitch] : memref<?x?xf32, "ub">
    %b = tile.alloc "b" temp [2, %pitch] : memref<?x?xf32, "ub">
    %left = arith.minsi %H, %pitch : index
    %w = arith.maxsi %left, %c1 : index
    tile.unary "exp" %a[%c0] to %b[%c0] rows %c1 width %w : (memref<?x?xf32, "ub">) -> memref<?x?xf32, "ub">
  }
  func.return
}
}

// -----

// A stage that runs under a condition takes nothing where it does not.
// CHECK: %s_bytes = arith.addi %a_bytes, %b_bytes
// CHECK: [[RUNS:%.*]] = arith.cmpi ne, %H, %c0
// CHECK: [[TAKEN:%.*]] = arith.select [[RUNS]], %s_bytes, %c0
// CHECK: [[FITS:%.*]] = arith.cmpi sle, [[TAKEN]], %c188160
// CHECK-NEXT: ascendc.require [[FITS]] "the buffers of stage s take more than 188160 bytes"
// CHECK: ascendc.stage "s" %cores when %H (%core) {
builtin.module {
func.func @k_tiling(%N : index {tile.name = "N"}, %H : index {tile.name = "H"}, %cores : index {tile.name = "cores"})
    -> (index {tile.name = "pitch"}) attributes {tile.tiling} {
  %c32 = arith.constant 32 : index
  %pitch = arith.muli %N, %c32 : index
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
  %zero = arith.constant 0.0 : f32
  tile.cores "s" %cores when %H (%core) {
    %a = tile.alloc "a" temp [8, %pitch] : memref<?x?xf32, "ub">
    %b = tile.alloc "b" temp [2, %pitch] : memref<?x?xf32, "ub">
    %left = arith.minsi %H, %pitch : index
    %w = arith.maxsi %left, %c1 : index
    tile.unary "exp" %a[%c0] to %b[%c0] rows %c1 width %w : (memref<?x?xf32, "ub">) -> memref<?x?xf32, "ub">
  }
  func.return
}
}
