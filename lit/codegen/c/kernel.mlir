// RUN: opwright-opt %s -t c | filecheck %s

// CHECK:       /*
// CHECK-NEXT:   * copy
// CHECK-NEXT:   * y[i, h] = x[i, h]
// CHECK-NEXT:   */
// CHECK-NEXT:  #include <stdbool.h>
// CHECK-NEXT:  #include <stdint.h>
// CHECK-NEXT:  #include <stdlib.h>

// Only helpers that are used are printed.
// CHECK-NOT:   min_i64(int64_t
// CHECK:       static void *allocate(int64_t count, size_t size)
// CHECK:       static inline int64_t ceildiv_i64(int64_t a, int64_t b)

// CHECK:       struct copy_data {
// CHECK-NEXT:      int64_t n;
// CHECK-NEXT:      int64_t parts;
// CHECK-NEXT:  };
// CHECK-EMPTY:
// CHECK-NEXT:  struct copy_data copy_tiling(int64_t N, int64_t H, int64_t cores)
// CHECK-NEXT:  {
// CHECK-NEXT:      (void)H;
// CHECK-NEXT:      const int64_t parts = ceildiv_i64(N, cores);
// CHECK-NEXT:      return (struct copy_data){64, parts};
// CHECK-NEXT:  }
func.func @copy_tiling(%N: index {tile.name = "N"}, %H: index {tile.name = "H"}, %cores: index {tile.name = "cores"})
    -> (index {tile.name = "n"}, index {tile.name = "parts"}) attributes {tile.tiling} {
  %n = arith.constant 64 : index
  %parts = arith.ceildivsi %N, %cores : index
  func.return %n, %parts : index, index
}

// CHECK:       static int copy(const float *restrict x, float *restrict y, float *restrict w, int64_t N, int64_t H, int64_t n,
// CHECK-NEXT:                  int64_t parts, int64_t cores)
// CHECK-NEXT:  {
// CHECK:           bool failed = false;
// CHECK-NEXT:      const bool some = 1 < N;
// CHECK-NEXT:      /* rows */
// CHECK-NEXT:      #pragma omp parallel for schedule(static) reduction(|:failed)
// CHECK-NEXT:      for (int64_t core = 0; core < cores; ++core) {
// CHECK-NEXT:          float *const row = allocate(n, sizeof(float));
// CHECK-NEXT:          if (row == NULL) {
// CHECK-NEXT:              free(row);
// CHECK-NEXT:              failed = true;
// CHECK-NEXT:              continue;
// CHECK-NEXT:          }
// CHECK-NEXT:          /* w[i, h], y[i, h] */
// CHECK-NEXT:          #pragma omp simd
// CHECK-NEXT:          for (int64_t h = 0; h < H; ++h) {
// CHECK-NEXT:              w[core * H + h] = x[core * H + h];
// CHECK-NEXT:              const float v = row[h];
// CHECK-NEXT:              y[core * H + h] = blend_f32(some, v, 1.0f);
// CHECK-NEXT:          }
// CHECK-NEXT:          free(row);
// CHECK-NEXT:      }
// CHECK-NEXT:      if (failed) {
// CHECK-NEXT:          return 1;
// CHECK-NEXT:      }
// CHECK-NEXT:      return 0;
// CHECK-NEXT:  }
func.func @copy(
    %x: memref<?x?xf32> {tile.name = "x", tile.role = "input", tile.dims = ["N", "H"]},
    %y: memref<?x?xf32> {tile.name = "y", tile.role = "output", tile.dims = ["N", "H"]},
    %w: memref<?x?xf32> {tile.name = "w", tile.role = "workspace", tile.dims = ["parts", "H"]},
    %N: index {tile.name = "N", tile.role = "dim"}, %H: index {tile.name = "H", tile.role = "dim"},
    %n: index {tile.name = "n", tile.role = "tiling"}, %parts: index {tile.name = "parts", tile.role = "tiling"},
    %cores: index {tile.name = "cores", tile.role = "cores"})
    attributes {tile.kernel, tile.equation = "y[i, h] = x[i, h]"} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %one = arith.constant 1.0 : f32
  %some = arith.cmpi slt, %c1, %N : index
  "scf.parallel"(%c0, %cores, %c1) <{operandSegmentSizes = array<i32: 1, 1, 1, 0>}> ({
  ^bb0(%core: index):
    %row = memref.alloc(%n) : memref<?xf32>
    scf.for %h = %c0 to %H step %c1 {
      %2 = memref.load %x[%core, %h] : memref<?x?xf32>
      memref.store %2, %w[%core, %h] : memref<?x?xf32> loc("w[i, h]"("a.py":3:1))
      %0 = memref.load %row[%h] : memref<?xf32>
      %1 = arith.select %some, %0, %one : f32
      memref.store %1, %y[%core, %h] : memref<?x?xf32> loc("y[i, h]"("a.py":4:1))
    } {tile.lanes}
    memref.dealloc %row : memref<?xf32>
    scf.reduce
  }) {tile.label = "rows"} : (index, index, index) -> ()
  func.return
}

// CHECK:       int copy_run(void *const *tensors, const int64_t *dims, int64_t cores)
// CHECK-NEXT:  {
// CHECK-NEXT:      const int64_t N = dims[0];
// CHECK-NEXT:      const int64_t H = dims[1];
// CHECK-NEXT:      const struct copy_data tiling = copy_tiling(N, H, cores);
// CHECK-NEXT:      void *const own_w = tensors[2] == NULL ? allocate(tiling.parts * H, sizeof(float)) : NULL;
// CHECK-NEXT:      float *const w = tensors[2] == NULL ? own_w : tensors[2];
// CHECK-NEXT:      if (w == NULL) {
// CHECK-NEXT:          free(own_w);
// CHECK-NEXT:          return 1;
// CHECK-NEXT:      }
// CHECK-NEXT:      const int status = copy(tensors[0], tensors[1], w, N, H, tiling.n, tiling.parts, cores);
// CHECK-NEXT:      free(own_w);
// CHECK-NEXT:      return status;
// CHECK-NEXT:  }
