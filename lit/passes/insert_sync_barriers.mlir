// RUN: opwright-opt %s --split-input-file -p "pipeline{target=ascend910b},insert-sync{target=ascend910b},verify-sync{target=ascend910b}" | filecheck %s
// RUN: opwright-opt %s --split-input-file -p "pipeline{target=ascend950},insert-sync{target=ascend950},verify-sync{target=ascend950}" | filecheck %s --check-prefix=ORDERED

// Barriers between vector instructions: only for rows that may overlap, and as few as there can be. A chip that orders its
// vector instructions itself gets none.

// ORDERED-NOT: ascendc.barrier

builtin.module {
func.func @k_tiling(%N : index {tile.name = "N"}, %H : index {tile.name = "H"}, %cores : index {tile.name = "cores"})
    -> (index {tile.name = "pitch"}) attributes {tile.tiling} {
  %c256 = arith.constant 256 : index
  func.return %c256 : index
}

func.func @k(%x : memref<?x?xf32> {tile.name = "x", tile.role = "input", tile.dims = ["N", "H"]},
             %y : memref<?x?xf32> {tile.name = "y", tile.role = "output", tile.dims = ["N", "H"]},
             %N : index {tile.name = "N", tile.role = "dim"},
             %H : index {tile.name = "H", tile.role = "dim"},
             %pitch : index {tile.name = "pitch", tile.role = "tiling"},
             %cores : index {tile.name = "cores", tile.role = "cores"}) attributes {tile.kernel} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %c8 = arith.constant 8 : index
  %zero = arith.constant 0.0 : f32
  // Read after write, write after read, write after write.
  // CHECK-LABEL: tile.cores "flow"
  tile.cores "flow" %cores (%core) {
    %a = tile.alloc "a" temp [16, %pitch] : memref<?x?xf32, "ub">
    %b = tile.alloc "b" temp [16, %pitch] : memref<?x?xf32, "ub">
    // CHECK: tile.fill (%zero) to %a
    tile.fill (%zero) to %a[%c0] rows %c8 width %H : (f32) -> memref<?x?xf32, "ub">
    // CHECK-NEXT: ascendc.barrier "V"
    // CHECK-NEXT: tile.unary "exp" %a[%c0] to %b
    tile.unary "exp" %a[%c0] to %b[%c0] rows %c8 width %H : (memref<?x?xf32, "ub">) -> memref<?x?xf32, "ub">
    // CHECK-NEXT: ascendc.barrier "V"
    // CHECK-NEXT: tile.fill (%zero) to %a
    tile.fill (%zero) to %a[%c0] rows %c8 width %H : (f32) -> memref<?x?xf32, "ub">
    // %b was read before no barrier: writing it again waits.
    // CHECK-NEXT: ascendc.barrier "V"
    // CHECK-NEXT: tile.unary "abs" %a[%c0] to %b
    tile.unary "abs" %a[%c0] to %b[%c0] rows %c8 width %H : (memref<?x?xf32, "ub">) -> memref<?x?xf32, "ub">
  }
  func.return
}
}

// -----

builtin.module {
func.func @k_tiling(%N : index {tile.name = "N"}, %H : index {tile.name = "H"}, %cores : index {tile.name = "cores"})
    -> (index {tile.name = "pitch"}) attributes {tile.tiling} {
  %c256 = arith.constant 256 : index
  func.return %c256 : index
}

func.func @k(%x : memref<?x?xf32> {tile.name = "x", tile.role = "input", tile.dims = ["N", "H"]},
             %y : memref<?x?xf32> {tile.name = "y", tile.role = "output", tile.dims = ["N", "H"]},
             %N : index {tile.name = "N", tile.role = "dim"},
             %H : index {tile.name = "H", tile.role = "dim"},
             %pitch : index {tile.name = "pitch", tile.role = "tiling"},
             %cores : index {tile.name = "cores", tile.role = "cores"}) attributes {tile.kernel} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %c8 = arith.constant 8 : index
  %zero = arith.constant 0.0 : f32
  // Rows that do not overlap need no order, whatever the numbers are.
  // CHECK-LABEL: tile.cores "apart"
  tile.cores "apart" %cores (%core) {
    %a = tile.alloc "a" temp [16, %pitch] : memref<?x?xf32, "ub">
    // CHECK: tile.fill (%zero) to %a[%c0] rows %c4
    tile.fill (%zero) to %a[%c0] rows %c4 width %H : (f32) -> memref<?x?xf32, "ub">
    // CHECK-NEXT: tile.fill (%zero) to %a[%c4] rows %c4
    tile.fill (%zero) to %a[%c4] rows %c4 width %H : (f32) -> memref<?x?xf32, "ub">
    // CHECK-NEXT: %n = arith.minsi %N, %c8
    %n = arith.minsi %N, %c8 : index
    // CHECK-NEXT: %rest = arith.subi %c8, %n
    %rest = arith.subi %c8, %n : index
    // CHECK-NEXT: ascendc.barrier "V"
    // CHECK-NEXT: tile.fill (%zero) to %a[%c0] rows %n
    tile.fill (%zero) to %a[%c0] rows %n width %H : (f32) -> memref<?x?xf32, "ub">
    // CHECK-NEXT: tile.fill (%zero) to %a[%n] rows %rest
    tile.fill (%zero) to %a[%n] rows %rest width %H : (f32) -> memref<?x?xf32, "ub">
  }
  func.return
}
}

