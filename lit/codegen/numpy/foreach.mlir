// RUN: opwright-opt %s -t numpy | filecheck %s
// RUN: opwright-opt %s -t numpy{lanes=false} | filecheck %s --check-prefix=LOOP

// The last dim of a point loop runs as array operations, the others as loops.

// CHECK: import numpy as np
// CHECK-NEXT: from ml_dtypes import bfloat16
// CHECK: def add_in_order(start, values):
// CHECK: def padded(source, place, outside):

// CHECK: @np.errstate(all="ignore")
// CHECK-NEXT: def f(x, y, s, keys, rows, width, h0):
func.func @f(%x: memref<?x?xbf16>, %y: memref<?x?xf32>, %s: memref<?xf32>, %keys: memref<?xi32>, %rows: index, %width: index, %h0: index) {
  %zero = arith.constant 0.0 : bf16
  %zero_i32 = arith.constant 0 : i32
  // CHECK: if width > 0:
  // CHECK-NEXT: l = np.arange(width)
  // CHECK-NEXT: for r in range(rows):
  // LOOP: for r in range(rows):
  // LOOP-NEXT: for l in range(width):
  tile.foreach (%r: 0 to %rows, %l: 0 to %width) {
    // CHECK-NEXT: a = x[r, h0:h0 + width]
    // LOOP-NEXT: a = x[r, h0 + l]
    %a = tile.read %x[%r, %h0 + %l] : memref<?x?xbf16>
    // CHECK-NEXT: b = padded(x, np.s_[r - 1, h0 + 2:h0 + width + 2], zero)
    // LOOP-NEXT: b = x[r - 1, h0 + l + 2] if 0 <= r - 1 < x.shape[0] and 0 <= h0 + l + 2 < x.shape[1] else zero
    %b = tile.read %x[%r - 1, %h0 + %l + 2] else %zero : memref<?x?xbf16>
    %af = arith.extf %a : bf16 to f32
    %bf = arith.extf %b : bf16 to f32
    // CHECK: sum = af + bf
    %sum = arith.addf %af, %bf : f32
    // CHECK-NEXT: y[r, 1:width * 2 + 1:2] = sum
    // LOOP: y[r, 2 * l + 1] = sum
    tile.write %sum to %y[%r, 2 * %l + 1] : memref<?x?xf32>
    // CHECK-NEXT: k = keys[:width]
    %k = tile.read %keys[%l] : memref<?xi32>
    // CHECK-NEXT: used = k != zero_i32
    %used = arith.cmpi ne, %k, %zero_i32 : i32
    // CHECK-NEXT: s[0] = add_in_order(s[0], sum[used])
    // LOOP: if used:
    // LOOP-NEXT: s[0] += sum
    tile.write add %sum to %s[0] if %used : memref<?xf32>
    // CHECK-NEXT: c = x[r, l * l]
    %c = tile.read %x[%r, %l * %l] : memref<?x?xbf16>
  }
  func.return
}
