// RUN: opwright-opt %s -p lower-to-loops --split-input-file | filecheck %s
// RUN: opwright-opt %s -p lower-to-loops --split-input-file | opwright-opt --split-input-file | filecheck %s --check-prefix=AGAIN

// Lanes that combine by their remainder: strips, within which the lanes are independent; all that the body does goes along.

// CHECK-LABEL: func.func @strips
// CHECK:         %[[STRIPS:.*]] = arith.ceildivsi %W, %c64 : index
// CHECK-NEXT:    scf.for %r = %c0 to %R step %c1 {
// CHECK-NEXT:      scf.for %strip = %c0 to %[[STRIPS]] step %c1 {
// CHECK-NEXT:        %[[START:.*]] = arith.muli %strip, %c64 : index
// CHECK-NEXT:        %[[NEXT:.*]] = arith.addi %[[START]], %c64 : index
// CHECK-NEXT:        %[[STOP:.*]] = arith.minsi %W, %[[NEXT]] : index
// CHECK-NEXT:        scf.for %l = %[[START]] to %[[STOP]] step %c1 {
// CHECK-NEXT:          %v = memref.load %x[%r, %l] : memref<?x?xf32>
// CHECK-NEXT:          %[[AT:.*]] = arith.subi %l, %[[START]] : index
// CHECK-NEXT:          %[[OLD:.*]] = memref.load %p[%r, %[[AT]]] : memref<?x64xf32>
// CHECK-NEXT:          %[[NEW:.*]] = arith.addf %[[OLD]], %v : f32
// CHECK-NEXT:          memref.store %[[NEW]], %p[%r, %[[AT]]] : memref<?x64xf32>
// CHECK-NEXT:          memref.store %v, %y[%r, %l] : memref<?x?xf32>
// CHECK-NEXT:        } {tile.lanes}
// CHECK-NEXT:      }
// CHECK-NEXT:    }
// AGAIN-LABEL: func.func @strips
func.func @strips(%x: memref<?x?xf32>, %y: memref<?x?xf32>, %p: memref<?x64xf32>, %R: index, %W: index) {
  tile.foreach (%r: 0 to %R, %l: 0 to %W) {
    %v = tile.read %x[%r, %l] : memref<?x?xf32>
    tile.write add %v to %p[%r, %l mod 64] : memref<?x64xf32>
    tile.write %v to %y[%r, %l] : memref<?x?xf32>
  }
  func.return
}

// -----

// Lanes that start anywhere: the first strip starts in the middle. What is known to be a multiple of a strip needs no test.

// CHECK-LABEL: func.func @middle
// CHECK:         %[[FIRST:.*]] = arith.floordivsi %first, %c64 : index
// CHECK:         scf.for %strip = %[[FIRST]] to %c4 step %c1 {
// CHECK-NEXT:      %[[START:.*]] = arith.muli %strip, %c64 : index
// CHECK-NEXT:      %[[LOW:.*]] = arith.maxsi %[[START]], %first : index
// CHECK-NEXT:      %[[NEXT:.*]] = arith.addi %[[START]], %c64 : index
// CHECK-NEXT:      scf.for %l = %[[LOW]] to %[[NEXT]] step %c1 {
// CHECK:             %[[AT:.*]] = arith.subi %l, %[[START]] : index
// CHECK:           } {tile.lanes}
func.func @middle(%x: memref<?xf32>, %p: memref<64xf32>, %first: index) {
  tile.foreach (%l: %first to 256) {
    %v = tile.read %x[%l] : memref<?xf32>
    tile.write max %v to %p[%l mod 64] : memref<64xf32>
  }
  func.return
}

// -----

// A fold is such a point loop.

