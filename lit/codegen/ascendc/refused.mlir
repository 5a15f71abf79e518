// RUN: opwright-opt %s --split-input-file --verify-diagnostics -t "ascendc{target=ascend910b}" 2>&1 | filecheck %s

// What the emitter has no text for.

func.func @k_tiling(%cores : index {tile.name = "cores"}) attributes {tile.tiling} {
  func.return
}
func.func @k(%cores : index {tile.name = "cores", tile.role = "cores"}) attributes {tile.kernel} {
  // CHECK: refused.mlir:[[# @LINE + 1]]:3: error[OPW420]: 'arith.addi' stands outside the stages of the kernel
  %n = arith.addi %cores, %cores : index
  ascendc.stage "s" %n (%core) {
  }
  func.return
}

// -----

func.func @k_tiling(%cores : index {tile.name = "cores"}) attributes {tile.tiling} {
  func.return
}
func.func @k(%cores : index {tile.name = "cores", tile.role = "cores"}) attributes {tile.kernel} {
  %c1 = arith.constant 1 : index
  // CHECK: refused.mlir:[[# @LINE + 1]]:3: error[OPW420]: the condition of stage 's' is no argument of the kernel
  ascendc.stage "s" %cores when %c1 (%core) {
  }
  func.return
}

// -----

func.func @k_tiling(%cores : index {tile.name = "cores"}) attributes {tile.tiling} {
  func.return
}
func.func @k(%x : memref<?xf64> {tile.name = "x", tile.role = "input", tile.dims = [4]},
             %cores : index {tile.name = "cores", tile.role = "cores"}) attributes {tile.kernel} {
  // CHECK: refused.mlir:[[# @LINE + 1]]:3: error[OPW441]: type f64 of 'ascendc.stage' has no form in this language
  ascendc.stage "s" %cores (%core) {
    %v = memref.load %x[%core] : memref<?xf64>
  }
  func.return
}

// -----

func.func @k_tiling(%cores : index {tile.name = "cores"}) attributes {tile.tiling} {
  func.return
}
func.func @k(%cores : index {tile.name = "cores", tile.role = "cores"}) attributes {tile.kernel} {
  %c0 = arith.constant 0 : index
  %x = arith.constant 2.0 : f32
  ascendc.stage "s" %cores (%core) {
    %g_buffer = ascendc.buffer "g" [1, 64] : !ascendc.buffer<f32>
    %g = ascendc.get %g_buffer : !ascendc.buffer<f32> -> memref<?xf32, "ub">
    // CHECK: refused.mlir:[[# @LINE + 1]]:5: error[OPW442]: 'math.exp' needs 'exp_f32', which this language does not have
    %e = math.exp %x : f32
    ascendc.fill "Duplicate" %g[%c0] (%e) lanes %core : memref<?xf32, "ub">, f32
  }
  func.return
}
