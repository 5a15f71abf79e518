// RUN: opwright-opt %s -p 'vectorize,canonicalize,cse' --split-input-file | filecheck %s

// Both conversions are one, on two rows more. A sum takes the place of an operand that nothing else reads; a value that is
// summed and rounded stays until both are done.
// CHECK-LABEL: func.func @blur(
// CHECK: %tmp0 = tile.alloc "tmp0" temp [%i_tile + 2, %h_tile] : memref<?x?xf32, "ub">
// CHECK-NEXT: %tmp1 = tile.alloc "tmp1" temp [%i_tile, %h_tile] : memref<?x?xf32, "ub">
// CHECK-NEXT: %tmp2 = tile.alloc "tmp2" temp [%i_tile, %h_tile] : memref<?x?xf32, "ub">
// CHECK-NOT: tile.alloc
// CHECK: %[[MORE:.*]] = arith.addi %rows, %c2 : index
// CHECK-NEXT: tile.cast %x_in[%c0] to %tmp0[%c0] rows %[[MORE]] width %width : (memref<?x?xbf16, "ub">) -> memref<?x?xf32, "ub">
// CHECK-NEXT: tile.binary "mul" %tmp0[%c0], %w_rows[%c0] step 0 to %tmp1[%c0] rows %rows width %width
// CHECK-NEXT: tile.binary "mul" %tmp0[%c2], %w_rows[%c1] step 0 to %tmp2[%c0] rows %rows width %width
// CHECK-NEXT: tile.binary "add" %tmp1[%c0], %tmp2[%c0] to %tmp1[%c0] rows %rows width %width
// CHECK-NEXT: tile.accumulate "add" %tmp1[%c0] to %acc[%c0] rows %rows width %width : (memref<?x?xf32, "ub">) -> memref<?x?xf32, "ub">
// CHECK-NEXT: tile.cast %tmp1[%c0] to %y_out[%c0] rows %rows width %width : (memref<?x?xf32, "ub">) -> memref<?x?xbf16, "ub">
// CHECK-NEXT: }
func.func @blur_tiling(%H: index {tile.name = "H"}, %cores: index {tile.name = "cores"}) -> (index {tile.name = "h_tile"}, index {tile.name = "i_tile"}) attributes {tile.tiling} {
  %c32 = arith.constant 32 : index
  func.return %c32, %c32 : index, index
}
func.func @blur(%H: index {tile.name = "H", tile.role = "dim"}, %h_tile: index {tile.name = "h_tile", tile.role = "tiling"}, %i_tile: index {tile.name = "i_tile", tile.role = "tiling"}, %cores: index {tile.name = "cores", tile.role = "cores"}) attributes {tile.kernel} {
  tile.cores "y" %cores (%core) {
    %x_in = tile.alloc "x_in" in [%i_tile + 2, %h_tile] times 2 : memref<?x?xbf16, "ub">
    %w_rows = tile.alloc "w_rows" temp [2, %h_tile] : memref<?x?xf32, "ub">
    %y_out = tile.alloc "y_out" out [%i_tile, %h_tile] times 2 : memref<?x?xbf16, "ub">
    %acc = tile.alloc "acc" accumulator [1, %h_tile] : memref<?x?xf32, "ub">
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    scf.for %item = %c0 to %cores step %c1 {
      %width = arith.minsi %h_tile, %H : index
      scf.for %i0 = %c0 to %H step %i_tile {
        %rows = arith.minsi %i_tile, %H : index
        tile.foreach (%r: 0 to %rows, %l: 0 to %width) {
          %a = tile.read %x_in[%r, %l] : memref<?x?xbf16, "ub">
          %b = arith.extf %a : bf16 to f32
          %c = tile.read %x_in[%r + 2, %l] : memref<?x?xbf16, "ub">
          %d = arith.extf %c : bf16 to f32
          %w0 = tile.read %w_rows[0, %l] : memref<?x?xf32, "ub">
          %w1 = tile.read %w_rows[1, %l] : memref<?x?xf32, "ub">
          %p = arith.mulf %b, %w0 : f32
          %q = arith.mulf %d, %w1 : f32
          %s = arith.addf %p, %q : f32
          tile.write add %s to %acc[0, %l] : memref<?x?xf32, "ub">
          %t = arith.truncf %s : f32 to bf16
          tile.write %t to %y_out[%r, %l] : memref<?x?xbf16, "ub">
        }
      }
    }
  }
  func.return
}

