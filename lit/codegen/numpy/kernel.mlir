// RUN: opwright-opt %s -t numpy | filecheck %s
// RUN: opwright-opt %s -t "numpy{fit-rows=3 reverse-cores=true}" | filecheck %s --check-prefix=OPTIONS

// A kernel and its tiling function: what each argument is stands beside it, what the kernel computes at the top.

// CHECK: """y = exp(2 x)"""
// CHECK: def k_tiling(N, cores):
// CHECK-NEXT: pitch = -(-N // 32) * 32
// CHECK-NEXT: n = max(1, min(N, 5))
// OPTIONS: n = max(1, min(N, 3))
// CHECK-NEXT: return pitch, n
func.func @k_tiling(%N : index {tile.name = "N"}, %cores : index {tile.name = "cores"})
    -> (index {tile.name = "pitch"}, index {tile.name = "n"}) attributes {tile.tiling} {
  %c32 = arith.constant 32 : index
  %0 = arith.ceildivsi %N, %c32 : index
  %pitch = arith.muli %0, %c32 : index
  %n = tile.fit_rows "k" %pitch cap %N
  func.return %pitch, %n : index, index
}

// CHECK: @np.errstate(all="ignore")
// CHECK-NEXT: def k(
// CHECK-NEXT:     x,  # input bfloat16[N, N]
// CHECK-NEXT:     y,  # output bfloat16[N, N]
// CHECK-NEXT:     N,  # dim
// CHECK-NEXT:     pitch,  # tiling
// CHECK-NEXT:     n,  # tiling
// CHECK-NEXT:     cores,  # cores
// CHECK-NEXT: ):
func.func @k(%x : memref<?x?xbf16> {tile.name = "x", tile.role = "input", tile.dims = ["N", "N"]},
             %y : memref<?x?xbf16> {tile.name = "y", tile.role = "output", tile.dims = ["N", "N"]},
             %N : index {tile.name = "N", tile.role = "dim"},
             %pitch : index {tile.name = "pitch", tile.role = "tiling"},
             %n : index {tile.name = "n", tile.role = "tiling"},
             %cores : index {tile.name = "cores", tile.role = "cores"})
    attributes {tile.kernel, tile.equation = "y = exp(2 x)"} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  // CHECK-NEXT: two = np.float32(2.0)
  %two = arith.constant 2.0 : f32
  // CHECK-NEXT: # k
  // CHECK-NEXT: for core in range(cores):
  // OPTIONS: for core in reversed(range(cores)):
  tile.cores "k" %cores (%core) {
    // CHECK-NEXT: in_1 = poisoned((n + 2, pitch), bfloat16)
    %in = tile.alloc "in" in [%n + 2, %pitch] times 2 : memref<?x?xbf16, "ub">
    %g = tile.alloc "g" temp [%n + 2, %pitch] : memref<?x?xf32, "ub">
    %w = tile.alloc "w" accumulator [1, %pitch] : memref<?x?xf32, "ub">
    // CHECK: in_1[:n, :N] = x[1:n + 1, :N]
    tile.load_rows %x[%c1, %c0] along 0 to %in[%c0] rows %n width %N : memref<?x?xbf16>, memref<?x?xbf16, "ub">
    // CHECK-NEXT: w[0, :N] = two
    tile.fill (%two) to %w[%c0] rows %c1 width %N : (f32) -> memref<?x?xf32, "ub">
    // CHECK-NEXT: g[:n, :N] = in_1[:n, :N]
    tile.cast %in[%c0] to %g[%c0] rows %n width %N : (memref<?x?xbf16, "ub">) -> memref<?x?xf32, "ub">
    // CHECK-NEXT: g[1:n + 1, :N] = g[1:n + 1, :N] * w[0, :N]
    tile.binary "mul" %g[%c1], %w[%c0] step 0 to %g[%c1] rows %n width %N : (memref<?x?xf32, "ub">, memref<?x?xf32, "ub">) -> memref<?x?xf32, "ub">
    // CHECK-NEXT: g[:n, :N] = in_double(np.exp, g[:n, :N])
    tile.unary "exp" %g[%c0] to %g[%c0] rows %n width %N : (memref<?x?xf32, "ub">) -> memref<?x?xf32, "ub">
    // CHECK-NEXT: g[:n, :N] = maximum(g[:n, :N], two)
    tile.scalar "max" %g[%c0] (%two) to %g[%c0] rows %n width %N : (memref<?x?xf32, "ub">, f32) -> memref<?x?xf32, "ub">
    // CHECK-NEXT: for r in range(n):
    // CHECK-NEXT:     w[0, :N] += g[r, :N]
    tile.accumulate "add" %g[%c0] to %w[%c0] rows %n width %N : (memref<?x?xf32, "ub">) -> memref<?x?xf32, "ub">
    tile.cast %g[%c0] to %in[%c0] rows %n width %N : (memref<?x?xf32, "ub">) -> memref<?x?xbf16, "ub">
    // CHECK: y[:n, :N] = in_1[:n, :N]
    tile.store_rows %in[%c0] to %y[%c0, %c0] along 0 rows %n width %N : memref<?x?xbf16, "ub">, memref<?x?xbf16>
    // CHECK-NEXT: for r in range(n):
    // CHECK-NEXT:     y[0, r:r + N] = in_1[r, :N]
    tile.store_rows %in[%c0] to %y[%c0, %c0] along 1 rows %n width %N : memref<?x?xbf16, "ub">, memref<?x?xbf16>
  }
  func.return
}
