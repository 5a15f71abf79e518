// RUN: opwright-opt %s --split-input-file --verify-diagnostics | filecheck %s

// The life of queue tensors: taken, handed over, taken over, given back, once on every path.

// A tensor that is enqueued twice.
func.func @k(%n : index, %cores : index, %c : i1) {
  %c0 = arith.constant 0 : index
  ascendc.stage "s" %cores (%core) {
    %q = ascendc.queue "x_in" [%n, 32] : !ascendc.queue<"VECIN", bf16>
    %t = ascendc.alloc_tensor %q : !ascendc.queue<"VECIN", bf16> -> memref<?xbf16, "ub">
    ascendc.enque %t to %q : memref<?xbf16, "ub">, !ascendc.queue<"VECIN", bf16>
    // CHECK: invalid_queues.mlir:[[# @LINE + 1]]:5: error[OPW364]: a tensor of 'x_in' is used after it was handed over or given back
    ascendc.enque %t to %q : memref<?xbf16, "ub">, !ascendc.queue<"VECIN", bf16>
    %u = ascendc.deque %q : !ascendc.queue<"VECIN", bf16> -> memref<?xbf16, "ub">
    ascendc.free_tensor %u to %q : memref<?xbf16, "ub">, !ascendc.queue<"VECIN", bf16>
  }
  func.return
}

// -----

// Two tensors in a queue of depth 1.
func.func @k(%n : index, %cores : index, %c : i1) {
  %c0 = arith.constant 0 : index
  ascendc.stage "s" %cores (%core) {
    %q = ascendc.queue "x_in" [%n, 32] times 2 : !ascendc.queue<"VECIN", bf16>
    %t = ascendc.alloc_tensor %q : !ascendc.queue<"VECIN", bf16> -> memref<?xbf16, "ub">
    ascendc.enque %t to %q : memref<?xbf16, "ub">, !ascendc.queue<"VECIN", bf16>
    %t2 = ascendc.alloc_tensor %q : !ascendc.queue<"VECIN", bf16> -> memref<?xbf16, "ub">
    // CHECK: invalid_queues.mlir:[[# @LINE + 1]]:5: error[OPW360]: 'x_in' has depth 1 and a tensor waits in it already
    ascendc.enque %t2 to %q : memref<?xbf16, "ub">, !ascendc.queue<"VECIN", bf16>
    %u = ascendc.deque %q : !ascendc.queue<"VECIN", bf16> -> memref<?xbf16, "ub">
    ascendc.free_tensor %u to %q : memref<?xbf16, "ub">, !ascendc.queue<"VECIN", bf16>
  }
  func.return
}

// -----

// Nothing to take.
func.func @k(%n : index, %cores : index, %c : i1) {
  %c0 = arith.constant 0 : index
  ascendc.stage "s" %cores (%core) {
    %q = ascendc.queue "x_in" [%n, 32] : !ascendc.queue<"VECIN", bf16>
    %t = ascendc.alloc_tensor %q : !ascendc.queue<"VECIN", bf16> -> memref<?xbf16, "ub">
    // CHECK: invalid_queues.mlir:[[# @LINE + 1]]:5: error[OPW361]: nothing waits in 'x_in': the core would wait for ever
    %u = ascendc.deque %q : !ascendc.queue<"VECIN", bf16> -> memref<?xbf16, "ub">
    ascendc.enque %t to %q : memref<?xbf16, "ub">, !ascendc.queue<"VECIN", bf16>
    ascendc.free_tensor %u to %q : memref<?xbf16, "ub">, !ascendc.queue<"VECIN", bf16>
  }
  func.return
}

// -----

// Never freed.
func.func @k(%n : index, %cores : index, %c : i1) {
  %c0 = arith.constant 0 : index
  ascendc.stage "s" %cores (%core) {
    %q = ascendc.queue "x_in" [%n, 32] : !ascendc.queue<"VECIN", bf16>
    %t = ascendc.alloc_tensor %q : !ascendc.queue<"VECIN", bf16> -> memref<?xbf16, "ub">
    ascendc.enque %t to %q : memref<?xbf16, "ub">, !ascendc.queue<"VECIN", bf16>
    // CHECK: invalid_queues.mlir:[[# @LINE + 1]]:5: error[OPW362]: a tensor of 'x_in' is never freed
    %u = ascendc.deque %q : !ascendc.queue<"VECIN", bf16> -> memref<?xbf16, "ub">
  }
  func.return
}

// -----

