// RUN: opwright-opt %s --split-input-file --verify-diagnostics -p "verify-sync{target=ascend910b}" | filecheck %s

// Conflicting uses of a memory that nothing orders.

// No barrier between a vector result and its reader.
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
  tile.cores "s" %cores (%core) {
    %a_buffer = ascendc.buffer "a" [16, %pitch] : !ascendc.buffer<f32>
    %a = ascendc.get %a_buffer : !ascendc.buffer<f32> -> memref<?x?xf32, "ub">
    %b_buffer = ascendc.buffer "b" [16, %pitch] : !ascendc.buffer<f32>
    %b = ascendc.get %b_buffer : !ascendc.buffer<f32> -> memref<?x?xf32, "ub">
    tile.fill (%zero) to %a[%c0] rows %c8 width %H : (f32) -> memref<?x?xf32, "ub">
    // CHECK: verify_sync.mlir:[[# @LINE + 2]]:5: error[OPW376]: what pipe V does to 'a' may overlap what it did before
    // CHECK: hint: put ascendc.barrier "V" in front of it
    tile.unary "exp" %a[%c0] to %b[%c0] rows %c8 width %H : (memref<?x?xf32, "ub">) -> memref<?x?xf32, "ub">
  }
  func.return
}
}

// -----

// A barrier on one branch only.
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
  tile.cores "s" %cores (%core) {
    %a_buffer = ascendc.buffer "a" [16, %pitch] : !ascendc.buffer<f32>
    %a = ascendc.get %a_buffer : !ascendc.buffer<f32> -> memref<?x?xf32, "ub">
    %b_buffer = ascendc.buffer "b" [16, %pitch] : !ascendc.buffer<f32>
    %b = ascendc.get %b_buffer : !ascendc.buffer<f32> -> memref<?x?xf32, "ub">
    tile.fill (%zero) to %a[%c0] rows %c8 width %H : (f32) -> memref<?x?xf32, "ub">
    %c = arith.cmpi slt, %core, %c4 : index
    scf.if %c {
      ascendc.barrier "V"
    }
    // CHECK: verify_sync.mlir:[[# @LINE + 1]]:5: error[OPW376]: what pipe V does to 'a' may overlap what it did before
    tile.unary "exp" %a[%c0] to %b[%c0] rows %c8 width %H : (memref<?x?xf32, "ub">) -> memref<?x?xf32, "ub">
  }
  func.return
}
}

// -----

// A barrier in front of a loop does not order its iterations.
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
  tile.cores "s" %cores (%core) {
    %a_buffer = ascendc.buffer "a" [16, %pitch] : !ascendc.buffer<f32>
    %a = ascendc.get %a_buffer : !ascendc.buffer<f32> -> memref<?x?xf32, "ub">
    %b_buffer = ascendc.buffer "b" [16, %pitch] : !ascendc.buffer<f32>
    %b = ascendc.get %b_buffer : !ascendc.buffer<f32> -> memref<?x?xf32, "ub">
    tile.fill (%zero) to %a[%c0] rows %c8 width %H : (f32) -> memref<?x?xf32, "ub">
    ascendc.barrier "V"
    scf.for %i = %c0 to %N step %c1 {
      // CHECK: verify_sync.mlir:[[# @LINE + 1]]:7: error[OPW376]: what pipe V does to 'a' may overlap what it did before
      tile.unary "exp" %a[%c0] to %b[%c0] rows %c8 width %H : (memref<?x?xf32, "ub">) -> memref<?x?xf32, "ub">
      tile.fill (%zero) to %a[%c0] rows %c8 width %H : (f32) -> memref<?x?xf32, "ub">
    }
  }
  func.return
}
}

// -----

// Copies into overlapping rows.
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
  tile.cores "s" %cores (%core) {
    %q = ascendc.queue "a" [16, %pitch] : !ascendc.queue<"VECIN", f32>
    %t = ascendc.alloc_tensor %q : !ascendc.queue<"VECIN", f32> -> memref<?x?xf32, "ub">
    tile.load_rows %x[%c0, %c0] along 0 to %t[%c0] rows %c8 width %H : memref<?x?xf32>, memref<?x?xf32, "ub">
    // CHECK: verify_sync.mlir:[[# @LINE + 1]]:5: error[OPW376]: what pipe MTE2 does to 't' may overlap what it did before
    tile.load_rows %x[%c0, %c0] along 0 to %t[%c0] rows %c8 width %H : memref<?x?xf32>, memref<?x?xf32, "ub">
    ascendc.enque %t to %q : memref<?x?xf32, "ub">, !ascendc.queue<"VECIN", f32>
    %u = ascendc.deque %q : !ascendc.queue<"VECIN", f32> -> memref<?x?xf32, "ub">
    ascendc.free_tensor %u to %q : memref<?x?xf32, "ub">, !ascendc.queue<"VECIN", f32>
  }
  func.return
}
}

