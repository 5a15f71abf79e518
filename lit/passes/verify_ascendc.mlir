// RUN: opwright-opt %s --split-input-file --verify-diagnostics -p "verify-ascendc{target=ascend910b}" | filecheck %s

// The limits of a chip, for what is known of the numbers.

// A place inside a block.
func.func @k_tiling(%N : index {tile.name = "N"}, %H : index {tile.name = "H"}, %cores : index {tile.name = "cores"})
    -> (index {tile.name = "pitch"}) attributes {tile.tiling} {
  %pitch = arith.constant 256 : index
  %most = arith.constant 100000 : index
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
  %c8 = arith.constant 8 : index
  %c64 = arith.constant 64 : index
  %c255 = arith.constant 255 : index
  %c256 = arith.constant 256 : index
  ascendc.stage "s" %cores (%core) {
    %a_buffer = ascendc.buffer "a" [8, %pitch] : !ascendc.buffer<f32>
    %a = ascendc.get %a_buffer : !ascendc.buffer<f32> -> memref<?xf32, "ub">
    %b_buffer = ascendc.buffer "b" [8, %pitch] : !ascendc.buffer<bf16>
    %b = ascendc.get %b_buffer : !ascendc.buffer<bf16> -> memref<?xbf16, "ub">
    %at = arith.muli %core, %c1 : index
    // CHECK: verify_ascendc.mlir:[[# @LINE + 2]]:5: error[OPW372]: the place in 'a' is not known to be a multiple of 32 bytes
    // CHECK: hint: start at a row, with a pitch that is a multiple of a block
    ascendc.unary "Exp" %a[%at], %a[%c0] lanes %c64 : memref<?xf32, "ub">, memref<?xf32, "ub">
  }
  func.return
}

// -----

// The same in a copy.
func.func @k_tiling(%N : index {tile.name = "N"}, %H : index {tile.name = "H"}, %cores : index {tile.name = "cores"})
    -> (index {tile.name = "pitch"}) attributes {tile.tiling} {
  %pitch = arith.constant 256 : index
  %most = arith.constant 100000 : index
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
  %c8 = arith.constant 8 : index
  %c64 = arith.constant 64 : index
  %c255 = arith.constant 255 : index
  %c256 = arith.constant 256 : index
  ascendc.stage "s" %cores (%core) {
    %a_buffer = ascendc.buffer "a" [8, %pitch] : !ascendc.buffer<f32>
    %a = ascendc.get %a_buffer : !ascendc.buffer<f32> -> memref<?xf32, "ub">
    %b_buffer = ascendc.buffer "b" [8, %pitch] : !ascendc.buffer<bf16>
    %b = ascendc.get %b_buffer : !ascendc.buffer<bf16> -> memref<?xbf16, "ub">
    %at = arith.addi %pitch, %c1 : index
    // CHECK: verify_ascendc.mlir:[[# @LINE + 1]]:5: error[OPW372]: the place in 'a' is not known to be a multiple of 32 bytes
    ascendc.copy_in %x[%c0] to %a[%at] blocks %c1 length %c8 gaps %c0, %c0 : memref<?x?xf32>, memref<?xf32, "ub">
  }
  func.return
}

// -----

// Multiples of a block are fine, also where only the loop and the tiling function tell.
func.func @k_tiling(%N : index {tile.name = "N"}, %H : index {tile.name = "H"}, %cores : index {tile.name = "cores"})
    -> (index {tile.name = "pitch"}) attributes {tile.tiling} {
  %pitch = arith.constant 256 : index
  %most = arith.constant 100000 : index
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
  %c8 = arith.constant 8 : index
  %c64 = arith.constant 64 : index
  %c255 = arith.constant 255 : index
  %c256 = arith.constant 256 : index
  ascendc.stage "s" %cores (%core) {
    %a_buffer = ascendc.buffer "a" [8, %pitch] : !ascendc.buffer<f32>
    %a = ascendc.get %a_buffer : !ascendc.buffer<f32> -> memref<?xf32, "ub">
    %b_buffer = ascendc.buffer "b" [8, %pitch] : !ascendc.buffer<bf16>
    %b = ascendc.get %b_buffer : !ascendc.buffer<bf16> -> memref<?xbf16, "ub">
    // CHECK: func.func @k(
    scf.for %i = %c0 to %N step %c64 {
      %row = arith.muli %i, %pitch : index
      %at = arith.addi %row, %i : index
      ascendc.unary "Exp" %a[%at], %a[%c0] lanes %c64 : memref<?xf32, "ub">, memref<?xf32, "ub">
    }
  }
  func.return
}