// -----

// A condition of the row: one side is copied, or lies in place already, and rows of the other replace its rows one by one.
// CHECK-LABEL: func.func @select(
// CHECK: tile.unary "copy" %x_in[%c0] to %tmp0[%c0] rows %rows width %width
// CHECK-NEXT: scf.for %q = %c0 to %rows step %c1 {
// CHECK-NEXT: %k = memref.load %k_in[%c0, %q] : memref<?x?xi8, "ub">
// CHECK-NEXT: %[[OFF:.*]] = arith.cmpi eq, %k, %no : i8
// CHECK-NEXT: scf.if %[[OFF]] {
// CHECK-NEXT: tile.fill (%z) to %tmp0[%q] rows %c1 width %width : (f32) -> memref<?x?xf32, "ub">
// CHECK-NEXT: }
// CHECK-NEXT: }
// CHECK-NEXT: tile.unary "neg" %x_in[%c0] to %tmp1[%c0] rows %rows width %width
// CHECK-NEXT: scf.for %q_1 = %c0 to %rows step %c1 {
// CHECK-NEXT: %k_1 = memref.load %k_in[%c0, %q_1]
// CHECK-NEXT: %on = arith.cmpi ne, %k_1, %no : i8
// CHECK-NEXT: scf.if %on {
// CHECK-NEXT: tile.unary "copy" %tmp0[%q_1] to %tmp1[%q_1] rows %c1 width %width
// CHECK: tile.binary "mul" %tmp0[%c0], %tmp1[%c0] to %y_out[%c0] rows %rows width %width
func.func @select_tiling(%H: index {tile.name = "H"}, %cores: index {tile.name = "cores"}) -> (index {tile.name = "h_tile"}, index {tile.name = "i_tile"}) attributes {tile.tiling} {
  %c32 = arith.constant 32 : index
  func.return %c32, %c32 : index, index
}
func.func @select(%H: index {tile.name = "H", tile.role = "dim"}, %h_tile: index {tile.name = "h_tile", tile.role = "tiling"}, %i_tile: index {tile.name = "i_tile", tile.role = "tiling"}, %cores: index {tile.name = "cores", tile.role = "cores"}) attributes {tile.kernel} {
  %z = arith.constant 0.0 : f32
  %no = arith.constant 0 : i8
  tile.cores "y" %cores (%core) {
    %x_in = tile.alloc "x_in" in [%i_tile, %h_tile] times 2 : memref<?x?xf32, "ub">
    %k_in = tile.alloc "k_in" scalars [1, %i_tile + 33] : memref<?x?xi8, "ub">
    %y_out = tile.alloc "y_out" out [%i_tile, %h_tile] times 2 : memref<?x?xf32, "ub">
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    scf.for %item = %c0 to %cores step %c1 {
      %width = arith.minsi %h_tile, %H : index
      scf.for %i0 = %c0 to %H step %i_tile {
        %rows = arith.minsi %i_tile, %H : index
        tile.foreach (%r: 0 to %rows, %l: 0 to %width) {
          %a = tile.read %x_in[%r, %l] : memref<?x?xf32, "ub">
          %k = tile.read %k_in[0, %r] : memref<?x?xi8, "ub">
          %on = arith.cmpi ne, %k, %no : i8
          %b = arith.select %on, %a, %z : f32
          %n = arith.negf %a : f32
          %s = arith.select %on, %b, %n : f32
          %p = arith.mulf %b, %s : f32
          tile.write %p to %y_out[%r, %l] : memref<?x?xf32, "ub">
        }
      }
    }
  }
  func.return
}

// -----

