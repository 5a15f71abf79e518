// RUN: opwright-opt %s -p 'split-reductions{target=ascend910b}' --split-input-file | filecheck %s --check-prefixes=CHECK,PARTS
// RUN: opwright-opt %s -p 'split-reductions{target=cpu}' --split-input-file | filecheck %s --check-prefixes=CHECK,INSIDE

// The first reduced dim is cut into chunks. The others have partial rows of their own, or are summed in the chunk.
// CHECK-LABEL: spec.operator @Sum
// PARTS: spec.index [%S * %B ceildiv 128]
// PARTS-NEXT: arith.constant 16 : index
// PARTS-NEXT: arith.constant 128 : index
// INSIDE: spec.index [%S ceildiv 64]
// INSIDE-NEXT: arith.constant 16 : index
// INSIDE-NEXT: arith.constant 256 : index
// CHECK-NEXT: arith.maxsi
// CHECK-NEXT: arith.minsi
// CHECK-NEXT: %s_chunk = spec.dim "s_chunk" = [%4]
// CHECK-NEXT: %s_chunks = spec.dim "s_chunks" = [%S ceildiv %s_chunk]
// PARTS-NEXT: %s_parts = spec.dim "s_parts" = [%s_chunks * %B]
// PARTS-NEXT: %s_partial = spec.compute (%i_part: 0 to %s_chunks, %j: 0 to %B, %i: %i_part * %s_chunk to min(%i_part * %s_chunk + %s_chunk, %S), %h: 0 to %H) -> !spec.tensor<[s_parts, H], f32> {
// INSIDE-NEXT: %s_parts = spec.dim "s_parts" = [%s_chunks]
// INSIDE-NEXT: %s_partial = spec.compute (%i_part: 0 to %s_chunks, %i: %i_part * %s_chunk to min(%i_part * %s_chunk + %s_chunk, %S), %j: 0 to %B, %h: 0 to %H) -> !spec.tensor<[s_parts, H], f32> {
// CHECK-NEXT: %a = spec.read %x[%i, %j, %h] : f32
// PARTS-NEXT: spec.write add %a to 0[%i_part * %B + %j, %h]
// INSIDE-NEXT: spec.write add %a to 0[%i_part, %h]
// CHECK-NEXT: }
// CHECK-NEXT: %s = spec.compute (%h_1: 0 to %H, %part: 0 to %s_parts) -> !spec.tensor<[H], bf16> {
// CHECK-NEXT: %[[B:.*]] = spec.read %s_partial[%part, %h_1] : f32
// CHECK-NEXT: spec.write add %[[B]] to 0[%h_1]
// CHECK-NEXT: }
// CHECK-NEXT: spec.output "s" %s : !spec.tensor<[H], bf16>
spec.operator @Sum {
  %S = spec.dim "S"
  %B = spec.dim "B"
  %H = spec.dim "H"
  %x = spec.input "x" : !spec.tensor<[S, B, H], f32>
  %s = spec.compute (%i: 0 to %S, %j: 0 to %B, %h: 0 to %H) -> !spec.tensor<[H], bf16> {
    %a = spec.read %x[%i, %j, %h] : f32
    spec.write add %a to 0[%h]
  }
  spec.output "s" %s : !spec.tensor<[H], bf16>
}

// -----

// A plain result of the same nest stays a result of the first compute. Rows told apart by a constant keep their index.
// CHECK-LABEL: spec.operator @Fused
// CHECK: %y, %m_partial = spec.compute (%i_part: 0 to %m_chunks, %i: {{.*}}, %h: 0 to %H) -> (!spec.tensor<[N, H], f32>, !spec.tensor<[m_parts, 2, H], f32>) {
// CHECK: spec.write %a to 0[%i, %h]
// CHECK: spec.write max %a to 1[%i_part, 0, %h]
// CHECK: spec.write max %b to 1[%i_part, 1, %h]
// CHECK: %m = spec.compute (%n: 0 to 2, %h_1: 0 to %H, %part: 0 to %m_parts) -> !spec.tensor<[2, H], f32> {
// CHECK: spec.write max %{{.*}} to 0[%n, %h_1]
spec.operator @Fused {
  %N = spec.dim "N"
  %H = spec.dim "H"
  %x = spec.input "x" : !spec.tensor<[N, H], f32>
  %y, %m = spec.compute (%i: 0 to %N, %h: 0 to %H) -> (!spec.tensor<[N, H], f32>, !spec.tensor<[2, H], f32>) {
    %a = spec.read %x[%i, %h] : f32
    %b = arith.negf %a : f32
    spec.write %a to 0[%i, %h]
    spec.write max %a to 1[0, %h]
    spec.write max %b to 1[1, %h]
  }
  spec.output "y" %y : !spec.tensor<[N, H], f32>
  spec.output "m" %m : !spec.tensor<[2, H], f32>
}

