// A stencil of five points with zeros around: the four neighbours of an element, less four times itself.
spec.operator @Stencil {
  %N = spec.dim "N"
  %H = spec.dim "H"
  spec.columns ["E"] [[f32], [f16], [bf16]]
  %x = spec.input "x" : !spec.tensor<[N, H], E>
  %zero = arith.constant 0.0 : f32
  %four = arith.constant 4.0 : f32
  %y = spec.compute (%n: 0 to %N, %h: 0 to %H) -> !spec.tensor<[N, H], E> {
    %north = spec.read %x[%n - 1, %h] else %zero : f32
    %south = spec.read %x[%n + 1, %h] else %zero : f32
    %west = spec.read %x[%n, %h - 1] else %zero : f32
    %east = spec.read %x[%n, %h + 1] else %zero : f32
    %a = arith.addf %north, %south : f32
    %b = arith.addf %west, %east : f32
    %around = arith.addf %a, %b : f32
    %own = spec.read %x[%n, %h] : f32
    %less = arith.mulf %own, %four : f32
    %d = arith.subf %around, %less : f32
    spec.write %d to 0[%n, %h]
  }
  spec.output "y" %y : !spec.tensor<[N, H], E>
}
