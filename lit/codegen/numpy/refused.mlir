// RUN: not opwright-opt %s -t numpy 2>&1 | filecheck %s

// What NumPy text cannot say is refused at its place.

func.func @unknown(%m: memref<4xf32>) -> index {
  // CHECK: refused.mlir:[[# @LINE + 4]]:3: error[OPW410]: 'memref.rank' cannot be written as NumPy
  // CHECK-NEXT: %r = "memref.rank"(%m)
  // CHECK-NEXT: {{^ +\^$}}
  // CHECK-NEXT: hint: lower it first
  %r = "memref.rank"(%m) : (memref<4xf32>) -> index
  func.return %r : index
}
