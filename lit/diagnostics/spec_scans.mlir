// RUN: opwright-opt %s --split-input-file --verify-diagnostics | filecheck %s

// Prefix sums.

// CHECK: spec_scans.mlir:[[# @LINE + 4]]:3: error[OPW136]: spec.scan along dim 1 of a tensor of rank 1
spec.operator @NoSuchDim {
  %N = spec.dim "N"
  %x = spec.input "x" : !spec.tensor<[N], i32>
  %y = spec.scan %x dim 1 : !spec.tensor<[N], i32>
  spec.output "y" %y : !spec.tensor<[N], i32>
}

// -----

// CHECK: spec_scans.mlir:[[# @LINE + 4]]:3: error[OPW137]: spec.scan sums integers, not f32
spec.operator @FloatScan {
  %N = spec.dim "N"
  %x = spec.input "x" : !spec.tensor<[N], f32>
  %y = spec.scan exclusive %x dim 0 : !spec.tensor<[N], f32>
  spec.output "y" %y : !spec.tensor<[N], f32>
}

// -----

// CHECK: spec_scans.mlir:[[# @LINE + 5]]:3: error[OPW138]: the prefix sums of !spec.tensor<[N, M], i32> cannot be !spec.tensor<[M, N], i32>
spec.operator @OtherShape {
  %N = spec.dim "N"
  %M = spec.dim "M"
  %x = spec.input "x" : !spec.tensor<[N, M], i32>
  %y = spec.scan exclusive %x dim 0 : !spec.tensor<[M, N], i32>
  spec.output "y" %y : !spec.tensor<[M, N], i32>
}
