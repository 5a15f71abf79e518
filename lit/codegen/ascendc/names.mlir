// RUN: opwright-opt %s -t "ascendc{target=ascend910b}" | filecheck %s

// Names that C++ or the kernel takes itself, names that are equal in camelCase, and two stages with one label.

func.func @k_tiling(%int : index {tile.name = "int"}, %data : index {tile.name = "data"}, %cores : index {tile.name = "cores"})
    -> (index {tile.name = "a_b"}) attributes {tile.tiling} {
  func.return %int : index
}
func.func @k(%aB : memref<?xf32> {tile.name = "aB", tile.role = "input", tile.dims = ["int"]},
             %pipe : memref<?xf32> {tile.name = "pipe", tile.role = "output", tile.dims = ["data"]},
             %int : index {tile.name = "int", tile.role = "dim"},
             %data : index {tile.name = "data", tile.role = "dim"},
             %a_b : index {tile.name = "a_b", tile.role = "tiling"},
             %cores : index {tile.name = "cores", tile.role = "cores"}) attributes {tile.kernel} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  // CHECK: class SumStage {
  // CHECK: void Init(GM_ADDR aB, GM_ADDR pipe_, const TilingData &tiling, TPipe *tPipe)
  // CHECK: int_ = tiling.int_;
  // CHECK-NEXT: aB_1 = tiling.aB_1;
  // CHECK-NEXT: aBGm.SetGlobalBuffer(reinterpret_cast<__gm__ float *>(aB), tiling.int_);
  // CHECK-NEXT: pipeGm.SetGlobalBuffer(reinterpret_cast<__gm__ float *>(pipe_), tiling.data_);
  ascendc.stage "sum" %cores (%core) {
    %q = ascendc.queue "q" [1, 32] : !ascendc.queue<"VECBIND", f32>
    %t = ascendc.alloc_tensor %q : !ascendc.queue<"VECBIND", f32> -> memref<?xf32, "ub">
    ascendc.copy_in %aB[%int] to %t[%c0] blocks %c1 length %a_b gaps %c0, %c0 : memref<?xf32>, memref<?xf32, "ub">
    ascendc.enque %t to %q : memref<?xf32, "ub">, !ascendc.queue<"VECBIND", f32>
    %u = ascendc.deque %q : !ascendc.queue<"VECBIND", f32> -> memref<?xf32, "ub">
    ascendc.copy_out %u[%c0] to %pipe[%c0] blocks %c1 length %a_b gaps %c0, %c0 : memref<?xf32, "ub">, memref<?xf32>
    ascendc.free_tensor %u to %q : memref<?xf32, "ub">, !ascendc.queue<"VECBIND", f32>
  }
  ascendc.sync_all
  // CHECK: class SumStage_1 {
  ascendc.stage "sum" %cores (%core) {
    %v = memref.load %aB[%c0] : memref<?xf32>
  }
  // CHECK: void k(GM_ADDR aB, GM_ADDR pipe_, GM_ADDR workspace, GM_ADDR tiling)
  // CHECK: KKernel::SumStage sumStage;
  // CHECK-NEXT: sumStage.Init(aB, pipe_, data, &pipe);
  // CHECK: KKernel::SumStage_1 sumStage1;
  // CHECK: const char *KTiling(int64_t int_, int64_t data_, int64_t cores, KTilingData *data, int64_t *workspaceBytes)
  // CHECK: data->data_ = data_;
  // CHECK-NEXT: data->aB_1 = int_;
  func.return
}
