// RUN: opwright-opt %s -p 'legalize-lanes' --split-input-file | filecheck %s

// A condition of several comparisons becomes choices in choices; what is the same for all lanes of a row stays a select.
// CHECK-LABEL: func.func @conditions(
// CHECK: %k = tile.read
// CHECK-NEXT: %q = arith.cmpf ogt, %s, %zero : f32
// CHECK-NEXT: %[[V0:.*]] = arith.select %q, %a, %zero : f32
// CHECK-NEXT: %v = tile.choose "lt" %a, %s, %[[V0]], %zero : f32
// CHECK-NEXT: tile.write %v to %y_out[%r, %l] : memref<?x?xf32, "ub">
func.func @conditions_tiling(%N: index {tile.name = "N"}, %H: index {tile.name = "H"}, %cores: index {tile.name = "cores"}) -> (index {tile.name = "h_tile"}, index {tile.name = "i_tile"}) attributes {tile.tiling} {
  %c32 = arith.constant 32 : index
  func.return %c32, %c32 : index, index
}
func.func @conditions(%N: index {tile.name = "N", tile.role = "dim"}, %H: index {tile.name = "H", tile.role = "dim"}, %h_tile: index {tile.name = "h_tile", tile.role = "tiling"}, %i_tile: index {tile.name = "i_tile", tile.role = "tiling"}, %cores: index {tile.name = "cores", tile.role = "cores"}) attributes {tile.kernel} {
  %zero = arith.constant 0.0 : f32
  tile.cores "y" %cores (%core) {
    %a_in = tile.alloc "a_in" in [%i_tile, %h_tile] times 2 : memref<?x?xf32, "ub">
    %s_in = tile.alloc "s_in" in [4, %i_tile ceildiv 32 * 32] times 2 : memref<?x?xf32, "ub">
    %k_in = tile.alloc "k_in" in [%i_tile, %h_tile] times 2 : memref<?x?xi8, "ub">
    %y_out = tile.alloc "y_out" out [%i_tile, %h_tile] times 2 : memref<?x?xf32, "ub">
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    scf.for %item = %c0 to %cores step %c1 {
      %rows = arith.minsi %i_tile, %N : index
      %width = arith.minsi %h_tile, %H : index
      tile.foreach (%r: 0 to %rows, %l: 0 to %width) {
        %a = tile.read %a_in[%r, %l] : memref<?x?xf32, "ub">
        %s = tile.read %s_in[0, %r] : memref<?x?xf32, "ub">
        %k = tile.read %k_in[%r, %l] : memref<?x?xi8, "ub">
        %p = arith.cmpf olt, %a, %s : f32
        %q = arith.cmpf ogt, %s, %zero : f32
        %c = arith.andi %p, %q : i1
        %v = arith.select %c, %a, %zero : f32
        tile.write %v to %y_out[%r, %l] : memref<?x?xf32, "ub">
      }
    }
  }
  func.return
}

// -----

// Comparisons that hold for NaN are opposites of those that do not.
// CHECK-LABEL: func.func @unordered(
// CHECK: %k = tile.read
// CHECK-NEXT: %v = tile.choose "eq" %a, %s, %s, %a : f32
// CHECK-NEXT: tile.write %v to %y_out[%r, %l] : memref<?x?xf32, "ub">
func.func @unordered_tiling(%N: index {tile.name = "N"}, %H: index {tile.name = "H"}, %cores: index {tile.name = "cores"}) -> (index {tile.name = "h_tile"}, index {tile.name = "i_tile"}) attributes {tile.tiling} {
  %c32 = arith.constant 32 : index
  func.return %c32, %c32 : index, index
}
func.func @unordered(%N: index {tile.name = "N", tile.role = "dim"}, %H: index {tile.name = "H", tile.role = "dim"}, %h_tile: index {tile.name = "h_tile", tile.role = "tiling"}, %i_tile: index {tile.name = "i_tile", tile.role = "tiling"}, %cores: index {tile.name = "cores", tile.role = "cores"}) attributes {tile.kernel} {
  %zero = arith.constant 0.0 : f32
  tile.cores "y" %cores (%core) {
    %a_in = tile.alloc "a_in" in [%i_tile, %h_tile] times 2 : memref<?x?xf32, "ub">
    %s_in = tile.alloc "s_in" in [4, %i_tile ceildiv 32 * 32] times 2 : memref<?x?xf32, "ub">
    %k_in = tile.alloc "k_in" in [%i_tile, %h_tile] times 2 : memref<?x?xi8, "ub">
    %y_out = tile.alloc "y_out" out [%i_tile, %h_tile] times 2 : memref<?x?xf32, "ub">
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    scf.for %item = %c0 to %cores step %c1 {
      %rows = arith.minsi %i_tile, %N : index
      %width = arith.minsi %h_tile, %H : index
      tile.foreach (%r: 0 to %rows, %l: 0 to %width) {
        %a = tile.read %a_in[%r, %l] : memref<?x?xf32, "ub">
        %s = tile.read %s_in[0, %r] : memref<?x?xf32, "ub">
        %k = tile.read %k_in[%r, %l] : memref<?x?xi8, "ub">
        %p = arith.cmpf une, %a, %s : f32
        %v = arith.select %p, %a, %s : f32
        tile.write %v to %y_out[%r, %l] : memref<?x?xf32, "ub">
      }
    }
  }
  func.return
}

