// RUN: opwright-opt %s --split-input-file -p "pipeline{target=ascend910b},lower-to-ascendc{target=ascend910b},canonicalize,cse" | filecheck %s

// Row instructions as vector instructions.

// A single row: the count form.
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
    %b = tile.alloc "b" temp [8, %pitch] : memref<?x?xf32, "ub">
    // CHECK: ascendc.unary "Exp" %b[%c0], %a[%c0] lanes %w :
    tile.unary "exp" %a[%c0] to %b[%c0] rows %c1 width %w : (memref<?x?xf32, "ub">) -> memref<?x?xf32, "ub">
    // CHECK: ascendc.binary "Add" %b[%c0], %a[%pitch], %b[%c0] lanes %w :
    tile.binary "add" %a[%c1], %b[%c0] step 0 to %b[%c0] rows %c1 width %w : (memref<?x?xf32, "ub">, memref<?x?xf32, "ub">) -> memref<?x?xf32, "ub">
  }
  func.return
}
}

// -----

// Several rows: the repeat form along the rows, a column of lanes at a time; strides are in blocks, 0 for one row.
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
    // CHECK: [[S:%row_blocks_f32]] = arith.divsi %pitch, %c8
    %a = tile.alloc "a" temp [8, %pitch] : memref<?x?xf32, "ub">
    %b = tile.alloc "b" temp [8, %pitch] : memref<?x?xf32, "ub">
    %d = tile.alloc "d" temp [8, %pitch] : memref<?x?xf16, "ub">
    // CHECK: scf.for %column = %c0{{.*}} to %w step [[STEP:%.*]] {
    // CHECK-NEXT: [[LEFT:%.*]] = arith.subi %w, %column
    // CHECK-NEXT: %lanes = arith.minsi [[LEFT]], [[STEP]]
    // CHECK: ascendc.binary "Mul" %b[%column], %a[%column], %a[{{%.*}}] lanes %lanes repeat %c8 strides [[[S]], [[S]], {{%.*}}]
    tile.binary "mul" %a[%c0], %a[%c1] step 0 to %b[%c0] rows %c8 width %w : (memref<?x?xf32, "ub">, memref<?x?xf32, "ub">) -> memref<?x?xf32, "ub">
    // The next instruction works on the same columns: it joins the loop.
    // CHECK-NOT: scf.for
    // CHECK: ascendc.cast "CAST_RINT" %d[%column], %b[%column] lanes {{%.*}} repeat %c8 strides [%row_blocks_f16, [[S]]]
    tile.cast %b[%c0] to %d[%c0] rows %c8 width %w : (memref<?x?xf32, "ub">) -> memref<?x?xf16, "ub">
    // CHECK: ascendc.cast "CAST_NONE" %b[%column], %d[%column]
    tile.cast %d[%c0] to %b[%c0] rows %c8 width %w : (memref<?x?xf16, "ub">) -> memref<?x?xf32, "ub">
  }
  func.return
}
}

// -----

// A sum of rows: the target row is the second source, and stays where it is.
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
    %b = tile.alloc "b" temp [8, %pitch] : memref<?x?xf32, "ub">
    // CHECK: ascendc.binary "Add" %b[%column], %a[%column], %b[%column] lanes %lanes repeat %c8 strides [{{%.*}}, %row_blocks_f32, {{%.*}}]
    tile.accumulate "add" %a[%c0] to %b[%c0] rows %c8 width %w : (memref<?x?xf32, "ub">) -> memref<?x?xf32, "ub">
  }
  func.return
}
}

// -----

// Few lanes: no loop over columns.
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
    %a = tile.alloc "a" temp [8, %pitch] : memref<?x?xf32, "ub">
    %b = tile.alloc "b" temp [8, %pitch] : memref<?x?xf32, "ub">
    // CHECK-NOT: scf.for
    // CHECK: ascendc.unary "Abs" %b[%c0], %a[%c0] lanes %c40 repeat %c8 strides
    tile.unary "abs" %a[%c0] to %b[%c0] rows %c8 width %c40 : (memref<?x?xf32, "ub">) -> memref<?x?xf32, "ub">
  }
  func.return
}
}