// -----

// Too many repeats.
func.func @k_tiling(%N : index {tile.name = "N"}, %H : index {tile.name = "H"}, %cores : index {tile.name = "cores"})
    -> (index {tile.name = "pitch"}) attributes {tile.tiling} {
  %pitch = arith.constant 256 : index
  %most = arith.constant 100000 : index
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
  %c8 = arith.constant 8 : index
  %c64 = arith.constant 64 : index
  %c255 = arith.constant 255 : index
  %c256 = arith.constant 256 : index
  ascendc.stage "s" %cores (%core) {
    %a_buffer = ascendc.buffer "a" [8, %pitch] : !ascendc.buffer<f32>
    %a = ascendc.get %a_buffer : !ascendc.buffer<f32> -> memref<?xf32, "ub">
    %b_buffer = ascendc.buffer "b" [8, %pitch] : !ascendc.buffer<bf16>
    %b = ascendc.get %b_buffer : !ascendc.buffer<bf16> -> memref<?xbf16, "ub">
    // CHECK: verify_ascendc.mlir:[[# @LINE + 2]]:5: error[OPW373]: the number of repeats is 256, which is not at most 255
    // CHECK: hint: split it into several
    ascendc.unary "Exp" %a[%c0], %a[%c0] lanes %c64 repeat %c256 strides [%c8, %c8] : memref<?xf32, "ub">, memref<?xf32, "ub">
  }
  func.return
}

// -----

// Repeats without a bound.
func.func @k_tiling(%N : index {tile.name = "N"}, %H : index {tile.name = "H"}, %cores : index {tile.name = "cores"})
    -> (index {tile.name = "pitch"}) attributes {tile.tiling} {
  %pitch = arith.constant 256 : index
  %most = arith.constant 100000 : index
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
  %c8 = arith.constant 8 : index
  %c64 = arith.constant 64 : index
  %c255 = arith.constant 255 : index
  %c256 = arith.constant 256 : index
  ascendc.stage "s" %cores (%core) {
    %a_buffer = ascendc.buffer "a" [8, %pitch] : !ascendc.buffer<f32>
    %a = ascendc.get %a_buffer : !ascendc.buffer<f32> -> memref<?xf32, "ub">
    %b_buffer = ascendc.buffer "b" [8, %pitch] : !ascendc.buffer<bf16>
    %b = ascendc.get %b_buffer : !ascendc.buffer<bf16> -> memref<?xbf16, "ub">
    // CHECK: verify_ascendc.mlir:[[# @LINE + 1]]:5: error[OPW373]: the number of repeats is not known to be at most 255
    ascendc.unary "Exp" %a[%c0], %a[%c0] lanes %c64 repeat %N strides [%c8, %c8] : memref<?xf32, "ub">, memref<?xf32, "ub">
  }
  func.return
}

// -----

