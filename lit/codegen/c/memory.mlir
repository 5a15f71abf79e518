// RUN: opwright-opt %s -t c | filecheck %s

// Row-major offsets of 64 bits; the sizes come from tile.dims, from the type, or from the allocation. Names that C reserves
// are changed; arrays that are only read are const.

// CHECK-LABEL: int memory(const uint16_t *restrict double_, float *restrict y, int64_t N, int64_t H, int64_t i)
// CHECK-NEXT:  {
// CHECK-NEXT:      float *const a = allocate(2 * H, sizeof(float));
// CHECK-NEXT:      uint16_t *const b = allocate(N * H, sizeof(uint16_t));
// CHECK-NEXT:      if (a == NULL || b == NULL) {
// CHECK-NEXT:          free(a);
// CHECK-NEXT:          free(b);
// CHECK-NEXT:          return 1;
// CHECK-NEXT:      }
// CHECK-NEXT:      b[i * H] = double_[(i * 3 + 2) * H + i + 1];
// CHECK-NEXT:      a[H + i] = 0.0f;
// CHECK-NEXT:      b[i] = 0x3f80;
// CHECK-NEXT:      y[0] = a[i];
// CHECK-NEXT:      free(a);
// CHECK-NEXT:      free(b);
// CHECK-NEXT:      return 0;
// CHECK-NEXT:  }
func.func @memory(%x: memref<?x3x?xbf16> {tile.name = "double", tile.dims = ["N", 3, "H"]}, %y: memref<f32> {tile.name = "y"},
    %N: index {tile.name = "N"}, %H: index {tile.name = "H"}, %i: index {tile.name = "i"}) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %zero = arith.constant 0.0 : f32
  %one = arith.constant 1.0 : bf16
  %a = memref.alloc(%H) : memref<2x?xf32>
  %b = memref.alloc(%N, %H) : memref<?x?xbf16>
  %0 = arith.addi %i, %c1 : index
  %1 = memref.load %x[%i, %c2, %0] : memref<?x3x?xbf16>
  memref.store %1, %b[%i, %c0] : memref<?x?xbf16>
  memref.store %zero, %a[%c1, %i] : memref<2x?xf32>
  memref.store %one, %b[%c0, %i] : memref<?x?xbf16>
  %2 = memref.load %a[%c0, %i] : memref<2x?xf32>
  memref.store %2, %y[] : memref<f32>
  memref.dealloc %a : memref<2x?xf32>
  memref.dealloc %b : memref<?x?xbf16>
  func.return
}

// Local arrays have a constant size.

// CHECK-LABEL: void local(int64_t i)
// CHECK-NEXT:  {
// CHECK-NEXT:      int64_t tags[4];
// CHECK-NEXT:      float cells[6];
// CHECK-NEXT:      tags[i] = i;
// CHECK-NEXT:      cells[i * 3 + 1] = 0.0f;
// CHECK-NEXT:      tags[0] = tags[i];
// CHECK-NEXT:  }
func.func @local(%i: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f32
  %tags = memref.alloca() : memref<4xindex>
  %0 = memref.alloca() : memref<2x3xf32>
  memref.store %i, %tags[%i] : memref<4xindex>
  memref.store %zero, %0[%i, %c1] : memref<2x3xf32>
  %1 = memref.load %tags[%i] : memref<4xindex>
  memref.store %1, %tags[%c0] : memref<4xindex>
  func.return
}
