// RUN: opwright-opt %s --split-input-file --verify-diagnostics | filecheck %s

// Types of what is read and written; optional tensors.

// CHECK: spec_elements.mlir:[[# @LINE + 7]]:5: error[OPW130]: elements of !spec.tensor<[N], T> are not read as f16
// CHECK: hint: they are read as f32
spec.operator @ReadType {
  %N = spec.dim "N"
  %x = spec.input "x" : !spec.tensor<[N], T>
  spec.columns ["T"] [[f16], [bf16]]
  %y = spec.compute (%i: 0 to %N) -> !spec.tensor<[N], f16> {
    %a = spec.read %x[%i] : f16
    spec.write %a to 0[%i]
  }
  spec.output "y" %y : !spec.tensor<[N], f16>
}

// -----

// CHECK: spec_elements.mlir:[[# @LINE + 5]]:5: error[OPW130]: elements of !spec.tensor<[N], f32> are not read as index
spec.operator @FloatAsIndex {
  %N = spec.dim "N"
  %x = spec.input "x" : !spec.tensor<[N], f32>
  %y = spec.compute (%i: 0 to %N) -> !spec.tensor<[N], i64> {
    %a = spec.read %x[%i] : index
    %b = arith.index_cast %a : index to i64
    spec.write %b to 0[%i]
  }
  spec.output "y" %y : !spec.tensor<[N], i64>
}

// -----

// The elements of an integer variable place elements, and nothing else.
// CHECK: spec_elements.mlir:[[# @LINE + 7]]:5: error[OPW130]: elements of !spec.tensor<[N], T> are not read as f32
// CHECK: hint: they are read as index
spec.operator @IntegerVariable {
  %N = spec.dim "N"
  %x = spec.input "x" : !spec.tensor<[N], T>
  spec.columns ["T"] [[i32], [i64]]
  %y = spec.compute (%i: 0 to %N) -> !spec.tensor<[N], f32> {
    %a = spec.read %x[%i] : f32
    spec.write %a to 0[%i]
  }
  spec.output "y" %y : !spec.tensor<[N], f32>
}

// -----

// CHECK: spec_elements.mlir:[[# @LINE + 6]]:5: error[OPW131]: 'else' is of type i32, the element is f32
spec.operator @ElseType {
  %N = spec.dim "N"
  %zero = arith.constant 0 : i32
  %x = spec.input "x" : !spec.tensor<[N], f32>
  %y = spec.compute (%i: 0 to %N) -> !spec.tensor<[N], f32> {
    %a = spec.read %x[%i + 1] else %zero : f32
    spec.write %a to 0[%i]
  }
  spec.output "y" %y : !spec.tensor<[N], f32>
}

// -----

// CHECK: spec_elements.mlir:[[# @LINE + 7]]:5: error[OPW131]: 'absent' is of type i1, the element is f32
spec.operator @AbsentType {
  %N = spec.dim "N"
  %true = arith.constant true
  %x = spec.input "x" : !spec.tensor<[N], f32>
  %m = spec.input "m" optional : !spec.tensor<[N], f32>
  %y = spec.compute (%i: 0 to %N) -> !spec.tensor<[N], f32> {
    %a = spec.read %m[%i] absent %true : f32
    spec.write %a to 0[%i]
  }
  spec.output "y" %y : !spec.tensor<[N], f32>
}

// -----

// CHECK: spec_elements.mlir:[[# @LINE + 6]]:5: error[OPW132]: an optional tensor is read without a value for its absence
spec.operator @NoAbsent {
  %N = spec.dim "N"
  %x = spec.input "x" : !spec.tensor<[N], f32>
  %m = spec.input "m" optional : !spec.tensor<[N], f32>
  %y = spec.compute (%i: 0 to %N) -> !spec.tensor<[N], f32> {
    %a = spec.read %m[%i] : f32
    spec.write %a to 0[%i]
  }
  spec.output "y" %y : !spec.tensor<[N], f32>
}

// -----

// CHECK: spec_elements.mlir:[[# @LINE + 6]]:5: error[OPW133]: 'absent' stands at a tensor that is always there
spec.operator @NeverAbsent {
  %N = spec.dim "N"
  %zero = arith.constant 0.0 : f32
  %x = spec.input "x" : !spec.tensor<[N], f32>
  %y = spec.compute (%i: 0 to %N) -> !spec.tensor<[N], f32> {
    %a = spec.read %x[%i] absent %zero : f32
    spec.write %a to 0[%i]
  }
  spec.output "y" %y : !spec.tensor<[N], f32>
}

// -----

// CHECK: spec_elements.mlir:[[# @LINE + 7]]:5: error[OPW125]: a value of type f32 is written to elements of i32
// CHECK: hint: they take i32
spec.operator @ValueType {
  %N = spec.dim "N"
  %x = spec.input "x" : !spec.tensor<[N], f32>
  %y = spec.compute (%i: 0 to %N) -> !spec.tensor<[N], i32> {
    %a = spec.read %x[%i] : f32
    spec.write %a to 0[%i]
  }
  spec.output "y" %y : !spec.tensor<[N], i32>
}

// -----

// CHECK: spec_elements.mlir:[[# @LINE + 6]]:5: error[OPW126]: booleans do not combine by 'max'
spec.operator @BooleanMax {
  %N = spec.dim "N"
  %x = spec.input "x" : !spec.tensor<[N], i1>
  %y = spec.compute (%i: 0 to %N) -> !spec.tensor<[1], i1> {
    %a = spec.read %x[%i] : i1
    spec.write max %a to 0[0]
  }
  spec.output "y" %y : !spec.tensor<[1], i1>
}

// -----

// CHECK: spec_elements.mlir:[[# @LINE + 7]]:5: error[OPW135]: the guard is of type i8, not i1
spec.operator @Guard {
  %N = spec.dim "N"
  %x = spec.input "x" : !spec.tensor<[N], i8>
  %y = spec.compute (%i: 0 to %N) -> !spec.tensor<[N], i8> {
    %a = spec.read %x[%i] : i8
    %b = arith.addi %a, %a : i8
    spec.write %a to 0[%i] if %b
  }
  spec.output "y" %y : !spec.tensor<[N], i8>
}