// -----

// Bytes, booleans among them, are compared as f32, which they become by way of f16.
// CHECK-LABEL: func.func @bytes(
// CHECK: %k = tile.read
// CHECK-NEXT: %[[V0:.*]] = arith.constant 1.000000e+00 : f32
// CHECK-NEXT: %[[V1:.*]] = arith.constant 0.000000e+00 : f32
// CHECK-NEXT: %[[V2:.*]] = arith.sitofp %k : i8 to f16
// CHECK-NEXT: %[[V3:.*]] = arith.extf %[[V2]] : f16 to f32
// CHECK-NEXT: %[[V4:.*]] = arith.constant 0.000000e+00 : f32
// CHECK-NEXT: %v = tile.choose "eq" %[[V3]], %[[V4]], %[[V1]], %[[V0]] : f32
// CHECK-NEXT: tile.write %v to %y_out[%r, %l] : memref<?x?xf32, "ub">
func.func @bytes_tiling(%N: index {tile.name = "N"}, %H: index {tile.name = "H"}, %cores: index {tile.name = "cores"}) -> (index {tile.name = "h_tile"}, index {tile.name = "i_tile"}) attributes {tile.tiling} {
  %c32 = arith.constant 32 : index
  func.return %c32, %c32 : index, index
}
func.func @bytes(%N: index {tile.name = "N", tile.role = "dim"}, %H: index {tile.name = "H", tile.role = "dim"}, %h_tile: index {tile.name = "h_tile", tile.role = "tiling"}, %i_tile: index {tile.name = "i_tile", tile.role = "tiling"}, %cores: index {tile.name = "cores", tile.role = "cores"}) attributes {tile.kernel} {
  %zero = arith.constant 0.0 : f32
  tile.cores "y" %cores (%core) {
    %a_in = tile.alloc "a_in" in [%i_tile, %h_tile] times 2 : memref<?x?xf32, "ub">
    %s_in = tile.alloc "s_in" in [4, %i_tile ceildiv 32 * 32] times 2 : memref<?x?xf32, "ub">
    %k_in = tile.alloc "k_in" in [%i_tile, %h_tile] times 2 : memref<?x?xi8, "ub">
    %y_out = tile.alloc "y_out" out [%i_tile, %h_tile] times 2 : memref<?x?xf32, "ub">
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    scf.for %item = %c0 to %cores step %c1 {
      %rows = arith.minsi %i_tile, %N : index
      %width = arith.minsi %h_tile, %H : index
      tile.foreach (%r: 0 to %rows, %l: 0 to %width) {
        %a = tile.read %a_in[%r, %l] : memref<?x?xf32, "ub">
        %s = tile.read %s_in[0, %r] : memref<?x?xf32, "ub">
        %k = tile.read %k_in[%r, %l] : memref<?x?xi8, "ub">
        %none = arith.constant 0 : i8
        %p = arith.cmpi ne, %k, %none : i8
        %v = arith.uitofp %p : i1 to f32
        tile.write %v to %y_out[%r, %l] : memref<?x?xf32, "ub">
      }
    }
  }
  func.return
}

// -----

