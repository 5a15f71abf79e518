// A weighted mean of three neighbouring rows, 0 beyond both ends.
spec.operator @Blur {
  %N = spec.dim "N"
  %H = spec.dim "H"
  %K = spec.dim "K" = [3]
  %x = spec.input "x" : !spec.tensor<[N, H], T>
  %taps = spec.input "taps" : !spec.tensor<[K, H], T>
  spec.columns ["T"] [[f16], [bf16], [f32]]
  %zero = arith.constant 0.0 : f32
  %y = spec.compute (%i: 0 to %N, %h: 0 to %H, %k: 0 to %K) -> !spec.tensor<[N, H], T> {
    %a = spec.read %x[%i + %k - 1, %h] else %zero : f32
    %w = spec.read %taps[%k, %h] : f32
    %p = arith.mulf %a, %w : f32
    spec.write add %p to 0[%i, %h]
  }
  spec.output "y" %y : !spec.tensor<[N, H], T>
}