// -----

// A scalar does not wait for the copy.
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
  tile.cores "s" %cores (%core) {
    %s_buffer = ascendc.buffer "s" [16, %pitch] : !ascendc.buffer<f32>
    %s = ascendc.get %s_buffer : !ascendc.buffer<f32> -> memref<?x?xf32, "ub">
    tile.load_rows %x[%c0, %c0] along 0 to %s[%c0] rows %c8 width %H : memref<?x?xf32>, memref<?x?xf32, "ub">
    // CHECK: verify_sync.mlir:[[# @LINE + 2]]:5: error[OPW376]: pipe S does not wait until pipe MTE2, which fills 's', is done
    // CHECK: hint: set and wait for a flag MTE2_S in between
    %v = memref.load %s[%c0, %c0] : memref<?x?xf32, "ub">
  }
  func.return
}
}

// -----

// The flag was set before the copy.
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
  tile.cores "s" %cores (%core) {
    %e = ascendc.event : !ascendc.event<"MTE2_S">
    %s_buffer = ascendc.buffer "s" [16, %pitch] : !ascendc.buffer<f32>
    %s = ascendc.get %s_buffer : !ascendc.buffer<f32> -> memref<?x?xf32, "ub">
    ascendc.set_flag %e : !ascendc.event<"MTE2_S">
    tile.load_rows %x[%c0, %c0] along 0 to %s[%c0] rows %c8 width %H : memref<?x?xf32>, memref<?x?xf32, "ub">
    ascendc.wait_flag %e : !ascendc.event<"MTE2_S">
    // CHECK: verify_sync.mlir:[[# @LINE + 1]]:5: error[OPW376]: pipe S does not wait until pipe MTE2, which fills 's', is done
    %v = memref.load %s[%c0, %c0] : memref<?x?xf32, "ub">
  }
  func.return
}
}

// -----

// The next copy does not wait for the scalar.
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
  tile.cores "s" %cores (%core) {
    %e = ascendc.event : !ascendc.event<"MTE2_S">
    %s_buffer = ascendc.buffer "s" [16, %pitch] : !ascendc.buffer<f32>
    %s = ascendc.get %s_buffer : !ascendc.buffer<f32> -> memref<?x?xf32, "ub">
    scf.for %i = %c0 to %N step %c1 {
      // CHECK: verify_sync.mlir:[[# @LINE + 2]]:7: error[OPW376]: pipe MTE2 does not wait until pipe S, which uses 's', is done
      // CHECK: hint: set and wait for a flag S_MTE2 in between
      tile.load_rows %x[%c0, %c0] along 0 to %s[%c0] rows %c8 width %H : memref<?x?xf32>, memref<?x?xf32, "ub">
      ascendc.set_flag %e : !ascendc.event<"MTE2_S">
      ascendc.wait_flag %e : !ascendc.event<"MTE2_S">
      %v = memref.load %s[%c0, %c0] : memref<?x?xf32, "ub">
    }
  }
  func.return
}
}

// -----

// A scalar does not wait for the vector unit.
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
  tile.cores "s" %cores (%core) {
    %a_buffer = ascendc.buffer "a" [16, %pitch] : !ascendc.buffer<f32>
    %a = ascendc.get %a_buffer : !ascendc.buffer<f32> -> memref<?x?xf32, "ub">
    tile.fill (%zero) to %a[%c0] rows %c8 width %H : (f32) -> memref<?x?xf32, "ub">
    // CHECK: verify_sync.mlir:[[# @LINE + 1]]:5: error[OPW376]: pipe S does not wait until pipe V, which fills 'a', is done
    %v = memref.load %a[%c0, %c0] : memref<?x?xf32, "ub">
  }
  func.return
}
}

// -----

// A tensor of a queue to the vector unit that is copied out.
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
  tile.cores "s" %cores (%core) {
    %q = ascendc.queue "a" [16, %pitch] : !ascendc.queue<"VECIN", f32>
    %t = ascendc.alloc_tensor %q : !ascendc.queue<"VECIN", f32> -> memref<?x?xf32, "ub">
    tile.load_rows %x[%c0, %c0] along 0 to %t[%c0] rows %c8 width %H : memref<?x?xf32>, memref<?x?xf32, "ub">
    ascendc.enque %t to %q : memref<?x?xf32, "ub">, !ascendc.queue<"VECIN", f32>
    %u = ascendc.deque %q : !ascendc.queue<"VECIN", f32> -> memref<?x?xf32, "ub">
    // CHECK: verify_sync.mlir:[[# @LINE + 1]]:5: error[OPW376]: pipe MTE3 does not wait until pipe MTE2, which fills 'a', is done
    tile.store_rows %u[%c0] to %y[%c0, %c0] along 0 rows %c8 width %H : memref<?x?xf32, "ub">, memref<?x?xf32>
    ascendc.free_tensor %u to %q : memref<?x?xf32, "ub">, !ascendc.queue<"VECIN", f32>
  }
  func.return
}
}

