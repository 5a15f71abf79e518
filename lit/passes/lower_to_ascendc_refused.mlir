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

// A scalar that reads what the kernel writes.
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
    // CHECK: lower_to_ascendc_refused.mlir:[[# @LINE + 1]]:5: error[OPW378]: a scalar reads 'y', which the kernel writes
    %v = memref.load %y[%c0, %c0] : memref<?x?xf32>
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
