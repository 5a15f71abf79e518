// RUN: opwright-opt %s --split-input-file --verify-diagnostics | filecheck %s

// Index expressions and ranges.

// CHECK: spec_indices.mlir:[[# @LINE + 9]]:5: error[OPW104]: '%x' has rank 2, read with 1 indices
// CHECK-NEXT: %a = spec.read %x[%i] : f32
// CHECK-NEXT: {{^        \^$}}
// CHECK: hint: give one index for each of its dims [N, M]
spec.operator @RankOfRead {
  %N = spec.dim "N"
  %M = spec.dim "M"
  %x = spec.input "x" : !spec.tensor<[N, M], f32>
  %y = spec.compute (%i: 0 to %N) -> !spec.tensor<[N], f32> {
    %a = spec.read %x[%i] : f32
    spec.write %a to 0[%i]
  }
  spec.output "y" %y : !spec.tensor<[N], f32>
}

// -----

// CHECK: spec_indices.mlir:[[# @LINE + 6]]:5: error[OPW104]: result 0 has rank 1, written with 2 indices
spec.operator @RankOfWrite {
  %N = spec.dim "N"
  %x = spec.input "x" : !spec.tensor<[N], f32>
  %y = spec.compute (%i: 0 to %N) -> !spec.tensor<[N], f32> {
    %a = spec.read %x[%i] : f32
    spec.write %a to 0[%i, %i]
  }
  spec.output "y" %y : !spec.tensor<[N], f32>
}

// -----

// CHECK: spec_indices.mlir:[[# @LINE + 7]]:5: error[OPW105]: index 0 of '%x' runs to M, its dim is N
// CHECK: hint: a read may say what stands beyond the tensor: else %v
spec.operator @Transposed {
  %N = spec.dim "N"
  %M = spec.dim "M"
  %x = spec.input "x" : !spec.tensor<[N, M], f32>
  %y = spec.compute (%i: 0 to %M, %j: 0 to %N) -> !spec.tensor<[M, N], f32> {
    %a = spec.read %x[%i, %j] : f32
    spec.write %a to 0[%i, %j]
  }
  spec.output "y" %y : !spec.tensor<[M, N], f32>
}

// -----

// CHECK: spec_indices.mlir:[[# @LINE + 5]]:5: error[OPW105]: index 0 of result 0 runs to 4, its dim is 3
spec.operator @PastTheEnd {
  %y = spec.compute (%i: 0 to 4) -> !spec.tensor<[3], f32> {
    %a = arith.constant 1.0 : f32
    %b = arith.addf %a, %a : f32
    spec.write %b to 0[%i]
  }
  spec.output "y" %y : !spec.tensor<[3], f32>
}

// -----

// CHECK: spec_indices.mlir:[[# @LINE + 7]]:5: error[OPW106]: %p cannot place elements: it is the result of 'arith.muli'
// CHECK: hint: an index is made of loop variables
spec.operator @NotAffine {
  %N = spec.dim "N"
  %x = spec.input "x" : !spec.tensor<[N], f32>
  %y = spec.compute (%i: 0 to %N) -> !spec.tensor<[N], f32> {
    %p = arith.muli %i, %i : index
    %a = spec.read %x[%p] : f32
    spec.write %a to 0[%i]
  }
  spec.output "y" %y : !spec.tensor<[N], f32>
}

// -----

// CHECK: spec_indices.mlir:[[# @LINE + 6]]:5: error[OPW107]: an index expression multiplies two values that vary in the nest
spec.operator @Product {
  %N = spec.dim "N"
  %zero = arith.constant 0.0 : f32
  %x = spec.input "x" : !spec.tensor<[N], f32>
  %y = spec.compute (%i: 0 to %N, %j: 0 to %N) -> !spec.tensor<[N, N], f32> {
    %a = spec.read %x[%i * %j] else %zero : f32
    spec.write %a to 0[%i, %j]
  }
  spec.output "y" %y : !spec.tensor<[N, N], f32>
}

// -----

// The product hides behind a spec.index.
// CHECK: spec_indices.mlir:[[# @LINE + 7]]:5: error[OPW107]: an index expression multiplies two values that vary in the nest
spec.operator @HiddenProduct {
  %N = spec.dim "N"
  %zero = arith.constant 0.0 : f32
  %x = spec.input "x" : !spec.tensor<[N], f32>
  %y = spec.compute (%i: 0 to %N, %j: 0 to %N) -> !spec.tensor<[N, N], f32> {
    %p = spec.index [%i + 1]
    %a = spec.read %x[%p * %j] else %zero : f32
    spec.write %a to 0[%i, %j]
  }
  spec.output "y" %y : !spec.tensor<[N, N], f32>
}

// -----

