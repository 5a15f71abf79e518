// Rows over two leading dims, each with a factor of its own, and a shift for each lane.
spec.operator @RowScale {
  %A = spec.dim "A"
  %B = spec.dim "B"
  %H = spec.dim "H"
  %x = spec.input "x" : !spec.tensor<[A, B, H], T>
  %scale = spec.input "scale" : !spec.tensor<[A, B], f32>
  %shift = spec.input "shift" : !spec.tensor<[H], T>
  spec.columns ["T"] [[f16], [bf16], [f32]]
  %y = spec.compute (%a: 0 to %A, %b: 0 to %B, %h: 0 to %H) -> !spec.tensor<[A, B, H], T> {
    %u = spec.read %x[%a, %b, %h] : f32
    %s = spec.read %scale[%a, %b] : f32
    %t = spec.read %shift[%h] : f32
    %p = arith.mulf %u, %s : f32
    %q = arith.addf %p, %t : f32
    spec.write %q to 0[%a, %b, %h]
  }
  spec.output "y" %y : !spec.tensor<[A, B, H], T>
}
