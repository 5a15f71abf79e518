// RUN: opwright-opt %s -p lower-to-loops --split-input-file | filecheck %s
// RUN: opwright-opt %s -p lower-to-loops,canonicalize,cse --split-input-file | filecheck %s --check-prefix=AGAIN

// Stages and buffers: a parallel loop, arrays that live until the end of the stage, constants at the start.

// CHECK-LABEL: func.func @stage(
// CHECK:         "scf.parallel"(%c0, %cores, %c1)
// CHECK-NEXT:    ^bb0(%core: index):
// CHECK-NEXT:      %0 = arith.addi %n, %c1 : index
// CHECK:           %b = memref.alloc(%0, %{{.*}}) : memref<?x?xbf16>
// CHECK:           %a = memref.alloc(%{{.*}}) : memref<3x?xf32>
// CHECK-NEXT:      memref.dealloc %b : memref<?x?xbf16>
// CHECK-NEXT:      memref.dealloc %a : memref<3x?xf32>
// CHECK-NEXT:      scf.reduce
// CHECK-NEXT:    }) {tile.label = "stage"}
func.func @stage_tiling(
    %n: index {tile.name = "n"}, %p: index {tile.name = "p"}, %cores: index {tile.name = "cores"}) attributes {tile.tiling} {
  func.return
}
func.func @stage(
    %n: index {tile.name = "n", tile.role = "dim"}, %p: index {tile.name = "p", tile.role = "dim"},
    %cores: index {tile.name = "cores", tile.role = "cores"}) attributes {tile.kernel} {
  tile.cores "stage" %cores (%core) {
    %b = tile.alloc "b" in [%n + 1, 32 * %p] times 2 : memref<?x?xbf16, "ub">
    %a = tile.alloc "a" accumulator [3, 32 * %p] : memref<?x?xf32, "ub">
  }
  func.return
}

// -----

// A stage that runs under a condition has no core where that is 0.

// CHECK-LABEL: func.func @sometimes(
// CHECK:         %[[RUNS:.*]] = arith.cmpi ne, %n, %{{.*}} : index
// CHECK:         %[[CORES:.*]] = arith.select %[[RUNS]], %cores, %{{.*}} : index
// CHECK-NEXT:    "scf.parallel"(%{{.*}}, %[[CORES]], %{{.*}})
func.func @sometimes_tiling(%n: index {tile.name = "n"}, %cores: index {tile.name = "cores"}) attributes {tile.tiling} {
  func.return
}
func.func @sometimes(%n: index {tile.name = "n", tile.role = "dim"},
                     %cores: index {tile.name = "cores", tile.role = "cores"}) attributes {tile.kernel} {
  tile.cores "sometimes" %cores when %n (%core) {
  }
  func.return
}

// -----

// What does not depend on the last dim is computed before the innermost loop, which is free of branches.

// CHECK-LABEL: func.func @rows
// CHECK:       scf.for %i = %c0 to %N step %c1 {
// CHECK-NEXT:    %[[RUNS:.*]] = arith.cmpi slt, %c0, %H : index
// CHECK-NEXT:    scf.if %[[RUNS]] {
// CHECK-NEXT:      %[[NEXT:.*]] = arith.addi %i, %c1 : index
// CHECK-NEXT:      %inside = arith.cmpi slt, %[[NEXT]], %N : index
// CHECK-NEXT:      %[[ROW:.*]] = arith.minsi %[[NEXT]], %{{.*}} : index
// CHECK-NEXT:      %k = memref.load %keep[%i] : memref<?xi8>
// CHECK-NEXT:      %on = arith.cmpi ne, %k, %{{.*}} : i8
// CHECK-NEXT:      scf.for %l = %c0 to %H step %c1 {
// CHECK-NEXT:        %[[READ:.*]] = memref.load %x[%[[ROW]], %l] : memref<?x?xf32>
// CHECK-NEXT:        %v = arith.select %inside, %[[READ]], %zero : f32
// CHECK-NEXT:        %w = arith.select %on, %v, %zero : f32
// CHECK-NEXT:        memref.store %w, %y[%i, %l] : memref<?x?xf32>
// CHECK-NEXT:      } {tile.lanes}
// CHECK-NEXT:    }
// CHECK-NEXT:  }
// AGAIN-LABEL: func.func @rows
func.func @rows(
    %x: memref<?x?xf32> {tile.name = "x", tile.dims = ["N", "H"]}, %keep: memref<?xi8> {tile.name = "keep", tile.dims = ["N"]},
    %y: memref<?x?xf32> {tile.name = "y", tile.dims = ["N", "H"]}, %N: index {tile.name = "N"}, %H: index {tile.name = "H"}) {
  %zero = arith.constant 0.0 : f32
  %off = arith.constant 0 : i8
  tile.foreach (%i: 0 to %N, %l: 0 to %H) {
    %v = tile.read %x[%i + 1, %l] else %zero : memref<?x?xf32>
    %k = tile.read %keep[%i] : memref<?xi8>
    %on = arith.cmpi ne, %k, %off : i8
    %w = arith.select %on, %v, %zero : f32
    tile.write %w to %y[%i, %l] : memref<?x?xf32>
  }
  func.return
}

