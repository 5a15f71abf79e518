// Sums of columns over the rows that a mask keeps, and the kept rows themselves.
spec.operator @MaskedSum {
  %N = spec.dim "N"
  %B = spec.dim "B"
  %H = spec.dim "H"
  %x = spec.input "x" : !spec.tensor<[N, B, H], T>
  %mask = spec.input "mask" optional : !spec.tensor<[B, N], i1>
  spec.columns ["T"] [[f16], [bf16], [f32]]
  %zero = arith.constant 0.0 : f32
  %true = arith.constant true
  %kept = spec.compute (%i: 0 to %N, %j: 0 to %B, %h: 0 to %H) -> !spec.tensor<[N, B, H], T> {
    %a = spec.read %x[%i, %j, %h] : f32
    %keep = spec.read %mask[%j, %i] absent %true : i1
    %v = arith.select %keep, %a, %zero : f32
    spec.write %v to 0[%i, %j, %h]
  }
  %s = spec.compute (%h: 0 to %H, %i: 0 to %N, %j: 0 to %B) -> !spec.tensor<[H], T> {
    %a = spec.read %x[%i, %j, %h] : f32
    %keep = spec.read %mask[%j, %i] absent %true : i1
    %v = arith.select %keep, %a, %zero : f32
    spec.write add %v to 0[%h]
  }
  spec.output "kept" %kept : !spec.tensor<[N, B, H], T>
  spec.output "s" %s : !spec.tensor<[H], T>
}
