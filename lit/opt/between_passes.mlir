// RUN: opwright-opt %s -p cse,dce --print-between-passes 2>&1 | filecheck %s --check-prefix=BOTH
// RUN: opwright-opt %s -p cse,dce --print-between-passes | filecheck %s
// RUN: opwright-opt %s --print-debuginfo | filecheck %s --check-prefix=PLACE

// What is told on the way goes to stderr, so the result alone can be piped on.
// BOTH: IR after cse:
// BOTH: builtin.module
// CHECK-NOT: IR after
// CHECK: builtin.module
// PLACE: func.return loc("{{.*}}between_passes.mlir":[[# @LINE + 2]]:3)
func.func @f() {
  func.return
}
