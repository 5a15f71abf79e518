// RUN: opwright-opt %s -p "pipeline{target=ascend910b}" | filecheck %s

// A position has event ids for 8 buffers: of five inputs with two buffers each, the last two go without the second.

builtin.module {
func.func @k_tiling(%N : index {tile.name = "N"}, %H : index {tile.name = "H"}, %cores : index {tile.name = "cores"})
    -> (index {tile.name = "pitch"}) attributes {tile.tiling} {
  %c256 = arith.constant 256 : index
  func.return %c256 : index
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
  %zero = arith.constant 0.0 : f32
  tile.cores "s" %cores (%core) {
    // CHECK: ascendc.queue "a0" [8, %pitch] times 2 : !ascendc.queue<"VECIN", f32>
    %a0 = tile.alloc "a0" in [8, %pitch] times 2 : memref<?x?xf32, "ub">
    // CHECK: ascendc.queue "a1" [8, %pitch] times 2 : !ascendc.queue<"VECIN", f32>
    %a1 = tile.alloc "a1" in [8, %pitch] times 2 : memref<?x?xf32, "ub">
    // CHECK: ascendc.queue "a2" [8, %pitch] times 2 : !ascendc.queue<"VECIN", f32>
    %a2 = tile.alloc "a2" in [8, %pitch] times 2 : memref<?x?xf32, "ub">
    // CHECK: ascendc.queue "a3" [8, %pitch] : !ascendc.queue<"VECIN", f32>
    %a3 = tile.alloc "a3" in [8, %pitch] times 2 : memref<?x?xf32, "ub">
    // CHECK: ascendc.queue "a4" [8, %pitch] : !ascendc.queue<"VECIN", f32>
    %a4 = tile.alloc "a4" in [8, %pitch] times 2 : memref<?x?xf32, "ub">
    // CHECK: ascendc.queue "b" [8, %pitch] times 2 : !ascendc.queue<"VECOUT", f32>
    %b = tile.alloc "b" out [8, %pitch] times 2 : memref<?x?xf32, "ub">
    tile.load_rows %x[%c0, %c0] along 0 to %a0[%c0] rows %c8 width %H : memref<?x?xf32>, memref<?x?xf32, "ub">
    tile.load_rows %x[%c0, %c0] along 0 to %a1[%c0] rows %c8 width %H : memref<?x?xf32>, memref<?x?xf32, "ub">
    tile.load_rows %x[%c0, %c0] along 0 to %a2[%c0] rows %c8 width %H : memref<?x?xf32>, memref<?x?xf32, "ub">
    tile.load_rows %x[%c0, %c0] along 0 to %a3[%c0] rows %c8 width %H : memref<?x?xf32>, memref<?x?xf32, "ub">
    tile.load_rows %x[%c0, %c0] along 0 to %a4[%c0] rows %c8 width %H : memref<?x?xf32>, memref<?x?xf32, "ub">
    tile.fill (%zero) to %b[%c0] rows %c8 width %H : (f32) -> memref<?x?xf32, "ub">
    tile.binary "add" %b[%c0], %a0[%c0] to %b[%c0] rows %c8 width %H : (memref<?x?xf32, "ub">, memref<?x?xf32, "ub">) -> memref<?x?xf32, "ub">
    tile.binary "add" %b[%c0], %a1[%c0] to %b[%c0] rows %c8 width %H : (memref<?x?xf32, "ub">, memref<?x?xf32, "ub">) -> memref<?x?xf32, "ub">
    tile.binary "add" %b[%c0], %a2[%c0] to %b[%c0] rows %c8 width %H : (memref<?x?xf32, "ub">, memref<?x?xf32, "ub">) -> memref<?x?xf32, "ub">
    tile.binary "add" %b[%c0], %a3[%c0] to %b[%c0] rows %c8 width %H : (memref<?x?xf32, "ub">, memref<?x?xf32, "ub">) -> memref<?x?xf32, "ub">
    tile.binary "add" %b[%c0], %a4[%c0] to %b[%c0] rows %c8 width %H : (memref<?x?xf32, "ub">, memref<?x?xf32, "ub">) -> memref<?x?xf32, "ub">
    tile.store_rows %b[%c0] to %y[%c0, %c0] along 0 rows %c8 width %H : memref<?x?xf32, "ub">, memref<?x?xf32>
  }
  func.return
}
}
