// RUN: opwright-opt %s --split-input-file --verify-diagnostics | filecheck %s

// Places of true elements.

// CHECK: spec_positions.mlir:[[# @LINE + 6]]:3: error[OPW148]: spec.positions looks for true elements in !spec.tensor<[T, E], i32>
// CHECK: hint: give booleans (i1), or bytes (i8) that stand for them
spec.operator @Numbers {
  %T = spec.dim "T"
  %E = spec.dim "E"
  %mask = spec.input "mask" : !spec.tensor<[T, E], i32>
  %list = spec.positions %mask : !spec.tensor<[T, 3], i32>
  spec.output "list" %list : !spec.tensor<[T, 3], i32>
}

// -----

// CHECK: spec_positions.mlir:[[# @LINE + 5]]:3: error[OPW149]: the places of true elements of !spec.tensor<[T, E], i1> cannot be !spec.tensor<[E, 3], i32>
spec.operator @OtherRows {
  %T = spec.dim "T"
  %E = spec.dim "E"
  %mask = spec.input "mask" : !spec.tensor<[T, E], i1>
  %list = spec.positions %mask : !spec.tensor<[E, 3], i32>
  spec.output "list" %list : !spec.tensor<[E, 3], i32>
}

// -----

// CHECK: spec_positions.mlir:[[# @LINE + 6]]:3: error[OPW149]: the places of true elements of !spec.tensor<[T, E], i1> cannot be !spec.tensor<[T, 3], f32>
// CHECK: hint: the dims are the same but for the last, which counts the places; they are i32
spec.operator @FloatPlaces {
  %T = spec.dim "T"
  %E = spec.dim "E"
  %mask = spec.input "mask" : !spec.tensor<[T, E], i1>
  %list = spec.positions %mask : !spec.tensor<[T, 3], f32>
  spec.output "list" %list : !spec.tensor<[T, 3], f32>
}

// -----

// CHECK: spec_positions.mlir:[[# @LINE + 12]]:3: error[OPW145]: spec.check depends on the places of true elements, which the device finds
spec.operator @Checked {
  %T = spec.dim "T"
  %ends = spec.input "ends" list : !spec.tensor<[T], i64>
  %mask = spec.input "mask" : !spec.tensor<[T, T], i1>
  %list = spec.positions %mask : !spec.tensor<[T, 1], i32>
  %a = spec.compute (%t: 0 to %T) -> !spec.tensor<[T], i64> {
    %p = spec.read %list[%t, 0] : i32
    %q = arith.extsi %p : i32 to i64
    spec.write %q to 0[%t]
  }
  spec.output "list" %list : !spec.tensor<[T, 1], i32>
  spec.check %a <= %a code 1
}