// A bound by a minimum.
func.func @k_tiling(%N : index {tile.name = "N"}, %H : index {tile.name = "H"}, %cores : index {tile.name = "cores"})
    -> (index {tile.name = "pitch"}) attributes {tile.tiling} {
  %pitch = arith.constant 256 : index
  %most = arith.constant 100000 : index
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
  %c8 = arith.constant 8 : index
  %c64 = arith.constant 64 : index
  %c255 = arith.constant 255 : index
  %c256 = arith.constant 256 : index
  ascendc.stage "s" %cores (%core) {
    %a_buffer = ascendc.buffer "a" [8, %pitch] : !ascendc.buffer<f32>
    %a = ascendc.get %a_buffer : !ascendc.buffer<f32> -> memref<?xf32, "ub">
    %b_buffer = ascendc.buffer "b" [8, %pitch] : !ascendc.buffer<bf16>
    %b = ascendc.get %b_buffer : !ascendc.buffer<bf16> -> memref<?xbf16, "ub">
    // CHECK: func.func @k(
    %n = arith.minsi %N, %c255 : index
    ascendc.unary "Exp" %a[%c0], %a[%c0] lanes %c64 repeat %n strides [%c8, %c8] : memref<?xf32, "ub">, memref<?xf32, "ub">
  }
  func.return
}

// -----

// A stride too far.
func.func @k_tiling(%N : index {tile.name = "N"}, %H : index {tile.name = "H"}, %cores : index {tile.name = "cores"})
    -> (index {tile.name = "pitch"}) attributes {tile.tiling} {
  %pitch = arith.constant 256 : index
  %most = arith.constant 100000 : index
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
  %c8 = arith.constant 8 : index
  %c64 = arith.constant 64 : index
  %c255 = arith.constant 255 : index
  %c256 = arith.constant 256 : index
  ascendc.stage "s" %cores (%core) {
    %a_buffer = ascendc.buffer "a" [8, %pitch] : !ascendc.buffer<f32>
    %a = ascendc.get %a_buffer : !ascendc.buffer<f32> -> memref<?xf32, "ub">
    %b_buffer = ascendc.buffer "b" [8, %pitch] : !ascendc.buffer<bf16>
    %b = ascendc.get %b_buffer : !ascendc.buffer<bf16> -> memref<?xbf16, "ub">
    // CHECK: verify_ascendc.mlir:[[# @LINE + 1]]:5: error[OPW373]: a stride between repeats, in blocks, is 256, which is not at most 255
    ascendc.unary "Exp" %a[%c0], %a[%c0] lanes %c64 repeat %c8 strides [%c8, %c256] : memref<?xf32, "ub">, memref<?xf32, "ub">
  }
  func.return
}

// -----

// More lanes than an instruction has: the wider type counts.
func.func @k_tiling(%N : index {tile.name = "N"}, %H : index {tile.name = "H"}, %cores : index {tile.name = "cores"})
    -> (index {tile.name = "pitch"}) attributes {tile.tiling} {
  %pitch = arith.constant 256 : index
  %most = arith.constant 100000 : index
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
  %c8 = arith.constant 8 : index
  %c64 = arith.constant 64 : index
  %c255 = arith.constant 255 : index
  %c256 = arith.constant 256 : index
  ascendc.stage "s" %cores (%core) {
    %a_buffer = ascendc.buffer "a" [8, %pitch] : !ascendc.buffer<f32>
    %a = ascendc.get %a_buffer : !ascendc.buffer<f32> -> memref<?xf32, "ub">
    %b_buffer = ascendc.buffer "b" [8, %pitch] : !ascendc.buffer<bf16>
    %b = ascendc.get %b_buffer : !ascendc.buffer<bf16> -> memref<?xbf16, "ub">
    // CHECK: verify_ascendc.mlir:[[# @LINE + 1]]:5: error[OPW373]: the number of lanes is 255, which is not at most 64
    ascendc.cast "CAST_RINT" %b[%c0], %a[%c0] lanes %c255 repeat %c8 strides [%c8, %c8] : memref<?xbf16, "ub">, memref<?xf32, "ub">
  }
  func.return
}

// -----