// CHECK-LABEL: func.func @fold
// CHECK:         scf.for %r = %c0 to %R step %c1 {
// CHECK-NEXT:      %[[FROM:.*]] = arith.addi %c1, %r : index
// CHECK-NEXT:      %[[TO:.*]] = arith.addi %c2, %r : index
// CHECK-NEXT:      scf.for %strip =
// CHECK:             scf.for %e = %{{.*}} to %{{.*}} step %c1 {
// CHECK-NEXT:          %[[V:.*]] = memref.load %x[%[[FROM]], %e] : memref<?x?xf32>
// CHECK-NEXT:          %[[AT:.*]] = arith.subi %e, %{{.*}} : index
// CHECK-NEXT:          %[[OLD:.*]] = memref.load %p[%[[TO]], %[[AT]]] : memref<?x64xf32>
// CHECK-NEXT:          %[[NEW:.*]] = arith.minimumf %[[OLD]], %[[V]] : f32
// CHECK-NEXT:          memref.store %[[NEW]], %p[%[[TO]], %[[AT]]] : memref<?x64xf32>
// CHECK-NEXT:        } {tile.lanes}
func.func @fold(%x: memref<?x?xf32>, %p: memref<?x64xf32>, %R: index, %W: index) {
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  tile.fold "min" %x[%c1] to %p[%c2] rows %R width %W : (memref<?x?xf32>) -> memref<?x64xf32>
  func.return
}

// -----

// A tree: one loop a level, each into elements of its own; 16-bit floats are rounded at each step.

// CHECK-LABEL: func.func @tree
// CHECK:         %t = memref.alloca() : memref<62xbf16>
// CHECK-NEXT:    scf.for %r = %c0 to %R step %c1 {
// CHECK-NEXT:      scf.for %n = %c0 to %c32 step %c1 {
// CHECK-NEXT:        %[[EVEN:.*]] = arith.muli %n, %c2 : index
// CHECK-NEXT:        %[[A:.*]] = memref.load %p[%r, %[[EVEN]]] : memref<?x64xbf16>
// CHECK-NEXT:        %[[ODD:.*]] = arith.addi %[[EVEN]], %c1 : index
// CHECK-NEXT:        %[[B:.*]] = memref.load %p[%r, %[[ODD]]] : memref<?x64xbf16>
// CHECK:             %[[SUM:.*]] = arith.addf %{{.*}}, %{{.*}} : f32
// CHECK-NEXT:        %[[ROUNDED:.*]] = arith.truncf %[[SUM]] : f32 to bf16
// CHECK-NEXT:        memref.store %[[ROUNDED]], %t[%n] : memref<62xbf16>
// CHECK-NEXT:      } {tile.lanes}
// CHECK-NEXT:      scf.for %n_1 = %c0 to %c16 step %c1 {
// CHECK:             %[[AT:.*]] = arith.addi %n_1, %c32 : index
// CHECK-NEXT:        memref.store %{{.*}}, %t[%[[AT]]] : memref<62xbf16>
// CHECK:           scf.for %n_2 = %c0 to %c8 step %c1 {
// CHECK:           scf.for %n_3 = %c0 to %c4 step %c1 {
// CHECK:           scf.for %n_4 = %c0 to %c2 step %c1 {
// CHECK:           memref.load %t[%c60] : memref<62xbf16>
// CHECK-NEXT:      memref.load %t[%c61] : memref<62xbf16>
// CHECK:           memref.store %{{.*}}, %s[%c1, %r] : memref<?x?xbf16>
func.func @tree(%p: memref<?x64xbf16>, %s: memref<?x?xbf16>, %R: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  tile.tree "add" %p[%c0] to %s[%c1] rows %R width %c64 : (memref<?x64xbf16>) -> memref<?x?xbf16>
  func.return
}

// -----

// What all lanes of a row share is read once a row, and only where there is a lane.

// CHECK-LABEL: func.func @shared
// CHECK:         scf.for %r = %c0 to %R step %c1 {
// CHECK-NEXT:      %[[SOME:.*]] = arith.cmpi slt, %c0, %W : index
// CHECK-NEXT:      scf.if %[[SOME]] {
// CHECK-NEXT:        %[[S:.*]] = memref.load %s[%c2, %r] : memref<?x?xf32>
// CHECK-NEXT:        scf.for %e = %c0 to %W step %c1 {
// CHECK-NEXT:          memref.store %[[S]], %y[%r, %e] : memref<?x?xf32>
// CHECK-NEXT:        } {tile.lanes}
// CHECK:         scf.for %r_1 = %c0 to %R step %c1 {
// CHECK:             %[[S:.*]] = memref.load %s[%r_1, %c0] : memref<?x?xf32>
// CHECK-NEXT:        scf.for %e_1 = %c0 to %W step %c1 {
// CHECK-NEXT:          %[[V:.*]] = memref.load %y[%r_1, %e_1] : memref<?x?xf32>
// CHECK-NEXT:          %[[W:.*]] = arith.subf %[[V]], %[[S]] : f32
// CHECK-NEXT:          memref.store %[[W]], %y[%r_1, %e_1] : memref<?x?xf32>
// CHECK-NEXT:        } {tile.lanes}
func.func @shared(%s: memref<?x?xf32>, %y: memref<?x?xf32>, %R: index, %W: index) {
  %c0 = arith.constant 0 : index
  %c2 = arith.constant 2 : index
  tile.splat %s[%c2] to %y[%c0] rows %R width %W : (memref<?x?xf32>) -> memref<?x?xf32>
  tile.by_row "sub" %y[%c0], %s[%c0] to %y[%c0] rows %R width %W : (memref<?x?xf32>, memref<?x?xf32>) -> memref<?x?xf32>
  func.return
}

