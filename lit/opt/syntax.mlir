// RUN: opwright-opt %s --split-input-file --parsing-diagnostics | filecheck %s
// RUN: not opwright-opt %s --split-input-file 2>&1 | filecheck %s --check-prefix=FIRST

// FIRST: syntax.mlir:[[# @LINE + 6]]:1: error[OPW001]: type expected
// CHECK: syntax.mlir:[[# @LINE + 5]]:1: error[OPW001]: type expected
// CHECK-NEXT: {{^    }$}}
// CHECK-NEXT: {{^    \^$}}
func.func @no_type(%a : i32) {
  %0 = arith.addi %a, %a :
}

// -----

// CHECK: syntax.mlir:[[# @LINE + 4]]:3: error[OPW001]: values used but not defined: [%q]
// CHECK-NEXT: func.return %q : i32
// CHECK-NEXT: {{^      \^$}}
func.func @undefined() -> i32 {
  func.return %q : i32
}

// -----

// CHECK: syntax.mlir:[[# @LINE + 1]]:15: error[OPW001]: Operation nothing.such is not registered
"nothing.such"() : () -> ()

// -----

// CHECK: syntax.mlir:[[# @LINE + 5]]:1: error[OPW001]: re-declaration of block 'twice'
// CHECK: hint: originally declared here: {{.*}}syntax.mlir:[[# @LINE + 2]]:1
func.func private @f() {
^twice:
  cf.br ^twice
^twice:
  func.return
}

// -----

// The error is told, not a value that is still to be defined.
// CHECK: syntax.mlir:[[# @LINE + 7]]:3: error[OPW001]: type expected
func.func @forward() {
  cf.br ^later
^sooner:
  "func.return"(%0) : (i32) -> ()
^later:
  %0 = arith.constant 1 :
  cf.br ^sooner
}
