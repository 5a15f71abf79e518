// RUN: opwright-opt %s -p legalize-types --split-input-file --verify-diagnostics | filecheck %s

// CHECK: legalize_types_refused.mlir:[[# @LINE + 7]]:5: error[OPW324]: the value outside the tensor must be a constant that f16 holds exactly
// CHECK: hint: use 0, or read without `else` and select
spec.operator @Tenth {
  %N = spec.dim "N"
  %x = spec.input "x" : !spec.tensor<[N], f16>
  %tenth = arith.constant 0.1 : f32
  %y = spec.compute (%i: 0 to %N) -> !spec.tensor<[N], f32> {
    %a = spec.read %x[%i + 1] else %tenth : f32
    spec.write %a to 0[%i]
  }
  spec.output "y" %y : !spec.tensor<[N], f32>
}

// -----

// CHECK: legalize_types_refused.mlir:[[# @LINE + 6]]:5: error[OPW324]: the value outside the tensor must be a constant that bf16 holds exactly
spec.operator @Computed {
  %N = spec.dim "N"
  %x = spec.input "x" : !spec.tensor<[N], bf16>
  %y = spec.compute (%i: 0 to %N) -> !spec.tensor<[N], f32> {
    %b = spec.read %x[%i] : f32
    %a = spec.read %x[%i + 1] else %b : f32
    spec.write %a to 0[%i]
  }
  spec.output "y" %y : !spec.tensor<[N], f32>
}