// Arithmetic in a type that only conversions take.
func.func @k_tiling(%N : index {tile.name = "N"}, %H : index {tile.name = "H"}, %cores : index {tile.name = "cores"})
    -> (index {tile.name = "pitch"}) attributes {tile.tiling} {
  %pitch = arith.constant 256 : index
  %most = arith.constant 100000 : index
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
  %c8 = arith.constant 8 : index
  %c64 = arith.constant 64 : index
  %c255 = arith.constant 255 : index
  %c256 = arith.constant 256 : index
  ascendc.stage "s" %cores (%core) {
    %a_buffer = ascendc.buffer "a" [8, %pitch] : !ascendc.buffer<f32>
    %a = ascendc.get %a_buffer : !ascendc.buffer<f32> -> memref<?xf32, "ub">
    %b_buffer = ascendc.buffer "b" [8, %pitch] : !ascendc.buffer<bf16>
    %b = ascendc.get %b_buffer : !ascendc.buffer<bf16> -> memref<?xbf16, "ub">
    // CHECK: verify_ascendc.mlir:[[# @LINE + 2]]:5: error[OPW374]: 'ascend910b' has no Add of (bf16, bf16, bf16)
    // CHECK: hint: compute in f32 and convert
    ascendc.binary "Add" %b[%c0], %b[%c0], %b[%c0] lanes %c64 : memref<?xbf16, "ub">, memref<?xbf16, "ub">, memref<?xbf16, "ub">
  }
  func.return
}

// -----

// Too many blocks.
func.func @k_tiling(%N : index {tile.name = "N"}, %H : index {tile.name = "H"}, %cores : index {tile.name = "cores"})
    -> (index {tile.name = "pitch"}) attributes {tile.tiling} {
  %pitch = arith.constant 256 : index
  %most = arith.constant 100000 : index
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
  %c8 = arith.constant 8 : index
  %c64 = arith.constant 64 : index
  %c255 = arith.constant 255 : index
  %c256 = arith.constant 256 : index
  ascendc.stage "s" %cores (%core) {
    %a_buffer = ascendc.buffer "a" [8, %pitch] : !ascendc.buffer<f32>
    %a = ascendc.get %a_buffer : !ascendc.buffer<f32> -> memref<?xf32, "ub">
    %b_buffer = ascendc.buffer "b" [8, %pitch] : !ascendc.buffer<bf16>
    %b = ascendc.get %b_buffer : !ascendc.buffer<bf16> -> memref<?xbf16, "ub">
    // CHECK: verify_ascendc.mlir:[[# @LINE + 1]]:5: error[OPW375]: the number of blocks is not known to be at most 4095
    ascendc.copy_in %x[%c0] to %a[%c0] blocks %N length %c8 gaps %c0, %c0 : memref<?x?xf32>, memref<?xf32, "ub">
  }
  func.return
}

// -----

// A border that may be longer than a block.
func.func @k_tiling(%N : index {tile.name = "N"}, %H : index {tile.name = "H"}, %cores : index {tile.name = "cores"})
    -> (index {tile.name = "pitch"}) attributes {tile.tiling} {
  %pitch = arith.constant 256 : index
  %most = arith.constant 100000 : index
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
  %c8 = arith.constant 8 : index
  %c64 = arith.constant 64 : index
  %c255 = arith.constant 255 : index
  %c256 = arith.constant 256 : index
  ascendc.stage "s" %cores (%core) {
    %a_buffer = ascendc.buffer "a" [8, %pitch] : !ascendc.buffer<f32>
    %a = ascendc.get %a_buffer : !ascendc.buffer<f32> -> memref<?xf32, "ub">
    %b_buffer = ascendc.buffer "b" [8, %pitch] : !ascendc.buffer<bf16>
    %b = ascendc.get %b_buffer : !ascendc.buffer<bf16> -> memref<?xbf16, "ub">
    // CHECK: verify_ascendc.mlir:[[# @LINE + 2]]:5: error[OPW375]: a border is not known to be at most 8
    %edge = arith.constant 0.0 : f32
    ascendc.copy_in %x[%c0] to %a[%c0] blocks %c8 length %c8 gaps %c0, %c0 border %c8, %N of %edge : memref<?x?xf32>, memref<?xf32, "ub">
  }
  func.return
}

// -----

