// RUN: opwright-opt %s -p split-reductions --split-input-file --verify-diagnostics | filecheck %s
// RUN: not opwright-opt %s -p 'split-reductions{target=abacus}' --split-input-file 2>&1 | filecheck %s --check-prefix=TARGET

// TARGET: split_reductions_refused.mlir:[[# @LINE + 6]]:1: error[OPW335]: unknown target 'abacus'
// TARGET-NEXT: spec.operator @Guarded {
// TARGET: hint: targets: cpu,

// CHECK: split_reductions_refused.mlir:[[# @LINE + 9]]:5: error[OPW325]: elements of result 0 may stay unwritten, to hold 0; loops cannot leave them out yet
// CHECK: hint: let every element be written, with a select where a guard stood
spec.operator @Guarded {
  %N = spec.dim "N"
  %x = spec.input "x" : !spec.tensor<[N], f32>
  %m = spec.input "m" : !spec.tensor<[N], i1>
  %y = spec.compute (%i: 0 to %N) -> !spec.tensor<[N], f32> {
    %a = spec.read %x[%i] : f32
    %b = spec.read %m[%i] : i1
    spec.write %a to 0[%i] if %b
  }
  spec.output "y" %y : !spec.tensor<[N], f32>
}

// -----

// Half of the rows, and two of three rows.
// CHECK: split_reductions_refused.mlir:[[# @LINE + 7]]:5: error[OPW325]: elements of result 0 may stay unwritten
spec.operator @Half {
  %N = spec.dim "N"
  %H = spec.dim "H"
  %x = spec.input "x" : !spec.tensor<[N, H], f32>
  %y = spec.compute (%i: 0 to %N floordiv 2, %h: 0 to %H) -> !spec.tensor<[N, H], f32> {
    %a = spec.read %x[%i, %h] : f32
    spec.write %a to 0[%i, %h]
  }
  spec.output "y" %y : !spec.tensor<[N, H], f32>
}

// -----

// CHECK: split_reductions_refused.mlir:[[# @LINE + 7]]:5: error[OPW325]: elements of result 0 may stay unwritten
spec.operator @TwoOfThree {
  %N = spec.dim "N"
  %H = spec.dim "H"
  %x = spec.input "x" : !spec.tensor<[N, H], f32>
  %y = spec.compute (%i: 0 to %N, %h: 0 to %H) -> !spec.tensor<[3, H], f32> {
    %a = spec.read %x[%i, %h] : f32
    spec.write add %a to 0[0, %h]
    spec.write add %a to 0[2, %h]
  }
  spec.output "y" %y : !spec.tensor<[3, H], f32>
}

// -----

// A diagonal names each loop variable, but not each element.
// CHECK: split_reductions_refused.mlir:[[# @LINE + 6]]:5: error[OPW325]: elements of result 0 may stay unwritten
spec.operator @Diagonal {
  %N = spec.dim "N"
  %x = spec.input "x" : !spec.tensor<[N], f32>
  %y = spec.compute (%i: 0 to %N) -> !spec.tensor<[N, N], f32> {
    %a = spec.read %x[%i] : f32
    spec.write %a to 0[%i, %i]
  }
  spec.output "y" %y : !spec.tensor<[N, N], f32>
}

// -----

// CHECK: split_reductions_refused.mlir:[[# @LINE + 7]]:3: error[OPW326]: results of one compute combine over different loop variables
// CHECK: hint: write one compute for each
spec.operator @Crossed {
  %N = spec.dim "N"
  %M = spec.dim "M"
  %H = spec.dim "H"
  %x = spec.input "x" : !spec.tensor<[N, M, H], f32>
  %a, %b = spec.compute (%i: 0 to %N, %j: 0 to %M, %h: 0 to %H) -> (!spec.tensor<[N, H], f32>, !spec.tensor<[M, H], f32>) {
    %0 = spec.read %x[%i, %j, %h] : f32
    spec.write add %0 to 0[%i, %h]
    spec.write add %0 to 1[%j, %h]
  }
  spec.output "a" %a : !spec.tensor<[N, H], f32>
  spec.output "b" %b : !spec.tensor<[M, H], f32>
}