// -----

// Global memory that is read after it was written.
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
  tile.cores "s" %cores (%core) {
    %q = ascendc.queue "a" [16, %pitch] : !ascendc.queue<"VECIN", f32>
    %o = ascendc.queue "b" [16, %pitch] : !ascendc.queue<"VECOUT", f32>
    %b = ascendc.alloc_tensor %o : !ascendc.queue<"VECOUT", f32> -> memref<?x?xf32, "ub">
    tile.fill (%zero) to %b[%c0] rows %c8 width %H : (f32) -> memref<?x?xf32, "ub">
    ascendc.enque %b to %o : memref<?x?xf32, "ub">, !ascendc.queue<"VECOUT", f32>
    %b2 = ascendc.deque %o : !ascendc.queue<"VECOUT", f32> -> memref<?x?xf32, "ub">
    tile.store_rows %b2[%c0] to %y[%c0, %c0] along 0 rows %c8 width %H : memref<?x?xf32, "ub">, memref<?x?xf32>
    ascendc.free_tensor %b2 to %o : memref<?x?xf32, "ub">, !ascendc.queue<"VECOUT", f32>
    %t = ascendc.alloc_tensor %q : !ascendc.queue<"VECIN", f32> -> memref<?x?xf32, "ub">
    // CHECK: verify_sync.mlir:[[# @LINE + 1]]:5: error[OPW376]: pipe MTE2 does not wait until pipe MTE3, which fills 'y', is done
    tile.load_rows %y[%c0, %c0] along 0 to %t[%c0] rows %c8 width %H : memref<?x?xf32>, memref<?x?xf32, "ub">
    ascendc.enque %t to %q : memref<?x?xf32, "ub">, !ascendc.queue<"VECIN", f32>
    %u = ascendc.deque %q : !ascendc.queue<"VECIN", f32> -> memref<?x?xf32, "ub">
    ascendc.free_tensor %u to %q : memref<?x?xf32, "ub">, !ascendc.queue<"VECIN", f32>
  }
  func.return
}
}

// -----

// Everything waits: nothing to refuse.
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
  tile.cores "s" %cores (%core) {
    // CHECK: tile.cores "s"
    %e = ascendc.event : !ascendc.event<"MTE2_S">
    %f = ascendc.event : !ascendc.event<"S_MTE2">
    %s_buffer = ascendc.buffer "s" [16, %pitch] : !ascendc.buffer<f32>
    %s = ascendc.get %s_buffer : !ascendc.buffer<f32> -> memref<?x?xf32, "ub">
    %a_buffer = ascendc.buffer "a" [16, %pitch] : !ascendc.buffer<f32>
    %a = ascendc.get %a_buffer : !ascendc.buffer<f32> -> memref<?x?xf32, "ub">
    %b_buffer = ascendc.buffer "b" [16, %pitch] : !ascendc.buffer<f32>
    %b = ascendc.get %b_buffer : !ascendc.buffer<f32> -> memref<?x?xf32, "ub">
    scf.for %i = %c0 to %N step %c1 {
      ascendc.set_flag %f : !ascendc.event<"S_MTE2">
      ascendc.wait_flag %f : !ascendc.event<"S_MTE2">
      tile.load_rows %x[%c0, %c0] along 0 to %s[%c0] rows %c8 width %H : memref<?x?xf32>, memref<?x?xf32, "ub">
      ascendc.set_flag %e : !ascendc.event<"MTE2_S">
      ascendc.wait_flag %e : !ascendc.event<"MTE2_S">
      %v = memref.load %s[%c0, %c0] : memref<?x?xf32, "ub">
      ascendc.barrier "V"
      tile.fill (%zero) to %a[%c0] rows %c8 width %H : (f32) -> memref<?x?xf32, "ub">
      ascendc.barrier "V"
      tile.unary "exp" %a[%c0] to %b[%c0] rows %c8 width %H : (memref<?x?xf32, "ub">) -> memref<?x?xf32, "ub">
    }
  }
  func.return
}
}