// Scalars: the same for all rows, one a row (a loop), the number of the row, computed from others.
// CHECK-LABEL: func.func @scalars(
// CHECK: tile.scalar "mul" %x_in[%c0] (%two) to %tmp0[%c0] rows %rows width %width : (memref<?x?xf32, "ub">, f32) -> memref<?x?xf32, "ub">
// CHECK-NEXT: scf.for %q = %c0 to %rows step %c1 {
// CHECK-NEXT: %[[NEXT:.*]] = arith.addi %q, %c1 : index
// CHECK-NEXT: %k = memref.load %k_in[%c0, %[[NEXT]]] : memref<?x?xi8, "ub">
// CHECK-NEXT: %f = arith.sitofp %k : i8 to f32
// CHECK-NEXT: tile.scalar "add" %tmp0[%q] (%f) to %tmp0[%q] rows %c1 width %width
// CHECK-NEXT: }
// CHECK-NEXT: tile.unary "copy" %tmp0[%c0] to %tmp1[%c0] rows %rows width %width
// CHECK-NEXT: scf.for %q_1 = %c0 to %rows step %c1 {
// CHECK-NEXT: %[[I:.*]] = arith.addi %i0, %q_1 : index
// CHECK-NEXT: %[[LAST:.*]] = arith.cmpi sge, %[[I]], %H : index
// CHECK-NEXT: scf.if %[[LAST]] {
// CHECK-NEXT: tile.fill (%two) to %tmp1[%q_1]
// CHECK: tile.binary "max" %tmp1[%c0], %tmp0[%c0] to %y_out[%c0] rows %rows width %width
func.func @scalars_tiling(%H: index {tile.name = "H"}, %cores: index {tile.name = "cores"}) -> (index {tile.name = "h_tile"}, index {tile.name = "i_tile"}) attributes {tile.tiling} {
  %c32 = arith.constant 32 : index
  func.return %c32, %c32 : index, index
}
func.func @scalars(%H: index {tile.name = "H", tile.role = "dim"}, %h_tile: index {tile.name = "h_tile", tile.role = "tiling"}, %i_tile: index {tile.name = "i_tile", tile.role = "tiling"}, %cores: index {tile.name = "cores", tile.role = "cores"}) attributes {tile.kernel} {
  %two = arith.constant 2.0 : f32
  tile.cores "y" %cores (%core) {
    %x_in = tile.alloc "x_in" in [%i_tile, %h_tile] times 2 : memref<?x?xf32, "ub">
    %k_in = tile.alloc "k_in" scalars [1, %i_tile + 33] : memref<?x?xi8, "ub">
    %y_out = tile.alloc "y_out" out [%i_tile, %h_tile] times 2 : memref<?x?xf32, "ub">
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    scf.for %item = %c0 to %cores step %c1 {
      %width = arith.minsi %h_tile, %H : index
      scf.for %i0 = %c0 to %H step %i_tile {
        %rows = arith.minsi %i_tile, %H : index
        tile.foreach (%r: 0 to %rows, %l: 0 to %width) {
          %a = tile.read %x_in[%r, %l] : memref<?x?xf32, "ub">
          %b = arith.mulf %two, %a : f32
          %k = tile.read %k_in[0, %r + 1] : memref<?x?xi8, "ub">
          %f = arith.sitofp %k : i8 to f32
          %s = arith.addf %b, %f : f32
          %i = arith.addi %i0, %r : index
          %in = arith.cmpi slt, %i, %H : index
          %v = arith.select %in, %s, %two : f32
          %m = arith.maximumf %v, %s : f32
          tile.write %m to %y_out[%r, %l] : memref<?x?xf32, "ub">
        }
      }
    }
  }
  func.return
}

// -----

// x - s is x + -s, s - x is -x + s.
// CHECK-LABEL: func.func @differences(
// CHECK: %[[MINUS:.*]] = arith.negf %two : f32
// CHECK-NEXT: tile.scalar "add" %x_in[%c0] (%[[MINUS]]) to %tmp0[%c0] rows %rows width %width
// CHECK-NEXT: tile.unary "neg" %tmp0[%c0] to %y_out[%c0] rows %rows width %width
// CHECK: tile.fill (%{{.*}}) to %tmp1[%c0] rows %c1 width
// CHECK: tile.cast %k_in[%c0] to %tmp1[%c0] rows %c1 width %rows
// CHECK: tile.splat %tmp1[%c0] to %tmp2[%c0] rows %rows width %c8
// CHECK: tile.by_row "add" %y_out[%c0], %tmp2[%c0] to %y_out[%c0] rows %rows width %width
func.func @differences_tiling(%H: index {tile.name = "H"}, %cores: index {tile.name = "cores"}) -> (index {tile.name = "h_tile"}, index {tile.name = "i_tile"}) attributes {tile.tiling} {
  %c32 = arith.constant 32 : index
  func.return %c32, %c32 : index, index
}
func.func @differences(%H: index {tile.name = "H", tile.role = "dim"}, %h_tile: index {tile.name = "h_tile", tile.role = "tiling"}, %i_tile: index {tile.name = "i_tile", tile.role = "tiling"}, %cores: index {tile.name = "cores", tile.role = "cores"}) attributes {tile.kernel} {
  %two = arith.constant 2.0 : f32
  tile.cores "y" %cores (%core) {
    %x_in = tile.alloc "x_in" in [%i_tile, %h_tile] times 2 : memref<?x?xf32, "ub">
    %k_in = tile.alloc "k_in" scalars [1, %i_tile + 33] : memref<?x?xi8, "ub">
    %y_out = tile.alloc "y_out" out [%i_tile, %h_tile] times 2 : memref<?x?xf32, "ub">
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    scf.for %item = %c0 to %cores step %c1 {
      %width = arith.minsi %h_tile, %H : index
      scf.for %i0 = %c0 to %H step %i_tile {
        %rows = arith.minsi %i_tile, %H : index
        tile.foreach (%r: 0 to %rows, %l: 0 to %width) {
          %a = tile.read %x_in[%r, %l] : memref<?x?xf32, "ub">
          %b = arith.subf %a, %two : f32
          %k = tile.read %k_in[0, %r] : memref<?x?xi8, "ub">
          %f = arith.sitofp %k : i8 to f32
          %s = arith.subf %f, %b : f32
          tile.write %s to %y_out[%r, %l] : memref<?x?xf32, "ub">
        }
      }
    }
  }
  func.return
}

