// The mean of the rows of each segment of a list, 0 for a segment without rows.
spec.operator @SegmentMean {
  %T = spec.dim "T"
  %R = spec.dim "R"
  %H = spec.dim "H"
  spec.columns ["E"] [[f32], [f16], [bf16]]
  %x = spec.input "x" : !spec.tensor<[T, H], E>
  %ends = spec.input "ends" list : !spec.tensor<[R], i64>
  %none = arith.constant 0 : i64
  %befores = spec.compute (%b: 0 to %R) -> !spec.tensor<[R], i64> {
    %begin = spec.read %ends[%b - 1] else %none : i64
    spec.write %begin to 0[%b]
  }
  %afters = spec.compute (%b: 0 to %R) -> !spec.tensor<[R], i64> {
    %end = spec.read %ends[%b] : i64
    spec.write %end to 0[%b]
  }
  %lengths = spec.compute (%b: 0 to %R) -> !spec.tensor<[R], i64> {
    %rows = arith.index_cast %T : index to i64
    spec.write %rows to 0[%b]
  }
  spec.check %befores <= %afters code 1
  spec.check %afters <= %lengths code 1
  %zero = arith.constant 0 : index
  %total = spec.compute (%b: 0 to %R, %h: 0 to %H) -> !spec.tensor<[R, H], f32> {
    %begin = spec.read %ends[%b - 1] else %zero : index
    %end = spec.read %ends[%b] : index
    spec.each (%t: %begin to %end) {
      %a = spec.read %x[%t, %h] : f32
      spec.write add %a to 0[%b, %h]
    }
  }
  %one = arith.constant 1 : i64
  %y = spec.compute (%b: 0 to %R, %h: 0 to %H) -> !spec.tensor<[R, H], E> {
    %sum = spec.read %total[%b, %h] : f32
    %end = spec.read %ends[%b] : i64
    %begin = spec.read %ends[%b - 1] else %none : i64
    %rows = arith.subi %end, %begin : i64
    %least = arith.maxsi %one, %rows : i64
    %n = arith.sitofp %least : i64 to f32
    %mean = arith.divf %sum, %n : f32
    spec.write %mean to 0[%b, %h]
  }
  spec.output "y" %y : !spec.tensor<[R, H], E>
}
