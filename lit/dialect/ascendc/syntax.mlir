// RUN: opwright-opt %s | filecheck %s
// RUN: opwright-opt %s | opwright-opt | filecheck %s
// RUN: opwright-opt %s --print-op-generic | opwright-opt | filecheck %s
// RUN: opwright-opt %s --print-op-generic | filecheck %s --check-prefix=GENERIC

// All operations of the dialect, in both forms.

func.func @k(%x : memref<?x?xbf16>, %y : memref<?x?xbf16>, %n : index, %cores : index) {
  %c0 = arith.constant 0 : index
  %one = arith.constant 1.0 : f32
  // CHECK: ascendc.stage "main" %cores (%core) {
  // GENERIC: "ascendc.stage"(%cores) <{label = "main"}> ({
  ascendc.stage "main" %cores (%core) {
    // CHECK-NEXT: %x_in = ascendc.queue "x_in" [%n + 1, 32] times 2 : !ascendc.queue<"VECIN", bf16>
    // GENERIC: "ascendc.queue"(%n) <{label = "x_in", sizes = #spec.map<(d0 + 1, 32)>, times = #builtin.int<2>}> : (index) -> !ascendc.queue<"VECIN", bf16>
    %x_in = ascendc.queue "x_in" [%n + 1, 32] times 2 : !ascendc.queue<"VECIN", bf16>
    // CHECK-NEXT: %y_out = ascendc.queue "y_out" [%n, 32] : !ascendc.queue<"VECOUT", bf16>
    %y_out = ascendc.queue "y_out" [%n, 32] : !ascendc.queue<"VECOUT", bf16>
    // CHECK-NEXT: %through = ascendc.queue "through" [1, 32] : !ascendc.queue<"VECBIND", bf16>
    %through = ascendc.queue "through" [1, 32] : !ascendc.queue<"VECBIND", bf16>
    // CHECK-NEXT: %g_buffer = ascendc.buffer "g" [%n, 32] : !ascendc.buffer<f32>
    %g_buffer = ascendc.buffer "g" [%n, 32] : !ascendc.buffer<f32>
    // CHECK-NEXT: %loaded = ascendc.event : !ascendc.event<"MTE2_S">
    %loaded = ascendc.event : !ascendc.event<"MTE2_S">
    // CHECK-NEXT: %g = ascendc.get %g_buffer : !ascendc.buffer<f32> -> memref<?xf32, "ub">
    %g = ascendc.get %g_buffer : !ascendc.buffer<f32> -> memref<?xf32, "ub">
    // CHECK-NEXT: %t = ascendc.alloc_tensor %x_in : !ascendc.queue<"VECIN", bf16> -> memref<?xbf16, "ub">
    %t = ascendc.alloc_tensor %x_in : !ascendc.queue<"VECIN", bf16> -> memref<?xbf16, "ub">
    // CHECK-NEXT: ascendc.copy_in %x[%core] to %t[%c0] blocks %n length %n gaps %c0, %c0 : memref<?x?xbf16>, memref<?xbf16, "ub">
    // GENERIC: "ascendc.copy_in"(%x, %core, %t, %c0, %n, %n, %c0, %c0) <{operandSegmentSizes = array<i32: 1, 1, 1, 1, 1, 1, 1, 1, 0, 0, 0>}> : (memref<?x?xbf16>, index, memref<?xbf16, "ub">, index, index, index, index, index) -> ()
    ascendc.copy_in %x[%core] to %t[%c0] blocks %n length %n gaps %c0, %c0 : memref<?x?xbf16>, memref<?xbf16, "ub">
    // CHECK-NEXT: %edge = arith.constant 1.000000e+00 : bf16
    %edge = arith.constant 1.0 : bf16
    // CHECK-NEXT: ascendc.copy_in %x[%core] to %t[%c0] blocks %n length %n gaps %c0, %c0 border %c0, %n of %edge : memref<?x?xbf16>, memref<?xbf16, "ub">
    ascendc.copy_in %x[%core] to %t[%c0] blocks %n length %n gaps %c0, %c0 border %c0, %n of %edge : memref<?x?xbf16>, memref<?xbf16, "ub">
    // CHECK-NEXT: ascendc.set_flag %loaded : !ascendc.event<"MTE2_S">
    ascendc.set_flag %loaded : !ascendc.event<"MTE2_S">
    // CHECK-NEXT: ascendc.wait_flag %loaded : !ascendc.event<"MTE2_S">
    ascendc.wait_flag %loaded : !ascendc.event<"MTE2_S">
    // CHECK-NEXT: ascendc.enque %t to %x_in : memref<?xbf16, "ub">, !ascendc.queue<"VECIN", bf16>
    ascendc.enque %t to %x_in : memref<?xbf16, "ub">, !ascendc.queue<"VECIN", bf16>
    // CHECK-NEXT: %u = ascendc.deque %x_in : !ascendc.queue<"VECIN", bf16> -> memref<?xbf16, "ub">
    %u = ascendc.deque %x_in : !ascendc.queue<"VECIN", bf16> -> memref<?xbf16, "ub">
    // CHECK-NEXT: ascendc.cast "CAST_NONE" %g[%c0], %u[%c0] lanes %n repeat %n strides [%n, %c0] : memref<?xf32, "ub">, memref<?xbf16, "ub">
    // GENERIC: "ascendc.cast"(%g, %u, %c0, %c0, %n, %n, %n, %c0) <{api = "CAST_NONE", operandSegmentSizes = array<i32: 2, 2, 0, 1, 1, 2>}>
    ascendc.cast "CAST_NONE" %g[%c0], %u[%c0] lanes %n repeat %n strides [%n, %c0] : memref<?xf32, "ub">, memref<?xbf16, "ub">
    // CHECK-NEXT: ascendc.free_tensor %u to %x_in : memref<?xbf16, "ub">, !ascendc.queue<"VECIN", bf16>
    ascendc.free_tensor %u to %x_in : memref<?xbf16, "ub">, !ascendc.queue<"VECIN", bf16>
    // CHECK-NEXT: ascendc.barrier "V"
    ascendc.barrier "V"
    // CHECK-NEXT: ascendc.fill "Duplicate" %g[%c0] (%one) lanes %n : memref<?xf32, "ub">, f32
    // GENERIC: "ascendc.fill"(%g, %c0, %one, %n) <{api = "Duplicate", operandSegmentSizes = array<i32: 1, 1, 1, 1, 0, 0>}>
    ascendc.fill "Duplicate" %g[%c0] (%one) lanes %n : memref<?xf32, "ub">, f32
    // CHECK-NEXT: ascendc.unary "Exp" %g[%c0], %g[%c0] lanes %n : memref<?xf32, "ub">, memref<?xf32, "ub">
    ascendc.unary "Exp" %g[%c0], %g[%c0] lanes %n : memref<?xf32, "ub">, memref<?xf32, "ub">
    // CHECK-NEXT: ascendc.binary "Add" %g[%c0], %g[%n], %g[%c0] lanes %n repeat %n strides [%c0, %n, %c0] : memref<?xf32, "ub">, memref<?xf32, "ub">, memref<?xf32, "ub">
    ascendc.binary "Add" %g[%c0], %g[%n], %g[%c0] lanes %n repeat %n strides [%c0, %n, %c0] : memref<?xf32, "ub">, memref<?xf32, "ub">, memref<?xf32, "ub">
    // CHECK-NEXT: ascendc.scalar "Muls" %g[%c0], %g[%c0] (%one) lanes %n : memref<?xf32, "ub">, memref<?xf32, "ub">, f32
    ascendc.scalar "Muls" %g[%c0], %g[%c0] (%one) lanes %n : memref<?xf32, "ub">, memref<?xf32, "ub">, f32
    // CHECK-NEXT: ascendc.by_row "Mul" %g[%c0], %g[%c0], %g[%n] lanes %n repeat %n strides [%n, %n, %c0] : memref<?xf32, "ub">, memref<?xf32, "ub">, memref<?xf32, "ub">
    ascendc.by_row "Mul" %g[%c0], %g[%c0], %g[%n] lanes %n repeat %n strides [%n, %n, %c0] : memref<?xf32, "ub">, memref<?xf32, "ub">, memref<?xf32, "ub">
    // CHECK-NEXT: ascendc.reduce "WholeReduceSum" %g[%c0], %g[%n] lanes %n repeat %n strides [%n, %n] : memref<?xf32, "ub">, memref<?xf32, "ub">
    ascendc.reduce "WholeReduceSum" %g[%c0], %g[%n] lanes %n repeat %n strides [%n, %n] : memref<?xf32, "ub">, memref<?xf32, "ub">
    // CHECK-NEXT: ascendc.spread "Brcb" %g[%c0], %g[%n] lanes %n repeat %n strides [%n, %n] : memref<?xf32, "ub">, memref<?xf32, "ub">
    ascendc.spread "Brcb" %g[%c0], %g[%n] lanes %n repeat %n strides [%n, %n] : memref<?xf32, "ub">, memref<?xf32, "ub">
    // CHECK-NEXT: ascendc.clean_cache %x : memref<?x?xbf16>
    ascendc.clean_cache %x : memref<?x?xbf16>
    %v = ascendc.alloc_tensor %y_out : !ascendc.queue<"VECOUT", bf16> -> memref<?xbf16, "ub">
    ascendc.enque %v to %y_out : memref<?xbf16, "ub">, !ascendc.queue<"VECOUT", bf16>
    %w = ascendc.deque %y_out : !ascendc.queue<"VECOUT", bf16> -> memref<?xbf16, "ub">
    // CHECK: ascendc.copy_out %w[%c0] to %y[%core] blocks %n length %n gaps %c0, %c0 : memref<?xbf16, "ub">, memref<?x?xbf16>
    ascendc.copy_out %w[%c0] to %y[%core] blocks %n length %n gaps %c0, %c0 : memref<?xbf16, "ub">, memref<?x?xbf16>
    ascendc.free_tensor %w to %y_out : memref<?xbf16, "ub">, !ascendc.queue<"VECOUT", bf16>
    // CHECK: ascendc.release_event %loaded : !ascendc.event<"MTE2_S">
    ascendc.release_event %loaded : !ascendc.event<"MTE2_S">
  }
  // CHECK: ascendc.sync_all
  ascendc.sync_all
  // CHECK: ascendc.stage "other" %cores when %n (%core_1) {
  // GENERIC: "ascendc.stage"(%cores, %n) <{label = "other"}> ({
  ascendc.stage "other" %cores when %n (%core) {
  }
  func.return
}

// CHECK: func.func @tiling
func.func @tiling(%n : index) {
  %c8 = arith.constant 8 : index
  %fits = arith.cmpi sle, %n, %c8 : index
  // CHECK: ascendc.require %fits "n is above 8"
  ascendc.require %fits "n is above 8"
  func.return
}
