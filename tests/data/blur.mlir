// y[i, h] = g[i, h] * w[h] + g[i + 1, h] and s[h] = sum over i of g[i, h] * w[h], with g[i, h] = keep[i] ? x[i, h] : 0 (0 past the end):
// what an NPU's schedule looks like after vectorize, with sums in chunks of 64 rows.
builtin.module {
  func.func @blur_tiling(%N: index {tile.name = "N"}, %H: index {tile.name = "H"}, %cores: index {tile.name = "cores"}) -> (index {tile.name = "tile_h"}, index {tile.name = "rows_per_chunk"}, index {tile.name = "chunks"}, index {tile.name = "tile_rows"}) attributes {tile.tiling} {
    %c256 = arith.constant 256 : index
    %c32 = arith.constant 32 : index
    %r = arith.constant 64 : index
    %t = arith.minsi %H, %c256 : index
    %u = arith.ceildivsi %t, %c32 : index
    %tile_h = arith.muli %u, %c32 : index
    %chunks = arith.ceildivsi %N, %r : index
    %tile_rows = arith.constant 8 : index
    func.return %tile_h, %r, %chunks, %tile_rows : index, index, index, index
  }
  func.func @blur(%x: memref<?x?xbf16> {tile.name = "x", tile.role = "input", tile.dims = ["N", "H"]}, %w: memref<?xbf16> {tile.name = "w", tile.role = "input", tile.dims = ["H"]}, %keep: memref<?xi8> {tile.name = "keep", tile.role = "input", tile.dims = ["N"]}, %y: memref<?x?xbf16> {tile.name = "y", tile.role = "output", tile.dims = ["N", "H"]}, %s: memref<?xbf16> {tile.name = "s", tile.role = "output", tile.dims = ["H"]}, %partial: memref<?x?xf32> {tile.name = "partial", tile.role = "workspace", tile.dims = ["chunks", "H"]}, %N: index {tile.name = "N", tile.role = "dim"}, %H: index {tile.name = "H", tile.role = "dim"}, %tile_h: index {tile.name = "tile_h", tile.role = "tiling"}, %rows_per_chunk: index {tile.name = "rows_per_chunk", tile.role = "tiling"}, %chunks: index {tile.name = "chunks", tile.role = "tiling"}, %tile_rows: index {tile.name = "tile_rows", tile.role = "tiling"}, %cores: index {tile.name = "cores", tile.role = "cores"}) attributes {tile.kernel} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %zero = arith.constant 0.0 : f32
    %zero_i8 = arith.constant 0 : i8
    tile.cores "blur" %cores (%core) {
      %x_in = tile.alloc "x_in" in [%tile_rows + 1, %tile_h] times 2 : memref<?x?xbf16, "ub">
      %keep_in = tile.alloc "keep_in" scalars [1, %tile_rows + 33] : memref<?x?xi8, "ub">
      %w_in = tile.alloc "w_in" resident [1, %tile_h] : memref<?x?xbf16, "ub">
      %w_f32 = tile.alloc "w_f32" temp [1, %tile_h] : memref<?x?xf32, "ub">
      %g = tile.alloc "g" temp [%tile_rows + 1, %tile_h] : memref<?x?xf32, "ub">
      %p = tile.alloc "p" temp [%tile_rows, %tile_h] : memref<?x?xf32, "ub">
      %y_out = tile.alloc "y_out" out [%tile_rows, %tile_h] times 2 : memref<?x?xbf16, "ub">
      %acc = tile.alloc "partial_acc" accumulator [1, %tile_h] : memref<?x?xf32, "ub">
      %h_tiles = arith.ceildivsi %H, %tile_h : index
      %items = arith.muli %chunks, %h_tiles : index
      %lo_n = arith.muli %core, %items : index
      %lo = arith.divsi %lo_n, %cores : index
      %core1 = arith.addi %core, %c1 : index
      %hi_n = arith.muli %core1, %items : index
      %hi = arith.divsi %hi_n, %cores : index
      scf.for %item = %lo to %hi step %c1 {
        %c = arith.divsi %item, %h_tiles : index
        %ht = arith.remsi %item, %h_tiles : index
        %h0 = arith.muli %ht, %tile_h : index
        %h_left = arith.subi %H, %h0 : index
        %width = arith.minsi %tile_h, %h_left : index
        %i_lo = arith.muli %c, %rows_per_chunk : index
        %i_end = arith.addi %i_lo, %rows_per_chunk : index
        %i_hi = arith.minsi %i_end, %N : index
        tile.load_rows %w[%h0] along 0 to %w_in[%c0] rows %c1 width %width : memref<?xbf16>, memref<?x?xbf16, "ub">
        tile.cast %w_in[%c0] to %w_f32[%c0] rows %c1 width %width : (memref<?x?xbf16, "ub">) -> memref<?x?xf32, "ub">
        tile.fill (%zero) to %acc[%c0] rows %c1 width %width : (f32) -> memref<?x?xf32, "ub">
        scf.for %i0 = %i_lo to %i_hi step %tile_rows {
          %left = arith.subi %i_hi, %i0 : index
          %rows = arith.minsi %tile_rows, %left : index
          %halo = arith.addi %rows, %c1 : index
          %avail = arith.subi %N, %i0 : index
          %valid = arith.minsi %halo, %avail : index
          %missing = arith.subi %halo, %valid : index
          tile.load_rows %keep[%i0] along 0 to %keep_in[%c0] rows %c1 width %valid : memref<?xi8>, memref<?x?xi8, "ub">
          tile.load_rows %x[%i0, %h0] along 0 to %x_in[%c0] rows %valid width %width : memref<?x?xbf16>, memref<?x?xbf16, "ub">
          tile.cast %x_in[%c0] to %g[%c0] rows %valid width %width : (memref<?x?xbf16, "ub">) -> memref<?x?xf32, "ub">
          tile.fill (%zero) to %g[%valid] rows %missing width %width : (f32) -> memref<?x?xf32, "ub">
          scf.for %r = %c0 to %valid step %c1 {
            %k = memref.load %keep_in[%c0, %r] : memref<?x?xi8, "ub">
            %off = arith.cmpi eq, %k, %zero_i8 : i8
            scf.if %off {
              tile.fill (%zero) to %g[%r] rows %c1 width %width : (f32) -> memref<?x?xf32, "ub">
            }
          }
          tile.binary "mul" %g[%c0], %w_f32[%c0] step 0 to %p[%c0] rows %rows width %width : (memref<?x?xf32, "ub">, memref<?x?xf32, "ub">) -> memref<?x?xf32, "ub">
          tile.accumulate "add" %p[%c0] to %acc[%c0] rows %rows width %width : (memref<?x?xf32, "ub">) -> memref<?x?xf32, "ub">
          tile.binary "add" %p[%c0], %g[%c1] to %p[%c0] rows %rows width %width : (memref<?x?xf32, "ub">, memref<?x?xf32, "ub">) -> memref<?x?xf32, "ub">
          tile.cast %p[%c0] to %y_out[%c0] rows %rows width %width : (memref<?x?xf32, "ub">) -> memref<?x?xbf16, "ub">
          tile.store_rows %y_out[%c0] to %y[%i0, %h0] along 0 rows %rows width %width : memref<?x?xbf16, "ub">, memref<?x?xbf16>
        }
        tile.store_rows %acc[%c0] to %partial[%c, %h0] along 0 rows %c1 width %width : memref<?x?xf32, "ub">, memref<?x?xf32>
      }
    }
    tile.cores "combine" %cores (%core) {
      %p_in = tile.alloc "partial_in" in [%tile_rows, %tile_h] times 2 : memref<?x?xf32, "ub">
      %acc = tile.alloc "s_acc" accumulator [1, %tile_h] : memref<?x?xf32, "ub">
      %s_out = tile.alloc "s_out" out [1, %tile_h] : memref<?x?xbf16, "ub">
      %h_tiles = arith.ceildivsi %H, %tile_h : index
      %lo_n = arith.muli %core, %h_tiles : index
      %lo = arith.divsi %lo_n, %cores : index
      %core1 = arith.addi %core, %c1 : index
      %hi_n = arith.muli %core1, %h_tiles : index
      %hi = arith.divsi %hi_n, %cores : index
      scf.for %ht = %lo to %hi step %c1 {
        %h0 = arith.muli %ht, %tile_h : index
        %h_left = arith.subi %H, %h0 : index
        %width = arith.minsi %tile_h, %h_left : index
        tile.fill (%zero) to %acc[%c0] rows %c1 width %width : (f32) -> memref<?x?xf32, "ub">
        scf.for %p0 = %c0 to %chunks step %tile_rows {
          %left = arith.subi %chunks, %p0 : index
          %rows = arith.minsi %tile_rows, %left : index
          tile.load_rows %partial[%p0, %h0] along 0 to %p_in[%c0] rows %rows width %width : memref<?x?xf32>, memref<?x?xf32, "ub">
          tile.accumulate "add" %p_in[%c0] to %acc[%c0] rows %rows width %width : (memref<?x?xf32, "ub">) -> memref<?x?xf32, "ub">
        }
        tile.cast %acc[%c0] to %s_out[%c0] rows %c1 width %width : (memref<?x?xf32, "ub">) -> memref<?x?xbf16, "ub">
        tile.store_rows %s_out[%c0] to %s[%h0] along 0 rows %c1 width %width : memref<?x?xbf16, "ub">, memref<?xbf16>
      }
    }
    func.return
  }
}
