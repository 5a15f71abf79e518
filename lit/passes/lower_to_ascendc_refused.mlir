// RUN: opwright-opt %s --split-input-file --verify-diagnostics -p "pipeline{target=ascend910b},lower-to-ascendc{target=ascend910b}" | filecheck %s

// What has no form in Ascend C on a chip.

// Arithmetic that the vector unit lacks.
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
    %a = tile.alloc "a" temp [8, %pitch] : memref<?x?xbf16, "ub">
    // CHECK: lower_to_ascendc_refused.mlir:[[# @LINE + 2]]:5: error[OPW374]: 'ascend910b' has no Exp of (bf16, bf16)
    // CHECK: hint: compute in f32 and convert
    tile.unary "exp" %a[%c0] to %a[%c0] rows %c1 width %w : (memref<?x?xbf16, "ub">) -> memref<?x?xbf16, "ub">
  }
  func.return
}
}

// -----

// A conversion that takes two steps.
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
    %b = tile.alloc "b" temp [8, %pitch] : memref<?x?xi8, "ub">
    // CHECK: lower_to_ascendc_refused.mlir:[[# @LINE + 1]]:5: error[OPW374]: 'ascend910b' has no Cast of (f32, i8)
    tile.cast %b[%c0] to %a[%c0] rows %c1 width %w : (memref<?x?xi8, "ub">) -> memref<?x?xf32, "ub">
  }
  func.return
}
}

// -----

// A scalar that reads what copies write in the same stage.
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
    %a = tile.alloc "a" out [8, %pitch] : memref<?x?xf32, "ub">
    tile.fill (%zero) to %a[%c0] rows %c1 width %H : (f32) -> memref<?x?xf32, "ub">
    tile.store_rows %a[%c0] to %y[%c0, %c0] along 0 rows %c1 width %H : memref<?x?xf32, "ub">, memref<?x?xf32>
    // CHECK: lower_to_ascendc_refused.mlir:[[# @LINE + 1]]:5: error[OPW378]: a scalar reads 'y' in a stage in which copies write it
    %v = memref.load %y[%c0, %c0] : memref<?x?xf32>
  }
  func.return
}
}

// -----

// Scalars of all cores that write one tensor.
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
    // CHECK: lower_to_ascendc_refused.mlir:[[# @LINE + 1]]:5: error[OPW378]: more than one core uses 'y' by scalars in a stage that writes it so
    memref.store %zero, %y[%core, %c0] : memref<?x?xf32>
  }
  func.return
}
}

// -----

// A splat whose last group of rows may not fit.
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
    %a = tile.alloc "a" temp [1, %pitch] : memref<?x?xf32, "ub">
    %s = tile.alloc "s" temp [%H, 32] : memref<?x?xf32, "ub">
    // CHECK: lower_to_ascendc_refused.mlir:[[# @LINE + 1]]:5: error[OPW378]: an instruction fills 8 rows, 's' may have room for fewer
    tile.splat %a[%c0] to %s[%c0] rows %H width %c8 : (memref<?x?xf32, "ub">) -> memref<?x?xf32, "ub">
  }
  func.return
}
}

// -----

// A splat of less than a block.
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
    %a = tile.alloc "a" temp [1, %pitch] : memref<?x?xf32, "ub">
    %s = tile.alloc "s" temp [8, 32] : memref<?x?xf32, "ub">
    // CHECK: lower_to_ascendc_refused.mlir:[[# @LINE + 1]]:5: error[OPW378]: the width of 'tile.splat' is not a constant multiple of 8 elements
    tile.splat %a[%c0] to %s[%c0] rows %c8 width %c1 : (memref<?x?xf32, "ub">) -> memref<?x?xf32, "ub">
  }
  func.return
}
}

// -----

// Partners of rows that a splat did not fill.
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
    %s = tile.alloc "s" temp [8, 32] : memref<?x?xf32, "ub">
    // CHECK: lower_to_ascendc_refused.mlir:[[# @LINE + 1]]:5: error[OPW378]: 'tile.by_row' takes its partners from 's', which not only tile.splat fills
    tile.fill (%zero) to %s[%c0] rows %c8 width %c8 : (f32) -> memref<?x?xf32, "ub">
    tile.by_row "mul" %a[%c0], %s[%c0] to %a[%c0] rows %c8 width %H : (memref<?x?xf32, "ub">, memref<?x?xf32, "ub">) -> memref<?x?xf32, "ub">
  }
  func.return
}
}

// -----

// A sum over lanes that do not fill an instruction.
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
    %c64 = arith.constant 64 : index
    %a = tile.alloc "a" temp [8, 64] : memref<?x?xf16, "ub">
    %s = tile.alloc "s" temp [1, 32] : memref<?x?xf16, "ub">
    // CHECK: lower_to_ascendc_refused.mlir:[[# @LINE + 1]]:5: error[OPW378]: 64 lanes of f16 do not fill an instruction, whose other lanes would count as 0
    tile.tree "add" %a[%c0] to %s[%c0] rows %c8 width %c64 : (memref<?x?xf16, "ub">) -> memref<?x?xf16, "ub">
  }
  func.return
}
}

// -----

// What is left of point loops.
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
    // CHECK: lower_to_ascendc_refused.mlir:[[# @LINE + 1]]:5: error[OPW378]: 'tile.foreach' has no form in Ascend C
    tile.foreach (%r: 0 to %c8, %l: 0 to %H) {
      %v = tile.read %x[%r, %l] : memref<?x?xf32>
      tile.write %v to %y[%r, %l] : memref<?x?xf32>
    }
  }
  func.return
}
}

// -----

// A buffer whose size only the stage knows.
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
    %own = arith.addi %core, %c8 : index
    // CHECK: lower_to_ascendc_refused.mlir:[[# @LINE + 2]]:5: error[OPW380]: the size of 'a' does not follow from the kernel's arguments
    // CHECK: hint: make it a result of the tiling function
    %a = tile.alloc "a" temp [%own, %pitch] : memref<?x?xf32, "ub">
    %left = arith.minsi %H, %pitch : index
    %w = arith.maxsi %left, %c1 : index
    tile.unary "exp" %a[%c0] to %a[%c0] rows %c1 width %w : (memref<?x?xf32, "ub">) -> memref<?x?xf32, "ub">
  }
  func.return
}
}
