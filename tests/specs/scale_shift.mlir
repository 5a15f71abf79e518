// Broadcasting over a leading dim and over a trailing one: the factor is the same in all rows, the summand in all columns.
spec.operator @ScaleShift {
  %N = spec.dim "N"
  %H = spec.dim "H"
  spec.columns ["E"] [[f32], [f16], [bf16]]
  %a = spec.input "a" : !spec.tensor<[H], E>
  %x = spec.input "x" : !spec.tensor<[N, H], E>
  %b = spec.input "b" : !spec.tensor<[N], E>
  %y = spec.compute (%n: 0 to %N, %h: 0 to %H) -> !spec.tensor<[N, H], E> {
    %factor = spec.read %a[%h] : f32
    %value = spec.read %x[%n, %h] : f32
    %scaled = arith.mulf %factor, %value : f32
    %shift = spec.read %b[%n] : f32
    %sum = arith.addf %scaled, %shift : f32
    spec.write %sum to 0[%n, %h]
  }
  spec.output "y" %y : !spec.tensor<[N, H], E>
}
