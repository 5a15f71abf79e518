// Elements above a threshold of their lane; 0 stands for the others and for NaN.
spec.operator @Threshold {
  %N = spec.dim "N"
  %H = spec.dim "H"
  %x = spec.input "x" : !spec.tensor<[N, H], T>
  %least = spec.input "least" : !spec.tensor<[H], T>
  spec.columns ["T"] [[f16], [bf16], [f32]]
  %zero = arith.constant 0.0 : f32
  %y = spec.compute (%n: 0 to %N, %h: 0 to %H) -> !spec.tensor<[N, H], T> {
    %v = spec.read %x[%n, %h] : f32
    %m = spec.read %least[%h] : f32
    %c = arith.cmpf ogt, %v, %m : f32
    %s = arith.select %c, %v, %zero : f32
    spec.write %s to 0[%n, %h]
  }
  spec.output "y" %y : !spec.tensor<[N, H], T>
}
