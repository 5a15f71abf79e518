// The largest of three rows of squares, where 1 stands beyond the end: a value that squares of 0 do not give.
spec.operator @Edges {
  %N = spec.dim "N"
  %H = spec.dim "H"
  %x = spec.input "x" : !spec.tensor<[N, H], T>
  spec.columns ["T"] [[f16], [f32]]
  %one = arith.constant 1.0 : f32
  %g = spec.compute (%i: 0 to %N, %h: 0 to %H) -> !spec.tensor<[N, H], f32> {
    %a = spec.read %x[%i, %h] : f32
    %b = arith.mulf %a, %a : f32
    spec.write %b to 0[%i, %h]
  }
  %m = spec.compute (%i: 0 to %N, %h: 0 to %H, %k: 0 to 3) -> !spec.tensor<[N, H], T> {
    %a = spec.read %g[%i + %k, %h] else %one : f32
    spec.write max %a to 0[%i, %h]
  }
  spec.output "m" %m : !spec.tensor<[N, H], T>
}