// -----

// A test that depends on the lane is made by lane; without a proof that there is an element nothing is read outside.

// CHECK-LABEL: func.func @lanes
// CHECK:         scf.for %l = %c0 to %H step %c1 {
// CHECK-NEXT:      %[[AT:.*]] = arith.subi %l, %c1 : index
// CHECK-NEXT:      %[[LOW:.*]] = arith.cmpi sge, %[[AT]], %c0 : index
// CHECK-NEXT:      %[[IN:.*]] = arith.maxsi %[[AT]], %c0 : index
// CHECK-NEXT:      %[[READ:.*]] = memref.load %x[%[[IN]]] : memref<?xf32>
// CHECK-NEXT:      %v = arith.select %[[LOW]], %[[READ]], %zero : f32
// CHECK-NEXT:      %[[HIGH:.*]] = arith.cmpi slt, %l, %M : index
// CHECK-NEXT:      %w = scf.if %[[HIGH]] -> (f32) {
// CHECK-NEXT:        %[[OTHER:.*]] = memref.load %z[%l] : memref<?xf32>
// CHECK-NEXT:        scf.yield %[[OTHER]] : f32
// CHECK-NEXT:      } else {
// CHECK-NEXT:        scf.yield %zero : f32
// CHECK-NEXT:      }
func.func @lanes(
    %x: memref<?xf32> {tile.name = "x", tile.dims = ["H"]}, %z: memref<?xf32> {tile.name = "z", tile.dims = ["M"]},
    %y: memref<?xf32> {tile.name = "y", tile.dims = ["H"]}, %H: index {tile.name = "H"}, %M: index {tile.name = "M"}) {
  %zero = arith.constant 0.0 : f32
  tile.foreach (%l: 0 to %H) {
    %v = tile.read %x[%l - 1] else %zero : memref<?xf32>
    %w = tile.read %z[%l] else %zero : memref<?xf32>
    %s = arith.addf %v, %w : f32
    tile.write %s to %y[%l] : memref<?xf32>
  }
  func.return
}

// -----

// Lanes that combine into one element do so in ascending order, in a value that the loop carries; they are no lanes any more.

// CHECK-LABEL: func.func @sum
// CHECK:         scf.if %{{.*}} {
// CHECK-NEXT:      %[[BEFORE:.*]] = memref.load %s[%i] : memref<?xf32>
// CHECK-NEXT:      %s_1 = scf.for %l = %c0 to %H step %c1 iter_args(%s_2 = %[[BEFORE]]) -> (f32) {
// CHECK-NEXT:        %v = memref.load %x[%i, %l] : memref<?x?xf32>
// CHECK-NEXT:        %[[SUM:.*]] = arith.addf %s_2, %v : f32
// CHECK-NEXT:        scf.yield %[[SUM]] : f32
// CHECK-NEXT:      }
// CHECK-NOT:       tile.lanes
// CHECK-NEXT:      memref.store %s_1, %s[%i] : memref<?xf32>
func.func @sum(%x: memref<?x?xf32>, %s: memref<?xf32>, %N: index, %H: index) {
  tile.foreach (%i: 0 to %N, %l: 0 to %H) {
    %v = tile.read %x[%i, %l] : memref<?x?xf32>
    tile.write add %v to %s[%i] : memref<?xf32>
  }
  func.return
}

// -----

// A guard that is the same for all lanes goes around the loop; one that is not stays inside.

