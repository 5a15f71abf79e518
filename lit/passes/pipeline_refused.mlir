// RUN: opwright-opt %s --split-input-file --verify-diagnostics -p "pipeline{target=ascend910b}" | filecheck %s

// Buffers that fit no queue.

// Filled a second time after it was read.
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
  %c8 = arith.constant 8 : index
  %zero = arith.constant 0.0 : f32
  tile.cores "s" %cores (%core) {
    %a = tile.alloc "a" in [8, %pitch] : memref<?x?xf32, "ub">
    %t = tile.alloc "t" temp [8, %pitch] : memref<?x?xf32, "ub">
    tile.load_rows %x[%c0, %c0] along 0 to %a[%c0] rows %c8 width %H : memref<?x?xf32>, memref<?x?xf32, "ub">
    tile.unary "exp" %a[%c0] to %t[%c0] rows %c8 width %H : (memref<?x?xf32, "ub">) -> memref<?x?xf32, "ub">
    // CHECK: pipeline_refused.mlir:[[# @LINE + 2]]:5: error[OPW379]: the on-chip buffer 'a' is filled again after it was read: no queue does that
    // CHECK: hint: give each filling a buffer of its own
    tile.load_rows %x[%c0, %c0] along 0 to %a[%c0] rows %c8 width %H : memref<?x?xf32>, memref<?x?xf32, "ub">
    tile.unary "exp" %a[%c0] to %t[%c0] rows %c8 width %H : (memref<?x?xf32, "ub">) -> memref<?x?xf32, "ub">
  }
  func.return
}
}

// -----

// Changed after it was copied out.
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
  %c8 = arith.constant 8 : index
  %zero = arith.constant 0.0 : f32
  tile.cores "s" %cores (%core) {
    %b = tile.alloc "b" out [8, %pitch] : memref<?x?xf32, "ub">
    tile.fill (%zero) to %b[%c0] rows %c8 width %H : (f32) -> memref<?x?xf32, "ub">
    tile.store_rows %b[%c0] to %y[%c0, %c0] along 0 rows %c8 width %H : memref<?x?xf32, "ub">, memref<?x?xf32>
    // CHECK: pipeline_refused.mlir:[[# @LINE + 1]]:5: error[OPW379]: the on-chip buffer 'b' is used after it was copied out: no queue does that
    tile.fill (%zero) to %b[%c0] rows %c8 width %H : (f32) -> memref<?x?xf32, "ub">
  }
  func.return
}
}

// -----

// Copied in, copied out, then changed.
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
  %c8 = arith.constant 8 : index
  %zero = arith.constant 0.0 : f32
  tile.cores "s" %cores (%core) {
    %a = tile.alloc "a" in [8, %pitch] : memref<?x?xf32, "ub">
    tile.load_rows %x[%c0, %c0] along 0 to %a[%c0] rows %c8 width %H : memref<?x?xf32>, memref<?x?xf32, "ub">
    tile.store_rows %a[%c0] to %y[%c0, %c0] along 0 rows %c8 width %H : memref<?x?xf32, "ub">, memref<?x?xf32>
    // CHECK: pipeline_refused.mlir:[[# @LINE + 1]]:5: error[OPW379]: the on-chip buffer 'a' is changed after it was copied out: no queue does that
    tile.fill (%zero) to %a[%c0] rows %c8 width %H : (f32) -> memref<?x?xf32, "ub">
  }
  func.return
}
}

// -----

// Filled on some paths only, and kept from the iteration before on the others.
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
  %c8 = arith.constant 8 : index
  %zero = arith.constant 0.0 : f32
  tile.cores "s" %cores (%core) {
    %a = tile.alloc "a" resident [8, %pitch] : memref<?x?xf32, "ub">
    %t = tile.alloc "t" temp [8, %pitch] : memref<?x?xf32, "ub">
    scf.for %i = %c0 to %N step %c1 {
      %first = arith.cmpi eq, %i, %c0 : index
      scf.if %first {
        // CHECK: pipeline_refused.mlir:[[# @LINE + 1]]:9: error[OPW379]: the on-chip buffer 'a' is filled on some paths only: no queue does that
        tile.load_rows %x[%c0, %c0] along 0 to %a[%c0] rows %c8 width %H : memref<?x?xf32>, memref<?x?xf32, "ub">
      }
      tile.unary "exp" %a[%c0] to %t[%c0] rows %c8 width %H : (memref<?x?xf32, "ub">) -> memref<?x?xf32, "ub">
    }
  }
  func.return
}
}

// -----

// A use that no pipe has.
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
  %c8 = arith.constant 8 : index
  %zero = arith.constant 0.0 : f32
  tile.cores "s" %cores (%core) {
    %a = tile.alloc "a" temp [8, %pitch] : memref<?x?xf32, "ub">
    tile.fill (%zero) to %a[%c0] rows %c8 width %H : (f32) -> memref<?x?xf32, "ub">
    // CHECK: pipeline_refused.mlir:[[# @LINE + 3]]:7: error[OPW378]: 'tile.read' uses the on-chip buffer 'a' in a way no chip instruction does
    // CHECK: hint: run the pass vectorize first
    tile.foreach (%r: 0 to %c8, %l: 0 to %H) {
      %v = tile.read %a[%r, %l] : memref<?x?xf32, "ub">
      tile.write %v to %y[%r, %l] : memref<?x?xf32>
    }
  }
  func.return
}
}

