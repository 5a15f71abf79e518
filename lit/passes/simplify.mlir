// RUN: opwright-opt %s -p simplify,canonicalize,cse | filecheck %s

// CHECK-LABEL: func.func @differences
// CHECK-NEXT: %zero = arith.constant 0 : index
// CHECK-NEXT: %b = arith.subi %x, %y : index
// CHECK-NEXT: func.return %zero, %b : index, index
func.func @differences(%x: index, %y: index) -> (index, index) {
  %zero = arith.subi %x, %x : index
  %b = arith.subi %x, %y : index
  func.return %zero, %b : index, index
}

// A division that might trap stays; what follows from a folded one is folded, too.
// CHECK-LABEL: func.func @quotients
// CHECK: %floor = arith.constant -3 : index
// CHECK-NEXT: %ceil = arith.constant -2 : index
// CHECK-NEXT: %rest = arith.constant -1 : index
// CHECK-NEXT: %most = arith.constant 8 : index
// CHECK-NEXT: %trap = arith.divsi {{%.*}}, {{%.*}} : index
// CHECK-NEXT: func.return %floor, %ceil, %ceil, %rest, %floor, %most, %trap
func.func @quotients() -> (index, index, index, index, index, index, index) {
  %a = arith.constant -5 : index
  %b = arith.constant 2 : index
  %c0 = arith.constant 0 : index
  %c16 = arith.constant 16 : index
  %floor = arith.floordivsi %a, %b : index
  %ceil = arith.ceildivsi %a, %b : index
  %cut = arith.divsi %a, %b : index
  %rest = arith.remsi %a, %b : index
  %least = arith.minsi %floor, %b : index
  %eight = arith.divsi %c16, %b : index
  %most = arith.maxsi %eight, %a : index
  %trap = arith.divsi %a, %c0 : index
  func.return %floor, %ceil, %cut, %rest, %least, %most, %trap : index, index, index, index, index, index, index
}

// CHECK-LABEL: func.func @twice
// CHECK-NEXT: func.return %p : i1
func.func @twice(%p: i1) -> i1 {
  %a = arith.andi %p, %p : i1
  %b = arith.andi %a, %p : i1
  func.return %b : i1
}

// Each condition stays where it comes first.
// CHECK-LABEL: func.func @chain
// CHECK-NEXT: [[PQ:%.*]] = arith.andi %p, %q : i1
// CHECK-NEXT: [[ALL:%.*]] = arith.andi [[PQ]], %r : i1
// CHECK-NEXT: func.return [[ALL]] : i1
func.func @chain(%p: i1, %q: i1, %r: i1) -> i1 {
  %a = arith.andi %p, %q : i1
  %b = arith.andi %a, %p : i1
  %c = arith.andi %q, %r : i1
  %d = arith.andi %b, %c : i1
  func.return %d : i1
}

// A conjunction that is used elsewhere stays, and what it holds is not tested again.
// CHECK-LABEL: func.func @shared
// CHECK-NEXT: %a = arith.andi %p, %q : i1
// CHECK-NEXT: [[ALL:%.*]] = arith.andi %a, %r : i1
// CHECK-NEXT: func.return %a, [[ALL]] : i1, i1
func.func @shared(%p: i1, %q: i1, %r: i1) -> (i1, i1) {
  %a = arith.andi %p, %q : i1
  %b = arith.andi %a, %r : i1
  %c = arith.andi %b, %q : i1
  func.return %a, %c : i1, i1
}

// Bits of wider integers are no conditions.
// CHECK-LABEL: func.func @bits
// CHECK-NEXT: %b = arith.andi %x, %x : i32
func.func @bits(%x: i32) -> i32 {
  %b = arith.andi %x, %x : i32
  func.return %b : i32
}