// -----

builtin.module {
func.func @k_tiling(%N : index {tile.name = "N"}, %H : index {tile.name = "H"}, %cores : index {tile.name = "cores"})
    -> (index {tile.name = "pitch"}) attributes {tile.tiling} {
  %c256 = arith.constant 256 : index
  func.return %c256 : index
}

func.func @k(%x : memref<?x?xf32> {tile.name = "x", tile.role = "input", tile.dims = ["N", "H"]},
             %y : memref<?x?xf32> {tile.name = "y", tile.role = "output", tile.dims = ["N", "H"]},
             %N : index {tile.name = "N", tile.role = "dim"},
             %H : index {tile.name = "H", tile.role = "dim"},
             %pitch : index {tile.name = "pitch", tile.role = "tiling"},
             %cores : index {tile.name = "cores", tile.role = "cores"}) attributes {tile.kernel} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %c8 = arith.constant 8 : index
  %zero = arith.constant 0.0 : f32
  // Both only read: no order.
  // CHECK-LABEL: tile.cores "same_row"
  tile.cores "same_row" %cores (%core) {
    %a = tile.alloc "a" temp [16, %pitch] : memref<?x?xf32, "ub">
    %b = tile.alloc "b" temp [16, %pitch] : memref<?x?xf32, "ub">
    %d = tile.alloc "d" temp [16, %pitch] : memref<?x?xf32, "ub">
    // CHECK: tile.fill (%zero) to %a
    tile.fill (%zero) to %a[%c0] rows %c8 width %H : (f32) -> memref<?x?xf32, "ub">
    // CHECK-NEXT: ascendc.barrier "V"
    // CHECK-NEXT: tile.unary "exp" %a[%c0] to %b
    tile.unary "exp" %a[%c0] to %b[%c0] rows %c8 width %H : (memref<?x?xf32, "ub">) -> memref<?x?xf32, "ub">
    // CHECK-NEXT: tile.unary "exp" %a[%c0] to %d
    tile.unary "exp" %a[%c0] to %d[%c0] rows %c8 width %H : (memref<?x?xf32, "ub">) -> memref<?x?xf32, "ub">
  }
  func.return
}
}

// -----

builtin.module {
func.func @k_tiling(%N : index {tile.name = "N"}, %H : index {tile.name = "H"}, %cores : index {tile.name = "cores"})
    -> (index {tile.name = "pitch"}) attributes {tile.tiling} {
  %c256 = arith.constant 256 : index
  func.return %c256 : index
}

func.func @k(%x : memref<?x?xf32> {tile.name = "x", tile.role = "input", tile.dims = ["N", "H"]},
             %y : memref<?x?xf32> {tile.name = "y", tile.role = "output", tile.dims = ["N", "H"]},
             %N : index {tile.name = "N", tile.role = "dim"},
             %H : index {tile.name = "H", tile.role = "dim"},
             %pitch : index {tile.name = "pitch", tile.role = "tiling"},
             %cores : index {tile.name = "cores", tile.role = "cores"}) attributes {tile.kernel} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %c8 = arith.constant 8 : index
  %zero = arith.constant 0.0 : f32
  // Each iteration writes its own row: one barrier in front of the loop, none in it, and one behind it.
  // CHECK-LABEL: tile.cores "rows_of_a_loop"
  tile.cores "rows_of_a_loop" %cores (%core) {
    %a = tile.alloc "a" temp [16, %pitch] : memref<?x?xf32, "ub">
    %b = tile.alloc "b" temp [16, %pitch] : memref<?x?xf32, "ub">
    // CHECK: tile.fill (%zero) to %a
    tile.fill (%zero) to %a[%c0] rows %c8 width %H : (f32) -> memref<?x?xf32, "ub">
    // CHECK-NEXT: ascendc.barrier "V"
    // CHECK-NEXT: scf.for %i
    scf.for %i = %c0 to %c8 step %c1 {
    // CHECK-NEXT: tile.fill (%zero) to %a[%i] rows %c1
      tile.fill (%zero) to %a[%i] rows %c1 width %H : (f32) -> memref<?x?xf32, "ub">
    // CHECK-NEXT: }
    }
    // CHECK-NEXT: ascendc.barrier "V"
    // CHECK-NEXT: tile.unary "exp" %a
    tile.unary "exp" %a[%c0] to %b[%c0] rows %c8 width %H : (memref<?x?xf32, "ub">) -> memref<?x?xf32, "ub">
  }
  func.return
}
}

