// RUN: opwright-opt %s -p 'specialize{column=1 present=bias}' --split-input-file --verify-diagnostics | filecheck %s

// CHECK: specialize_refused.mlir:[[# @LINE + 2]]:1: error[OPW320]: 'bias' is no optional input and no boolean attribute; there are: mask
// CHECK-NEXT: spec.operator @NoBias {
spec.operator @NoBias {
  %N = spec.dim "N"
  %x = spec.input "x" : !spec.tensor<[N], T>
  %mask = spec.input "mask" optional : !spec.tensor<[N], i1>
  spec.columns ["T"] [[f16], [bf16]]
  %y = spec.compute (%i: 0 to %N) -> !spec.tensor<[N], T> {
    %a = spec.read %x[%i] : f32
    spec.write %a to 0[%i]
  }
  spec.output "y" %y : !spec.tensor<[N], T>
}

// -----

// CHECK: specialize_refused.mlir:[[# @LINE + 6]]:3: error[OPW321]: column 1 does not exist; the operator has 1
// CHECK-NEXT: spec.columns ["T"]
spec.operator @OneColumn {
  %N = spec.dim "N"
  %x = spec.input "x" : !spec.tensor<[N], T>
  %bias = spec.input "bias" optional : !spec.tensor<[N], T>
  spec.columns ["T"] [[f16]]
  %y = spec.compute (%i: 0 to %N) -> !spec.tensor<[N], T> {
    %a = spec.read %x[%i] : f32
    spec.write %a to 0[%i]
  }
  spec.output "y" %y : !spec.tensor<[N], T>
}
