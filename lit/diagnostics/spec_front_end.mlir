// RUN: opwright-opt %s --split-input-file --verify-diagnostics | filecheck %s

// What only the front end of an operator is told: each part breaks one rule of the verifier.

// CHECK: spec_front_end.mlir:[[# @LINE + 5]]:3: error[OPW143]: spec.when depends on something that a front end does not know
spec.operator @Condition {
  %N = spec.dim "N"
  %x = spec.input "x" : !spec.tensor<[N], f32>
  %true = arith.constant true
  spec.when %true {
    spec.require [%N] <= [4] code 561002
  }
  %y = spec.compute (%i: 0 to %N) -> !spec.tensor<[N], f32> {
    %a = spec.read %x[%i] : f32
    spec.write %a to 0[%i]
  }
  spec.output "y" %y : !spec.tensor<[N], f32>
}

// -----

// CHECK: spec_front_end.mlir:[[# @LINE + 5]]:3: error[OPW144]: spec.need names 'x', which is no optional input
// CHECK: hint: optional inputs: mask
spec.operator @Need {
  %N = spec.dim "N"
  %x = spec.input "x" : !spec.tensor<[N], f32>
  spec.need "x" code 561002
  %mask = spec.input "mask" optional : !spec.tensor<[N], i1>
  %y = spec.compute (%i: 0 to %N) -> !spec.tensor<[N], f32> {
    %a = spec.read %x[%i] : f32
    spec.write %a to 0[%i]
  }
  spec.output "y" %y : !spec.tensor<[N], f32>
}

// -----

// CHECK: spec_front_end.mlir:[[# @LINE + 11]]:3: error[OPW145]: spec.check depends on the elements of 'x', which lie on the device
// CHECK: hint: it may depend on lists, dims and attributes
spec.operator @Device {
  %N = spec.dim "N"
  %x = spec.input "x" : !spec.tensor<[N], i32>
  %y = spec.compute (%i: 0 to %N) -> !spec.tensor<[N], i32> {
    %a = spec.read %x[%i] : i32
    spec.write %a to 0[%i]
  }
  spec.output "y" %y : !spec.tensor<[N], i32>

  spec.check %y <= %y code 561002
}

// -----

// CHECK: spec_front_end.mlir:[[# @LINE + 9]]:3: error[OPW145]: spec.check compares something else than results
spec.operator @Direct {
  %N = spec.dim "N"
  %list = spec.input "list" list : !spec.tensor<[N], i64>
  %y = spec.compute (%i: 0 to %N) -> !spec.tensor<[N], i64> {
    %a = spec.read %list[%i] : i64
    spec.write %a to 0[%i]
  }
  spec.output "y" %y : !spec.tensor<[N], i64>
  spec.check %list <= %y code 561002
}

// -----

// CHECK: spec_front_end.mlir:[[# @LINE + 3]]:3: error[OPW146]: 'x' has no dim M
spec.operator @Mismatch {
  %N = spec.dim "N"
  %x = spec.input "x" mismatch M code 161002 : !spec.tensor<[N], f32>
  %y = spec.compute (%i: 0 to %N) -> !spec.tensor<[N], f32> {
    %a = spec.read %x[%i] : f32
    spec.write %a to 0[%i]
  }
  spec.output "y" %y : !spec.tensor<[N], f32>
}

// -----

// CHECK: spec_front_end.mlir:[[# @LINE + 3]]:3: error[OPW146]: 'x' cannot take f16 for f32
spec.operator @Accepts {
  %N = spec.dim "N"
  %x = spec.input "x" accepts [f16] : !spec.tensor<[N], f32>
  %y = spec.compute (%i: 0 to %N) -> !spec.tensor<[N], f32> {
    %a = spec.read %x[%i] : f32
    spec.write %a to 0[%i]
  }
  spec.output "y" %y : !spec.tensor<[N], f32>
}

// -----

// CHECK: spec_front_end.mlir:[[# @LINE + 4]]:3: error[OPW155]: spec.length is used by something else than a constraint
// CHECK: hint: use it in spec.require alone; a list that the kernel needs is an input: spec.input ... list
spec.operator @Length {
  %sizes = spec.attr "sizes" : !spec.integers
  %length = spec.length %sizes
  %N = spec.dim "N" = [%length]
  %x = spec.input "x" : !spec.tensor<[N], f32>
  %y = spec.compute (%i: 0 to %N) -> !spec.tensor<[N], f32> {
    %a = spec.read %x[%i] : f32
    spec.write %a to 0[%i]
  }
  spec.output "y" %y : !spec.tensor<[N], f32>
}
