// The places of the true elements of each row, of a mask that is always given and of one that may be left out.
spec.operator @Positions {
  %T = spec.dim "T"
  %E = spec.dim "E"
  %M = spec.dim "M"
  %K = spec.dim "K" = [%M floordiv %T]
  %mask = spec.input "mask" : !spec.tensor<[T, E], i1>
  %other = spec.input "other" optional : !spec.tensor<[T, E], i1>
  %slot = spec.input "slot" : !spec.tensor<[M], i32>
  spec.require [%T] >= [1] code 561002
  %list = spec.positions %mask : !spec.tensor<[T, K], i32>
  %more = spec.positions %other : !spec.tensor<[T, K], i32>
  spec.output "list" %list : !spec.tensor<[T, K], i32>
  spec.output "more" %more : !spec.tensor<[T, K], i32>
}
