// RUN: opwright-opt %s --split-input-file --verify-diagnostics | filecheck %s

// Flags: set, then waited for, in turns on every path.

// Set twice.
func.func @k(%n : index, %cores : index, %c : i1) {
  %c0 = arith.constant 0 : index
  ascendc.stage "s" %cores (%core) {
    %loaded = ascendc.event : !ascendc.event<"MTE2_S">
    ascendc.set_flag %loaded : !ascendc.event<"MTE2_S">
    // CHECK: invalid_flags.mlir:[[# @LINE + 1]]:5: error[OPW369]: the flag loaded is set a second time before a wait
    ascendc.set_flag %loaded : !ascendc.event<"MTE2_S">
    ascendc.wait_flag %loaded : !ascendc.event<"MTE2_S">
  }
  func.return
}

// -----

// Waited for without a set.
func.func @k(%n : index, %cores : index, %c : i1) {
  %c0 = arith.constant 0 : index
  ascendc.stage "s" %cores (%core) {
    %loaded = ascendc.event : !ascendc.event<"MTE2_S">
    // CHECK: invalid_flags.mlir:[[# @LINE + 1]]:5: error[OPW370]: the flag loaded is waited for but not set: the core would hang
    ascendc.wait_flag %loaded : !ascendc.event<"MTE2_S">
  }
  func.return
}

// -----

// Set on one branch only.
func.func @k(%n : index, %cores : index, %c : i1) {
  %c0 = arith.constant 0 : index
  ascendc.stage "s" %cores (%core) {
    %loaded = ascendc.event : !ascendc.event<"MTE2_S">
    // CHECK: invalid_flags.mlir:[[# @LINE + 1]]:5: error[OPW363]: the two branches leave 'the flag loaded' in different states
    scf.if %c {
      ascendc.set_flag %loaded : !ascendc.event<"MTE2_S">
    }
    ascendc.wait_flag %loaded : !ascendc.event<"MTE2_S">
  }
  func.return
}

// -----

// Set in a loop, waited for behind it.
func.func @k(%n : index, %cores : index, %c : i1) {
  %c0 = arith.constant 0 : index
  ascendc.stage "s" %cores (%core) {
    %loaded = ascendc.event : !ascendc.event<"MTE2_S">
    // CHECK: invalid_flags.mlir:[[# @LINE + 1]]:5: error[OPW363]: the loop's body does not leave 'the flag loaded' as it found it
    scf.for %i = %c0 to %n step %n {
      ascendc.set_flag %loaded : !ascendc.event<"MTE2_S">
    }
    ascendc.wait_flag %loaded : !ascendc.event<"MTE2_S">
  }
  func.return
}

// -----

// Left set.
func.func @k(%n : index, %cores : index, %c : i1) {
  %c0 = arith.constant 0 : index
  ascendc.stage "s" %cores (%core) {
    // CHECK: invalid_flags.mlir:[[# @LINE + 1]]:5: error[OPW371]: the flag loaded is still set at the end of the stage
    %loaded = ascendc.event : !ascendc.event<"MTE2_S">
    ascendc.set_flag %loaded : !ascendc.event<"MTE2_S">
  }
  func.return
}

// -----

// Given back while it is set.
func.func @k(%n : index, %cores : index, %c : i1) {
  %c0 = arith.constant 0 : index
  ascendc.stage "s" %cores (%core) {
    %loaded = ascendc.event : !ascendc.event<"MTE2_S">
    ascendc.set_flag %loaded : !ascendc.event<"MTE2_S">
    // CHECK: invalid_flags.mlir:[[# @LINE + 1]]:5: error[OPW371]: the flag loaded is given back while it is set
    ascendc.release_event %loaded : !ascendc.event<"MTE2_S">
    ascendc.wait_flag %loaded : !ascendc.event<"MTE2_S">
  }
  func.return
}

// -----

// An id taken in a loop.
func.func @k(%n : index, %cores : index, %c : i1) {
  %c0 = arith.constant 0 : index
  ascendc.stage "s" %cores (%core) {
    scf.for %i = %c0 to %n step %n {
      // CHECK: invalid_flags.mlir:[[# @LINE + 1]]:7: error[OPW366]: 'ascendc.event' stands outside the body of a stage
      %loaded = ascendc.event : !ascendc.event<"MTE2_S">
    }
  }
  func.return
}

// -----

// Pipes that have no event.
func.func @k(%cores : index) {
  ascendc.stage "s" %cores (%core) {
    // CHECK: invalid_flags.mlir:[[# @LINE + 1]]:5: error[OPW002]: an event is one of MTE2_S, S_MTE2, V_S, S_V, MTE2_MTE3, V_MTE3, MTE3_MTE2, V_MTE2, MTE2_V, S_MTE3, MTE3_V, found 'V_V'
    %e = ascendc.event : !ascendc.event<"V_V">
  }
  func.return
}

// -----

// A pipe without barriers.
func.func @k() {
  // CHECK: invalid_flags.mlir:[[# @LINE + 1]]:3: error[OPW002]: 'ascendc.barrier': pipe is one of V, MTE2, MTE3, ALL, found 'S'
  ascendc.barrier "S"
  func.return
}
