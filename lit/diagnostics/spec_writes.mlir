// RUN: opwright-opt %s --split-input-file --verify-diagnostics | filecheck %s

// Which results are written, and how often an element.

// CHECK: spec_writes.mlir:[[# @LINE + 7]]:5: error[OPW121]: points that differ in %j write the same element
// CHECK: hint: name %j alone in one index, combine (add, max, min), or promise unique
spec.operator @Race {
  %N = spec.dim "N"
  %x = spec.input "x" : !spec.tensor<[N, N], f32>
  %y = spec.compute (%i: 0 to %N, %j: 0 to %N) -> !spec.tensor<[N], f32> {
    %a = spec.read %x[%i, %j] : f32
    spec.write %a to 0[%i]
  }
  spec.output "y" %y : !spec.tensor<[N], f32>
}

// -----

// Two loop variables in one index do not tell the points apart.
// CHECK: spec_writes.mlir:[[# @LINE + 7]]:5: error[OPW121]: points that differ in
spec.operator @Diagonal {
  %N = spec.dim "N"
  %M = spec.dim "M" = [%N + %N]
  %x = spec.input "x" : !spec.tensor<[N], f32>
  %y = spec.compute (%i: 0 to %N, %j: 0 to %N) -> !spec.tensor<[M], f32> {
    %a = spec.read %x[%i] : f32
    spec.write %a to 0[%i + %j]
  }
  spec.output "y" %y : !spec.tensor<[M], f32>
}

// -----

// A place that is read from a tensor may be named twice.
// CHECK: spec_writes.mlir:[[# @LINE + 8]]:5: error[OPW121]: points that differ in %i write the same element
spec.operator @Scatter {
  %N = spec.dim "N"
  %x = spec.input "x" : !spec.tensor<[N], f32>
  %p = spec.input "p" : !spec.tensor<[N], i32>
  %y = spec.compute (%i: 0 to %N) -> !spec.tensor<[N], f32> {
    %a = spec.read %x[%i] : f32
    %place = spec.read %p[%i] : index
    spec.write %a to 0[%place]
  }
  spec.output "y" %y : !spec.tensor<[N], f32>
}

// -----

// CHECK: spec_writes.mlir:[[# @LINE + 7]]:5: error[OPW121]: two writes may name the same element of result 0
spec.operator @Shifted {
  %N = spec.dim "N"
  %x = spec.input "x" : !spec.tensor<[N], f32>
  %y = spec.compute (%i: 0 to %N) -> !spec.tensor<[N], f32> {
    %a = spec.read %x[%i] : f32
    spec.write %a to 0[%i]
    spec.write %a to 0[%i + 1]
  }
  spec.output "y" %y : !spec.tensor<[N], f32>
}

// -----

// The loop of an inner nest counts as well.
// CHECK: spec_writes.mlir:[[# @LINE + 7]]:7: error[OPW121]: points that differ in %j write the same element
spec.operator @InnerRace {
  %N = spec.dim "N"
  %x = spec.input "x" : !spec.tensor<[N], f32>
  %y = spec.compute (%i: 0 to %N) -> !spec.tensor<[N], f32> {
    spec.each (%j: 0 to %i) {
      %a = spec.read %x[%j] : f32
      spec.write %a to 0[%i]
    }
  }
  spec.output "y" %y : !spec.tensor<[N], f32>
}

// -----

// Chunks: the row tells the chunk. Rows that a constant tells apart, and promised scatters.
// CHECK: spec.operator @NoRace
spec.operator @NoRace {
  %N = spec.dim "N"
  %R = spec.dim "R" = [16]
  %C = spec.dim "C" = [%N ceildiv %R]
  %x = spec.input "x" : !spec.tensor<[N], f32>
  %p = spec.input "p" : !spec.tensor<[N], i32>
  %y, %z = spec.compute (%c: 0 to %C, %i: %c * %R to min(%N, %c * %R + %R)) -> (!spec.tensor<[N, 2], f32>, !spec.tensor<[N], f32>) {
    %a = spec.read %x[%i] : f32
    spec.write %a to 0[%N - 1 - %i, 0]
    spec.write %a to 0[%i, 1]
    %place = spec.read %p[%i] : index
    spec.write %a to 1[%place] unique
  }
  spec.output "y" %y : !spec.tensor<[N, 2], f32>
  spec.output "z" %z : !spec.tensor<[N], f32>
}

// -----

// The chunks overlap by one row: the row does not tell the chunk.
// CHECK: spec_writes.mlir:[[# @LINE + 8]]:5: error[OPW121]: points that differ in %c write the same element
spec.operator @OverlappingChunks {
  %N = spec.dim "N"
  %R = spec.dim "R" = [16]
  %C = spec.dim "C" = [%N ceildiv %R]
  %x = spec.input "x" : !spec.tensor<[N], f32>
  %y = spec.compute (%c: 0 to %C, %i: %c * %R to min(%N, %c * %R + %R + 1)) -> !spec.tensor<[N], f32> {
    %a = spec.read %x[%i] : f32
    spec.write %a to 0[%i]
  }
  spec.output "y" %y : !spec.tensor<[N], f32>
}

// -----

// CHECK: spec_writes.mlir:[[# @LINE + 7]]:5: error[OPW122]: result 0 has writes of two kinds: plain and add
spec.operator @TwoKinds {
  %N = spec.dim "N"
  %x = spec.input "x" : !spec.tensor<[N], f32>
  %y = spec.compute (%i: 0 to %N) -> !spec.tensor<[N], f32> {
    %a = spec.read %x[%i] : f32
    spec.write %a to 0[%i]
    spec.write add %a to 0[%i]
  }
  spec.output "y" %y : !spec.tensor<[N], f32>
}

// -----

// CHECK: spec_writes.mlir:[[# @LINE + 4]]:3: error[OPW123]: result 1 is never written
spec.operator @Unwritten {
  %N = spec.dim "N"
  %x = spec.input "x" : !spec.tensor<[N], f32>
  %y, %z = spec.compute (%i: 0 to %N) -> (!spec.tensor<[N], f32>, !spec.tensor<[N], f32>) {
    %a = spec.read %x[%i] : f32
    spec.write %a to 0[%i]
  }
  spec.output "y" %y : !spec.tensor<[N], f32>
}

// -----

// CHECK: spec_writes.mlir:[[# @LINE + 6]]:5: error[OPW124]: spec.write names result 1, the compute has 1
spec.operator @WrongNumber {
  %N = spec.dim "N"
  %x = spec.input "x" : !spec.tensor<[N], f32>
  %y = spec.compute (%i: 0 to %N) -> !spec.tensor<[N], f32> {
    %a = spec.read %x[%i] : f32
    spec.write %a to 1[%i]
  }
  spec.output "y" %y : !spec.tensor<[N], f32>
}
