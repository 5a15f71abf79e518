// Ragged segments with windows that slide along each: gradients of a weighted sum over the rows of every window. Windows
// are numbered across segments; a row finds its segment by a search, and sums the windows over it in order.
spec.operator @SegmentWindows {
  %T = spec.dim "T"
  %N = spec.dim "N"
  %D = spec.dim "D"
  %C = spec.dim "C"
  %R = spec.dim "R"
  %size = spec.attr "size" : index
  %P = spec.attr "stride" : index
  %K = spec.dim "K" = [%size]
  spec.columns ["E"] [[f16], [bf16]]
  %dy = spec.input "dy" : !spec.tensor<[C, N, D], E>
  %x = spec.input "x" : !spec.tensor<[T, N, D], E>
  %weight = spec.input "weight" : !spec.tensor<[K, N], E>
  %act = spec.input "act" list : !spec.tensor<[R], i64>
  spec.require [%K] >= [1] code 561002
  spec.require [%P] >= [1] code 561002
  %zero = arith.constant 0 : index
  %count = spec.compute (%b: 0 to %R) -> !spec.tensor<[R], i64> {
    %end = spec.read %act[%b] : index
    %start = spec.read %act[%b - 1] else %zero : index
    %windows = spec.index [(%end - %start - %K) floordiv %P + 1]
    %least = arith.maxsi %zero, %windows : index
    %n = arith.index_cast %least : index to i64
    spec.write %n to 0[%b]
  }
  %first = spec.scan exclusive %count dim 0 : !spec.tensor<[R], i64>
  %x_grad = spec.compute (%t: 0 to %T, %n: 0 to %N, %d: 0 to %D) -> !spec.tensor<[T, N, D], E> {
    %s = spec.search %act for %t
    %begin = spec.read %act[%s - 1] else %zero : index
    %windows = spec.read %count[%s] else %zero : index
    %before = spec.read %first[%s] else %zero : index
    spec.each (%w: max(0, (%t - %begin - %K + 1) ceildiv %P) to min(%windows, (%t - %begin) floordiv %P + 1)) {
      %a = spec.read %weight[%t - %begin - %w * %P, %n] : f32
      %g = spec.read %dy[%before + %w, %n, %d] : f32
      %p = arith.mulf %a, %g : f32
      spec.write add %p to 0[%t, %n, %d]
    }
  }
  %weight_grad = spec.compute (%t: 0 to %T) -> !spec.tensor<[K, N], E> {
    %s = spec.search %act for %t
    %begin = spec.read %act[%s - 1] else %zero : index
    %windows = spec.read %count[%s] else %zero : index
    %before = spec.read %first[%s] else %zero : index
    spec.each (%w: max(0, (%t - %begin - %K + 1) ceildiv %P) to min(%windows, (%t - %begin) floordiv %P + 1), %n: 0 to %N, %d: 0 to %D) {
      %a = spec.read %x[%t, %n, %d] : f32
      %g = spec.read %dy[%before + %w, %n, %d] : f32
      %p = arith.mulf %a, %g : f32
      spec.write add %p to 0[%t - %begin - %w * %P, %n]
    }
  }
  spec.output "xGrad" %x_grad : !spec.tensor<[T, N, D], E>
  spec.output "weightGrad" %weight_grad : !spec.tensor<[K, N], E>
}