// -----

// An extent that is an expression; a name that is taken.
// CHECK-LABEL: spec.operator @Twice
// CHECK: %[[END:.*]] = spec.index [%N - 1]
// CHECK: %s_chunks = spec.dim "s_chunks" = [%[[END]] ceildiv %s_chunk]
// CHECK: spec.dim "t_1_chunk"
// CHECK: spec.dim "t_1_chunks"
// CHECK: spec.dim "t_1_parts"
spec.operator @Twice {
  %N = spec.dim "N"
  %H = spec.dim "H"
  %x = spec.input "x" : !spec.tensor<[N, H], f32>
  %y = spec.input "y" : !spec.tensor<[N, H], f32>
  %s = spec.compute (%i: 0 to %N - 1, %h: 0 to %H) -> !spec.tensor<[H], f32> {
    %a = spec.read %x[%i + 1, %h] : f32
    spec.write add %a to 0[%h]
  }
  %p = spec.dim "t_parts" = [%N]
  %t = spec.compute (%i: 0 to %N, %h: 0 to %H) -> !spec.tensor<[H], f32> {
    %a = spec.read %y[%i, %h] : f32
    spec.write add %a to 0[%h]
  }
  spec.output "s" %s : !spec.tensor<[H], f32>
  spec.output "t" %t : !spec.tensor<[H], f32>
}

// -----

// Nothing is combined over a dim of the nest, or its range depends on another dim: nothing to cut.
// CHECK-LABEL: spec.operator @Whole
// CHECK: %y = spec.compute (%i: 0 to %N, %h: 0 to %H)
// CHECK: %t = spec.compute (%i_1: 0 to %N, %j: 0 to %i_1 + 1, %h_1: 0 to %H)
// CHECK-NOT: spec.compute
spec.operator @Whole {
  %N = spec.dim "N"
  %H = spec.dim "H"
  %x = spec.input "x" : !spec.tensor<[N, H], f32>
  %y = spec.compute (%i: 0 to %N, %h: 0 to %H) -> !spec.tensor<[N, H], f32> {
    %a = spec.read %x[%i, %h] : f32
    spec.write %a to 0[%i, %h]
  }
  %t = spec.compute (%i: 0 to %N, %j: 0 to %i + 1, %h: 0 to %H) -> !spec.tensor<[N, H], f32> {
    %a = spec.read %x[%j, %h] : f32
    spec.write add %a to 0[%i, %h]
  }
  spec.output "y" %y : !spec.tensor<[N, H], f32>
  spec.output "t" %t : !spec.tensor<[N, H], f32>
}

// -----

// Lanes, the dim that is contiguous, are summed in chunks of their own, as a chip's instructions do not repeat over rows of
// any length: even chunks of whole folds. Where nothing is staged they are not.
// CHECK-LABEL: spec.operator @Lanes
// PARTS: %[[MOST:.*]] = arith.constant 1984 : index
// PARTS: spec.index [%D ceildiv %[[MOST]]]
// PARTS: %s_lane_chunk = spec.dim "s_lane_chunk" = [%
// PARTS-NEXT: %s_lane_chunks = spec.dim "s_lane_chunks" = [%D ceildiv %s_lane_chunk]
// PARTS-NEXT: %s_parts = spec.dim "s_parts" = [%s_chunks * %s_lane_chunks]
// PARTS-NEXT: %s_partial = spec.compute (%t_part: 0 to %s_chunks, {{.*}}, %d: 0 to %D) -> !spec.tensor<[s_parts, N], f32> {
// PARTS: spec.write add %a to 0[%t_part * %s_lane_chunks + %d floordiv %s_lane_chunk, %n]
// INSIDE-NOT: lane_chunk
// INSIDE: spec.write add %a to 0[%t_part, %n]
spec.operator @Lanes {
  %T = spec.dim "T"
  %N = spec.dim "N"
  %D = spec.dim "D"
  %x = spec.input "x" : !spec.tensor<[T, N, D], f32>
  %s = spec.compute (%t: 0 to %T, %n: 0 to %N, %d: 0 to %D) -> !spec.tensor<[N], bf16> {
    %a = spec.read %x[%t, %n, %d] : f32
    spec.write add %a to 0[%n]
  }
  spec.output "s" %s : !spec.tensor<[N], bf16>
}