// -----

// More inputs than a position has event ids.
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
  %c8 = arith.constant 8 : index
  %zero = arith.constant 0.0 : f32
  tile.cores "s" %cores (%core) {
    %a0 = tile.alloc "a0" in [8, %pitch] : memref<?x?xf32, "ub">
    %a1 = tile.alloc "a1" in [8, %pitch] : memref<?x?xf32, "ub">
    %a2 = tile.alloc "a2" in [8, %pitch] : memref<?x?xf32, "ub">
    %a3 = tile.alloc "a3" in [8, %pitch] : memref<?x?xf32, "ub">
    %a4 = tile.alloc "a4" in [8, %pitch] : memref<?x?xf32, "ub">
    %a5 = tile.alloc "a5" in [8, %pitch] : memref<?x?xf32, "ub">
    %a6 = tile.alloc "a6" in [8, %pitch] : memref<?x?xf32, "ub">
    %a7 = tile.alloc "a7" in [8, %pitch] : memref<?x?xf32, "ub">
    // CHECK: pipeline_refused.mlir:[[# @LINE + 1]]:5: error[OPW377]: 9 buffers of one stage are queues of position VECIN; 'ascend910b' has event ids for 8
    %a8 = tile.alloc "a8" in [8, %pitch] : memref<?x?xf32, "ub">
    %t = tile.alloc "t" temp [8, %pitch] : memref<?x?xf32, "ub">
    tile.load_rows %x[%c0, %c0] along 0 to %a0[%c0] rows %c8 width %H : memref<?x?xf32>, memref<?x?xf32, "ub">
    tile.unary "exp" %a0[%c0] to %t[%c0] rows %c8 width %H : (memref<?x?xf32, "ub">) -> memref<?x?xf32, "ub">
    tile.load_rows %x[%c0, %c0] along 0 to %a1[%c0] rows %c8 width %H : memref<?x?xf32>, memref<?x?xf32, "ub">
    tile.unary "exp" %a1[%c0] to %t[%c0] rows %c8 width %H : (memref<?x?xf32, "ub">) -> memref<?x?xf32, "ub">
    tile.load_rows %x[%c0, %c0] along 0 to %a2[%c0] rows %c8 width %H : memref<?x?xf32>, memref<?x?xf32, "ub">
    tile.unary "exp" %a2[%c0] to %t[%c0] rows %c8 width %H : (memref<?x?xf32, "ub">) -> memref<?x?xf32, "ub">
    tile.load_rows %x[%c0, %c0] along 0 to %a3[%c0] rows %c8 width %H : memref<?x?xf32>, memref<?x?xf32, "ub">
    tile.unary "exp" %a3[%c0] to %t[%c0] rows %c8 width %H : (memref<?x?xf32, "ub">) -> memref<?x?xf32, "ub">
    tile.load_rows %x[%c0, %c0] along 0 to %a4[%c0] rows %c8 width %H : memref<?x?xf32>, memref<?x?xf32, "ub">
    tile.unary "exp" %a4[%c0] to %t[%c0] rows %c8 width %H : (memref<?x?xf32, "ub">) -> memref<?x?xf32, "ub">
    tile.load_rows %x[%c0, %c0] along 0 to %a5[%c0] rows %c8 width %H : memref<?x?xf32>, memref<?x?xf32, "ub">
    tile.unary "exp" %a5[%c0] to %t[%c0] rows %c8 width %H : (memref<?x?xf32, "ub">) -> memref<?x?xf32, "ub">
    tile.load_rows %x[%c0, %c0] along 0 to %a6[%c0] rows %c8 width %H : memref<?x?xf32>, memref<?x?xf32, "ub">
    tile.unary "exp" %a6[%c0] to %t[%c0] rows %c8 width %H : (memref<?x?xf32, "ub">) -> memref<?x?xf32, "ub">
    tile.load_rows %x[%c0, %c0] along 0 to %a7[%c0] rows %c8 width %H : memref<?x?xf32>, memref<?x?xf32, "ub">
    tile.unary "exp" %a7[%c0] to %t[%c0] rows %c8 width %H : (memref<?x?xf32, "ub">) -> memref<?x?xf32, "ub">
    tile.load_rows %x[%c0, %c0] along 0 to %a8[%c0] rows %c8 width %H : memref<?x?xf32>, memref<?x?xf32, "ub">
    tile.unary "exp" %a8[%c0] to %t[%c0] rows %c8 width %H : (memref<?x?xf32, "ub">) -> memref<?x?xf32, "ub">
  }
  func.return
}
}
