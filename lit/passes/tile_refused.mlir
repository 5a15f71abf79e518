// RUN: opwright-opt %s -p 'tile{target=ascend910b}' --split-input-file --verify-diagnostics | filecheck %s

// CHECK: tile_refused.mlir:[[# @LINE + 6]]:5: error[OPW330]: the range of an inner nest differs from point to point of a tile of i
spec.operator @Each {
  %N = spec.dim "N"
  %x = spec.input "x" : !spec.tensor<[N], f32>
  %y = spec.compute (%i: 0 to %N) -> !spec.tensor<[N], f32> {
    %a = spec.read %x[%i] : f32
    spec.each (%k: 0 to %i) {
      spec.write add %a to 0[%i]
    }
  }
  spec.output "y" %y : !spec.tensor<[N], f32>
}

// -----

// CHECK: tile_refused.mlir:[[# @LINE + 6]]:5: error[OPW331]: the last index of a write must be a loop variable
spec.operator @Shifted {
  %N = spec.dim "N"
  %x = spec.input "x" : !spec.tensor<[N], f32>
  %y = spec.compute (%i: 0 to %N) -> !spec.tensor<[N], f32> {
    %a = spec.read %x[%i] : f32
    spec.write %a to 0[%N - 1 - %i]
  }
  spec.output "y" %y : !spec.tensor<[N], f32>
}

// -----

// CHECK: tile_refused.mlir:[[# @LINE + 5]]:3: error[OPW331]: the writes of fused computes end in different loop variables
spec.operator @TwoWays {
  %N = spec.dim "N"
  %H = spec.dim "H"
  %x = spec.input "x" : !spec.tensor<[N, H], f32>
  %y, %z = spec.compute (%i: 0 to %N, %h: 0 to %H) -> (!spec.tensor<[N, H], f32>, !spec.tensor<[H, N], f32>) {
    %a = spec.read %x[%i, %h] : f32
    spec.write %a to 0[%i, %h]
    spec.write %a to 1[%h, %i]
  }
  spec.output "y" %y : !spec.tensor<[N, H], f32>
  spec.output "z" %z : !spec.tensor<[H, N], f32>
}

// -----

// CHECK: tile_refused.mlir:[[# @LINE + 7]]:3: error[OPW333]: a tile sums over one dim, this compute sums over i, j
// CHECK: hint: run split-reductions for the same target first
spec.operator @TwoSums {
  %N = spec.dim "N"
  %M = spec.dim "M"
  %H = spec.dim "H"
  %x = spec.input "x" : !spec.tensor<[N, M, H], f32>
  %y = spec.compute (%i: 0 to %N, %j: 0 to %M, %h: 0 to %H) -> !spec.tensor<[H], f32> {
    %a = spec.read %x[%i, %j, %h] : f32
    spec.write add %a to 0[%h]
  }
  spec.output "y" %y : !spec.tensor<[H], f32>
}

// -----

// CHECK: tile_refused.mlir:[[# @LINE + 4]]:3: error[OPW334]: the range of h must start at 0 and not depend on other loop variables
spec.operator @Ragged {
  %N = spec.dim "N"
  %x = spec.input "x" : !spec.tensor<[N], f32>
  %y = spec.compute (%i: 0 to %N, %h: 0 to %i) -> !spec.tensor<[N], f32> {
    %a = spec.read %x[%i] : f32
    spec.write add %a to 0[%h]
  }
  spec.output "y" %y : !spec.tensor<[N], f32>
}

// -----

// CHECK: tile_refused.mlir:[[# @LINE + 7]]:5: error[OPW327]: 'add' at a place that moves with every loop variable cannot be tiled yet
// CHECK: hint: let the place name some loop variables only, and combine over the others
spec.operator @Overlapping {
  %N = spec.dim "N"
  %x = spec.input "x" : !spec.tensor<[N], f32>
  %y = spec.compute (%i: 0 to %N) -> !spec.tensor<[N], f32> {
    %a = spec.read %x[%i] : f32
    spec.write add %a to 0[%i]
  }
  spec.output "y" %y : !spec.tensor<[N], f32>
}

// -----

// CHECK: tile_refused.mlir:[[# @LINE + 9]]:5: error[OPW327]: the place of a sum must end in the lanes, in the rows of a tile, or in one computed index
spec.operator @Scattered {
  %N = spec.dim "N"
  %H = spec.dim "H"
  %x = spec.input "x" : !spec.tensor<[N, H], f32>
  %y = spec.compute (%i: 0 to %N, %h: 0 to %H) -> !spec.tensor<[N, H], f32> {
    %a = spec.read %x[%i, %h] : f32
    %p = spec.index [%i floordiv 2]
    %q = spec.index [%i floordiv 3]
    spec.write add %a to 0[%p, %q]
  }
  spec.output "y" %y : !spec.tensor<[N, H], f32>
}

// -----

// CHECK: tile_refused.mlir:[[# @LINE + 3]]:3: error[OPW336]: attribute 'eps': only index attributes reach a kernel yet
spec.operator @Scalar {
  %N = spec.dim "N"
  %eps = spec.attr "eps" default 0.5 : f32
  %unused = spec.attr "layout" default "TND" : !spec.string
  %x = spec.input "x" : !spec.tensor<[N], f32>
  %y = spec.compute (%i: 0 to %N) -> !spec.tensor<[N], f32> {
    %a = spec.read %x[%i] : f32
    %b = arith.addf %a, %eps : f32
    spec.write %b to 0[%i]
  }
  spec.output "y" %y : !spec.tensor<[N], f32>
}
