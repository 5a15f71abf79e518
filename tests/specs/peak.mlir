// The largest element of each column.
spec.operator @Peak {
  %N = spec.dim "N"
  %H = spec.dim "H"
  %x = spec.input "x" : !spec.tensor<[N, H], T>
  spec.columns ["T"] [[f16], [bf16], [f32]]
  %m = spec.compute (%h: 0 to %H, %i: 0 to %N) -> !spec.tensor<[H], T> {
    %a = spec.read %x[%i, %h] : f32
    spec.write max %a to 0[%h]
  }
  spec.output "m" %m : !spec.tensor<[H], T>
}
