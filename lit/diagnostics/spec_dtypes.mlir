// RUN: opwright-opt %s --split-input-file --verify-diagnostics | filecheck %s

// Dtype variables, columns, element types, attributes.

// CHECK: spec_dtypes.mlir:[[# @LINE + 4]]:3: error[OPW117]: dtype variable U stands in no column
// CHECK: hint: spec.columns knows: T
spec.operator @NoColumn {
  %N = spec.dim "N"
  %x = spec.input "x" : !spec.tensor<[N], U>
  spec.columns ["T"] [[f16]]
  %y = spec.compute (%i: 0 to %N) -> !spec.tensor<[N], U> {
    %a = spec.read %x[%i] : f32
    spec.write %a to 0[%i]
  }
  spec.output "y" %y : !spec.tensor<[N], U>
}

// -----

// CHECK: spec_dtypes.mlir:[[# @LINE + 4]]:3: error[OPW118]: column 1 (bf16, f32) has 2 dtypes for 1 variables
spec.operator @WrongLength {
  %N = spec.dim "N"
  %x = spec.input "x" : !spec.tensor<[N], T>
  spec.columns ["T"] [[f16], [bf16, f32]]
  %y = spec.compute (%i: 0 to %N) -> !spec.tensor<[N], T> {
    %a = spec.read %x[%i] : f32
    spec.write %a to 0[%i]
  }
  spec.output "y" %y : !spec.tensor<[N], T>
}

// -----

// CHECK: spec_dtypes.mlir:[[# @LINE + 4]]:3: error[OPW119]: tensors cannot hold index
spec.operator @IllegalInColumn {
  %N = spec.dim "N"
  %x = spec.input "x" : !spec.tensor<[N], T>
  spec.columns ["T"] [[f16], [index]]
  %y = spec.compute (%i: 0 to %N) -> !spec.tensor<[N], T> {
    %a = spec.read %x[%i] : f32
    spec.write %a to 0[%i]
  }
  spec.output "y" %y : !spec.tensor<[N], T>
}

// -----

// CHECK: spec_dtypes.mlir:[[# @LINE + 3]]:3: error[OPW119]: tensors cannot hold i7
spec.operator @IllegalElement {
  %N = spec.dim "N"
  %x = spec.input "x" : !spec.tensor<[N], i7>
  %y = spec.compute (%i: 0 to %N) -> !spec.tensor<[N], i32> {
    %zero = arith.constant 0 : i32
    spec.write %zero to 0[%i]
  }
  spec.output "y" %y : !spec.tensor<[N], i32>
}

// -----

// CHECK: spec_dtypes.mlir:[[# @LINE + 4]]:3: error[OPW127]: column 2 (f16) stands twice
spec.operator @DuplicateColumn {
  %N = spec.dim "N"
  %x = spec.input "x" : !spec.tensor<[N], T>
  spec.columns ["T"] [[f16], [bf16], [f16]]
  %y = spec.compute (%i: 0 to %N) -> !spec.tensor<[N], T> {
    %a = spec.read %x[%i] : f32
    spec.write %a to 0[%i]
  }
  spec.output "y" %y : !spec.tensor<[N], T>
}

// -----

// CHECK: spec_dtypes.mlir:[[# @LINE + 4]]:3: error[OPW128]: dtype variable T is a float in one column and an integer in another
spec.operator @MixedColumn {
  %N = spec.dim "N"
  %x = spec.input "x" : !spec.tensor<[N], T>
  spec.columns ["T"] [[f16], [i32]]
  %y = spec.compute (%i: 0 to %N) -> !spec.tensor<[N], T> {
    %a = spec.read %x[%i] : f32
    spec.write %a to 0[%i]
  }
  spec.output "y" %y : !spec.tensor<[N], T>
}

// -----

// CHECK: spec_dtypes.mlir:[[# @LINE + 3]]:3: error[OPW129]: the default of attribute 'P' is not of type index
spec.operator @WrongDefault {
  %N = spec.dim "N"
  %P = "spec.attr"() <{label = "P", default = 1.5 : f32}> : () -> index
  %x = spec.input "x" : !spec.tensor<[N], f32>
  %y = spec.compute (%i: 0 to %N) -> !spec.tensor<[N], f32> {
    %a = spec.read %x[%i] : f32
    spec.write %a to 0[%i]
  }
  spec.output "y" %y : !spec.tensor<[N], f32>
}

// -----

// CHECK: spec_dtypes.mlir:[[# @LINE + 3]]:3: error[OPW141]: list 'act' is not a rank 1 tensor of integers
spec.operator @FloatList {
  %N = spec.dim "N"
  %act = spec.input "act" list : !spec.tensor<[N], f32>
  %y = spec.compute (%i: 0 to %N) -> !spec.tensor<[N], f32> {
    %a = spec.read %act[%i] : f32
    spec.write %a to 0[%i]
  }
  spec.output "y" %y : !spec.tensor<[N], f32>
}

// -----

// CHECK: spec_dtypes.mlir:[[# @LINE + 3]]:3: error[OPW129]: an allowed value of attribute 'P' is not of type i64
spec.operator @WrongAllowed {
  %N = spec.dim "N"
  %P = "spec.attr"() <{label = "P", allowed = ["a"], code = #builtin.int<1>}> : () -> i64
  %x = spec.input "x" : !spec.tensor<[N], f32>
  %y = spec.compute (%i: 0 to %N) -> !spec.tensor<[N], f32> {
    %a = spec.read %x[%i] : f32
    spec.write %a to 0[%i]
  }
  spec.output "y" %y : !spec.tensor<[N], f32>
}

// -----

// CHECK: spec_dtypes.mlir:[[# @LINE + 3]]:3: error[OPW141]: 'x' has a default, but is no optional list
spec.operator @DefaultOfTensor {
  %N = spec.dim "N"
  %x = spec.input "x" optional default [4] : !spec.tensor<[N], i64>
  %y = spec.compute (%i: 0 to %N) -> !spec.tensor<[N], i64> {
    %a = spec.read %x[%i] : i64
    spec.write %a to 0[%i]
  }
  spec.output "y" %y : !spec.tensor<[N], i64>
}
