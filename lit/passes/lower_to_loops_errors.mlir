// RUN: opwright-opt %s -p lower-to-loops --split-input-file --verify-diagnostics | filecheck %s

// CHECK: lower_to_loops_errors.mlir:[[# @LINE + 5]]:3: error[OPW350]: the number of rows of a tile is still open
// CHECK-NEXT: %n = tile.fit_rows "k" %N cap %N
// CHECK-NEXT: {{^      \^$}}
// CHECK-NEXT: hint: run size-tiles before
func.func @k(%N: index) -> index {
  %n = tile.fit_rows "k" %N cap %N
  func.return %n : index
}

// -----

// CHECK: lower_to_loops_errors.mlir:[[# @LINE + 2]]:3: error[OPW350]: the number of lanes of a strip is still open
func.func @strips(%N: index) -> index {
  %n = tile.fit_lanes "k" cap %N
  func.return %n : index
}

// -----

// CHECK: lower_to_loops_errors.mlir:[[# @LINE + 3]]:3: error[OPW350]: whether a stage fits on chip is still open
// CHECK: hint: run size-tiles before
func.func @fits() -> index {
  %n = tile.fits "k"
  func.return %n : index
}

// -----

// CHECK: lower_to_loops_errors.mlir:[[# @LINE + 2]]:3: error[OPW351]: 'tile.cast' from i32 to bf16 would round twice
func.func @cast(%a: memref<?x?xi32, "ub">, %b: memref<?x?xbf16, "ub">, %n: index) {
  tile.cast %a[%n] to %b[%n] rows %n width %n : (memref<?x?xi32, "ub">) -> memref<?x?xbf16, "ub">
  func.return
}

// -----

// CHECK: lower_to_loops_errors.mlir:[[# @LINE + 2]]:3: error[OPW352]: 'tile.unary "neg"' does not take (i1) to i1
func.func @unary(%a: memref<?x?xi1, "ub">, %n: index) {
  tile.unary "neg" %a[%n] to %a[%n] rows %n width %n : (memref<?x?xi1, "ub">) -> memref<?x?xi1, "ub">
  func.return
}

// -----

// CHECK: lower_to_loops_errors.mlir:[[# @LINE + 3]]:5: error[OPW352]: 'add' does not combine values of type i1
func.func @combine(%y: memref<?xi1>, %on: i1, %n: index) {
  tile.foreach (%i: 0 to %n) {
    tile.write add %on to %y[%i] : memref<?xi1>
  }
  func.return
}

// -----

// CHECK: lower_to_loops_errors.mlir:[[# @LINE + 4]]:5: error[OPW353]: an index is compared with the size of memref<?xf32>, which is not known
// CHECK: hint: give the function's argument the attribute tile.dims
func.func @size(%x: memref<?xf32>, %y: memref<?xf32>, %zero: f32, %n: index) {
  tile.foreach (%i: 0 to %n) {
    %v = tile.read %x[%i + 1] else %zero : memref<?xf32>
    tile.write %v to %y[%i] : memref<?xf32>
  }
  func.return
}

// -----

// CHECK: lower_to_loops_errors.mlir:[[# @LINE + 2]]:3: error[OPW353]: an index is compared with the size of memref<?xi32>, which is not known
func.func @list(%x: memref<?xi32>, %n: index) -> index {
  %b = tile.search %x for %n : memref<?xi32>
  func.return %b : index
}

// -----

// CHECK: lower_to_loops_errors.mlir:[[# @LINE + 2]]:3: error[OPW352]: 'tile.fold "add"' does not take (i1) to i1
func.func @fold(%a: memref<?x?xi1, "ub">, %b: memref<?x?xi1, "ub">, %n: index) {
  tile.fold "add" %a[%n] to %b[%n] rows %n width %n : (memref<?x?xi1, "ub">) -> memref<?x?xi1, "ub">
  func.return
}
