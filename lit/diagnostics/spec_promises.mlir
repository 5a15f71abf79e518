// RUN: opwright-opt %s --split-input-file --verify-diagnostics --parsing-diagnostics | filecheck %s

// What may be said of the elements of tensors.

// CHECK: spec_promises.mlir:[[# @LINE + 5]]:3: error[OPW147]: spec.places is about something else than an input of integers
// CHECK: hint: it says what the elements of an integer input are
spec.operator @Floats {
  %N = spec.dim "N"
  %x = spec.input "x" : !spec.tensor<[N], f32>
  spec.places %x below [%N]
  %y = spec.compute (%i: 0 to %N) -> !spec.tensor<[N], f32> {
    %a = spec.read %x[%i] : f32
    spec.write %a to 0[%i]
  }
  spec.output "y" %y : !spec.tensor<[N], f32>
}

// -----

// CHECK: spec_promises.mlir:[[# @LINE + 9]]:3: error[OPW147]: spec.places is about something else than an input of integers
spec.operator @Results {
  %N = spec.dim "N"
  %x = spec.input "x" : !spec.tensor<[N], i32>
  %y = spec.compute (%i: 0 to %N) -> !spec.tensor<[N], i32> {
    %a = spec.read %x[%i] : i32
    spec.write %a to 0[%i]
  }
  spec.output "y" %y : !spec.tensor<[N], i32>
  spec.places %y below [%N]
}

// -----

// CHECK: spec_promises.mlir:[[# @LINE + 4]]:3: error[OPW111]: 'spec.places' takes one index expression, not 2
spec.operator @TwoSizes {
  %N = spec.dim "N"
  %x = spec.input "x" : !spec.tensor<[N], i32>
  spec.places %x below [%N, 3]
  %y = spec.compute (%i: 0 to %N) -> !spec.tensor<[N], i32> {
    %a = spec.read %x[%i] : i32
    spec.write %a to 0[%i]
  }
  spec.output "y" %y : !spec.tensor<[N], i32>
}

// -----

// CHECK: spec_promises.mlir:[[# @LINE + 6]]:5: error[OPW103]: 'spec.places' does not stand directly in spec.operator
spec.operator @InBody {
  %N = spec.dim "N"
  %x = spec.input "x" : !spec.tensor<[N], i32>
  %y = spec.compute (%i: 0 to %N) -> !spec.tensor<[N], i32> {
    %a = spec.read %x[%i] : i32
    spec.places %x below [%N]
    spec.write %a to 0[%i]
  }
  spec.output "y" %y : !spec.tensor<[N], i32>
}
