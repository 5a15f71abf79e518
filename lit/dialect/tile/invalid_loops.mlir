// RUN: opwright-opt %s --split-input-file --verify-diagnostics | filecheck %s

// Rules of stages, point loops and element access.

func.func @outside(%cores : index) {
  // CHECK: invalid_loops.mlir:[[# @LINE + 1]]:3: error[OPW302]: tile.cores stands outside a kernel function
  tile.cores "s" %cores (%core) {
  }
  func.return
}

// -----

func.func @nested(%cores : index {tile.name = "cores", tile.role = "cores"}) attributes {tile.kernel} {
  tile.cores "s" %cores (%core) {
    // CHECK: invalid_loops.mlir:[[# @LINE + 1]]:5: error[OPW303]: tile.cores stands inside tile.cores
    tile.cores "t" %cores (%inner) {
    }
  }
  func.return
}

// -----

func.func @rank(%x : memref<?x?xf32>, %n : index) {
  tile.foreach (%i: 0 to %n) {
    // CHECK: invalid_loops.mlir:[[# @LINE + 2]]:5: error[OPW306]: '%x' has rank 2, 'tile.read' gives 1 indices
    // CHECK: hint: give one index for each dim
    %v = tile.read %x[%i] : memref<?x?xf32>
  }
  func.return
}

// -----

func.func @rank_of_write(%x : memref<?xf32>, %n : index, %v : f32) {
  tile.foreach (%i: 0 to %n) {
    // CHECK: invalid_loops.mlir:[[# @LINE + 1]]:5: error[OPW306]: '%x' has rank 1, 'tile.write' gives 2 indices
    tile.write %v to %x[%i, %i] : memref<?xf32>
  }
  func.return
}

// -----

func.func @otherwise(%x : memref<?xbf16>, %n : index, %zero : f32) {
  tile.foreach (%i: 0 to %n) {
    // CHECK: invalid_loops.mlir:[[# @LINE + 1]]:5: error[OPW309]: the value after 'else' is f32, '%x' holds bf16
    %v = tile.read %x[%i] else %zero : memref<?xbf16>
  }
  func.return
}

// -----

func.func @result(%x : memref<?xbf16>, %i : index) {
  // CHECK: invalid_loops.mlir:[[# @LINE + 1]]:3: error[OPW309]: the result is f32, '%x' holds bf16
  %v = "tile.read"(%x, %i) <{indices = #spec.map<(d0)>, operandSegmentSizes = array<i32: 1, 1, 0>}> : (memref<?xbf16>, index) -> f32
  func.return
}

// -----

func.func @value(%x : memref<?xbf16>, %n : index, %v : f32) {
  tile.foreach (%i: 0 to %n) {
    // CHECK: invalid_loops.mlir:[[# @LINE + 2]]:5: error[OPW309]: the value is f32, '%x' holds bf16
    // CHECK: hint: convert it first
    tile.write %v to %x[%i] : memref<?xbf16>
  }
  func.return
}

// -----

func.func @combiner(%x : memref<?xf32>, %i : index, %v : f32) {
  // CHECK: invalid_loops.mlir:[[# @LINE + 2]]:3: error[OPW316]: unknown combiner 'mul'
  // CHECK: hint: combiners: add, max, min
  "tile.write"(%v, %x, %i) <{indices = #spec.map<(d0)>, combiner = "mul", operandSegmentSizes = array<i32: 1, 1, 1, 0>}> : (f32, memref<?xf32>, index) -> ()
  func.return
}

// -----

func.func @operands(%x : memref<?xf32>, %i : index) {
  // CHECK: invalid_loops.mlir:[[# @LINE + 1]]:3: error[OPW317]: the index map of 'tile.read' uses 2 operands, 1 are given
  %v = "tile.read"(%x, %i) <{indices = #spec.map<(d1)>, operandSegmentSizes = array<i32: 1, 1, 0>}> : (memref<?xf32>, index) -> f32
  func.return
}

// -----

func.func @ranges(%n : index) {
  // CHECK: invalid_loops.mlir:[[# @LINE + 2]]:3: error[OPW317]: 'tile.foreach' has 2 dims, but 1 lower and 1 upper bounds
  // CHECK: hint: give each dim a range
  "tile.foreach"(%n) <{lower = [#spec.map<(0)>], upper = [#spec.map<(d2)>]}> ({
  ^bb0(%i : index, %j : index):
  }) : (index) -> ()
  func.return
}

// -----

func.func @bound(%n : index) {
  // CHECK: invalid_loops.mlir:[[# @LINE + 1]]:3: error[OPW317]: the index map of 'tile.foreach' uses 4 operands, 2 are given
  "tile.foreach"(%n) <{lower = [#spec.map<(0)>], upper = [#spec.map<(d3)>]}> ({
  ^bb0(%i : index):
  }) : (index) -> ()
  func.return
}

// -----

func.func @body(%x : memref<?xf32>, %n : index, %v : f32) {
  tile.foreach (%i: 0 to %n) {
    // CHECK: invalid_loops.mlir:[[# @LINE + 2]]:5: error[OPW313]: 'memref.store' stands in a point loop
    // CHECK: hint: points compute and access elements; move it out of the tile.foreach
    memref.store %v, %x[%i] : memref<?xf32>
  }
  func.return
}