// A gap without a bound.
func.func @k_tiling(%N : index {tile.name = "N"}, %H : index {tile.name = "H"}, %cores : index {tile.name = "cores"})
    -> (index {tile.name = "pitch"}) attributes {tile.tiling} {
  %pitch = arith.constant 256 : index
  %most = arith.constant 100000 : index
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
  %c8 = arith.constant 8 : index
  %c64 = arith.constant 64 : index
  %c255 = arith.constant 255 : index
  %c256 = arith.constant 256 : index
  ascendc.stage "s" %cores (%core) {
    %a_buffer = ascendc.buffer "a" [8, %pitch] : !ascendc.buffer<f32>
    %a = ascendc.get %a_buffer : !ascendc.buffer<f32> -> memref<?xf32, "ub">
    %b_buffer = ascendc.buffer "b" [8, %pitch] : !ascendc.buffer<bf16>
    %b = ascendc.get %b_buffer : !ascendc.buffer<bf16> -> memref<?xbf16, "ub">
    // CHECK: verify_ascendc.mlir:[[# @LINE + 1]]:5: error[OPW375]: the gap in global memory is not known to be at most 1073741823
    ascendc.copy_in %x[%c0] to %a[%c0] blocks %c8 length %c8 gaps %H, %c0 : memref<?x?xf32>, memref<?xf32, "ub">
  }
  func.return
}

// -----

// A gap that the tiling function bounds.
func.func @k_tiling(%N : index {tile.name = "N"}, %H : index {tile.name = "H"}, %cores : index {tile.name = "cores"})
    -> (index {tile.name = "pitch"}) attributes {tile.tiling} {
  %pitch = arith.constant 256 : index
  %most = arith.constant 100000 : index
  %fits = arith.cmpi sle, %H, %most : index
  ascendc.require %fits "H is above 100000"
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
  %c8 = arith.constant 8 : index
  %c64 = arith.constant 64 : index
  %c255 = arith.constant 255 : index
  %c256 = arith.constant 256 : index
  ascendc.stage "s" %cores (%core) {
    %a_buffer = ascendc.buffer "a" [8, %pitch] : !ascendc.buffer<f32>
    %a = ascendc.get %a_buffer : !ascendc.buffer<f32> -> memref<?xf32, "ub">
    %b_buffer = ascendc.buffer "b" [8, %pitch] : !ascendc.buffer<bf16>
    %b = ascendc.get %b_buffer : !ascendc.buffer<bf16> -> memref<?xbf16, "ub">
    // CHECK: func.func @k(
    ascendc.copy_in %x[%c0] to %a[%c0] blocks %c8 length %c8 gaps %H, %c0 : memref<?x?xf32>, memref<?xf32, "ub">
  }
  func.return
}

// -----

// Nine buffers in the queues of one position.
func.func @k_tiling(%N : index {tile.name = "N"}, %H : index {tile.name = "H"}, %cores : index {tile.name = "cores"})
    -> (index {tile.name = "pitch"}) attributes {tile.tiling} {
  %pitch = arith.constant 256 : index
  %most = arith.constant 100000 : index
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
  %c8 = arith.constant 8 : index
  %c64 = arith.constant 64 : index
  %c255 = arith.constant 255 : index
  %c256 = arith.constant 256 : index
  ascendc.stage "s" %cores (%core) {
    %a_buffer = ascendc.buffer "a" [8, %pitch] : !ascendc.buffer<f32>
    %a = ascendc.get %a_buffer : !ascendc.buffer<f32> -> memref<?xf32, "ub">
    %b_buffer = ascendc.buffer "b" [8, %pitch] : !ascendc.buffer<bf16>
    %b = ascendc.get %b_buffer : !ascendc.buffer<bf16> -> memref<?xbf16, "ub">
    %q0 = ascendc.queue "q0" [1, 32] times 3 : !ascendc.queue<"VECIN", f32>
    %q1 = ascendc.queue "q1" [1, 32] times 3 : !ascendc.queue<"VECIN", f32>
    %q2 = ascendc.queue "q2" [1, 32] times 3 : !ascendc.queue<"VECIN", f32>
    // CHECK: verify_ascendc.mlir:[[# @LINE - 8]]:3: error[OPW377]: stage 's' takes 9 event ids for buffers of position VECIN; 'ascend910b' has 8
  }
  func.return
}

