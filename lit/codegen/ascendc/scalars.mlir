// RUN: opwright-opt %s -t "ascendc{target=ascend910b}" | filecheck %s

// Scalar code of a stage: searches, results of branches and loops, local arrays. What a long loop needs of the stage's own
// values are members.

func.func @k_tiling(%N : index {tile.name = "N"}, %cores : index {tile.name = "cores"}) attributes {tile.tiling} {
  func.return
}
// CHECK: class GatherStage {
// CHECK: __aicore__ inline void Process()
// CHECK-NEXT: {
// CHECK-NEXT: first = 0;
// CHECK-NEXT: int64_t last = N;
// CHECK-NEXT: while (first < last) {
// CHECK-NEXT: const int64_t middle = (first + last) / 2;
// CHECK-NEXT: const bool below = static_cast<int64_t>(listGm.GetValue(middle)) <= 8;
// CHECK-NEXT: const int64_t number = below ? middle + 1 : first;
// CHECK-NEXT: const int64_t number_1 = below ? last : middle;
// CHECK-NEXT: first = number;
// CHECK-NEXT: last = number_1;
// CHECK-NEXT: }
// CHECK-NEXT: const bool few = first < 8;
// CHECK-NEXT: if (few) {
// CHECK-NEXT: size = 1;
// CHECK-NEXT: } else {
// CHECK-NEXT: size = N;
// CHECK-NEXT: }
// CHECK-NEXT: int64_t own[2];
// CHECK-NEXT: own[0] = size;
// CHECK-NEXT: const int64_t s = own[0];
// CHECK-NEXT: tags[1] = s;
// CHECK-NEXT: for (int64_t i = 0; i < N; ++i) {
// CHECK-NEXT: ProcessI(i);
// CHECK: __aicore__ inline void ProcessI(int64_t i)
// CHECK-NEXT: {
// CHECK-NEXT: const int64_t tag = tags[i];
// CHECK-NEXT: const int64_t t0 = tag + first;
// CHECK: tags[0] = t25;
// CHECK: int64_t tags[4];
// CHECK-NEXT: int64_t first;
// CHECK-NEXT: int64_t size;
func.func @k(%list : memref<?xi32> {tile.name = "list", tile.role = "input", tile.dims = ["N"]},
             %N : index {tile.name = "N", tile.role = "dim"},
             %cores : index {tile.name = "cores", tile.role = "cores"}) attributes {tile.kernel} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c8 = arith.constant 8 : index
  ascendc.stage "gather" %cores (%core) {
    %tags = memref.alloca() : memref<4xindex>
    %first, %last = scf.while (%f = %c0, %l = %N) : (index, index) -> (index, index) {
      %0 = arith.cmpi slt, %f, %l : index
      scf.condition(%0) %f, %l : index, index
    } do {
    ^bb0(%f: index, %l: index):
      %0 = arith.addi %f, %l : index
      %middle = arith.divsi %0, %c2 : index
      %1 = memref.load %list[%middle] : memref<?xi32>
      %2 = arith.index_cast %1 : i32 to index
      %below = arith.cmpi sle, %2, %c8 : index
      %3 = arith.addi %middle, %c1 : index
      %4 = arith.select %below, %3, %f : index
      %5 = arith.select %below, %l, %middle : index
      scf.yield %4, %5 : index, index
    }
    %few = arith.cmpi slt, %first, %c8 : index
    %size = scf.if %few -> (index) {
      scf.yield %c1 : index
    } else {
      scf.yield %N : index
    }
    %own = memref.alloca() : memref<2xindex>
    memref.store %size, %own[%c0] : memref<2xindex>
    %s = memref.load %own[%c0] : memref<2xindex>
    memref.store %s, %tags[%c1] : memref<4xindex>
    scf.for %i = %c0 to %N step %c1 {
      %tag = memref.load %tags[%i] : memref<4xindex>
      %t0 = arith.addi %tag, %first : index
      %t1 = arith.addi %t0, %i : index
      %t2 = arith.muli %t1, %size : index
      %t3 = arith.addi %t2, %i : index
      %t4 = arith.muli %t3, %size : index
      %t5 = arith.addi %t4, %i : index
      %t6 = arith.muli %t5, %size : index
      %t7 = arith.addi %t6, %i : index
      %t8 = arith.muli %t7, %size : index
      %t9 = arith.addi %t8, %i : index
      %t10 = arith.muli %t9, %size : index
      %t11 = arith.addi %t10, %i : index
      %t12 = arith.muli %t11, %size : index
      %t13 = arith.addi %t12, %i : index
      %t14 = arith.muli %t13, %size : index
      %t15 = arith.addi %t14, %i : index
      %t16 = arith.muli %t15, %size : index
      %t17 = arith.addi %t16, %i : index
      %t18 = arith.muli %t17, %size : index
      %t19 = arith.addi %t18, %i : index
      %t20 = arith.muli %t19, %size : index
      %t21 = arith.addi %t20, %i : index
      %t22 = arith.muli %t21, %size : index
      %t23 = arith.addi %t22, %i : index
      %t24 = arith.muli %t23, %size : index
      %t25 = arith.addi %t24, %i : index
      memref.store %t25, %tags[%c0] : memref<4xindex>
    }
  }
  func.return
}
