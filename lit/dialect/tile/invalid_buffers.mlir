// RUN: opwright-opt %s --split-input-file --verify-diagnostics | filecheck %s

// Rules of buffers and row copies.

func.func @deep(%n : index {tile.name = "n", tile.role = "dim"}, %cores : index {tile.name = "cores", tile.role = "cores"}) attributes {tile.kernel} {
  %c0 = arith.constant 0 : index
  tile.cores "s" %cores (%core) {
    scf.for %i = %c0 to %n step %core {
      // CHECK: invalid_buffers.mlir:[[# @LINE + 2]]:7: error[OPW304]: buffer 'b' is not reserved directly in a stage
      // CHECK: hint: move the tile.alloc to the start of its tile.cores
      %b = tile.alloc "b" temp [1, 32] : memref<?x?xf32, "ub">
    }
  }
  func.return
}

// -----

func.func @pitch(%n : index {tile.name = "n", tile.role = "dim"}, %cores : index {tile.name = "cores", tile.role = "cores"}) attributes {tile.kernel} {
  tile.cores "s" %cores (%core) {
    // CHECK: invalid_buffers.mlir:[[# @LINE + 2]]:5: error[OPW305]: the pitch of buffer 'b' is a multiple of 8, it must be one of 32 elements
    // CHECK: hint: rows start on 32-byte blocks; round the pitch up in the tiling function
    %b = tile.alloc "b" temp [%n, 8 * %n] : memref<?x?xf32, "ub">
  }
  func.return
}

// -----

// The pitch of a single row is free.
// CHECK: tile.alloc "row" temp [1, 8 * %n] : memref<?x?xf32, "ub">
func.func @single(%n : index {tile.name = "n", tile.role = "dim"}, %cores : index {tile.name = "cores", tile.role = "cores"}) attributes {tile.kernel} {
  tile.cores "s" %cores (%core) {
    %b = tile.alloc "row" temp [1, 8 * %n] : memref<?x?xf32, "ub">
  }
  func.return
}

// -----

func.func @k_tiling(%N : index {tile.name = "N"}, %cores : index {tile.name = "cores"}) -> (index {tile.name = "p"}) attributes {tile.tiling} {
  %c16 = arith.constant 16 : index
  %blocks = arith.ceildivsi %N, %c16 : index
  %p = arith.muli %blocks, %c16 : index
  func.return %p : index
}
func.func @k(%N : index {tile.name = "N", tile.role = "dim"}, %p : index {tile.name = "p", tile.role = "tiling"}, %cores : index {tile.name = "cores", tile.role = "cores"}) attributes {tile.kernel} {
  tile.cores "s" %cores (%core) {
    // CHECK: invalid_buffers.mlir:[[# @LINE + 1]]:5: error[OPW305]: the pitch of buffer 'b' is a multiple of 16, it must be one of 32 elements
    %b = tile.alloc "b" temp [%N, %p] : memref<?x?xf32, "ub">
  }
  func.return
}

// -----

func.func @sizes(%cores : index {tile.name = "cores", tile.role = "cores"}) attributes {tile.kernel} {
  tile.cores "s" %cores (%core) {
    // CHECK: invalid_buffers.mlir:[[# @LINE + 2]]:5: error[OPW314]: buffer 'b' has 3 sizes
    // CHECK: hint: give rows and pitch
    %b = tile.alloc "b" temp [1, 1, 32] : memref<?x?xf32, "ub">
  }
  func.return
}

// -----

func.func @times(%cores : index {tile.name = "cores", tile.role = "cores"}) attributes {tile.kernel} {
  tile.cores "s" %cores (%core) {
    // CHECK: invalid_buffers.mlir:[[# @LINE + 1]]:5: error[OPW314]: buffer 'b' has 0 copies
    %b = tile.alloc "b" temp [1, 32] times 0 : memref<?x?xf32, "ub">
  }
  func.return
}

// -----

func.func @role(%cores : index {tile.name = "cores", tile.role = "cores"}) attributes {tile.kernel} {
  tile.cores "s" %cores (%core) {
    // CHECK: invalid_buffers.mlir:[[# @LINE + 2]]:5: error[OPW314]: buffer 'b' has the unknown role 'spare'
    // CHECK: hint: roles: in, out, resident, accumulator, temp, scalars
    %b = "tile.alloc"() <{label = "b", role = "spare", sizes = #spec.map<(1, 32)>, times = #builtin.int<1>}> : () -> memref<?x?xf32, "ub">
  }
  func.return
}

// -----

func.func @start(%x : memref<?x?xf32>, %b : memref<?x?xf32, "ub">, %i : index, %n : index) {
  // CHECK: invalid_buffers.mlir:[[# @LINE + 2]]:3: error[OPW307]: '%x' has rank 2, 'tile.load_rows' starts at 1 indices
  // CHECK: hint: give one start index for each dim
  tile.load_rows %x[%i] along 0 to %b[%i] rows %n width %n : memref<?x?xf32>, memref<?x?xf32, "ub">
  func.return
}

// -----

func.func @along(%x : memref<?x?xf32>, %b : memref<?x?xf32, "ub">, %i : index, %n : index) {
  // CHECK: invalid_buffers.mlir:[[# @LINE + 2]]:3: error[OPW308]: rows lie along dim 2, '%x' has rank 2
  // CHECK: hint: give a dim below 2
  tile.store_rows %b[%i] to %x[%i, %i] along 2 rows %n width %n : memref<?x?xf32, "ub">, memref<?x?xf32>
  func.return
}

// -----

func.func @elements(%x : memref<?x?xbf16>, %b : memref<?x?xf32, "ub">, %i : index, %n : index) {
  // CHECK: invalid_buffers.mlir:[[# @LINE + 1]]:3: error[OPW309]: '%b' is f32, '%x' holds bf16
  tile.load_rows %x[%i, %i] along 0 to %b[%i] rows %n width %n : memref<?x?xbf16>, memref<?x?xf32, "ub">
  func.return
}

// -----

func.func @flat(%x : memref<?x?xf32>, %b : memref<?xf32, "ub">, %i : index, %n : index) {
  // CHECK: invalid_buffers.mlir:[[# @LINE + 1]]:3: error[OPW315]: '%b' has rank 1, a buffer has rank 2: rows by pitch
  tile.load_rows %x[%i, %i] along 0 to %b[%i] rows %n width %n : memref<?x?xf32>, memref<?xf32, "ub">
  func.return
}