// -----

// A binary search. In a point loop it runs before the lanes, where it does not depend on them.

// CHECK-LABEL: func.func @search
// CHECK:         %b, %{{.*}} = scf.while (%first = %c0, %last = %S) : (index, index) -> (index, index) {
// CHECK-NEXT:      %[[OPEN:.*]] = arith.cmpi slt, %first, %last : index
// CHECK-NEXT:      scf.condition(%[[OPEN]]) %first, %last : index, index
// CHECK-NEXT:    } do {
// CHECK-NEXT:    ^{{.*}}(%first_1: index, %last_1: index):
// CHECK-NEXT:      %[[SUM:.*]] = arith.addi %first_1, %last_1 : index
// CHECK-NEXT:      %middle = arith.divsi %[[SUM]], %c2 : index
// CHECK-NEXT:      %[[ENTRY:.*]] = memref.load %ends[%middle] : memref<?xi32>
// CHECK-NEXT:      %[[VALUE:.*]] = arith.index_cast %[[ENTRY]] : i32 to index
// CHECK-NEXT:      %below = arith.cmpi sle, %[[VALUE]], %t : index
// CHECK-NEXT:      %[[NEXT:.*]] = arith.addi %middle, %c1 : index
// CHECK-NEXT:      %[[FIRST:.*]] = arith.select %below, %[[NEXT]], %first_1 : index
// CHECK-NEXT:      %[[LAST:.*]] = arith.select %below, %last_1, %middle : index
// CHECK-NEXT:      scf.yield %[[FIRST]], %[[LAST]] : index, index
// CHECK-NEXT:    }
// CHECK:         scf.for %r = %c0 to %t step %c1 {
// CHECK-NEXT:      %a, %{{.*}} = scf.while
// CHECK:           scf.for %l = %c0 to %S step %c1 {
// CHECK-NEXT:        memref.store %a, %y[%r, %l] : memref<?x?xindex>
// CHECK-NEXT:      } {tile.lanes}
func.func @search(%ends: memref<?xi32> {tile.name = "ends", tile.dims = ["S"]}, %y: memref<?x?xindex> {tile.name = "y"},
    %S: index {tile.name = "S"}, %t: index {tile.name = "t"}) -> index {
  %b = tile.search %ends for %t : memref<?xi32>
  tile.foreach (%r: 0 to %t, %l: 0 to %S) {
    %a = tile.search %ends for %r : memref<?xi32>
    tile.write %a to %y[%r, %l] : memref<?x?xindex>
  }
  func.return %b : index
}

// -----

// What is found is not negative: one test is enough.

// CHECK-LABEL: func.func @found
// CHECK:         %b, %{{.*}} = scf.while
// CHECK:         %[[HIGH:.*]] = arith.cmpi slt, %b, %S : index
// CHECK-NEXT:    scf.if %[[HIGH]] -> (i32) {
// CHECK-NEXT:      memref.load %ends[%b] : memref<?xi32>
// CHECK-NOT:     arith.cmpi sge
func.func @found(%ends: memref<?xi32> {tile.name = "ends", tile.dims = ["S"]}, %S: index {tile.name = "S"},
    %t: index {tile.name = "t"}, %none: i32 {tile.name = "none"}) -> i32 {
  %b = tile.search %ends for %t : memref<?xi32>
  %v = tile.read %ends[%b] else %none : memref<?xi32>
  func.return %v : i32
}
