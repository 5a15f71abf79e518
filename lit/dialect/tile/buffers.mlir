// RUN: opwright-opt %s | filecheck %s
// RUN: opwright-opt %s | opwright-opt | filecheck %s
// RUN: opwright-opt %s --print-op-generic | opwright-opt | filecheck %s
// RUN: opwright-opt %s --print-op-generic | filecheck %s --check-prefix=GENERIC

// The buffer level: buffers, row copies and row instructions, and the tiling function.

func.func @k_tiling(%N : index {tile.name = "N"}, %cores : index {tile.name = "cores"})
    -> (index {tile.name = "pitch"}, index {tile.name = "n"}) attributes {tile.tiling} {
  %c32 = arith.constant 32 : index
  %blocks = arith.ceildivsi %N, %c32 : index
  %pitch = arith.muli %blocks, %c32 : index
  // CHECK: %n = tile.fit_rows "k" %pitch cap %N
  // GENERIC: "tile.fit_rows"(%pitch, %N) <{stage = "k"}> : (index, index) -> index
  %n = tile.fit_rows "k" %pitch cap %N
  // CHECK: %m = tile.fit_lanes "k" cap %N
  // GENERIC: "tile.fit_lanes"(%N) <{stage = "k"}> : (index) -> index
  %m = tile.fit_lanes "k" cap %N
  // CHECK: %runs = tile.fits "k"
  // GENERIC: "tile.fits"() <{stage = "k"}> : () -> index
  %runs = tile.fits "k"
  func.return %pitch, %n : index, index
}

