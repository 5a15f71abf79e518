// RUN: opwright-opt %s -p "pipeline{target=ascend910b}" | filecheck %s

// What each buffer becomes, by the pipes that use it, and where the steps of its queue stand.

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
    // CHECK: %a_queue = ascendc.queue "a" [8, %pitch] times 2 : !ascendc.queue<"VECIN", f32>
    %a = tile.alloc "a" in [8, %pitch] times 2 : memref<?x?xf32, "ub">
    // CHECK-NEXT: %w_queue = ascendc.queue "w" [8, %pitch] : !ascendc.queue<"VECIN", f32>
    %w = tile.alloc "w" resident [8, %pitch] : memref<?x?xf32, "ub">
    // CHECK-NEXT: %t_buffer = ascendc.buffer "t" [8, %pitch] : !ascendc.buffer<f32>
    // CHECK-NEXT: %t = ascendc.get %t_buffer : !ascendc.buffer<f32> -> memref<?x?xf32, "ub">
    %t = tile.alloc "t" temp [8, %pitch] : memref<?x?xf32, "ub">
    // CHECK-NEXT: %b_queue = ascendc.queue "b" [8, %pitch] times 2 : !ascendc.queue<"VECOUT", f32>
    %b = tile.alloc "b" out [8, %pitch] times 2 : memref<?x?xf32, "ub">
    // CHECK-NEXT: %sum_queue = ascendc.queue "sum" [8, %pitch] : !ascendc.queue<"VECOUT", f32>
    %sum = tile.alloc "sum" accumulator [8, %pitch] : memref<?x?xf32, "ub">
    // CHECK-NEXT: %through_queue = ascendc.queue "through" [8, %pitch] times 2 : !ascendc.queue<"VECBIND", f32>
    %through = tile.alloc "through" in [8, %pitch] times 2 : memref<?x?xf32, "ub">
    // CHECK-NEXT: %s_buffer = ascendc.buffer "s" [8, %pitch] : !ascendc.buffer<f32>
    // CHECK-NEXT: %s = ascendc.get %s_buffer
    %s = tile.alloc "s" scalars [8, %pitch] : memref<?x?xf32, "ub">
    // A buffer that nobody uses leaves no trace.
    // CHECK-NEXT: scf.for %item
    %unused = tile.alloc "unused" temp [8, %pitch] : memref<?x?xf32, "ub">
    scf.for %item = %core to %N step %cores {
      // CHECK-NEXT: %w = ascendc.alloc_tensor %w_queue
      // CHECK-NEXT: tile.load_rows {{.*}} to %w[%c0]
      // CHECK-NEXT: ascendc.enque %w to %w_queue
      tile.load_rows %x[%c0, %c0] along 0 to %w[%c0] rows %c8 width %H : memref<?x?xf32>, memref<?x?xf32, "ub">
      // CHECK-NEXT: %sum = ascendc.alloc_tensor %sum_queue
      // CHECK-NEXT: tile.fill (%zero) to %sum[%c0]
      tile.fill (%zero) to %sum[%c0] rows %c8 width %H : (f32) -> memref<?x?xf32, "ub">
      // A resident buffer is taken over in front of the loop that uses it, and given back behind it.
      // CHECK-NEXT: [[W:%w_1]] = ascendc.deque %w_queue
      // CHECK-NEXT: scf.for %i
      scf.for %i = %c0 to %N step %c8 {
        // CHECK-NEXT: %a = ascendc.alloc_tensor %a_queue
        // CHECK-NEXT: tile.load_rows {{.*}} to %a[%c0]
        // CHECK-NEXT: ascendc.enque %a to %a_queue
        tile.load_rows %x[%c0, %c0] along 0 to %a[%c0] rows %c8 width %H : memref<?x?xf32>, memref<?x?xf32, "ub">
        // CHECK-NEXT: tile.load_rows {{.*}} to %s[%c0]
        tile.load_rows %x[%c0, %c0] along 0 to %s[%c0] rows %c8 width %H : memref<?x?xf32>, memref<?x?xf32, "ub">
        // CHECK-NEXT: memref.load %s[%c0, %c0]
        %v = memref.load %s[%c0, %c0] : memref<?x?xf32, "ub">
        // CHECK-NEXT: [[A:%a_1]] = ascendc.deque %a_queue
        // CHECK-NEXT: tile.scalar "mul" [[A]][%c0] (%v) to %t[%c0]
        tile.scalar "mul" %a[%c0] (%v) to %t[%c0] rows %c8 width %H : (memref<?x?xf32, "ub">, f32) -> memref<?x?xf32, "ub">
        // CHECK-NEXT: ascendc.free_tensor [[A]] to %a_queue
        // CHECK-NEXT: %b = ascendc.alloc_tensor %b_queue
        // CHECK-NEXT: tile.binary "add" %t[%c0], [[W]][%c0] to %b[%c0]
        tile.binary "add" %t[%c0], %w[%c0] to %b[%c0] rows %c8 width %H : (memref<?x?xf32, "ub">, memref<?x?xf32, "ub">) -> memref<?x?xf32, "ub">
        // CHECK-NEXT: tile.accumulate "add" %b[%c0] to %sum[%c0]
        tile.accumulate "add" %b[%c0] to %sum[%c0] rows %c8 width %H : (memref<?x?xf32, "ub">) -> memref<?x?xf32, "ub">
        // CHECK-NEXT: ascendc.enque %b to %b_queue
        // CHECK-NEXT: [[B:%b_1]] = ascendc.deque %b_queue
        // CHECK-NEXT: tile.store_rows [[B]][%c0]
        // CHECK-NEXT: ascendc.free_tensor [[B]] to %b_queue
        tile.store_rows %b[%c0] to %y[%c0, %c0] along 0 rows %c8 width %H : memref<?x?xf32, "ub">, memref<?x?xf32>
        // CHECK-NEXT: %through = ascendc.alloc_tensor %through_queue
        // CHECK-NEXT: tile.load_rows {{.*}} to %through[%c0]
        // CHECK-NEXT: ascendc.enque %through to %through_queue
        tile.load_rows %x[%c0, %c0] along 0 to %through[%c0] rows %c8 width %H : memref<?x?xf32>, memref<?x?xf32, "ub">
        // CHECK-NEXT: [[T:%through_1]] = ascendc.deque %through_queue
        // CHECK-NEXT: tile.store_rows [[T]][%c0]
        // CHECK-NEXT: ascendc.free_tensor [[T]] to %through_queue
        tile.store_rows %through[%c0] to %y[%c0, %c0] along 0 rows %c8 width %H : memref<?x?xf32, "ub">, memref<?x?xf32>
      }
      // CHECK: ascendc.enque %sum to %sum_queue
      // CHECK-NEXT: ascendc.free_tensor [[W]] to %w_queue
      // CHECK-NEXT: [[SUM:%sum_1]] = ascendc.deque %sum_queue
      // CHECK-NEXT: tile.store_rows [[SUM]][%c0]
      // CHECK-NEXT: ascendc.free_tensor [[SUM]] to %sum_queue
      tile.store_rows %sum[%c0] to %y[%c0, %c0] along 0 rows %c8 width %H : memref<?x?xf32, "ub">, memref<?x?xf32>
    }
  }
  func.return
}
}