// -----

builtin.module {
func.func @k_tiling(%N : index {tile.name = "N"}, %H : index {tile.name = "H"}, %cores : index {tile.name = "cores"})
    -> (index {tile.name = "pitch"}) attributes {tile.tiling} {
  %c256 = arith.constant 256 : index
  func.return %c256 : index
}

func.func @k(%x : memref<?x?xf32> {tile.name = "x", tile.role = "input", tile.dims = ["N", "H"]},
             %y : memref<?x?xf32> {tile.name = "y", tile.role = "output", tile.dims = ["N", "H"]},
             %N : index {tile.name = "N", tile.role = "dim"},
             %H : index {tile.name = "H", tile.role = "dim"},
             %pitch : index {tile.name = "pitch", tile.role = "tiling"},
             %cores : index {tile.name = "cores", tile.role = "cores"}) attributes {tile.kernel} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %c8 = arith.constant 8 : index
  %zero = arith.constant 0.0 : f32
  // The next iteration writes what this one reads.
  // CHECK-LABEL: tile.cores "next_iteration"
  tile.cores "next_iteration" %cores (%core) {
    %a = tile.alloc "a" temp [16, %pitch] : memref<?x?xf32, "ub">
    %b = tile.alloc "b" temp [16, %pitch] : memref<?x?xf32, "ub">
    // CHECK: scf.for %i
    scf.for %i = %c0 to %N step %c1 {
    // CHECK-NEXT: ascendc.barrier "V"
    // CHECK-NEXT: tile.fill (%zero) to %a
      tile.fill (%zero) to %a[%c0] rows %c8 width %H : (f32) -> memref<?x?xf32, "ub">
    // CHECK-NEXT: ascendc.barrier "V"
    // CHECK-NEXT: tile.unary "exp" %a[%c0] to %b
      tile.unary "exp" %a[%c0] to %b[%c0] rows %c8 width %H : (memref<?x?xf32, "ub">) -> memref<?x?xf32, "ub">
    // CHECK-NEXT: }
    }
  }
  func.return
}
}

// -----

builtin.module {
func.func @k_tiling(%N : index {tile.name = "N"}, %H : index {tile.name = "H"}, %cores : index {tile.name = "cores"})
    -> (index {tile.name = "pitch"}) attributes {tile.tiling} {
  %c256 = arith.constant 256 : index
  func.return %c256 : index
}

func.func @k(%x : memref<?x?xf32> {tile.name = "x", tile.role = "input", tile.dims = ["N", "H"]},
             %y : memref<?x?xf32> {tile.name = "y", tile.role = "output", tile.dims = ["N", "H"]},
             %N : index {tile.name = "N", tile.role = "dim"},
             %H : index {tile.name = "H", tile.role = "dim"},
             %pitch : index {tile.name = "pitch", tile.role = "tiling"},
             %cores : index {tile.name = "cores", tile.role = "cores"}) attributes {tile.kernel} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %c8 = arith.constant 8 : index
  %zero = arith.constant 0.0 : f32
  // A barrier that only one branch needs stands in it.
  // CHECK-LABEL: tile.cores "branch"
  tile.cores "branch" %cores (%core) {
    %a = tile.alloc "a" temp [16, %pitch] : memref<?x?xf32, "ub">
    %b = tile.alloc "b" temp [16, %pitch] : memref<?x?xf32, "ub">
    // CHECK: tile.fill (%zero) to %a
    tile.fill (%zero) to %a[%c0] rows %c8 width %H : (f32) -> memref<?x?xf32, "ub">
    // CHECK-NEXT: %c = arith.cmpi
    %c = arith.cmpi slt, %core, %c4 : index
    // CHECK-NEXT: scf.if %c
    scf.if %c {
    // CHECK-NEXT: ascendc.barrier "V"
    // CHECK-NEXT: tile.unary "exp" %a
      tile.unary "exp" %a[%c0] to %b[%c0] rows %c8 width %H : (memref<?x?xf32, "ub">) -> memref<?x?xf32, "ub">
    // CHECK-NEXT: }
    }
  }
  func.return
}
}

