// RUN: opwright-opt %s --split-input-file --verify-diagnostics | filecheck %s

// Rules of the kernel function and its tiling function.

// CHECK: invalid_kernel.mlir:[[# @LINE + 2]]:1: error[OPW300]: the arguments of kernel 'k' are not described
// CHECK: hint: give each argument tile.name and tile.role, and each memref tile.dims
func.func @k(%cores : index) attributes {tile.kernel} {
  tile.cores "s" %cores (%core) {
  }
  func.return
}

// -----

// CHECK: invalid_kernel.mlir:[[# @LINE + 1]]:1: error[OPW300]: argument 0 of kernel 'k' has no tile.name
func.func @k(%n : index {tile.role = "dim"}, %cores : index {tile.name = "cores", tile.role = "cores"}) attributes {tile.kernel} {
  tile.cores "s" %cores (%core) {
  }
  func.return
}

// -----

// CHECK: invalid_kernel.mlir:[[# @LINE + 2]]:1: error[OPW300]: argument 'n' of kernel 'k' has the unknown role 'size'
// CHECK: hint: roles: input, output, workspace, dim, tiling, cores
func.func @k(%n : index {tile.name = "n", tile.role = "size"}, %cores : index {tile.name = "cores", tile.role = "cores"}) attributes {tile.kernel} {
  tile.cores "s" %cores (%core) {
  }
  func.return
}

// -----

// CHECK: invalid_kernel.mlir:[[# @LINE + 1]]:1: error[OPW300]: argument 'n' of kernel 'k' is index, as input it is a memref
func.func @k(%n : index {tile.name = "n", tile.role = "input"}, %cores : index {tile.name = "cores", tile.role = "cores"}) attributes {tile.kernel} {
  tile.cores "s" %cores (%core) {
  }
  func.return
}

// -----

// CHECK: invalid_kernel.mlir:[[# @LINE + 1]]:1: error[OPW300]: argument 'x' of kernel 'k' is memref<4xf32>, as dim it is an index
func.func @k(%x : memref<4xf32> {tile.name = "x", tile.role = "dim"}, %cores : index {tile.name = "cores", tile.role = "cores"}) attributes {tile.kernel} {
  tile.cores "s" %cores (%core) {
  }
  func.return
}

// -----

// CHECK: invalid_kernel.mlir:[[# @LINE + 2]]:1: error[OPW300]: the arguments of kernel 'k' stand as cores, dim
// CHECK: hint: their order is input, output, workspace, dim, tiling, cores; cores stands once
func.func @k(%cores : index {tile.name = "cores", tile.role = "cores"}, %n : index {tile.name = "n", tile.role = "dim"}) attributes {tile.kernel} {
  tile.cores "s" %cores (%core) {
  }
  func.return
}

// -----

// CHECK: invalid_kernel.mlir:[[# @LINE + 1]]:1: error[OPW300]: kernel 'k' has two arguments 'n'
func.func @k(%n : index {tile.name = "n", tile.role = "dim"}, %m : index {tile.name = "n", tile.role = "dim"}, %cores : index {tile.name = "cores", tile.role = "cores"}) attributes {tile.kernel} {
  tile.cores "s" %cores (%core) {
  }
  func.return
}

// -----

// CHECK: invalid_kernel.mlir:[[# @LINE + 1]]:1: error[OPW301]: 'x' of kernel 'k' has rank 2, tile.dims gives 1 extents
func.func @k(%x : memref<?x4xf32> {tile.name = "x", tile.role = "input", tile.dims = ["n"]}, %n : index {tile.name = "n", tile.role = "dim"}, %cores : index {tile.name = "cores", tile.role = "cores"}) attributes {tile.kernel} {
  tile.cores "s" %cores (%core) {
  }
  func.return
}

// -----

// CHECK: invalid_kernel.mlir:[[# @LINE + 2]]:1: error[OPW301]: 'x' of kernel 'k' has the unknown extent 'm'
// CHECK: hint: dims and tiling values: n
func.func @k(%x : memref<?x4xf32> {tile.name = "x", tile.role = "input", tile.dims = ["m", 4]}, %n : index {tile.name = "n", tile.role = "dim"}, %cores : index {tile.name = "cores", tile.role = "cores"}) attributes {tile.kernel} {
  tile.cores "s" %cores (%core) {
  }
  func.return
}

// -----

// CHECK: invalid_kernel.mlir:[[# @LINE + 2]]:1: error[OPW319]: tiling function 't' takes (m, cores)
// CHECK: hint: for its kernel it takes (n, cores)
func.func @t(%m : index {tile.name = "m"}, %cores : index {tile.name = "cores"}) attributes {tile.tiling} {
  func.return
}
func.func @k(%n : index {tile.name = "n", tile.role = "dim"}, %cores : index {tile.name = "cores", tile.role = "cores"}) attributes {tile.kernel} {
  tile.cores "s" %cores (%core) {
  }
  func.return
}

// -----

// CHECK: invalid_kernel.mlir:[[# @LINE + 2]]:1: error[OPW319]: tiling function 't' returns ()
// CHECK: hint: for its kernel it returns (p)
func.func @t(%cores : index {tile.name = "cores"}) attributes {tile.tiling} {
  func.return
}
func.func @k(%p : index {tile.name = "p", tile.role = "tiling"}, %cores : index {tile.name = "cores", tile.role = "cores"}) attributes {tile.kernel} {
  tile.cores "s" %cores (%core) {
  }
  func.return
}
