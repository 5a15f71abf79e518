// RUN: opwright-opt %s --split-input-file --verify-diagnostics | filecheck %s

// Names, dims, outputs: each part breaks one rule of the verifier.

// CHECK: spec_names.mlir:[[# @LINE + 4]]:3: error[OPW101]: dim M is unknown
// CHECK: hint: known dims: N
spec.operator @UnknownDim {
  %N = spec.dim "N"
  %x = spec.input "x" : !spec.tensor<[N, M], f32>
  %y = spec.compute (%i: 0 to %N) -> !spec.tensor<[N], f32> {
    %a = spec.read %x[%i, %i] : f32
    spec.write %a to 0[%i]
  }
  spec.output "y" %y : !spec.tensor<[N], f32>
}

// -----

// CHECK: spec_names.mlir:[[# @LINE + 4]]:3: error[OPW102]: parameter 'x' is declared twice
spec.operator @Twice {
  %N = spec.dim "N"
  %x = spec.input "x" : !spec.tensor<[N], f32>
  %z = spec.input "x" : !spec.tensor<[N], f32>
  %y = spec.compute (%i: 0 to %N) -> !spec.tensor<[N], f32> {
    %a = spec.read %x[%i] : f32
    spec.write %a to 0[%i]
  }
  spec.output "y" %y : !spec.tensor<[N], f32>
}

// -----

// CHECK: spec_names.mlir:[[# @LINE + 3]]:3: error[OPW102]: dim N is declared twice
spec.operator @DimTwice {
  %N = spec.dim "N"
  %M = spec.dim "N"
  %x = spec.input "x" : !spec.tensor<[N], f32>
  %y = spec.compute (%i: 0 to %N) -> !spec.tensor<[N], f32> {
    %a = spec.read %x[%i] : f32
    spec.write %a to 0[%i]
  }
  spec.output "y" %y : !spec.tensor<[N], f32>
}

// -----

// An output shares the name of an input.
// CHECK: spec_names.mlir:[[# @LINE + 8]]:3: error[OPW102]: parameter 'x' is declared twice
spec.operator @OutputAsInput {
  %N = spec.dim "N"
  %x = spec.input "x" : !spec.tensor<[N], f32>
  %y = spec.compute (%i: 0 to %N) -> !spec.tensor<[N], f32> {
    %a = spec.read %x[%i] : f32
    spec.write %a to 0[%i]
  }
  spec.output "x" %y : !spec.tensor<[N], f32>
}

// -----

// CHECK: spec_names.mlir:[[# @LINE + 3]]:3: error[OPW112]: dim M has no size: no input names it
spec.operator @NoSize {
  %N = spec.dim "N"
  %M = spec.dim "M"
  %x = spec.input "x" : !spec.tensor<[N], f32>
  %y = spec.compute (%i: 0 to %N, %j: 0 to %M) -> !spec.tensor<[N], f32> {
    %a = spec.read %x[%i] : f32
    spec.write add %a to 0[%i]
  }
  spec.output "y" %y : !spec.tensor<[N], f32>
}

// -----

// CHECK: spec_names.mlir:[[# @LINE + 9]]:3: error[OPW113]: dim M of output 'y' does not follow from inputs or attributes
spec.operator @OutputWithoutSize {
  %N = spec.dim "N"
  %M = spec.dim "M"
  %x = spec.input "x" : !spec.tensor<[N], f32>
  %y = spec.compute (%i: 0 to %N, %j: 0 to %M) -> !spec.tensor<[N, M], f32> {
    %a = spec.read %x[%i] : f32
    spec.write %a to 0[%i, %j]
  }
  spec.output "y" %y : !spec.tensor<[N, M], f32>
}

// -----

// CHECK: spec_names.mlir:[[# @LINE + 10]]:1: error[OPW114]: operator @Same is defined twice
spec.operator @Same {
  %N = spec.dim "N"
  %x = spec.input "x" : !spec.tensor<[N], f32>
  %y = spec.compute (%i: 0 to %N) -> !spec.tensor<[N], f32> {
    %a = spec.read %x[%i] : f32
    spec.write %a to 0[%i]
  }
  spec.output "y" %y : !spec.tensor<[N], f32>
}
spec.operator @Same {
  %N = spec.dim "N"
  %x = spec.input "x" : !spec.tensor<[N], f32>
  %y = spec.compute (%i: 0 to %N) -> !spec.tensor<[N], f32> {
    %a = spec.read %x[%i] : f32
    spec.write %a to 0[%i]
  }
  spec.output "y" %y : !spec.tensor<[N], f32>
}

// -----

// CHECK: spec_names.mlir:[[# @LINE + 4]]:3: error[OPW115]: output 'y' is not the result of a compute or a scan
spec.operator @InputAsOutput {
  %N = spec.dim "N"
  %x = spec.input "x" : !spec.tensor<[N], f32>
  spec.output "y" %x : !spec.tensor<[N], f32>
}

// -----

// CHECK: spec_names.mlir:[[# @LINE + 1]]:1: error[OPW116]: operator @NoOutput has no output
spec.operator @NoOutput {
  %N = spec.dim "N"
  %x = spec.input "x" : !spec.tensor<[N], f32>
}

// -----

// CHECK: spec_names.mlir:[[# @LINE + 4]]:3: error[OPW140]: spec.given asks for a tensor that is always there
spec.operator @AlwaysGiven {
  %N = spec.dim "N"
  %x = spec.input "x" : !spec.tensor<[N], f32>
  %g = spec.given %x
  %y = spec.compute (%i: 0 to %N) -> !spec.tensor<[N], f32> {
    %a = spec.read %x[%i] : f32
    spec.write %a to 0[%i] if %g
  }
  spec.output "y" %y : !spec.tensor<[N], f32>
}

// -----

// CHECK: spec_names.mlir:[[# @LINE + 1]]:1: error[OPW142]: '../up' is no identifier
spec.operator @"../up" {
  %N = spec.dim "N"
}

// -----

// CHECK: spec_names.mlir:[[# @LINE + 3]]:3: error[OPW142]: 'a b' is no identifier
spec.operator @good {
  %N = spec.dim "N"
  %x = spec.input "a b" : !spec.tensor<[N], f32>
}

// -----

// CHECK: spec_names.mlir:[[# @LINE + 2]]:3: error[OPW102]: 'N' is declared twice: as a dim and as a parameter
spec.operator @clash {
  %N = spec.dim "N"
  %x = spec.input "N" : !spec.tensor<[N], f32>
}