// -----

// More rows than repeats: pieces; a sum waits for the piece before.
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
    %a = tile.alloc "a" temp [300, %pitch] : memref<?x?xf32, "ub">
    %b = tile.alloc "b" temp [300, %pitch] : memref<?x?xf32, "ub">
    // CHECK: scf.for %first = {{%.*}} to %c300 step {{%.*}} {
    // CHECK: %repeat = arith.minsi
    // CHECK: scf.for %column
    // CHECK: ascendc.unary "Exp" {{.*}} lanes %lanes repeat %repeat
    tile.unary "exp" %a[%c0] to %b[%c0] rows %c300 width %w : (memref<?x?xf32, "ub">) -> memref<?x?xf32, "ub">
    // CHECK: scf.for %first
    // CHECK: ascendc.barrier "V"
    // CHECK: scf.for %column
    // CHECK: ascendc.binary "Max"
    tile.accumulate "max" %a[%c0] to %b[%c0] rows %c300 width %w : (memref<?x?xf32, "ub">) -> memref<?x?xf32, "ub">
  }
  func.return
}
}

// -----

// Rows further apart than a stride reaches: row by row.
builtin.module {
func.func @k_tiling(%N : index {tile.name = "N"}, %H : index {tile.name = "H"}, %cores : index {tile.name = "cores"})
    -> (index {tile.name = "pitch"}) attributes {tile.tiling} {
  %pitch = arith.constant 2048 : index
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
    %b = tile.alloc "b" temp [8, %pitch] : memref<?x?xf32, "ub">
    // CHECK: scf.for %row = {{%.*}} to %c8 step {{%.*}} {
    // CHECK: [[AT:%.*]] = arith.muli %row, %pitch
    // CHECK: ascendc.unary "Exp" %b[{{%.*}}], %a[{{%.*}}] lanes %w :
    tile.unary "exp" %a[%c0] to %b[%c0] rows %c8 width %w : (memref<?x?xf32, "ub">) -> memref<?x?xf32, "ub">
    // CHECK: scf.for %row
    // CHECK: ascendc.barrier "V"
    // CHECK: ascendc.binary "Add" %b[%c0{{.*}}], %a[{{%.*}}], %b[%c0{{.*}}] lanes %w :
    tile.accumulate "add" %a[%c0] to %b[%c0] rows %c8 width %w : (memref<?x?xf32, "ub">) -> memref<?x?xf32, "ub">
  }
  func.return
}
}

// -----

// What may have no work gets a branch: no call with a count of 0.
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
    %a = tile.alloc "a" temp [8, %pitch] : memref<?x?xf32, "ub">
    %b = tile.alloc "b" temp [8, %pitch] : memref<?x?xf32, "ub">
    // CHECK: [[TEST:%.*]] = arith.cmpi sgt, %N,
    // CHECK-NEXT: scf.if [[TEST]] {
    // CHECK: ascendc.unary "Exp"
    tile.unary "exp" %a[%c0] to %b[%c0] rows %c1 width %N : (memref<?x?xf32, "ub">) -> memref<?x?xf32, "ub">
  }
  func.return
}
}

// -----

// A change of sign is a product; a move has the repeat form only.
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
    %b = tile.alloc "b" temp [8, %pitch] : memref<?x?xf32, "ub">
    // CHECK: [[M:%.*]] = arith.constant -1.0
    // CHECK: ascendc.scalar "Muls" %b[%c0], %a[%c0] ([[M]]) lanes %w
    tile.unary "neg" %a[%c0] to %b[%c0] rows %c1 width %w : (memref<?x?xf32, "ub">) -> memref<?x?xf32, "ub">
    // CHECK: ascendc.unary "Copy" %b[%column], %a[%column] lanes %lanes repeat
    tile.unary "copy" %a[%c0] to %b[%c0] rows %c1 width %w : (memref<?x?xf32, "ub">) -> memref<?x?xf32, "ub">
  }
  func.return
}
}
