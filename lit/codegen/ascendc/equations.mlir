// RUN: opwright-opt %s -p "specialize,canonicalize,unroll,inline-producers,legalize-types,hoist-dims,fuse,cse,canonicalize,cse,split-reductions{target=ascend910b},tile{target=ascend910b},cse,canonicalize,cse,promote,vectorize,cse,canonicalize,cse,size-tiles{target=ascend910b},pipeline{target=ascend910b},insert-sync{target=ascend910b},lower-to-ascendc{target=ascend910b},cse,canonicalize,cse" -t "ascendc{target=ascend910b}" | filecheck %s
// RUN: opwright-opt %s -p "specialize,canonicalize,unroll,inline-producers,legalize-types,hoist-dims,fuse,cse,canonicalize,cse,split-reductions{target=cpu},tile{target=cpu},cse,canonicalize,cse,size-tiles{target=cpu},lower-to-loops,cse,canonicalize,cse" -t c | filecheck %s --check-prefix=C

// Equations stand whole at the start of the file; in the code comments tell by the left side whose equation it serves,
// wherever that changes. Two results share a nest here; the sum's accumulator and partial sums serve the second.

// CHECK: // fused
// CHECK-NEXT: //     y[n, h] = exp(x[n, h])
// CHECK-NEXT: //     sOut[h] = sum(n < N) x[n, h] * g[n, h]
// CHECK-NEXT: #include "kernel_operator.h"
// CHECK: void ProcessItem(int64_t item)
// CHECK: LocalTensor<float> sPartialAcc =
// CHECK-NEXT: // sOut[h]
// CHECK-NEXT: Duplicate(sPartialAcc, 0.0f, width);
// CHECK-NOT: //
// CHECK: DataCopyPad(sPartialGm[
// CHECK: void ProcessTile(
// CHECK: // y[n, h]
// CHECK-NEXT: DataCopyPad(xIn, xGm[
// CHECK: // sOut[h]
// CHECK-NEXT: DataCopyPad(gIn, gGm[
// CHECK: // y[n, h]
// CHECK-NEXT: for (int64_t column =
// CHECK-NEXT: const int64_t lanes =
// CHECK-NEXT: Exp(yOut[
// CHECK: // sOut[h]
// CHECK-NEXT: for (int64_t column =
// CHECK-NEXT: const int64_t lanes =
// CHECK-NEXT: Mul(
// CHECK-NOT: //
// CHECK: Add(sPartialAcc[
// CHECK: // y[n, h]
// CHECK-NEXT: DataCopyPad(yGm[
// CHECK-NOT: //
// CHECK: class SStage {
// CHECK: // sOut[h]
// CHECK-NEXT: Duplicate(sAcc, 0.0f, width);
// CHECK-NOT: //
// CHECK: DataCopyPad(sOutGm[

// A loop over lanes that serves both tells both.
// C: /* sOut[h] */
// C-NEXT: #pragma omp simd
// C: s_partial_acc[l] = 0.0f;
// C: /* y[n, h], sOut[h] */
// C-NEXT: #pragma omp simd
// C: /* sOut[h] */
// C-NEXT: #pragma omp simd
// C: s_partial[

spec.operator @Fused {
  %N = spec.dim "N"
  %H = spec.dim "H"
  %x = spec.input "x" : !spec.tensor<[N, H], f32>
  %g = spec.input "g" : !spec.tensor<[N, H], f32>
  %y = spec.compute (%n: 0 to %N, %h: 0 to %H) -> !spec.tensor<[N, H], f32> {
    %a = spec.read %x[%n, %h] : f32
    %b = math.exp %a : f32
    spec.write %b to 0[%n, %h]
  }
  %s = spec.compute (%h: 0 to %H, %n: 0 to %N) -> !spec.tensor<[H], f32> {
    %a = spec.read %x[%n, %h] : f32
    %b = spec.read %g[%n, %h] : f32
    %c = arith.mulf %a, %b : f32
    spec.write add %c to 0[%h]
  }
  spec.output "y" %y : !spec.tensor<[N, H], f32>
  spec.output "sOut" %s : !spec.tensor<[H], f32>
}