// -----

// A scalar a row is filled into its row, or combined.
// CHECK-LABEL: func.func @row_scalars(
// CHECK: scf.for %q = %c0 to %rows step %c1 {
// CHECK: %f = arith.sitofp
// CHECK-NEXT: tile.fill (%f) to %y_out[%q] rows %c1 width %width
// CHECK: scf.for %q_1 = %c0 to %rows step %c1 {
// CHECK: %f_1 = arith.sitofp
// CHECK-NEXT: tile.scalar "add" %x_in[%c0] (%f_1) to %x_in[%c0] rows %c1 width %width
func.func @row_scalars_tiling(%H: index {tile.name = "H"}, %cores: index {tile.name = "cores"}) -> (index {tile.name = "h_tile"}, index {tile.name = "i_tile"}) attributes {tile.tiling} {
  %c32 = arith.constant 32 : index
  func.return %c32, %c32 : index, index
}
func.func @row_scalars(%H: index {tile.name = "H", tile.role = "dim"}, %h_tile: index {tile.name = "h_tile", tile.role = "tiling"}, %i_tile: index {tile.name = "i_tile", tile.role = "tiling"}, %cores: index {tile.name = "cores", tile.role = "cores"}) attributes {tile.kernel} {
  %two = arith.constant 2.0 : f32
  tile.cores "y" %cores (%core) {
    %x_in = tile.alloc "x_in" in [%i_tile, %h_tile] times 2 : memref<?x?xf32, "ub">
    %k_in = tile.alloc "k_in" scalars [1, %i_tile + 33] : memref<?x?xi8, "ub">
    %y_out = tile.alloc "y_out" out [%i_tile, %h_tile] times 2 : memref<?x?xf32, "ub">
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    scf.for %item = %c0 to %cores step %c1 {
      %width = arith.minsi %h_tile, %H : index
      scf.for %i0 = %c0 to %H step %i_tile {
        %rows = arith.minsi %i_tile, %H : index
        tile.foreach (%r: 0 to %rows, %l: 0 to %width) {
          %k = tile.read %k_in[0, %r] : memref<?x?xi8, "ub">
          %f = arith.sitofp %k : i8 to f32
          tile.write %f to %y_out[%r, %l] : memref<?x?xf32, "ub">
          tile.write add %f to %x_in[0, %l] : memref<?x?xf32, "ub">
        }
      }
    }
  }
  func.return
}

// -----