func.func @k(%x : memref<?x?xbf16> {tile.name = "x", tile.role = "input", tile.dims = ["N", "N"]},
             %y : memref<?x?xbf16> {tile.name = "y", tile.role = "output", tile.dims = ["N", "N"]},
             %N : index {tile.name = "N", tile.role = "dim"},
             %pitch : index {tile.name = "pitch", tile.role = "tiling"},
             %n : index {tile.name = "n", tile.role = "tiling"},
             %cores : index {tile.name = "cores", tile.role = "cores"}) attributes {tile.kernel} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %scale = arith.constant 2.0 : f32
  tile.cores "k" %cores (%core) {
    // CHECK: %in = tile.alloc "in" in [%n + 2, %pitch] times 2 : memref<?x?xbf16, "ub">
    // GENERIC: "tile.alloc"(%n, %pitch) <{label = "in", role = "in", sizes = #spec.map<(d0 + 2, d1)>, times = #builtin.int<2>}>
    %in = tile.alloc "in" in [%n + 2, %pitch] times 2 : memref<?x?xbf16, "ub">
    // CHECK-NEXT: %g = tile.alloc "g" temp [%n + 2, %pitch] : memref<?x?xf32, "ub">
    %g = tile.alloc "g" temp [%n + 2, %pitch] : memref<?x?xf32, "ub">
    // CHECK-NEXT: %w = tile.alloc "w" accumulator [1, %n + 1] : memref<?x?xf32, "ub">
    %w = tile.alloc "w" accumulator [1, %n + 1] : memref<?x?xf32, "ub">
    // CHECK-NEXT: tile.load_rows %x[%c1, %c0] along 0 to %in[%c0] rows %n width %N : memref<?x?xbf16>, memref<?x?xbf16, "ub">
    // GENERIC: "tile.load_rows"(%x, %in, %c1, %c0, %c0, %n, %N) <{along = #builtin.int<0>, operandSegmentSizes = array<i32: 1, 1, 2, 1, 1, 1, 0, 0, 0>}>
    tile.load_rows %x[%c1, %c0] along 0 to %in[%c0] rows %n width %N : memref<?x?xbf16>, memref<?x?xbf16, "ub">
    // CHECK-NEXT: %edge = arith.constant 1.000000e+00 : bf16
    %edge = arith.constant 1.0 : bf16
    // CHECK-NEXT: tile.load_rows %x[%c1, %c0] along 0 to %in[%c0] rows %n width %N border %c1, %c0 of %edge : memref<?x?xbf16>, memref<?x?xbf16, "ub">
    tile.load_rows %x[%c1, %c0] along 0 to %in[%c0] rows %n width %N border %c1, %c0 of %edge : memref<?x?xbf16>, memref<?x?xbf16, "ub">
    // CHECK-NEXT: tile.fill (%scale) to %w[%c0] rows %c1 width %N : (f32) -> memref<?x?xf32, "ub">
    // GENERIC: "tile.fill"(%scale, %w, %c0, %c1, %N) <{kind = "", steps = array<i64>, operandSegmentSizes = array<i32: 0, 0, 1, 1, 1, 1, 1>}>
    tile.fill (%scale) to %w[%c0] rows %c1 width %N : (f32) -> memref<?x?xf32, "ub">
    // CHECK-NEXT: tile.cast %in[%c0] to %g[%c0] rows %n width %N : (memref<?x?xbf16, "ub">) -> memref<?x?xf32, "ub">
    tile.cast %in[%c0] to %g[%c0] rows %n width %N : (memref<?x?xbf16, "ub">) -> memref<?x?xf32, "ub">
    // CHECK-NEXT: tile.unary "exp" %g[%c0] to %g[%c0] rows %n width %N : (memref<?x?xf32, "ub">) -> memref<?x?xf32, "ub">
    tile.unary "exp" %g[%c0] to %g[%c0] rows %n width %N : (memref<?x?xf32, "ub">) -> memref<?x?xf32, "ub">
    // CHECK-NEXT: tile.binary "mul" %g[%c1], %w[%c0] step 0 to %g[%c1] rows %n width %N : (memref<?x?xf32, "ub">, memref<?x?xf32, "ub">) -> memref<?x?xf32, "ub">
    // GENERIC: "tile.binary"(%g, %w, %c1, %c0, %g, %c1, %n, %N) <{kind = "mul", steps = array<i64: 1, 0>, operandSegmentSizes = array<i32: 2, 2, 0, 1, 1, 1, 1>}>
    tile.binary "mul" %g[%c1], %w[%c0] step 0 to %g[%c1] rows %n width %N : (memref<?x?xf32, "ub">, memref<?x?xf32, "ub">) -> memref<?x?xf32, "ub">
    // CHECK-NEXT: tile.scalar "max" %g[%c0] (%scale) to %g[%c0] rows %n width %N : (memref<?x?xf32, "ub">, f32) -> memref<?x?xf32, "ub">
    tile.scalar "max" %g[%c0] (%scale) to %g[%c0] rows %n width %N : (memref<?x?xf32, "ub">, f32) -> memref<?x?xf32, "ub">
    // CHECK-NEXT: tile.accumulate "add" %g[%c0] to %w[%c0] rows %n width %N : (memref<?x?xf32, "ub">) -> memref<?x?xf32, "ub">
    tile.accumulate "add" %g[%c0] to %w[%c0] rows %n width %N : (memref<?x?xf32, "ub">) -> memref<?x?xf32, "ub">
    // CHECK-NEXT: tile.cast %g[%c0] to %in[%c0] rows %n width %N : (memref<?x?xf32, "ub">) -> memref<?x?xbf16, "ub">
    tile.cast %g[%c0] to %in[%c0] rows %n width %N : (memref<?x?xf32, "ub">) -> memref<?x?xbf16, "ub">
    // CHECK-NEXT: tile.store_rows %in[%c0] to %y[%c0, %c0] along 0 rows %n width %N : memref<?x?xbf16, "ub">, memref<?x?xbf16>
    // GENERIC: "tile.store_rows"(%in, %y, %c0, %c0, %c0, %n, %N) <{along = #builtin.int<0>}>
    tile.store_rows %in[%c0] to %y[%c0, %c0] along 0 rows %n width %N : memref<?x?xbf16, "ub">, memref<?x?xbf16>
  }
  func.return
}