// -----

// A stride of a reduction that does not fit into 16 bits; 65535 blocks do.
func.func @k_tiling(%N : index {tile.name = "N"}, %H : index {tile.name = "H"}, %cores : index {tile.name = "cores"})
    -> (index {tile.name = "pitch"}) attributes {tile.tiling} {
  %pitch = arith.constant 256 : index
  %most = arith.constant 100000 : index
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
  %c8 = arith.constant 8 : index
  %c64 = arith.constant 64 : index
  %c255 = arith.constant 255 : index
  %c256 = arith.constant 256 : index
  ascendc.stage "s" %cores (%core) {
    %a_buffer = ascendc.buffer "a" [8, %pitch] : !ascendc.buffer<f32>
    %a = ascendc.get %a_buffer : !ascendc.buffer<f32> -> memref<?xf32, "ub">
    %b_buffer = ascendc.buffer "b" [8, %pitch] : !ascendc.buffer<bf16>
    %b = ascendc.get %b_buffer : !ascendc.buffer<bf16> -> memref<?xbf16, "ub">
    %far = arith.constant 65536 : index
    %near = arith.constant 65535 : index
    ascendc.reduce "WholeReduceSum" %a[%c0], %a[%c64] lanes %c64 repeat %c8 strides [%c1, %near] : memref<?xf32, "ub">, memref<?xf32, "ub">
    // CHECK: verify_ascendc.mlir:[[# @LINE + 1]]:5: error[OPW373]: a stride is 65536, which is not at most 65535
    ascendc.reduce "WholeReduceSum" %a[%c0], %a[%c64] lanes %c64 repeat %c8 strides [%c1, %far] : memref<?xf32, "ub">, memref<?xf32, "ub">
  }
  func.return
}

// -----

// More repeats than a spread takes.
func.func @k_tiling(%N : index {tile.name = "N"}, %H : index {tile.name = "H"}, %cores : index {tile.name = "cores"})
    -> (index {tile.name = "pitch"}) attributes {tile.tiling} {
  %pitch = arith.constant 256 : index
  %most = arith.constant 100000 : index
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
  %c8 = arith.constant 8 : index
  %c64 = arith.constant 64 : index
  %c255 = arith.constant 255 : index
  %c256 = arith.constant 256 : index
  ascendc.stage "s" %cores (%core) {
    %a_buffer = ascendc.buffer "a" [8, %pitch] : !ascendc.buffer<f32>
    %a = ascendc.get %a_buffer : !ascendc.buffer<f32> -> memref<?xf32, "ub">
    %b_buffer = ascendc.buffer "b" [8, %pitch] : !ascendc.buffer<bf16>
    %b = ascendc.get %b_buffer : !ascendc.buffer<bf16> -> memref<?xbf16, "ub">
    // CHECK: verify_ascendc.mlir:[[# @LINE + 1]]:5: error[OPW373]: the number of repeats is 256, which is not at most 255
    ascendc.spread "Brcb" %a[%c0], %a[%c64] lanes %c8 repeat %c256 strides [%c1, %c8] : memref<?xf32, "ub">, memref<?xf32, "ub">
  }
  func.return
}

// -----

// Rows of partners that lie too far apart.
func.func @k_tiling(%N : index {tile.name = "N"}, %H : index {tile.name = "H"}, %cores : index {tile.name = "cores"})
    -> (index {tile.name = "pitch"}) attributes {tile.tiling} {
  %pitch = arith.constant 256 : index
  %most = arith.constant 100000 : index
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
  %c8 = arith.constant 8 : index
  %c64 = arith.constant 64 : index
  %c255 = arith.constant 255 : index
  %c256 = arith.constant 256 : index
  ascendc.stage "s" %cores (%core) {
    %a_buffer = ascendc.buffer "a" [8, %pitch] : !ascendc.buffer<f32>
    %a = ascendc.get %a_buffer : !ascendc.buffer<f32> -> memref<?xf32, "ub">
    %b_buffer = ascendc.buffer "b" [8, %pitch] : !ascendc.buffer<bf16>
    %b = ascendc.get %b_buffer : !ascendc.buffer<bf16> -> memref<?xbf16, "ub">
    // CHECK: verify_ascendc.mlir:[[# @LINE + 1]]:5: error[OPW373]: a stride between repeats, in blocks, is 256, which is not at most 255
    ascendc.by_row "Mul" %a[%c0], %a[%c0], %a[%c64] lanes %c64 repeat %c8 strides [%c8, %c8, %c256] : memref<?xf32, "ub">, memref<?xf32, "ub">, memref<?xf32, "ub">
  }
  func.return
}

