// Rows of a table by number, 0 for a number below 0.
spec.operator @Embedding {
  %V = spec.dim "V"
  %M = spec.dim "M"
  %H = spec.dim "H"
  spec.columns ["E"] [[f32], [f16], [bf16]]
  %table = spec.input "table" : !spec.tensor<[V, H], E>
  %number = spec.input "number" : !spec.tensor<[M], i32>
  spec.places %number below [%V] unused
  %zero = arith.constant 0.0 : f32
  %y = spec.compute (%m: 0 to %M, %h: 0 to %H) -> !spec.tensor<[M, H], E> {
    %row = spec.read %number[%m] : index
    %a = spec.read %table[%row, %h] else %zero : f32
    spec.write %a to 0[%m, %h]
  }
  spec.output "y" %y : !spec.tensor<[M, H], E>
}
