// RUN: opwright-opt %s --split-input-file --verify-diagnostics --parsing-diagnostics | filecheck %s

// Where operations may stand.

// CHECK: spec_places.mlir:[[# @LINE + 1]]:1: error[OPW103]: 'spec.dim' does not stand directly in spec.operator
%N = spec.dim "N"

// -----

// CHECK: spec_places.mlir:[[# @LINE + 5]]:3: error[OPW103]: 'spec.read' stands outside spec.compute
spec.operator @ReadAtTop {
  %N = spec.dim "N"
  %zero = arith.constant 0 : index
  %x = spec.input "x" : !spec.tensor<[N], f32>
  %a = spec.read %x[%zero] : f32
}

// -----

// CHECK: spec_places.mlir:[[# @LINE + 6]]:5: error[OPW103]: 'spec.input' does not stand directly in spec.operator
spec.operator @InputInBody {
  %N = spec.dim "N"
  %x = spec.input "x" : !spec.tensor<[N], f32>
  %y = spec.compute (%i: 0 to %N) -> !spec.tensor<[N], f32> {
    %a = spec.read %x[%i] : f32
    %z = spec.input "z" : !spec.tensor<[N], f32>
    spec.write %a to 0[%i]
  }
  spec.output "y" %y : !spec.tensor<[N], f32>
}

// -----

// CHECK: spec_places.mlir:[[# @LINE + 2]]:3: error[OPW103]: spec.operator stands directly in a module
func.func @function() {
  spec.operator @InFunction {
    %N = spec.dim "N"
    %x = spec.input "x" : !spec.tensor<[N], f32>
    %y = spec.compute (%i: 0 to %N) -> !spec.tensor<[N], f32> {
      %a = spec.read %x[%i] : f32
      spec.write %a to 0[%i]
    }
    spec.output "y" %y : !spec.tensor<[N], f32>
  }
  func.return
}

// -----

// CHECK: spec_places.mlir:[[# @LINE + 3]]:3: error[OPW120]: spec.write stands outside spec.compute
spec.operator @WriteAtTop {
  %a = arith.constant 0.0 : f32
  spec.write %a to 0[0]
}

// -----

// CHECK: spec_places.mlir:[[# @LINE + 6]]:5: error[OPW134]: 'memref.alloca' cannot stand in the body of a compute
// CHECK: hint: a body holds spec.read, search, index, write and each, and operations of arith and math on scalars
spec.operator @Effects {
  %N = spec.dim "N"
  %x = spec.input "x" : !spec.tensor<[N], f32>
  %y = spec.compute (%i: 0 to %N) -> !spec.tensor<[N], f32> {
    %m = memref.alloca() : memref<1xf32>
    %a = spec.read %x[%i] : f32
    spec.write %a to 0[%i]
  }
  spec.output "y" %y : !spec.tensor<[N], f32>
}

// -----

// CHECK: spec_places.mlir:[[# @LINE + 5]]:5: error[OPW134]: 'arith.constant' works on vector<4xf32>, not on scalars
spec.operator @Vectors {
  %N = spec.dim "N"
  %x = spec.input "x" : !spec.tensor<[N], f32>
  %y = spec.compute (%i: 0 to %N) -> !spec.tensor<[N], f32> {
    %v = arith.constant dense<0.0> : vector<4xf32>
    %a = spec.read %x[%i] : f32
    spec.write %a to 0[%i]
  }
  spec.output "y" %y : !spec.tensor<[N], f32>
}

// -----

// CHECK: spec_places.mlir:[[# @LINE + 7]]:5: error[OPW139]: %later is used before it is defined
// CHECK: hint: computes stand in order of use
spec.operator @LaterCompute {
  %N = spec.dim "N"
  %x = spec.input "x" : !spec.tensor<[N], f32>
  %y = "spec.compute"(%N) <{lower = [#spec.map<(0)>], upper = [#spec.map<(d1)>]}> ({
  ^bb0(%i : index):
    %a = "spec.read"(%later, %i) <{indices = #spec.map<(d0)>, operandSegmentSizes = array<i32: 1, 1, 0, 0>}> : (!spec.tensor<[N], f32>, index) -> f32
    spec.write %a to 0[%i]
  }) : (index) -> !spec.tensor<[N], f32>
  %later = spec.compute (%i: 0 to %N) -> !spec.tensor<[N], f32> {
    %a = spec.read %x[%i] : f32
    spec.write %a to 0[%i]
  }
  spec.output "y" %y : !spec.tensor<[N], f32>
}

// -----

// In the operators' own syntax a value must stand above its use.
// CHECK: spec_places.mlir:[[# @LINE + 5]]:20: error[OPW001]: value %later is used but not defined above
spec.operator @LaterInSyntax {
  %N = spec.dim "N"
  %x = spec.input "x" : !spec.tensor<[N], f32>
  %y = spec.compute (%i: 0 to %N) -> !spec.tensor<[N], f32> {
    %a = spec.read %later[%i] : f32
    spec.write %a to 0[%i]
  }
  spec.output "y" %y : !spec.tensor<[N], f32>
}

// -----

// CHECK: spec_places.mlir:[[# @LINE + 6]]:5: error[OPW134]: 'arith.addui_extended' cannot stand in the body of a compute
spec.operator @TwoResults {
  %N = spec.dim "N"
  %x = spec.input "x" : !spec.tensor<[N], i32>
  %y = spec.compute (%i: 0 to %N) -> !spec.tensor<[N], i32> {
    %a = spec.read %x[%i] : i32
    %s, %o = arith.addui_extended %a, %a : i32, i1
    spec.write %s to 0[%i]
  }
  spec.output "y" %y : !spec.tensor<[N], i32>
}
