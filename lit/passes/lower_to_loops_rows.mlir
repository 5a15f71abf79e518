// RUN: opwright-opt %s -p lower-to-loops | filecheck %s

// Row copies and row instructions: loops over rows and lanes; a single row needs no loop.

func.func @k_tiling(%N: index {tile.name = "N"}, %H: index {tile.name = "H"}, %cores: index {tile.name = "cores"})
    -> (index {tile.name = "n"}) attributes {tile.tiling} {
  %n = arith.constant 4 : index
  func.return %n : index
}

func.func @k(
    %x: memref<?x?x?xbf16> {tile.name = "x", tile.role = "input", tile.dims = ["N", "N", "H"]},
    %y: memref<?x?xbf16> {tile.name = "y", tile.role = "output", tile.dims = ["N", "H"]},
    %N: index {tile.name = "N", tile.role = "dim"}, %H: index {tile.name = "H", tile.role = "dim"},
    %n: index {tile.name = "n", tile.role = "tiling"}, %cores: index {tile.name = "cores", tile.role = "cores"})
    attributes {tile.kernel} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %two = arith.constant 2.0 : f32
  tile.cores "k" %cores (%core) {
    %in = tile.alloc "in" in [%n + 2, 64] : memref<?x?xbf16, "ub">
    %g = tile.alloc "g" temp [%n + 2, 64] : memref<?x?xf32, "ub">
    %p = tile.alloc "p" temp [%n, 64] : memref<?x?xf32, "ub">
    %acc = tile.alloc "acc" accumulator [2, 64] : memref<?x?xf32, "ub">
    %out = tile.alloc "out" out [%n, 64] : memref<?x?xbf16, "ub">

    // CHECK:      scf.for %r = %c0 to %n step %c1 {
    // CHECK-NEXT:   %[[FROM:.*]] = arith.addi %core, %r : index
    // CHECK-NEXT:   %[[TO:.*]] = arith.addi %c2, %r : index
    // CHECK-NEXT:   scf.for %e = %c0 to %H step %c1 {
    // CHECK-NEXT:     %[[LANE:.*]] = arith.addi %c2, %e : index
    // CHECK-NEXT:     %[[V:.*]] = memref.load %x[%[[FROM]], %c1, %[[LANE]]] : memref<?x?x?xbf16>
    // CHECK-NEXT:     memref.store %[[V]], %in[%[[TO]], %e] : memref<?x64xbf16>
    // CHECK-NEXT:   } {tile.lanes}
    // CHECK-NEXT: }
    tile.load_rows %x[%core, %c1, %c2] along 0 to %in[%c2] rows %n width %H : memref<?x?x?xbf16>, memref<?x?xbf16, "ub">

    // CHECK:          %[[V:.*]] = memref.load %in[%r_1, %e_1] : memref<?x64xbf16>
    // CHECK-NEXT:     %[[W:.*]] = arith.extf %[[V]] : bf16 to f32
    // CHECK-NEXT:     memref.store %[[W]], %g[%r_1, %e_1] : memref<?x64xf32>
    tile.cast %in[%c0] to %g[%c0] rows %n width %H : (memref<?x?xbf16, "ub">) -> memref<?x?xf32, "ub">

    // CHECK:      scf.for %e_2 = %c0 to %H step %c1 {
    // CHECK-NEXT:   memref.store %two, %g[%c2, %e_2] : memref<?x64xf32>
    // CHECK-NEXT: } {tile.lanes}
    tile.fill (%two) to %g[%c2] rows %c1 width %H : (f32) -> memref<?x?xf32, "ub">

    // CHECK:          %[[A:.*]] = memref.load %g[%{{.*}}, %e_3] : memref<?x64xf32>
    // CHECK-NEXT:     %[[B:.*]] = memref.load %acc[%c1, %e_3] : memref<2x64xf32>
    // CHECK-NEXT:     %[[C:.*]] = arith.divf %[[A]], %[[B]] : f32
    // CHECK-NEXT:     memref.store %[[C]], %p[%r_2, %e_3] : memref<?x64xf32>
    tile.binary "div" %g[%c1], %acc[%c1] step 0 to %p[%c0] rows %n width %H : (memref<?x?xf32, "ub">, memref<?x?xf32, "ub">) -> memref<?x?xf32, "ub">

    // CHECK:          %[[A:.*]] = memref.load %p[%r_3, %e_4] : memref<?x64xf32>
    // CHECK-NEXT:     %[[B:.*]] = arith.minimumf %[[A]], %two : f32
    tile.scalar "min" %p[%c0] (%two) to %p[%c0] rows %n width %H : (memref<?x?xf32, "ub">, f32) -> memref<?x?xf32, "ub">

    // CHECK:          %[[ONE:.*]] = arith.constant 1.000000e+00 : f32
    // CHECK-NEXT:     arith.divf %[[ONE]], %{{.*}} : f32
    tile.unary "recip" %p[%c0] to %p[%c0] rows %n width %H : (memref<?x?xf32, "ub">) -> memref<?x?xf32, "ub">

    // CHECK:          %[[ZERO:.*]] = arith.constant 0.000000e+00 : f32
    // CHECK-NEXT:     arith.maximumf %{{.*}}, %[[ZERO]] : f32
    tile.unary "relu" %p[%c0] to %p[%c0] rows %n width %H : (memref<?x?xf32, "ub">) -> memref<?x?xf32, "ub">

    // CHECK:          math.rsqrt %{{.*}} : f32
    tile.unary "rsqrt" %p[%c0] to %p[%c0] rows %n width %H : (memref<?x?xf32, "ub">) -> memref<?x?xf32, "ub">

    // CHECK:          %[[V:.*]] = memref.load %p[%[[R:.*]], %[[E:.*]]] : memref<?x64xf32>
    // CHECK-NEXT:     %[[OLD:.*]] = memref.load %acc[%c1, %[[E]]] : memref<2x64xf32>
    // CHECK-NEXT:     %[[NEW:.*]] = arith.addf %[[OLD]], %[[V]] : f32
    // CHECK-NEXT:     memref.store %[[NEW]], %acc[%c1, %[[E]]] : memref<2x64xf32>
    tile.accumulate "add" %p[%c0] to %acc[%c1] rows %n width %H : (memref<?x?xf32, "ub">) -> memref<?x?xf32, "ub">

    // CHECK:          %[[V:.*]] = memref.load %p[
    // CHECK-NEXT:     %[[W:.*]] = arith.truncf %[[V]] : f32 to bf16
    // CHECK-NEXT:     memref.store %[[W]], %out[
    tile.cast %p[%c0] to %out[%c0] rows %n width %H : (memref<?x?xf32, "ub">) -> memref<?x?xbf16, "ub">

    // 16-bit floats are combined in f32, and rounded once.
    // CHECK:          %[[B:.*]] = memref.load %in[
    // CHECK-NEXT:     %[[C:.*]] = arith.extf %{{.*}} : bf16 to f32
    // CHECK-NEXT:     %[[D:.*]] = arith.extf %[[B]] : bf16 to f32
    // CHECK-NEXT:     %[[S:.*]] = arith.mulf %[[C]], %[[D]] : f32
    // CHECK-NEXT:     arith.truncf %[[S]] : f32 to bf16
    tile.binary "mul" %out[%c0], %in[%c0] to %out[%c0] rows %n width %H : (memref<?x?xbf16, "ub">, memref<?x?xbf16, "ub">) -> memref<?x?xbf16, "ub">

    // CHECK:          %[[V:.*]] = memref.load %out[%[[R:.*]], %[[E:.*]]] : memref<?x64xbf16>
    // CHECK-NEXT:     memref.store %[[V]], %y[%{{.*}}, %[[E]]] : memref<?x?xbf16>
    tile.store_rows %out[%c0] to %y[%core, %c0] along 0 rows %n width %H : memref<?x?xbf16, "ub">, memref<?x?xbf16>
    // CHECK-NOT: tile.{{[a-z]+_rows|cast|unary|binary|scalar|fill|accumulate}}
  }
  func.return
}
