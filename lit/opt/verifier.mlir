// RUN: opwright-opt %s --split-input-file --verify-diagnostics | filecheck %s
// RUN: not opwright-opt %s --split-input-file 2>&1 | filecheck %s --check-prefix=FIRST
// RUN: cat %s | opwright-opt --split-input-file --verify-diagnostics | filecheck %s --check-prefix=STDIN

// A module that verifies is printed, and nothing of it where a later part is refused without --verify-diagnostics.

// CHECK: func.func @good
// FIRST-NOT: func.func @good
func.func @good() {
  func.return
}

// -----

// CHECK: verifier.mlir:[[# @LINE + 7]]:3: error[OPW002]: 'func.return': Expected arguments to have the same types
// CHECK-NEXT: func.return %a : i32
// CHECK-NEXT: {{^      \^$}}
// FIRST: verifier.mlir:[[# @LINE + 4]]:3: error[OPW002]: 'func.return'
// STDIN: stdin:[[# @LINE + 3]]:3: error[OPW002]: 'func.return'
// STDIN-NEXT: func.return %a : i32
func.func @wrong_type(%a : i32) -> i64 {
  func.return %a : i32
}

// -----

// A place that the text gives wins over the place of the text.
// CHECK: somewhere.py:7:5: error[OPW002]: 'func.return'
func.func @elsewhere(%a : i32) -> i64 {
  func.return %a : i32 loc("somewhere.py":7:5)
}

// -----

// An attribute that refuses its parameters.
// CHECK: verifier.mlir:[[# @LINE + 2]]:3: error[OPW002]: Integer value 300 is out of range for type i8
func.func @wide() {
  %0 = arith.constant 300 : i8
  func.return
}