// -----

builtin.module {
func.func @k_tiling(%N : index {tile.name = "N"}, %H : index {tile.name = "H"}, %cores : index {tile.name = "cores"})
    -> (index {tile.name = "pitch"}) attributes {tile.tiling} {
  %c256 = arith.constant 256 : index
  func.return %c256 : index
}

func.func @k(%x : memref<?x?xf32> {tile.name = "x", tile.role = "input", tile.dims = ["N", "H"]},
             %y : memref<?x?xf32> {tile.name = "y", tile.role = "output", tile.dims = ["N", "H"]},
             %N : index {tile.name = "N", tile.role = "dim"},
             %H : index {tile.name = "H", tile.role = "dim"},
             %pitch : index {tile.name = "pitch", tile.role = "tiling"},
             %cores : index {tile.name = "cores", tile.role = "cores"}) attributes {tile.kernel} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %c8 = arith.constant 8 : index
  %zero = arith.constant 0.0 : f32
  // One that both need stands in front of them.
  // CHECK-LABEL: tile.cores "branches"
  tile.cores "branches" %cores (%core) {
    %a = tile.alloc "a" temp [16, %pitch] : memref<?x?xf32, "ub">
    %b = tile.alloc "b" temp [16, %pitch] : memref<?x?xf32, "ub">
    // CHECK: tile.fill (%zero) to %a
    tile.fill (%zero) to %a[%c0] rows %c8 width %H : (f32) -> memref<?x?xf32, "ub">
    // CHECK-NEXT: %c = arith.cmpi
    %c = arith.cmpi slt, %core, %c4 : index
    // CHECK-NEXT: ascendc.barrier "V"
    // CHECK-NEXT: scf.if %c
    scf.if %c {
    // CHECK-NEXT: tile.unary "exp" %a
      tile.unary "exp" %a[%c0] to %b[%c0] rows %c8 width %H : (memref<?x?xf32, "ub">) -> memref<?x?xf32, "ub">
    // CHECK-NEXT: } else {
    } else {
    // CHECK-NEXT: tile.unary "abs" %a
      tile.unary "abs" %a[%c0] to %b[%c0] rows %c8 width %H : (memref<?x?xf32, "ub">) -> memref<?x?xf32, "ub">
    // CHECK-NEXT: }
    }
  }
  func.return
}
}

// -----

builtin.module {
func.func @k_tiling(%N : index {tile.name = "N"}, %H : index {tile.name = "H"}, %cores : index {tile.name = "cores"})
    -> (index {tile.name = "pitch"}) attributes {tile.tiling} {
  %c256 = arith.constant 256 : index
  func.return %c256 : index
}

func.func @k(%x : memref<?x?xf32> {tile.name = "x", tile.role = "input", tile.dims = ["N", "H"]},
             %y : memref<?x?xf32> {tile.name = "y", tile.role = "output", tile.dims = ["N", "H"]},
             %N : index {tile.name = "N", tile.role = "dim"},
             %H : index {tile.name = "H", tile.role = "dim"},
             %pitch : index {tile.name = "pitch", tile.role = "tiling"},
             %cores : index {tile.name = "cores", tile.role = "cores"}) attributes {tile.kernel} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %c8 = arith.constant 8 : index
  %zero = arith.constant 0.0 : f32
  // What a queue orders needs no barrier: the next tile takes another tensor.
  // CHECK-LABEL: tile.cores "queues"
  tile.cores "queues" %cores (%core) {
    %a = tile.alloc "a" in [16, %pitch] times 2 : memref<?x?xf32, "ub">
    %b = tile.alloc "b" out [16, %pitch] times 2 : memref<?x?xf32, "ub">
    // CHECK: scf.for
    scf.for %i = %c0 to %N step %c8 {
      tile.load_rows %x[%c0, %c0] along 0 to %a[%c0] rows %c8 width %H : memref<?x?xf32>, memref<?x?xf32, "ub">
    // CHECK: ascendc.deque %a_queue
    // CHECK-NEXT: {{.*}} = ascendc.alloc_tensor %b_queue
    // CHECK-NEXT: tile.unary "exp"
      tile.unary "exp" %a[%c0] to %b[%c0] rows %c8 width %H : (memref<?x?xf32, "ub">) -> memref<?x?xf32, "ub">
      tile.store_rows %b[%c0] to %y[%c0, %c0] along 0 rows %c8 width %H : memref<?x?xf32, "ub">, memref<?x?xf32>
    }
  }
  func.return
}
}
