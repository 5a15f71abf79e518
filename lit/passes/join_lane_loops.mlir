// RUN: opwright-opt %s -p join-lane-loops,cse,canonicalize --split-input-file | filecheck %s

// Two guarded loops over the same lanes become one where both conditions hold; each guard still decides alone.
// CHECK-LABEL: func.func @all_lanes
// CHECK: %both = arith.andi %a, %b : i1
// CHECK: %[[OTHER:.*]] = arith.xori %both
// CHECK-NEXT: %alone = arith.andi %a, %[[OTHER]] : i1
// CHECK-NEXT: scf.if %alone {
// CHECK-NEXT: tile.foreach (%r: 0 to 1, %l: 0 to %width) {
// CHECK-NEXT: %v = tile.read %x[3, %l]
// CHECK-NEXT: tile.write %v to %y[2, %l]
// CHECK-NEXT: }
// CHECK-NEXT: }
// CHECK-NEXT: scf.if %b {
// CHECK-NEXT: scf.if %both {
// CHECK-NEXT: tile.foreach (%r_1: 0 to 1, %l_1: 0 to %width) {
// CHECK-NEXT: %v_1 = tile.read %x[3, %l_1]
// CHECK-NEXT: tile.write %v_1 to %y[2, %l_1]
// CHECK-NEXT: %u = tile.read %x[3, %l_1]
// CHECK-NEXT: tile.write add %u to %s[%r_1, %l_1 mod 16]
// CHECK-NEXT: }
// CHECK-NEXT: } else {
// CHECK-NEXT: tile.foreach (%r_2: 0 to 1, %l_2: 0 to %width) {
// CHECK-NEXT: %u_1 = tile.read %x[3, %l_2]
// CHECK-NEXT: tile.write add %u_1 to %s[%r_2, %l_2 mod 16]
// CHECK-NEXT: }
// CHECK-NEXT: }
// CHECK-NEXT: }
func.func @all_lanes(%x: memref<?x?xf32>, %y: memref<?x?xf32>, %s: memref<?x?xf32>, %width: index, %a: i1, %b: i1) {
  scf.if %a {
    tile.foreach (%r: 0 to 1, %l: 0 to %width) {
      %v = tile.read %x[3, %l] : memref<?x?xf32>
      tile.write %v to %y[2, %l] : memref<?x?xf32>
    }
  }
  scf.if %b {
    tile.foreach (%r: 0 to 1, %l: 0 to %width) {
      %u = tile.read %x[3, %l] : memref<?x?xf32>
      tile.write add %u to %s[%r, %l mod 16] : memref<?x?xf32>
    }
  }
  func.return
}

// -----