// CHECK-LABEL: func.func @guards
// CHECK:         scf.if %{{.*}} {
// CHECK:           %on = memref.load %keep[%i] : memref<?xi1>
// CHECK-NEXT:      scf.if %on {
// CHECK-NEXT:        scf.for %l =
// CHECK:             } {tile.lanes}
// CHECK:         scf.for %l_1 =
// CHECK-NEXT:      %each = memref.load %lane_keep[%l_1] : memref<?xi1>
// CHECK-NEXT:      scf.if %each {
// CHECK-NEXT:        %[[OLD:.*]] = memref.load %y[%l_1] : memref<?xf32>
// CHECK-NEXT:        %[[NEW:.*]] = arith.maximumf %[[OLD]], %one : f32
// CHECK-NEXT:        memref.store %[[NEW]], %y[%l_1] : memref<?xf32>
// CHECK-NEXT:      }
// CHECK-NEXT:    } {tile.lanes}
func.func @guards(%keep: memref<?xi1>, %lane_keep: memref<?xi1>, %y: memref<?xf32>, %N: index, %H: index) {
  %one = arith.constant 1.0 : f32
  tile.foreach (%i: 0 to %N, %l: 0 to %H) {
    %on = tile.read %keep[%i] : memref<?xi1>
    tile.write %one to %y[%l] if %on : memref<?xf32>
  }
  tile.foreach (%l: 0 to %H) {
    %each = tile.read %lane_keep[%l] : memref<?xi1>
    tile.write max %one to %y[%l] if %each : memref<?xf32>
  }
  func.return
}

// -----

// Few points of the last dim but one: one body for all of them. Rows are read once, the sum is loaded and stored once; only
// the last row may be past the end, since the other points read theirs without a test.

// CHECK-LABEL: func.func @jam
// CHECK:         scf.for %b = %c0 to %B step %c1 {
// CHECK:           %[[FIRST:.*]] = arith.muli %c2, %b : index
// CHECK:           %inside = arith.cmpi slt, %[[LAST:.*]], %N : index
// CHECK:           scf.for %l = %c0 to %H step %c1 {
// CHECK-NEXT:        %v = memref.load %x[%[[FIRST]], %l] : memref<?x?xf32>
// CHECK-NEXT:        %w = memref.load %x[%[[SECOND:.*]], %l] : memref<?x?xf32>
// CHECK-NEXT:        %t = arith.mulf %v, %w : f32
// CHECK-NEXT:        %[[OLD:.*]] = memref.load %s[%l] : memref<?xf32>
// CHECK-NEXT:        %[[ONE:.*]] = arith.addf %[[OLD]], %t : f32
// CHECK-NEXT:        %[[READ:.*]] = memref.load %x[%{{.*}}, %l] : memref<?x?xf32>
// CHECK-NEXT:        %w_1 = arith.select %inside, %[[READ]], %zero : f32
// CHECK-NEXT:        %t_1 = arith.mulf %w, %w_1 : f32
// CHECK-NEXT:        %[[TWO:.*]] = arith.addf %[[ONE]], %t_1 : f32
// CHECK-NEXT:        memref.store %[[TWO]], %s[%l] : memref<?xf32>
// CHECK-NEXT:      } {tile.lanes}
func.func @jam(
    %x: memref<?x?xf32> {tile.name = "x", tile.dims = ["N", "H"]}, %s: memref<?xf32> {tile.name = "s", tile.dims = ["H"]},
    %B: index {tile.name = "B"}, %N: index {tile.name = "N"}, %H: index {tile.name = "H"}) {
  %zero = arith.constant 0.0 : f32
  tile.foreach (%b: 0 to %B, %u: 0 to 2, %l: 0 to %H) {
    %v = tile.read %x[2 * %b + %u, %l] : memref<?x?xf32>
    %w = tile.read %x[2 * %b + %u + 1, %l] else %zero : memref<?x?xf32>
    %t = arith.mulf %v, %w : f32
    tile.write add %t to %s[%l] : memref<?xf32>
  }
  func.return
}

// -----

// Where a lane reads what another one wrote, the order of points is kept as it is.

// CHECK-LABEL: func.func @no_jam
// CHECK:         scf.for %u = %c0 to %c2 step %c1 {
// CHECK:           scf.for %l =
func.func @no_jam(%y: memref<?x?xf32>, %H: index) {
  tile.foreach (%u: 0 to 2, %l: 0 to %H) {
    %v = tile.read %y[%u, %l + 1] : memref<?x?xf32>
    tile.write %v to %y[%u + 1, %l] : memref<?x?xf32>
  }
  func.return
}
