// Means over the first dim and sums over the second, whose tiles are alike; a number that follows from a size.
spec.operator @Statistics {
  %A = spec.dim "A"
  %B = spec.dim "B"
  %H = spec.dim "H"
  %x = spec.input "x" : !spec.tensor<[A, B, H], T>
  spec.columns ["T"] [[f32], [f16]]
  spec.require [%A] >= [1] code 561002
  %count = arith.index_cast %A : index to i32
  %n = arith.sitofp %count : i32 to f32
  %one = arith.constant 1.0 : f32
  %share = arith.divf %one, %n : f32
  %mean = spec.compute (%b: 0 to %B, %h: 0 to %H, %a: 0 to %A) -> !spec.tensor<[B, H], T> {
    %u = spec.read %x[%a, %b, %h] : f32
    %v = arith.mulf %u, %share : f32
    spec.write add %v to 0[%b, %h]
  }
  %sum = spec.compute (%a: 0 to %A, %h: 0 to %H, %b: 0 to %B) -> !spec.tensor<[A, H], T> {
    %u = spec.read %x[%a, %b, %h] : f32
    spec.write add %u to 0[%a, %h]
  }
  spec.output "mean" %mean : !spec.tensor<[B, H], T>
  spec.output "sum" %sum : !spec.tensor<[A, H], T>
}