// Freed twice.
func.func @k(%n : index, %cores : index, %c : i1) {
  %c0 = arith.constant 0 : index
  ascendc.stage "s" %cores (%core) {
    %q = ascendc.queue "x_in" [%n, 32] : !ascendc.queue<"VECIN", bf16>
    %t = ascendc.alloc_tensor %q : !ascendc.queue<"VECIN", bf16> -> memref<?xbf16, "ub">
    ascendc.enque %t to %q : memref<?xbf16, "ub">, !ascendc.queue<"VECIN", bf16>
    %u = ascendc.deque %q : !ascendc.queue<"VECIN", bf16> -> memref<?xbf16, "ub">
    ascendc.free_tensor %u to %q : memref<?xbf16, "ub">, !ascendc.queue<"VECIN", bf16>
    // CHECK: invalid_queues.mlir:[[# @LINE + 1]]:5: error[OPW364]: a tensor of 'x_in' is used after it was handed over or given back
    ascendc.free_tensor %u to %q : memref<?xbf16, "ub">, !ascendc.queue<"VECIN", bf16>
  }
  func.return
}

// -----

// Freed without having been handed over.
func.func @k(%n : index, %cores : index, %c : i1) {
  %c0 = arith.constant 0 : index
  ascendc.stage "s" %cores (%core) {
    %q = ascendc.queue "x_in" [%n, 32] : !ascendc.queue<"VECIN", bf16>
    %t = ascendc.alloc_tensor %q : !ascendc.queue<"VECIN", bf16> -> memref<?xbf16, "ub">
    // CHECK: invalid_queues.mlir:[[# @LINE + 1]]:5: error[OPW362]: what goes back to 'x_in' was not taken from it
    ascendc.free_tensor %t to %q : memref<?xbf16, "ub">, !ascendc.queue<"VECIN", bf16>
  }
  func.return
}

// -----

// Used after it was freed.
func.func @k(%n : index, %cores : index, %c : i1) {
  %c0 = arith.constant 0 : index
  ascendc.stage "s" %cores (%core) {
    %q = ascendc.queue "x_in" [%n, 32] : !ascendc.queue<"VECIN", bf16>
    %t = ascendc.alloc_tensor %q : !ascendc.queue<"VECIN", bf16> -> memref<?xbf16, "ub">
    ascendc.enque %t to %q : memref<?xbf16, "ub">, !ascendc.queue<"VECIN", bf16>
    %u = ascendc.deque %q : !ascendc.queue<"VECIN", bf16> -> memref<?xbf16, "ub">
    ascendc.free_tensor %u to %q : memref<?xbf16, "ub">, !ascendc.queue<"VECIN", bf16>
    %g_buffer = ascendc.buffer "g" [1, 32] : !ascendc.buffer<f32>
    %g = ascendc.get %g_buffer : !ascendc.buffer<f32> -> memref<?xf32, "ub">
    // CHECK: invalid_queues.mlir:[[# @LINE + 1]]:5: error[OPW364]: a tensor of 'x_in' is used after it was handed over or given back
    ascendc.cast "CAST_NONE" %g[%c0], %u[%c0] lanes %n : memref<?xf32, "ub">, memref<?xbf16, "ub">
  }
  func.return
}

// -----

// More tensors than buffers.
func.func @k(%n : index, %cores : index, %c : i1) {
  %c0 = arith.constant 0 : index
  ascendc.stage "s" %cores (%core) {
    %q = ascendc.queue "x_in" [%n, 32] : !ascendc.queue<"VECIN", bf16>
    %t = ascendc.alloc_tensor %q : !ascendc.queue<"VECIN", bf16> -> memref<?xbf16, "ub">
    // CHECK: invalid_queues.mlir:[[# @LINE + 1]]:5: error[OPW367]: all 1 buffers of 'x_in' are in use here: the core would wait for ever
    %t2 = ascendc.alloc_tensor %q : !ascendc.queue<"VECIN", bf16> -> memref<?xbf16, "ub">
    ascendc.enque %t to %q : memref<?xbf16, "ub">, !ascendc.queue<"VECIN", bf16>
    %u = ascendc.deque %q : !ascendc.queue<"VECIN", bf16> -> memref<?xbf16, "ub">
    ascendc.free_tensor %u to %q : memref<?xbf16, "ub">, !ascendc.queue<"VECIN", bf16>
  }
  func.return
}

// -----

