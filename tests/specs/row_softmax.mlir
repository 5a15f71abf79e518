// The softmax of each row: results that combine over the contiguous dim, one of them read by the other.
spec.operator @RowSoftmax {
  %T = spec.dim "T"
  %H = spec.dim "H"
  spec.columns ["E"] [[f32], [f16], [bf16]]
  %x = spec.input "x" : !spec.tensor<[T, H], E>
  %most = spec.compute (%t: 0 to %T, %h: 0 to %H) -> !spec.tensor<[T], f32> {
    %a = spec.read %x[%t, %h] : f32
    spec.write max %a to 0[%t]
  }
  %total = spec.compute (%t: 0 to %T, %h: 0 to %H) -> !spec.tensor<[T], f32> {
    %a = spec.read %x[%t, %h] : f32
    %m = spec.read %most[%t] : f32
    %b = arith.subf %a, %m : f32
    %c = math.exp %b : f32
    spec.write add %c to 0[%t]
  }
  %y = spec.compute (%t: 0 to %T, %h: 0 to %H) -> !spec.tensor<[T, H], E> {
    %a = spec.read %x[%t, %h] : f32
    %m = spec.read %most[%t] : f32
    %b = arith.subf %a, %m : f32
    %c = math.exp %b : f32
    %n = spec.read %total[%t] : f32
    %d = arith.divf %c, %n : f32
    spec.write %d to 0[%t, %h]
  }
  spec.output "y" %y : !spec.tensor<[T, H], E>
}