// CHECK: spec_indices.mlir:[[# @LINE + 6]]:5: error[OPW108]: floordiv by a value that varies in the nest
spec.operator @DivideByLoop {
  %N = spec.dim "N"
  %zero = arith.constant 0.0 : f32
  %x = spec.input "x" : !spec.tensor<[N], f32>
  %y = spec.compute (%i: 0 to %N) -> !spec.tensor<[N], f32> {
    %a = spec.read %x[%N floordiv %i] else %zero : f32
    spec.write %a to 0[%i]
  }
  spec.output "y" %y : !spec.tensor<[N], f32>
}

// -----

// CHECK: spec_indices.mlir:[[# @LINE + 7]]:5: error[OPW109]: floordiv by %P, which may be 0 or less
// CHECK: hint: add spec.require [%P] >= [1] code
spec.operator @MayBeZero {
  %N = spec.dim "N"
  %P = spec.attr "P" : index
  %x = spec.input "x" : !spec.tensor<[N], f32>
  %y = spec.compute (%i: 0 to %N) -> !spec.tensor<[N], f32> {
    %a = spec.read %x[%i floordiv %P] : f32
    spec.write %a to 0[%i]
  }
  spec.output "y" %y : !spec.tensor<[N], f32>
}

// -----

// The size of a dim may be 0 as well; a constraint that only says >= 0 does not help.
// CHECK: spec_indices.mlir:[[# @LINE + 4]]:3: error[OPW109]: ceildiv by %M, which may be 0 or less
spec.operator @DimMayBeZero {
  %N = spec.dim "N"
  %M = spec.dim "M"
  %K = spec.dim "K" = [%N ceildiv %M]
  %x = spec.input "x" : !spec.tensor<[N, M], f32>
  spec.require [%M] >= [0] code 561002
  %y = spec.compute (%i: 0 to %N, %j: 0 to %M) -> !spec.tensor<[N, M], f32> {
    %a = spec.read %x[%i, %j] : f32
    spec.write %a to 0[%i, %j]
  }
  spec.output "y" %y : !spec.tensor<[N, M], f32>
}

// -----

// With the constraints it verifies; constants, sums and sizes of at least 1 divide too.
// CHECK: spec.operator @AtLeastOne
spec.operator @AtLeastOne {
  %N = spec.dim "N"
  %P = spec.attr "P" : index
  %Q = spec.attr "Q" : index
  %R = spec.dim "R" = [2]
  spec.require [%P] > [0] code 561002
  spec.require [1] <= [%Q] code 561002
  %x = spec.input "x" : !spec.tensor<[N], f32>
  %y = spec.compute (%i: 0 to %N) -> !spec.tensor<[N], f32> {
    %a = spec.read %x[%i mod %P floordiv %Q ceildiv %R floordiv (%P * %Q + %R)] : f32
    spec.write %a to 0[%i]
  }
  spec.output "y" %y : !spec.tensor<[N], f32>
}

// -----

// CHECK: spec_indices.mlir:[[# @LINE + 4]]:3: error[OPW110]: the range of %i depends on the later dim %j
spec.operator @LaterDim {
  %N = spec.dim "N"
  %x = spec.input "x" : !spec.tensor<[N], f32>
  %y = "spec.compute"(%N) <{lower = [#spec.map<(0)>, #spec.map<(0)>], upper = [#spec.map<(d1)>, #spec.map<(d2)>]}> ({
  ^bb0(%i : index, %j : index):
    %a = spec.read %x[%i] : f32
    spec.write %a to 0[%i, %j]
  }) : (index) -> !spec.tensor<[N, N], f32>
  spec.output "y" %y : !spec.tensor<[N, N], f32>
}

// -----

// CHECK: spec_indices.mlir:[[# @LINE + 4]]:3: error[OPW110]: the range of %i depends on itself
spec.operator @OwnDim {
  %N = spec.dim "N"
  %x = spec.input "x" : !spec.tensor<[N], f32>
  %y = "spec.compute"(%N) <{lower = [#spec.map<(0)>], upper = [#spec.map<(d0 + 1)>]}> ({
  ^bb0(%i : index):
    %a = spec.read %x[%i] : f32
    spec.write %a to 0[%i]
  }) : (index) -> !spec.tensor<[N], f32>
  spec.output "y" %y : !spec.tensor<[N], f32>
}

// -----

// CHECK: spec_indices.mlir:[[# @LINE + 3]]:3: error[OPW111]: 'spec.dim' takes one index expression, not 2
spec.operator @TwoDefinitions {
  %N = spec.dim "N"
  %M = spec.dim "M" = [%N, 3]
  %x = spec.input "x" : !spec.tensor<[N], f32>
  %y = spec.compute (%i: 0 to %N) -> !spec.tensor<[N], f32> {
    %a = spec.read %x[%i] : f32
    spec.write %a to 0[%i]
  }
  spec.output "y" %y : !spec.tensor<[N], f32>
}