// -----

// A reduction of a type that the chip cannot add up.
func.func @k_tiling(%N : index {tile.name = "N"}, %H : index {tile.name = "H"}, %cores : index {tile.name = "cores"})
    -> (index {tile.name = "pitch"}) attributes {tile.tiling} {
  %pitch = arith.constant 256 : index
  %most = arith.constant 100000 : index
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
  %c8 = arith.constant 8 : index
  %c64 = arith.constant 64 : index
  %c255 = arith.constant 255 : index
  %c256 = arith.constant 256 : index
  ascendc.stage "s" %cores (%core) {
    %a_buffer = ascendc.buffer "a" [8, %pitch] : !ascendc.buffer<f32>
    %a = ascendc.get %a_buffer : !ascendc.buffer<f32> -> memref<?xf32, "ub">
    %b_buffer = ascendc.buffer "b" [8, %pitch] : !ascendc.buffer<bf16>
    %b = ascendc.get %b_buffer : !ascendc.buffer<bf16> -> memref<?xbf16, "ub">
    // CHECK: verify_ascendc.mlir:[[# @LINE + 1]]:5: error[OPW374]: 'ascend910b' has no WholeReduceSum of (bf16, bf16)
    ascendc.reduce "WholeReduceSum" %b[%c0], %b[%c64] lanes %c64 repeat %c8 strides [%c1, %c8] : memref<?xbf16, "ub">, memref<?xbf16, "ub">
  }
  func.return
}

// -----

// Nine events of a pair.
func.func @k_tiling(%N : index {tile.name = "N"}, %H : index {tile.name = "H"}, %cores : index {tile.name = "cores"})
    -> (index {tile.name = "pitch"}) attributes {tile.tiling} {
  %pitch = arith.constant 256 : index
  %most = arith.constant 100000 : index
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
  %c8 = arith.constant 8 : index
  %c64 = arith.constant 64 : index
  %c255 = arith.constant 255 : index
  %c256 = arith.constant 256 : index
  ascendc.stage "s" %cores (%core) {
    %a_buffer = ascendc.buffer "a" [8, %pitch] : !ascendc.buffer<f32>
    %a = ascendc.get %a_buffer : !ascendc.buffer<f32> -> memref<?xf32, "ub">
    %b_buffer = ascendc.buffer "b" [8, %pitch] : !ascendc.buffer<bf16>
    %b = ascendc.get %b_buffer : !ascendc.buffer<bf16> -> memref<?xbf16, "ub">
    %e0 = ascendc.event : !ascendc.event<"S_MTE2">
    %e1 = ascendc.event : !ascendc.event<"S_MTE2">
    %e2 = ascendc.event : !ascendc.event<"S_MTE2">
    %e3 = ascendc.event : !ascendc.event<"S_MTE2">
    %e4 = ascendc.event : !ascendc.event<"S_MTE2">
    %e5 = ascendc.event : !ascendc.event<"S_MTE2">
    %e6 = ascendc.event : !ascendc.event<"S_MTE2">
    %e7 = ascendc.event : !ascendc.event<"S_MTE2">
    %e8 = ascendc.event : !ascendc.event<"S_MTE2">
    // CHECK: verify_ascendc.mlir:[[# @LINE - 14]]:3: error[OPW377]: stage 's' takes 9 event ids for S_MTE2; 'ascend910b' has 8
  }
  func.return
}