// Rows of one value that are multiplied with its next rows: the product does not take their place.
// CHECK-LABEL: func.func @neighbours(
// CHECK: tile.alloc "tmp0" temp [%i_tile + 1, %h_tile]
// CHECK-NEXT: tile.alloc "tmp1" temp [%i_tile, %h_tile]
// CHECK: tile.unary "abs" %x_in[%c0] to %tmp0[%c0] rows %{{.*}} width %width
// CHECK-NEXT: tile.binary "mul" %tmp0[%c0], %tmp0[%c1] to %tmp1[%c0] rows %rows width %width
// CHECK-NEXT: tile.accumulate "max" %tmp1[%c0] to %acc[%c0] rows %rows width %width
func.func @neighbours_tiling(%H: index {tile.name = "H"}, %cores: index {tile.name = "cores"}) -> (index {tile.name = "h_tile"}, index {tile.name = "i_tile"}) attributes {tile.tiling} {
  %c32 = arith.constant 32 : index
  func.return %c32, %c32 : index, index
}
func.func @neighbours(%H: index {tile.name = "H", tile.role = "dim"}, %h_tile: index {tile.name = "h_tile", tile.role = "tiling"}, %i_tile: index {tile.name = "i_tile", tile.role = "tiling"}, %cores: index {tile.name = "cores", tile.role = "cores"}) attributes {tile.kernel} {
  tile.cores "y" %cores (%core) {
    %x_in = tile.alloc "x_in" in [%i_tile + 1, %h_tile] times 2 : memref<?x?xf32, "ub">
    %acc = tile.alloc "acc" accumulator [1, %h_tile] : memref<?x?xf32, "ub">
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    scf.for %item = %c0 to %cores step %c1 {
      %width = arith.minsi %h_tile, %H : index
      scf.for %i0 = %c0 to %H step %i_tile {
        %rows = arith.minsi %i_tile, %H : index
        tile.foreach (%r: 0 to %rows, %l: 0 to %width) {
          %a = tile.read %x_in[%r, %l] : memref<?x?xf32, "ub">
          %b = math.absf %a : f32
          %c = tile.read %x_in[%r + 1, %l] : memref<?x?xf32, "ub">
          %d = math.absf %c : f32
          %p = arith.mulf %b, %d : f32
          tile.write max %p to %acc[0, %l] : memref<?x?xf32, "ub">
        }
      }
    }
  }
  func.return
}

// -----

// Loops over a number of rows have temporaries of their own. A fixed row is computed once; what is only moved is copied, a
// scalar filled in, and a value that is written once goes there at once.
// CHECK-LABEL: func.func @fixed(
// CHECK: %tmp0 = tile.alloc "tmp0" temp [1, %h_tile]
// CHECK-NEXT: %tmp1 = tile.alloc "tmp1" temp [3, %h_tile]
// CHECK-NEXT: %tmp2 = tile.alloc "tmp2" temp [%i_tile, %h_tile]
// CHECK: tile.unary "exp" %v_rows[%c0] to %tmp0[%c0] rows %c1 width %width
// CHECK-NEXT: tile.unary "neg" %tmp0[%c0] to %v_rows[%c0] rows %c1 width %width
// CHECK-NEXT: tile.unary "exp" %w_rows[%c0] to %tmp1[%c0] rows %c3 width %width
// CHECK-NEXT: tile.unary "neg" %tmp1[%c0] to %w_rows[%c0] rows %c3 width %width
// CHECK-NEXT: tile.fill (%z) to %acc[%c0] rows %c1 width %width
// CHECK: tile.unary "sqrt" %w_rows[%c2] step 0 to %tmp2[%c0] rows %c1 width %width
// CHECK-NEXT: tile.binary "sub" %tmp2[%c0] step 0, %x_in[%c0] to %y_out[%c0] rows %rows width %width
// CHECK-NEXT: tile.unary "copy" %x_in[%c0] to %z_out[%c0] rows %rows width %width
func.func @fixed_tiling(%H: index {tile.name = "H"}, %cores: index {tile.name = "cores"}) -> (index {tile.name = "h_tile"}, index {tile.name = "i_tile"}) attributes {tile.tiling} {
  %c32 = arith.constant 32 : index
  func.return %c32, %c32 : index, index
}
func.func @fixed(%H: index {tile.name = "H", tile.role = "dim"}, %h_tile: index {tile.name = "h_tile", tile.role = "tiling"}, %i_tile: index {tile.name = "i_tile", tile.role = "tiling"}, %cores: index {tile.name = "cores", tile.role = "cores"}) attributes {tile.kernel} {
  %z = arith.constant 0.0 : f32
  tile.cores "y" %cores (%core) {
    %v_rows = tile.alloc "v_rows" temp [1, %h_tile] : memref<?x?xf32, "ub">
    %w_rows = tile.alloc "w_rows" temp [3, %h_tile] : memref<?x?xf32, "ub">
    %acc = tile.alloc "acc" accumulator [1, %h_tile] : memref<?x?xf32, "ub">
    %x_in = tile.alloc "x_in" in [%i_tile, %h_tile] times 2 : memref<?x?xf32, "ub">
    %y_out = tile.alloc "y_out" out [%i_tile, %h_tile] times 2 : memref<?x?xf32, "ub">
    %z_out = tile.alloc "z_out" out [%i_tile, %h_tile] times 2 : memref<?x?xf32, "ub">
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    scf.for %item = %c0 to %cores step %c1 {
      %width = arith.minsi %h_tile, %H : index
      tile.foreach (%a: 0 to 1, %l: 0 to %width) {
        %0 = tile.read %v_rows[%a, %l] : memref<?x?xf32, "ub">
        %1 = math.exp %0 : f32
        %2 = arith.negf %1 : f32
        tile.write %2 to %v_rows[%a, %l] : memref<?x?xf32, "ub">
      }
      tile.foreach (%a: 0 to 3, %l: 0 to %width) {
        %0 = tile.read %w_rows[%a, %l] : memref<?x?xf32, "ub">
        %1 = math.exp %0 : f32
        %2 = arith.negf %1 : f32
        tile.write %2 to %w_rows[%a, %l] : memref<?x?xf32, "ub">
      }
      tile.foreach (%a: 0 to 1, %l: 0 to %width) {
        tile.write %z to %acc[%a, %l] : memref<?x?xf32, "ub">
      }
      scf.for %i0 = %c0 to %H step %i_tile {
        %rows = arith.minsi %i_tile, %H : index
        tile.foreach (%r: 0 to %rows, %l: 0 to %width) {
          %a = tile.read %x_in[%r, %l] : memref<?x?xf32, "ub">
          %b = tile.read %w_rows[2, %l] : memref<?x?xf32, "ub">
          %c = math.sqrt %b : f32
          %d = arith.subf %c, %a : f32
          tile.write %d to %y_out[%r, %l] : memref<?x?xf32, "ub">
          tile.write %a to %z_out[%r, %l] : memref<?x?xf32, "ub">
        }
      }
    }
  }
  func.return
}

