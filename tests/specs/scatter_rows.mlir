// Rows that go to places, and their products with the rows there, a number a place; places that no row names hold 0.
spec.operator @ScatterRows {
  %V = spec.dim "V"
  %M = spec.dim "M"
  %H = spec.dim "H"
  spec.columns ["E"] [[f32], [f16], [bf16]]
  %x = spec.input "x" : !spec.tensor<[M, H], E>
  %place = spec.input "place" : !spec.tensor<[M], i32>
  %w = spec.input "w" : !spec.tensor<[V, H], E>
  spec.places %place below [%V] unused distinct
  spec.require [%H] >= [1] code 561002
  %two = arith.constant 2.0 : f32
  %zero = arith.constant 0 : index
  %y = spec.compute (%m: 0 to %M, %h: 0 to %H) -> !spec.tensor<[V, H], E> {
    %a = spec.read %x[%m, %h] : f32
    %b = arith.mulf %a, %two : f32
    %p = spec.read %place[%m] : index
    %used = arith.cmpi sge, %p, %zero : index
    spec.write %b to 0[%p, %h] unique if %used
  }
  %dots = spec.compute (%m: 0 to %M, %h: 0 to %H) -> !spec.tensor<[V, 1], E> {
    %a = spec.read %x[%m, %h] : f32
    %p = spec.read %place[%m] : index
    %b = spec.read %w[%p, %h] : f32
    %c = arith.mulf %a, %b : f32
    %used = arith.cmpi sge, %p, %zero : index
    spec.write add %c to 0[%p, 0] unique if %used
  }
  spec.output "y" %y : !spec.tensor<[V, H], E>
  spec.output "dots" %dots : !spec.tensor<[V, 1], E>
}
