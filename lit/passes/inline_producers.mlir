// RUN: opwright-opt %s -p inline-producers --split-input-file | filecheck %s

// Where the producer is read outside its tensor, its own reads give 0, and so does their product.
// CHECK-LABEL: spec.operator @Plain
// CHECK: %y = spec.compute (%i: 0 to %N) -> !spec.tensor<[N], f32> {
// CHECK-NEXT: %0 = arith.constant false
// CHECK-NEXT: %keep = spec.read %mask[%i + 1] else %0 : i1
// CHECK-NEXT: %1 = arith.constant 0.000000e+00 : f32
// CHECK-NEXT: %a = spec.read %x[%i + 1] else %1 : f32
// CHECK-NEXT: %b = arith.select %keep, %a, %zero : f32
// CHECK-NEXT: spec.write %b to 0[%i]
// CHECK-NEXT: }
// CHECK-NOT: spec.compute
spec.operator @Plain {
  %N = spec.dim "N"
  %x = spec.input "x" : !spec.tensor<[N], f32>
  %mask = spec.input "mask" : !spec.tensor<[N], i1>
  %zero = arith.constant 0.0 : f32
  %g = spec.compute (%i: 0 to %N) -> !spec.tensor<[N], f32> {
    %keep = spec.read %mask[%i] : i1
    %a = spec.read %x[%i] : f32
    %b = arith.select %keep, %a, %zero : f32
    spec.write %b to 0[%i]
  }
  %y = spec.compute (%i: 0 to %N) -> !spec.tensor<[N], f32> {
    %v = spec.read %g[%i + 1] else %zero : f32
    spec.write %v to 0[%i]
  }
  spec.output "y" %y : !spec.tensor<[N], f32>
}

// -----

// A read inside the tensor needs no `else`; each read gets a copy of the body.
// CHECK-LABEL: spec.operator @Inside
// CHECK: %a = spec.read %x[%i] : f32
// CHECK-NEXT: %b = arith.negf %a : f32
// CHECK-NEXT: %a_1 = spec.read %x[%N - %i - 1] : f32
// CHECK-NEXT: %b_1 = arith.negf %a_1 : f32
// CHECK-NEXT: %s = arith.addf %b, %b_1 : f32
spec.operator @Inside {
  %N = spec.dim "N"
  %x = spec.input "x" : !spec.tensor<[N], f32>
  %g = spec.compute (%i: 0 to %N) -> !spec.tensor<[N], f32> {
    %a = spec.read %x[%i] : f32
    %b = arith.negf %a : f32
    spec.write %b to 0[%i]
  }
  %y = spec.compute (%i: 0 to %N) -> !spec.tensor<[N], f32> {
    %u = spec.read %g[%i] : f32
    %v = spec.read %g[%N - 1 - %i] : f32
    %s = arith.addf %u, %v : f32
    spec.write %s to 0[%i]
  }
  spec.output "y" %y : !spec.tensor<[N], f32>
}

// -----

// The body gives exp(0) = 1 outside, not 0: a comparison of the index selects. i - 1 is never behind the end.
// CHECK-LABEL: spec.operator @Guarded
// CHECK: %a = spec.read %x[%i - 1] else %0 : f32
// CHECK-NEXT: %b = math.exp %a : f32
// CHECK-NEXT: %1 = spec.index [%i - 1]
// CHECK-NEXT: %2 = arith.constant 0 : index
// CHECK-NEXT: %3 = arith.cmpi sge, %1, %2 : index
// CHECK-NEXT: %v = arith.select %3, %b, %zero : f32
// CHECK-NEXT: spec.write %v to 0[%i]
spec.operator @Guarded {
  %N = spec.dim "N"
  %x = spec.input "x" : !spec.tensor<[N], f32>
  %zero = arith.constant 0.0 : f32
  %g = spec.compute (%i: 0 to %N) -> !spec.tensor<[N], f32> {
    %a = spec.read %x[%i] : f32
    %b = math.exp %a : f32
    spec.write %b to 0[%i]
  }
  %y = spec.compute (%i: 0 to %N) -> !spec.tensor<[N], f32> {
    %v = spec.read %g[%i - 1] else %zero : f32
    spec.write %v to 0[%i]
  }
  spec.output "y" %y : !spec.tensor<[N], f32>
}

// -----

