// The operator of ops/masked_causal_conv1d_backward.py, written by hand.
spec.operator @MaskedCausalConv1dBackward {
  %S = spec.dim "S"
  %B = spec.dim "B"
  %H = spec.dim "H"
  %W = spec.dim "W" = [3]
  spec.columns ["T"] [[f16], [bf16]] code 161002
  %gradY = spec.input "gradY" : !spec.tensor<[S, B, H], T>
  %x = spec.input "x" : !spec.tensor<[S, B, H], T>
  %weight = spec.input "weight" : !spec.tensor<[W, H], T>
  %mask = spec.input "maskOptional" optional : !spec.tensor<[B, S], i1>

  spec.require [%S] >= [1] code 561002
  spec.require [%B] >= [1] code 561002
  spec.require [%B] <= [32] code 561002
  spec.require [%B * %S] >= [1] code 561002
  spec.require [%B * %S] <= [524288] code 561002
  spec.require [%H] >= [384] code 561002
  spec.require [%H] <= [24576] code 561002
  spec.require [%H mod 64] == [0] code 561002

  %true = arith.constant true
  %zero = arith.constant 0.0 : f32
  %g = spec.compute (%i: 0 to %S, %j: 0 to %B, %h: 0 to %H) -> !spec.tensor<[S, B, H], f32> {
    %keep = spec.read %mask[%j, %i] absent %true : i1
    %y = spec.read %gradY[%i, %j, %h] : f32
    %v = arith.select %keep, %y, %zero : f32
    spec.write %v to 0[%i, %j, %h]
  }
  %gradX = spec.compute (%i: 0 to %S, %j: 0 to %B, %h: 0 to %H, %k: 0 to %W) -> !spec.tensor<[S, B, H], T> {
    %a = spec.read %g[%i + %k, %j, %h] else %zero : f32
    %b = spec.read %weight[%W - 1 - %k, %h] : f32
    %p = arith.mulf %a, %b : f32
    spec.write add %p to 0[%i, %j, %h]
  }
  %gradWeight = spec.compute (%k: 0 to %W, %h: 0 to %H, %j: 0 to %B, %i: 0 to %S) -> !spec.tensor<[W, H], T> {
    %a = spec.read %g[%i + %W - 1 - %k, %j, %h] else %zero : f32
    %b = spec.read %x[%i, %j, %h] : f32
    %p = arith.mulf %a, %b : f32
    spec.write add %p to 0[%k, %h]
  }
  spec.output "gradXOut" %gradX : !spec.tensor<[S, B, H], T>
  spec.output "gradWeightOut" %gradWeight : !spec.tensor<[W, H], T>
}