// What rounds to 0 has the sign that it had.
// CHECK-LABEL: func.func @rounding(
// CHECK: %k = tile.read
// CHECK-NEXT: %[[V0:.*]] = arith.constant 0.000000e+00 : f32
// CHECK-NEXT: %[[V1:.*]] = arith.mulf %a, %[[V0]] : f32
// CHECK-NEXT: %v = math.roundeven %a : f32
// CHECK-NEXT: %v_1 = tile.choose "eq" %v, %[[V0]], %[[V1]], %v : f32
// CHECK-NEXT: tile.write %v_1 to %y_out[%r, %l] : memref<?x?xf32, "ub">
func.func @rounding_tiling(%N: index {tile.name = "N"}, %H: index {tile.name = "H"}, %cores: index {tile.name = "cores"}) -> (index {tile.name = "h_tile"}, index {tile.name = "i_tile"}) attributes {tile.tiling} {
  %c32 = arith.constant 32 : index
  func.return %c32, %c32 : index, index
}
func.func @rounding(%N: index {tile.name = "N", tile.role = "dim"}, %H: index {tile.name = "H", tile.role = "dim"}, %h_tile: index {tile.name = "h_tile", tile.role = "tiling"}, %i_tile: index {tile.name = "i_tile", tile.role = "tiling"}, %cores: index {tile.name = "cores", tile.role = "cores"}) attributes {tile.kernel} {
  %zero = arith.constant 0.0 : f32
  tile.cores "y" %cores (%core) {
    %a_in = tile.alloc "a_in" in [%i_tile, %h_tile] times 2 : memref<?x?xf32, "ub">
    %s_in = tile.alloc "s_in" in [4, %i_tile ceildiv 32 * 32] times 2 : memref<?x?xf32, "ub">
    %k_in = tile.alloc "k_in" in [%i_tile, %h_tile] times 2 : memref<?x?xi8, "ub">
    %y_out = tile.alloc "y_out" out [%i_tile, %h_tile] times 2 : memref<?x?xf32, "ub">
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    scf.for %item = %c0 to %cores step %c1 {
      %rows = arith.minsi %i_tile, %N : index
      %width = arith.minsi %h_tile, %H : index
      tile.foreach (%r: 0 to %rows, %l: 0 to %width) {
        %a = tile.read %a_in[%r, %l] : memref<?x?xf32, "ub">
        %s = tile.read %s_in[0, %r] : memref<?x?xf32, "ub">
        %k = tile.read %k_in[%r, %l] : memref<?x?xi8, "ub">
        %v = math.roundeven %a : f32
        tile.write %v to %y_out[%r, %l] : memref<?x?xf32, "ub">
      }
    }
  }
  func.return
}

// -----

// Bytes and f32 become each other by way of f16.
// CHECK-LABEL: func.func @conversions(
// CHECK: %k = tile.read
// CHECK-NEXT: %[[V0:.*]] = arith.fptosi %a : f32 to i16
// CHECK-NEXT: %[[V1:.*]] = arith.sitofp %[[V0]] : i16 to f16
// CHECK-NEXT: %w = arith.fptosi %[[V1]] : f16 to i8
// CHECK-NEXT: %[[V2:.*]] = arith.sitofp %w : i8 to f16
// CHECK-NEXT: %v = arith.extf %[[V2]] : f16 to f32
// CHECK-NEXT: tile.write %v to %y_out[%r, %l] : memref<?x?xf32, "ub">
func.func @conversions_tiling(%N: index {tile.name = "N"}, %H: index {tile.name = "H"}, %cores: index {tile.name = "cores"}) -> (index {tile.name = "h_tile"}, index {tile.name = "i_tile"}) attributes {tile.tiling} {
  %c32 = arith.constant 32 : index
  func.return %c32, %c32 : index, index
}
func.func @conversions(%N: index {tile.name = "N", tile.role = "dim"}, %H: index {tile.name = "H", tile.role = "dim"}, %h_tile: index {tile.name = "h_tile", tile.role = "tiling"}, %i_tile: index {tile.name = "i_tile", tile.role = "tiling"}, %cores: index {tile.name = "cores", tile.role = "cores"}) attributes {tile.kernel} {
  %zero = arith.constant 0.0 : f32
  tile.cores "y" %cores (%core) {
    %a_in = tile.alloc "a_in" in [%i_tile, %h_tile] times 2 : memref<?x?xf32, "ub">
    %s_in = tile.alloc "s_in" in [4, %i_tile ceildiv 32 * 32] times 2 : memref<?x?xf32, "ub">
    %k_in = tile.alloc "k_in" in [%i_tile, %h_tile] times 2 : memref<?x?xi8, "ub">
    %y_out = tile.alloc "y_out" out [%i_tile, %h_tile] times 2 : memref<?x?xf32, "ub">
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    scf.for %item = %c0 to %cores step %c1 {
      %rows = arith.minsi %i_tile, %N : index
      %width = arith.minsi %h_tile, %H : index
      tile.foreach (%r: 0 to %rows, %l: 0 to %width) {
        %a = tile.read %a_in[%r, %l] : memref<?x?xf32, "ub">
        %s = tile.read %s_in[0, %r] : memref<?x?xf32, "ub">
        %k = tile.read %k_in[%r, %l] : memref<?x?xi8, "ub">
        %w = arith.fptosi %a : f32 to i8
        %v = arith.sitofp %w : i8 to f32
        tile.write %v to %y_out[%r, %l] : memref<?x?xf32, "ub">
      }
    }
  }
  func.return
}