// A condition within another becomes one value, tested where the outer one holds. Strips and the rest behind them meet
// every lane once. What the first block needs from between its conditions is computed again.
// CHECK-LABEL: func.func @strips
// CHECK: %holds = scf.if %a -> (i1) {
// CHECK-NEXT: %owner = tile.read %o[%p] : memref<?xi32>
// CHECK-NEXT: %n = arith.index_cast %owner : i32 to index
// CHECK-NEXT: %mine = arith.cmpi eq, %n, %p : index
// CHECK-NEXT: scf.yield %mine : i1
// CHECK-NEXT: } else {
// CHECK: scf.yield
// CHECK-NEXT: }
// CHECK-NEXT: %both = arith.andi %holds, %b : i1
// CHECK: scf.if %alone {
// CHECK-NEXT: %owner_1 = tile.read %o[%p] : memref<?xi32>
// CHECK-NEXT: %n_1 = arith.index_cast %owner_1 : i32 to index
// CHECK-NEXT: tile.foreach
// CHECK: scf.if %b {
// CHECK: tile.foreach (%r_1: 0 to 1, %q: 0 to %whole, %l_1: 0 to 16) {
// CHECK-NEXT: %v_1 = tile.read %x[%n_2, %q * 16 + %l_1]
// CHECK-NEXT: tile.write %v_1 to %y[0, %q * 16 + %l_1]
// CHECK-NEXT: %u = tile.read %x[%p, %q * 16 + %l_1]
// CHECK-NEXT: tile.write add %u to %s[%r_1, %l_1]
// CHECK: } else {
// CHECK: tile.foreach (%r_3: 0 to 1, %l_3: 0 to %rest) {
// CHECK-NEXT: %v_2 = tile.read %x[%n_3, %start + %l_3]
// CHECK-NEXT: tile.write %v_2 to %y[0, %start + %l_3]
// CHECK-NEXT: %t = tile.read %x[%p, %start + %l_3]
// CHECK-NEXT: tile.write add %t to %s[%r_3, %l_3]
func.func @strips(%x: memref<?x?xf32>, %o: memref<?xi32>, %y: memref<?x?xf32>, %s: memref<?x?xf32>, %width: index, %p: index, %a: i1, %b: i1) {
  %c16 = arith.constant 16 : index
  %whole = arith.divsi %width, %c16 : index
  %start = arith.muli %whole, %c16 : index
  %rest = arith.subi %width, %start : index
  scf.if %a {
    %owner = tile.read %o[%p] : memref<?xi32>
    %n = arith.index_cast %owner : i32 to index
    %mine = arith.cmpi eq, %n, %p : index
    scf.if %mine {
      tile.foreach (%r: 0 to 1, %l: 0 to %width) {
        %v = tile.read %x[%n, %l] : memref<?x?xf32>
        tile.write %v to %y[%r, %l] : memref<?x?xf32>
      }
    }
  }
  scf.if %b {
    tile.foreach (%r: 0 to 1, %q: 0 to %whole, %l: 0 to 16) {
      %u = tile.read %x[%p, %q * 16 + %l] : memref<?x?xf32>
      tile.write add %u to %s[%r, %l] : memref<?x?xf32>
    }
    tile.foreach (%r: 0 to 1, %l: 0 to %rest) {
      %t = tile.read %x[%p, %start + %l] : memref<?x?xf32>
      tile.write add %t to %s[%r, %l] : memref<?x?xf32>
    }
  }
  func.return
}

// -----

// Loops that share no row, that meet what the other one writes, or that miss lanes, stay apart.
// CHECK-LABEL: func.func @apart
// CHECK-NOT: arith.andi
func.func @apart(%x: memref<?x?xf32>, %w: memref<?x?xf32>, %y: memref<?x?xf32>, %s: memref<?x?xf32>, %width: index, %a: i1, %b: i1) {
  scf.if %a {
    tile.foreach (%r: 0 to 1, %l: 0 to %width) {
      %v = tile.read %x[0, %l] : memref<?x?xf32>
      tile.write %v to %y[%r, %l] : memref<?x?xf32>
    }
  }
  scf.if %b {
    tile.foreach (%r: 0 to 1, %l: 0 to %width) {
      %u = tile.read %w[0, %l] : memref<?x?xf32>
      tile.write %u to %s[%r, %l] : memref<?x?xf32>
    }
  }
  %c1 = arith.constant 1 : index
  scf.if %a {
    tile.foreach (%r: 0 to 1, %l: 0 to %width) {
      %v = tile.read %x[0, %l] : memref<?x?xf32>
      tile.write %v to %y[%r, %l] : memref<?x?xf32>
    }
  }
  scf.if %b {
    tile.foreach (%r: 0 to 1, %l: 0 to %width) {
      %u = tile.read %x[0, %l] : memref<?x?xf32>
      %v = tile.read %y[1, %l] : memref<?x?xf32>
      tile.write %v to %s[%r, %l] : memref<?x?xf32>
    }
  }
  scf.if %a {
    tile.foreach (%r: 0 to 1, %l: 0 to %width) {
      %v = tile.read %x[0, %l] : memref<?x?xf32>
      tile.write %v to %y[%r, %l] : memref<?x?xf32>
    }
  }
  %less = arith.subi %width, %c1 : index
  scf.if %b {
    tile.foreach (%r: 0 to 1, %l: 0 to %less) {
      %u = tile.read %x[0, %l] : memref<?x?xf32>
      tile.write %u to %s[%r, %l] : memref<?x?xf32>
    }
  }
  func.return
}
