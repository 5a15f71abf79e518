// RUN: opwright-opt %s -p "pipeline{target=ascend910b},lower-to-ascendc{target=ascend910b},canonicalize,cse" | filecheck %s
// RUN: opwright-opt %s -p "pipeline{target=ascend910b},lower-to-ascendc{target=ascend910b},canonicalize,cse" -t "ascendc{target=ascend910b}" | filecheck %s --check-prefix=TEXT
// RUN: opwright-opt %s -t numpy | filecheck %s --check-prefix=NUMPY

// The gap on chip begins behind the border.
// CHECK: [[WHOLE:%.*]] = arith.addi {{%.*}}, %c2 : index
// CHECK-NEXT: [[USED:%.*]] = arith.ceildivsi [[WHOLE]], {{%.*}}
// CHECK: [[UB:%.*]] = arith.subi %row_blocks_f32, [[USED]]
// CHECK-NEXT: ascendc.copy_in %x[{{%.*}}] to %a[%c0{{.*}}] blocks %c8 length %w gaps {{%.*}}, [[UB]] border %left, %c2 of %zero
// TEXT: DataCopyPadExtParams<float>(true, left, 2, 0.0f));
// NUMPY: a[:8, :left] = zero
// NUMPY-NEXT: a[:8, left + w:left + w + 2] = zero
// NUMPY-NEXT: a[:8, left:left + w] = x[N:N + 8, 1:w + 1]
builtin.module {
func.func @k_tiling(%N : index {tile.name = "N"}, %H : index {tile.name = "H"}, %cores : index {tile.name = "cores"})
    -> (index {tile.name = "pitch"}) attributes {tile.tiling} {
  %pitch = arith.constant 320 : index
  func.return %pitch : index
}

func.func @k(%x : memref<?x?xf32> {tile.name = "x", tile.role = "input", tile.dims = ["N", "H"]},
             %y : memref<?x?xf32> {tile.name = "y", tile.role = "output", tile.dims = ["N", "H"]},
             %N : index {tile.name = "N", tile.role = "dim"},
             %H : index {tile.name = "H", tile.role = "dim"},
             %pitch : index {tile.name = "pitch", tile.role = "tiling"},
             %cores : index {tile.name = "cores", tile.role = "cores"}) attributes {tile.kernel} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c300 = arith.constant 300 : index
  %c40 = arith.constant 40 : index
  %c2 = arith.constant 2 : index
  %c8 = arith.constant 8 : index
  %zero = arith.constant 0.0 : f32
  tile.cores "s" %cores (%core) {
    %most = arith.minsi %H, %pitch : index
    %w = arith.maxsi %most, %c1 : index
    %left = arith.minsi %H, %c8 : index
    %a = tile.alloc "a" temp [8, %pitch] : memref<?x?xf32, "ub">
    tile.load_rows %x[%N, %c1] along 0 to %a[%c0] rows %c8 width %w border %left, %c2 of %zero : memref<?x?xf32>, memref<?x?xf32, "ub">
  }
  func.return
}
}

