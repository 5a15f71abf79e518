// The upper half of the rows, with rows before and behind it and beyond the end, where two values stand; and the first row,
// which is not there if there are no rows.
spec.operator @Windows {
  %N = spec.dim "N"
  %H = spec.dim "H"
  %M = spec.dim "M" = [%N ceildiv 2]
  %half = spec.index [%N ceildiv 2]
  %x = spec.input "x" : !spec.tensor<[N, H], T>
  spec.columns ["T"] [[f16], [f32]]
  %zero = arith.constant 0.0 : f32
  %two = arith.constant 2.0 : f32
  %y = spec.compute (%i: 0 to %half, %h: 0 to %H) -> !spec.tensor<[M, H], T> {
    %a = spec.read %x[%i + %half, %h] else %zero : f32
    %b = spec.read %x[%i + %half - 2, %h] else %two : f32
    %c = spec.read %x[%i + %half + 1, %h] else %two : f32
    %d = spec.read %x[%i - 1, %h] else %zero : f32
    %e = spec.read %x[0, %h] : f32
    %p = arith.subf %a, %b : f32
    %q = arith.mulf %c, %d : f32
    %s = arith.addf %p, %q : f32
    %r = arith.maximumf %s, %e : f32
    spec.write %r to 0[%i, %h]
  }
  spec.output "y" %y : !spec.tensor<[M, H], T>
}