// -----

// A stage that only copies stays as it is.
// CHECK-LABEL: func.func @copies(
// CHECK: tile.load_rows %x[%i0, %c0] along 0 to %x_in[%c0] rows %rows width %width
// CHECK-NEXT: tile.store_rows %x_in[%c0] to %y[%i0, %c0] along 0 rows %rows width %width
func.func @copies_tiling(%H: index {tile.name = "H"}, %cores: index {tile.name = "cores"}) -> (index {tile.name = "h_tile"}, index {tile.name = "i_tile"}) attributes {tile.tiling} {
  %c32 = arith.constant 32 : index
  func.return %c32, %c32 : index, index
}
func.func @copies(%x: memref<?x?xf32> {tile.name = "x", tile.role = "input", tile.dims = ["H", "H"]}, %y: memref<?x?xf32> {tile.name = "y", tile.role = "output", tile.dims = ["H", "H"]}, %H: index {tile.name = "H", tile.role = "dim"}, %h_tile: index {tile.name = "h_tile", tile.role = "tiling"}, %i_tile: index {tile.name = "i_tile", tile.role = "tiling"}, %cores: index {tile.name = "cores", tile.role = "cores"}) attributes {tile.kernel} {
  tile.cores "y" %cores (%core) {
    %x_in = tile.alloc "x_in" in [%i_tile, %h_tile] times 2 : memref<?x?xf32, "ub">
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    scf.for %item = %c0 to %cores step %c1 {
      %width = arith.minsi %h_tile, %H : index
      scf.for %i0 = %c0 to %H step %i_tile {
        %rows = arith.minsi %i_tile, %H : index
        tile.load_rows %x[%i0, %c0] along 0 to %x_in[%c0] rows %rows width %width : memref<?x?xf32>, memref<?x?xf32, "ub">
        tile.store_rows %x_in[%c0] to %y[%i0, %c0] along 0 rows %rows width %width : memref<?x?xf32, "ub">, memref<?x?xf32>
      }
    }
  }
  func.return
}

// -----

