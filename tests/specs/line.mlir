// One dim alone: lanes without rows.
spec.operator @Line {
  %H = spec.dim "H"
  %x = spec.input "x" : !spec.tensor<[H], T>
  spec.columns ["T"] [[f16], [bf16], [f32]]
  %one = arith.constant 1.0 : f32
  %y = spec.compute (%h: 0 to %H) -> !spec.tensor<[H], T> {
    %a = spec.read %x[%h] : f32
    %b = math.exp %a : f32
    %c = arith.subf %one, %b : f32
    %d = arith.mulf %c, %a : f32
    spec.write %d to 0[%h]
  }
  spec.output "y" %y : !spec.tensor<[H], T>
}