// Freed on one branch only.
func.func @k(%n : index, %cores : index, %c : i1) {
  %c0 = arith.constant 0 : index
  ascendc.stage "s" %cores (%core) {
    %q = ascendc.queue "x_in" [%n, 32] : !ascendc.queue<"VECIN", bf16>
    %t = ascendc.alloc_tensor %q : !ascendc.queue<"VECIN", bf16> -> memref<?xbf16, "ub">
    ascendc.enque %t to %q : memref<?xbf16, "ub">, !ascendc.queue<"VECIN", bf16>
    %u = ascendc.deque %q : !ascendc.queue<"VECIN", bf16> -> memref<?xbf16, "ub">
    // CHECK: invalid_queues.mlir:[[# @LINE + 1]]:5: error[OPW363]: the two branches leave 'x_in' in different states
    scf.if %c {
      ascendc.free_tensor %u to %q : memref<?xbf16, "ub">, !ascendc.queue<"VECIN", bf16>
    }
  }
  func.return
}

// -----

// Freed in a loop.
func.func @k(%n : index, %cores : index, %c : i1) {
  %c0 = arith.constant 0 : index
  ascendc.stage "s" %cores (%core) {
    %q = ascendc.queue "x_in" [%n, 32] : !ascendc.queue<"VECIN", bf16>
    %t = ascendc.alloc_tensor %q : !ascendc.queue<"VECIN", bf16> -> memref<?xbf16, "ub">
    ascendc.enque %t to %q : memref<?xbf16, "ub">, !ascendc.queue<"VECIN", bf16>
    %u = ascendc.deque %q : !ascendc.queue<"VECIN", bf16> -> memref<?xbf16, "ub">
    // CHECK: invalid_queues.mlir:[[# @LINE + 1]]:5: error[OPW363]: the loop's body does not leave 'x_in' as it found it
    scf.for %i = %c0 to %n step %n {
      ascendc.free_tensor %u to %q : memref<?xbf16, "ub">, !ascendc.queue<"VECIN", bf16>
    }
  }
  func.return
}

// -----

// A tensor of another queue.
func.func @k(%n : index, %cores : index, %c : i1) {
  ascendc.stage "s" %cores (%core) {
    %q = ascendc.queue "x_in" [%n, 32] : !ascendc.queue<"VECIN", bf16>
    %q2 = ascendc.queue "z_in" [%n, 32] : !ascendc.queue<"VECIN", bf16>
    %t = ascendc.alloc_tensor %q : !ascendc.queue<"VECIN", bf16> -> memref<?xbf16, "ub">
    // CHECK: invalid_queues.mlir:[[# @LINE + 1]]:5: error[OPW360]: what goes into 'z_in' was not allocated from it
    ascendc.enque %t to %q2 : memref<?xbf16, "ub">, !ascendc.queue<"VECIN", bf16>
    ascendc.enque %t to %q : memref<?xbf16, "ub">, !ascendc.queue<"VECIN", bf16>
    %u = ascendc.deque %q : !ascendc.queue<"VECIN", bf16> -> memref<?xbf16, "ub">
    ascendc.free_tensor %u to %q : memref<?xbf16, "ub">, !ascendc.queue<"VECIN", bf16>
  }
  func.return
}

// -----

// Reserved in a loop.
func.func @k(%n : index, %cores : index, %c : i1) {
  %c0 = arith.constant 0 : index
  ascendc.stage "s" %cores (%core) {
    %q = ascendc.queue "x_in" [%n, 32] : !ascendc.queue<"VECIN", bf16>
    scf.for %i = %c0 to %n step %n {
      // CHECK: invalid_queues.mlir:[[# @LINE + 2]]:7: error[OPW366]: 'ascendc.queue' stands outside the body of a stage
      // CHECK: hint: move it to the start
      %q2 = ascendc.queue "z_in" [%n, 32] : !ascendc.queue<"VECIN", bf16>
    }
  }
  func.return
}

// -----

// No buffer at all.
func.func @k(%n : index, %cores : index, %c : i1) {
  %c0 = arith.constant 0 : index
  ascendc.stage "s" %cores (%core) {
    %q = ascendc.queue "x_in" [%n, 32] : !ascendc.queue<"VECIN", bf16>
    // CHECK: invalid_queues.mlir:[[# @LINE + 1]]:5: error[OPW367]: 'z_in' has no buffer
    %q2 = ascendc.queue "z_in" [%n, 32] times 0 : !ascendc.queue<"VECIN", bf16>
  }
  func.return
}
