// Normalisation by the root of the mean of squares, and the inverse of the root: functions of scalars of a row.
spec.operator @RootMeanSquare {
  %N = spec.dim "N"
  %H = spec.dim "H"
  %D = spec.dim "D"
  spec.columns ["T"] [[f32], [f16], [bf16]]
  %x = spec.input "x" : !spec.tensor<[N, H, D], T>
  %gamma = spec.input "gamma" : !spec.tensor<[D], T>
  %squares = spec.compute (%n: 0 to %N, %h: 0 to %H, %d: 0 to %D) -> !spec.tensor<[N, H], f32> {
    %0 = spec.read %x[%n, %h, %d] : f32
    %1 = spec.read %x[%n, %h, %d] : f32
    %2 = arith.mulf %0, %1 : f32
    spec.write add %2 to 0[%n, %h]
  }
  %3 = arith.constant 1.000000e-06 : f32
  %root = spec.compute (%n: 0 to %N, %h: 0 to %H) -> !spec.tensor<[N, H], f32> {
    %4 = spec.read %squares[%n, %h] : f32
    %5 = arith.index_cast %D : index to i64
    %6 = arith.sitofp %5 : i64 to f32
    %7 = arith.divf %4, %6 : f32
    %8 = arith.addf %7, %3 : f32
    %9 = math.sqrt %8 : f32
    spec.write %9 to 0[%n, %h]
  }
  %factor = spec.compute (%n: 0 to %N, %h: 0 to %H) -> !spec.tensor<[N, H], f32> {
    %10 = spec.read %root[%n, %h] : f32
    %11 = spec.read %root[%n, %h] : f32
    %12 = arith.mulf %10, %11 : f32
    %13 = math.rsqrt %12 : f32
    spec.write %13 to 0[%n, %h]
  }
  %y = spec.compute (%n: 0 to %N, %h: 0 to %H, %d: 0 to %D) -> !spec.tensor<[N, H, D], T> {
    %14 = spec.read %x[%n, %h, %d] : f32
    %15 = spec.read %root[%n, %h] : f32
    %16 = arith.divf %14, %15 : f32
    %17 = spec.read %gamma[%d] : f32
    %18 = arith.mulf %16, %17 : f32
    spec.write %18 to 0[%n, %h, %d]
  }
  spec.output "y" %y : !spec.tensor<[N, H, D], T>
  spec.output "factor" %factor : !spec.tensor<[N, H], f32>
}