// A value that follows from no row is computed in place where its operand dies, and in the only place that is written.
// CHECK-LABEL: func.func @one_row(
// CHECK: tile.cast %x_in[%p] step 0 to %tmp0[%c0] rows %{{.*}} width %width
// CHECK-NEXT: tile.scalar "mul" %tmp0[%c0] step 0 (%f) to %tmp0[%c0] rows %{{.*}} width %width
// CHECK: scf.if
// CHECK-NEXT: tile.fill
// CHECK-NEXT: }
// CHECK-NEXT: tile.cast %tmp0[%c0] step 0 to %y_out[%c0] rows %{{.*}} width %width
// CHECK-NOT: copy
func.func @one_row_tiling(%H: index {tile.name = "H"}, %cores: index {tile.name = "cores"}) -> (index {tile.name = "h_tile"}) attributes {tile.tiling} {
  %c32 = arith.constant 32 : index
  func.return %c32 : index
}
func.func @one_row(%x: memref<?x?xbf16> {tile.name = "x", tile.role = "input", tile.dims = ["H", "H"]}, %y: memref<?x?xbf16> {tile.name = "y", tile.role = "output", tile.dims = ["H", "H"]}, %H: index {tile.name = "H", tile.role = "dim"}, %h_tile: index {tile.name = "h_tile", tile.role = "tiling"}, %cores: index {tile.name = "cores", tile.role = "cores"}) attributes {tile.kernel} {
  tile.cores "y" %cores (%core) {
    %x_in = tile.alloc "x_in" in [1, %h_tile] times 2 : memref<?x?xbf16, "ub">
    %y_out = tile.alloc "y_out" out [1, %h_tile] times 2 : memref<?x?xbf16, "ub">
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %f = arith.constant 2.0 : f32
    %z = arith.constant 0.0 : f32
    scf.for %p = %c0 to %cores step %c1 {
      %width = arith.minsi %h_tile, %H : index
      %on = arith.cmpi sge, %p, %width : index
      tile.load_rows %x[%p, %c0] along 0 to %x_in[%c0] rows %c1 width %width : memref<?x?xbf16>, memref<?x?xbf16, "ub">
      tile.foreach (%r: 0 to 1, %l: 0 to %width) {
        %a = tile.read %x_in[%p, %l] : memref<?x?xbf16, "ub">
        %b = arith.extf %a : bf16 to f32
        %c = arith.mulf %b, %f : f32
        %d = arith.select %on, %c, %z : f32
        %e = arith.truncf %d : f32 to bf16
        tile.write %e to %y_out[0, %l] : memref<?x?xbf16, "ub">
      }
      tile.store_rows %y_out[%c0] to %y[%p, %c0] along 0 rows %c1 width %width : memref<?x?xbf16, "ub">, memref<?x?xbf16>
    }
  }
  func.return
}

// -----

// A stage without a loop over items: temporaries stand in front of the point loop itself.
// CHECK-LABEL: func.func @straight(
// CHECK: %x_in = tile.alloc "x_in" in [%n, %h_tile] : memref<?x?xf32, "ub">
// CHECK: %tmp0 = tile.alloc "tmp0" temp [%n, %h_tile] : memref<?x?xf32, "ub">
// CHECK: tile.unary "exp" %x_in[%c0] to %tmp0[%c0] rows %n width %h_tile
// CHECK: tile.binary "mul" %tmp1[%c0], %tmp0[%c0] to %y_out[%c0] rows %n width %h_tile
func.func @straight_tiling(%H: index {tile.name = "H"}, %cores: index {tile.name = "cores"}) -> (index {tile.name = "h_tile"}, index {tile.name = "n"}) attributes {tile.tiling} {
  %c32 = arith.constant 32 : index
  func.return %c32, %c32 : index, index
}
func.func @straight(%H: index {tile.name = "H", tile.role = "dim"}, %h_tile: index {tile.name = "h_tile", tile.role = "tiling"}, %n: index {tile.name = "n", tile.role = "tiling"}, %cores: index {tile.name = "cores", tile.role = "cores"}) attributes {tile.kernel} {
  tile.cores "y" %cores (%core) {
    %x_in = tile.alloc "x_in" in [%n, %h_tile] : memref<?x?xf32, "ub">
    %y_out = tile.alloc "y_out" out [%n, %h_tile] : memref<?x?xf32, "ub">
    tile.foreach (%r: 0 to %n, %l: 0 to %h_tile) {
      %a = tile.read %x_in[%r, %l] : memref<?x?xf32, "ub">
      %b = math.exp %a : f32
      %c = arith.mulf %b, %a : f32
      %d = math.exp %c : f32
      %e = arith.mulf %d, %b : f32
      tile.write %e to %y_out[%r, %l] : memref<?x?xf32, "ub">
    }
  }
  func.return
}
