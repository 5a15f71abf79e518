// The exclusive cumulative sum of each row: a sum whose range grows with the place.
spec.operator @CumulativeSum {
  %T = spec.dim "T"
  %H = spec.dim "H"
  spec.columns ["E"] [[f32], [f16], [bf16]]
  %x = spec.input "x" : !spec.tensor<[T, H], E>
  %y = spec.compute (%t: 0 to %T, %h: 0 to %H, %k: 0 to %h) -> !spec.tensor<[T, H], E> {
    %a = spec.read %x[%t, %k] : f32
    spec.write add %a to 0[%t, %h]
  }
  spec.output "y" %y : !spec.tensor<[T, H], E>
}
