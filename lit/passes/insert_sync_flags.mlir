// RUN: opwright-opt %s --split-input-file -p "pipeline{target=ascend950},insert-sync{target=ascend950},verify-sync{target=ascend950}" | filecheck %s

// Flags between pipes where no queue orders them.

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
  // The scalar unit waits for the copy as late as it can; the next copy waits for the scalar unit.
  // CHECK-LABEL: tile.cores "scalars"
  tile.cores "scalars" %cores (%core) {
    // CHECK-NEXT: %s_mte2 = ascendc.event : !ascendc.event<"S_MTE2">
    // CHECK-NEXT: %s_loaded = ascendc.event : !ascendc.event<"MTE2_S">
    %s = tile.alloc "s" scalars [16, %pitch] : memref<?x?xf32, "ub">
    %a = tile.alloc "a" in [16, %pitch] times 2 : memref<?x?xf32, "ub">
    %b = tile.alloc "b" temp [16, %pitch] : memref<?x?xf32, "ub">
    // CHECK: scf.for
    scf.for %i = %c0 to %N step %c8 {
    // CHECK-NEXT: ascendc.set_flag %s_mte2
    // CHECK-NEXT: ascendc.wait_flag %s_mte2
    // CHECK-NEXT: tile.load_rows {{.*}} to %s[%c0]
      tile.load_rows %x[%c0, %c0] along 0 to %s[%c0] rows %c8 width %H : memref<?x?xf32>, memref<?x?xf32, "ub">
    // CHECK-NEXT: ascendc.set_flag %s_loaded
    // CHECK: tile.load_rows {{.*}} to %a[%c0]
      tile.load_rows %x[%c0, %c0] along 0 to %a[%c0] rows %c8 width %H : memref<?x?xf32>, memref<?x?xf32, "ub">
    // CHECK: ascendc.wait_flag %s_loaded
    // CHECK-NEXT: scf.for %r
      scf.for %r = %c0 to %c8 step %c1 {
    // CHECK-NEXT: %v = memref.load %s[%c0, %r]
        %v = memref.load %s[%c0, %r] : memref<?x?xf32, "ub">
        tile.scalar "add" %a[%r] (%v) to %b[%r] rows %c1 width %H : (memref<?x?xf32, "ub">, f32) -> memref<?x?xf32, "ub">
      }
    }
    // CHECK: ascendc.release_event %s_mte2
    // CHECK-NEXT: ascendc.release_event %s_loaded
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
  // A scalar store waits for the copy as well, and flags that are waited for at once serve several buffers.
  // CHECK-LABEL: tile.cores "stores"
  tile.cores "stores" %cores (%core) {
    // CHECK-NEXT: %s_mte2 = ascendc.event
    // CHECK-NEXT: %s_loaded = ascendc.event
    // CHECK-NEXT: %t_loaded = ascendc.event
    %s = tile.alloc "s" scalars [16, %pitch] : memref<?x?xf32, "ub">
    %t = tile.alloc "t" scalars [16, %pitch] : memref<?x?xf32, "ub">
    // CHECK: scf.for
    scf.for %i = %c0 to %N step %c8 {
    // CHECK-NEXT: ascendc.set_flag %s_mte2
    // CHECK-NEXT: ascendc.wait_flag %s_mte2
    // CHECK-NEXT: tile.load_rows {{.*}} to %s[%c0]
      tile.load_rows %x[%c0, %c0] along 0 to %s[%c0] rows %c8 width %H : memref<?x?xf32>, memref<?x?xf32, "ub">
    // CHECK-NEXT: ascendc.set_flag %s_loaded
    // CHECK-NEXT: ascendc.wait_flag %s_loaded
    // CHECK-NEXT: memref.store %zero, %s
      memref.store %zero, %s[%c0, %c4] : memref<?x?xf32, "ub">
    // CHECK-NEXT: ascendc.set_flag %s_mte2
    // CHECK-NEXT: ascendc.wait_flag %s_mte2
    // CHECK-NEXT: tile.load_rows {{.*}} to %t[%c0]
      tile.load_rows %x[%c0, %c0] along 0 to %t[%c0] rows %c8 width %H : memref<?x?xf32>, memref<?x?xf32, "ub">
    // CHECK-NEXT: ascendc.set_flag %t_loaded
    // CHECK-NEXT: ascendc.wait_flag %t_loaded
    // CHECK-NEXT: memref.store %zero, %t
      memref.store %zero, %t[%c0, %c4] : memref<?x?xf32, "ub">
      %v = memref.load %s[%c0, %c0] : memref<?x?xf32, "ub">
      %w = memref.load %t[%c0, %c0] : memref<?x?xf32, "ub">
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
  // A scalar reads what the vector unit computed.
  // CHECK-LABEL: tile.cores "computed"
  tile.cores "computed" %cores (%core) {
    // CHECK-NEXT: %s_v = ascendc.event : !ascendc.event<"S_V">
    // CHECK-NEXT: %a_computed = ascendc.event : !ascendc.event<"V_S">
    %a = tile.alloc "a" temp [16, %pitch] : memref<?x?xf32, "ub">
    // CHECK: scf.for
    scf.for %i = %c0 to %N step %c8 {
    // CHECK-NEXT: ascendc.set_flag %s_v
    // CHECK-NEXT: ascendc.wait_flag %s_v
    // CHECK: tile.fill (%zero) to %a
      tile.fill (%zero) to %a[%c0] rows %c8 width %H : (f32) -> memref<?x?xf32, "ub">
    // CHECK-NEXT: ascendc.set_flag %a_computed
    // CHECK-NEXT: ascendc.wait_flag %a_computed
    // CHECK-NEXT: %v = memref.load %a
      %v = memref.load %a[%c0, %c0] : memref<?x?xf32, "ub">
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
  // A tensor that is copied in, used, and copied out: its queue knows nothing of the copy out.
  // CHECK-LABEL: tile.cores "passing"
  tile.cores "passing" %cores (%core) {
    // CHECK-NEXT: %mte3_mte2 = ascendc.event
    // CHECK-NEXT: %mte2_mte3 = ascendc.event
    %a = tile.alloc "a" in [16, %pitch] times 2 : memref<?x?xf32, "ub">
    %b = tile.alloc "b" temp [16, %pitch] : memref<?x?xf32, "ub">
    // CHECK: scf.for
    scf.for %i = %c0 to %N step %c8 {
    // CHECK: ascendc.set_flag %mte3_mte2
    // CHECK-NEXT: ascendc.wait_flag %mte3_mte2
    // CHECK-NEXT: tile.load_rows
      tile.load_rows %x[%c0, %c0] along 0 to %a[%c0] rows %c8 width %H : memref<?x?xf32>, memref<?x?xf32, "ub">
    // CHECK: tile.unary "exp"
      tile.unary "exp" %a[%c0] to %b[%c0] rows %c8 width %H : (memref<?x?xf32, "ub">) -> memref<?x?xf32, "ub">
    // CHECK-NEXT: ascendc.set_flag %mte2_mte3
    // CHECK-NEXT: ascendc.wait_flag %mte2_mte3
    // CHECK-NEXT: tile.store_rows
      tile.store_rows %a[%c0] to %y[%c0, %c0] along 0 rows %c8 width %H : memref<?x?xf32, "ub">, memref<?x?xf32>
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
  // The same where the vector unit changes it.
  // CHECK-LABEL: tile.cores "changed"
  tile.cores "changed" %cores (%core) {
    // CHECK-NEXT: %mte3_mte2 = ascendc.event
    // CHECK-NEXT: %v_mte3 = ascendc.event
    %a = tile.alloc "a" in [16, %pitch] times 2 : memref<?x?xf32, "ub">
    // CHECK: scf.for
    scf.for %i = %c0 to %N step %c8 {
      tile.load_rows %x[%c0, %c0] along 0 to %a[%c0] rows %c8 width %H : memref<?x?xf32>, memref<?x?xf32, "ub">
      tile.unary "exp" %a[%c0] to %a[%c0] rows %c8 width %H : (memref<?x?xf32, "ub">) -> memref<?x?xf32, "ub">
    // CHECK: ascendc.set_flag %v_mte3
    // CHECK-NEXT: ascendc.wait_flag %v_mte3
    // CHECK-NEXT: tile.store_rows
      tile.store_rows %a[%c0] to %y[%c0, %c0] along 0 rows %c8 width %H : memref<?x?xf32, "ub">, memref<?x?xf32>
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
  // Copies into one tensor: pieces that may overlap wait for each other.
  // CHECK-LABEL: tile.cores "pieces"
  tile.cores "pieces" %cores (%core) {
    %a = tile.alloc "a" in [16, %pitch] : memref<?x?xf32, "ub">
    %b = tile.alloc "b" temp [16, %pitch] : memref<?x?xf32, "ub">
    // CHECK: tile.load_rows {{.*}} to %a[%c0] rows %c4
    tile.load_rows %x[%c0, %c0] along 0 to %a[%c0] rows %c4 width %H : memref<?x?xf32>, memref<?x?xf32, "ub">
    // CHECK-NEXT: tile.load_rows {{.*}} to %a[%c4] rows %c4
    tile.load_rows %x[%c0, %c0] along 0 to %a[%c4] rows %c4 width %H : memref<?x?xf32>, memref<?x?xf32, "ub">
    // CHECK-NEXT: ascendc.barrier "MTE2"
    // CHECK-NEXT: tile.load_rows {{.*}} to %a[%c1] rows %c1
    tile.load_rows %x[%c0, %c0] along 0 to %a[%c1] rows %c1 width %H : memref<?x?xf32>, memref<?x?xf32, "ub">
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
  // Global memory that is read after it was written.
  // CHECK-LABEL: tile.cores "again"
  tile.cores "again" %cores (%core) {
    // CHECK-NEXT: %mte3_mte2 = ascendc.event
    %a = tile.alloc "a" in [16, %pitch] : memref<?x?xf32, "ub">
    %b = tile.alloc "b" out [16, %pitch] : memref<?x?xf32, "ub">
    %d = tile.alloc "d" temp [16, %pitch] : memref<?x?xf32, "ub">
    tile.fill (%zero) to %b[%c0] rows %c8 width %H : (f32) -> memref<?x?xf32, "ub">
    tile.store_rows %b[%c0] to %y[%c0, %c0] along 0 rows %c8 width %H : memref<?x?xf32, "ub">, memref<?x?xf32>
    // CHECK: ascendc.set_flag %mte3_mte2
    // CHECK-NEXT: ascendc.wait_flag %mte3_mte2
    // CHECK-NEXT: tile.load_rows %y
    tile.load_rows %y[%c0, %c0] along 0 to %a[%c0] rows %c8 width %H : memref<?x?xf32>, memref<?x?xf32, "ub">
    tile.unary "exp" %a[%c0] to %d[%c0] rows %c8 width %H : (memref<?x?xf32, "ub">) -> memref<?x?xf32, "ub">
  }
  func.return
}
}
