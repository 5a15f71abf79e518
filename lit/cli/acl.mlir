// RUN: not opwright acl %s -o %t 2>&1 | filecheck %s --check-prefix=NAME
// RUN: not opwright acl -o %s 2>&1 | filecheck %s --check-prefix=FOLDER
// RUN: not opwright acl -o %t --backend numpy 2>&1 | filecheck %s --check-prefix=BACKEND
// RUN: not opwright acl -o %t --target cpu 2>&1 | filecheck %s --check-prefix=TARGET
// RUN: not opwright run-example %s 2>&1 | filecheck %s --check-prefix=SOURCE
// RUN: not opwright run-example %S/none.cpp 2>&1 | filecheck %s --check-prefix=NONE

// What the commands for the laptop's ACL refuse; the rest is in tests/test_acl_refusals.py.

spec.operator @Take {
  %N = spec.dim "N"
  %x = spec.input "stream" : !spec.tensor<[N], f32>
  %y = spec.compute (%i: 0 to %N) -> !spec.tensor<[N], f32> {
    %a = spec.read %x[%i] : f32
    spec.write %a to 0[%i]
  }
  spec.output "y" %y : !spec.tensor<[N], f32>
}

// NAME: acl.mlir:[[# @LINE - 8]]:3: error[OPW460]: parameter 'stream' cannot have this name in C
// NAME: hint: rename it
// FOLDER: error[OPW004]: cannot open '{{.*}}acl.mlir': Not a directory
// BACKEND: error[OPW003]: argument --backend: invalid choice: 'numpy'
// TARGET: error[OPW003]: argument --target: invalid choice: 'cpu'
// SOURCE: error[OPW463]: {{.*}}acl.mlir' is no C++ source
// NONE: error[OPW004]: cannot open '{{.*}}none.cpp': No such file or directory