// An index that may leave on both sides takes two comparisons; each dim of the producer has its own.
// CHECK-LABEL: spec.operator @BothSides
// CHECK: %a = spec.read %x[%i - %j, %h + 1] else %0 : f32
// CHECK: %1 = spec.index [%i - %j]
// CHECK: arith.cmpi sge, %1, %2 : index
// CHECK-NEXT: arith.cmpi slt, %1, %N : index
// CHECK-NEXT: arith.select %3, %b, %one : f32
// CHECK-NEXT: arith.select %4, %5, %one : f32
// CHECK-NEXT: %7 = spec.index [%h + 1]
// CHECK-NEXT: %8 = arith.cmpi slt, %7, %H : index
// CHECK-NEXT: %v = arith.select %8, %6, %one : f32
// CHECK-NEXT: spec.write add %v to 0[%i, %h]
spec.operator @BothSides {
  %N = spec.dim "N"
  %H = spec.dim "H"
  %x = spec.input "x" : !spec.tensor<[N, H], f32>
  %one = arith.constant 1.0 : f32
  %g = spec.compute (%i: 0 to %N, %h: 0 to %H) -> !spec.tensor<[N, H], f32> {
    %a = spec.read %x[%i, %h] : f32
    %b = arith.negf %a : f32
    spec.write %b to 0[%i, %h]
  }
  %y = spec.compute (%i: 0 to %N, %h: 0 to %H, %j: 0 to %N) -> !spec.tensor<[N, H], f32> {
    %v = spec.read %g[%i - %j, %h + 1] else %one : f32
    spec.write add %v to 0[%i, %h]
  }
  spec.output "y" %y : !spec.tensor<[N, H], f32>
}

// -----

// A read of the body that leaves its tensor before the producer leaves its range gets an `else` too.
// CHECK-LABEL: spec.operator @Strided
// CHECK: %a = spec.read %x[%i * 2 + 3] else %0 : f32
// CHECK: %v = arith.select
spec.operator @Strided {
  %M = spec.dim "M"
  %N = spec.dim "N" = [%M floordiv 2]
  %x = spec.input "x" : !spec.tensor<[M], f32>
  %zero = arith.constant 0.0 : f32
  %g = spec.compute (%i: 0 to %N) -> !spec.tensor<[N], f32> {
    %a = spec.read %x[2 * %i + 1] : f32
    spec.write %a to 0[%i]
  }
  %y = spec.compute (%i: 0 to %N) -> !spec.tensor<[N], f32> {
    %v = spec.read %g[%i + 1] else %zero : f32
    spec.write %v to 0[%i]
  }
  spec.output "y" %y : !spec.tensor<[N], f32>
}

// -----

// What is an output, a sum, or not written everywhere stays: its value is not that of one point's body.
// CHECK-LABEL: spec.operator @Stays
// CHECK: %g = spec.compute
// CHECK: %s = spec.compute
// CHECK: %t = spec.compute
// CHECK: %y = spec.compute
// CHECK-NEXT: %u = spec.read %g[%i_3]
// CHECK-NEXT: %v = spec.read %s[%i_3]
// CHECK-NEXT: %w = spec.read %t[%i_3, 0]
spec.operator @Stays {
  %N = spec.dim "N"
  %x = spec.input "x" : !spec.tensor<[N, N], f32>
  %zero = arith.constant 0.0 : f32
  %g = spec.compute (%i: 0 to %N) -> !spec.tensor<[N], f32> {
    %a = spec.read %x[%i, 0] else %zero : f32
    spec.write %a to 0[%i]
  }
  %s = spec.compute (%i: 0 to %N, %j: 0 to %N) -> !spec.tensor<[N], f32> {
    %a = spec.read %x[%i, %j] : f32
    spec.write add %a to 0[%i]
  }
  %t = spec.compute (%i: 0 to %N, %j: 0 to %i) -> !spec.tensor<[N, N], f32> {
    %a = spec.read %x[%i, %j] : f32
    spec.write %a to 0[%i, %j]
  }
  %y = spec.compute (%i: 0 to %N) -> !spec.tensor<[N], f32> {
    %u = spec.read %g[%i] : f32
    %v = spec.read %s[%i] : f32
    %w = spec.read %t[%i, 0] else %zero : f32
    %p = arith.addf %u, %v : f32
    %q = arith.addf %p, %w : f32
    spec.write %q to 0[%i]
  }
  spec.output "g" %g : !spec.tensor<[N], f32>
  spec.output "y" %y : !spec.tensor<[N], f32>
}
