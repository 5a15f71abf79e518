// RUN: opwright-opt %s | opwright-opt | filecheck %s
// RUN: opwright-opt %s --print-op-generic | opwright-opt | filecheck %s

// Every operation in its own syntax, printed as it was read, also through the generic form.

// CHECK-LABEL: spec.operator @Everything {
spec.operator @Everything {
  // CHECK-NEXT: %N = spec.dim "N"
  %N = spec.dim "N"
  // CHECK-NEXT: %R = spec.dim "R"
  %R = spec.dim "R"
  // CHECK-NEXT: %W = spec.dim "W" = [3]
  %W = spec.dim "W" = [3]
  // CHECK-NEXT: %P = spec.attr "stride" default 16 : index
  %P = spec.attr "stride" default 16 : index
  // CHECK-NEXT: %eps = spec.attr "eps" default 1.000000e-05 : f32
  %eps = spec.attr "eps" default 1.0e-5 : f32
  // CHECK-NEXT: %flag = spec.attr "flag" default false : i1
  %flag = spec.attr "flag" default false : i1
  // CHECK-NEXT: %kind = spec.attr "kind" default -1 allowed [-1, 2] code 561002 : i64
  %kind = spec.attr "kind" default -1 allowed [-1, 2] code 561002 : i64
  // CHECK-NEXT: %layout = spec.attr "layout" default "TND" allowed ["TND"] code 161002 : !spec.string
  %layout = spec.attr "layout" default "TND" allowed ["TND"] code 161002 : !spec.string
  // CHECK-NEXT: %K = spec.dim "K" = [%N ceildiv %P - 2 * (%N mod %P) floordiv %W]
  %K = spec.dim "K" = [%N ceildiv %P - 2 * (%N mod %P) floordiv %W]
  // CHECK-NEXT: %x = spec.input "x" : !spec.tensor<[N, 4], T>
  %x = spec.input "x" : !spec.tensor<[N, 4], T>
  // CHECK-NEXT: %mask = spec.input "mask" optional : !spec.tensor<[N], i1>
  %mask = spec.input "mask" optional : !spec.tensor<[N], i1>
  // CHECK-NEXT: %act = spec.input "act" optional list default [%N] : !spec.tensor<[R], i64>
  %act = spec.input "act" optional list default [%N] : !spec.tensor<[R], i64>
  // CHECK-NEXT: spec.columns ["T", "U"] {{\[\[}}f16, f32], [bf16, bf16]] code 161002
  spec.columns ["T", "U"] [[f16, f32], [bf16, bf16]] code 161002
  // CHECK-NEXT: spec.require [%P] >= [1] code 561002
  spec.require [%P] >= [1] code 561002
  // CHECK-NEXT: spec.require [%N mod %P, %N] == [0, %R] code 561002
  spec.require [%N mod %P, %N] == [0, %R] code 561002
  %true = arith.constant true
  // CHECK: %given = spec.given %mask
  %given = spec.given %mask
  // CHECK-NEXT: %count = spec.compute (%b: 0 to %R) -> !spec.tensor<[R], i64> {
  %count = spec.compute (%b: 0 to %R) -> !spec.tensor<[R], i64> {
    // CHECK-NEXT: %n = spec.read %act[%b] : i64
    %n = spec.read %act[%b] : i64
    spec.write %n to 0[%b]
  }
  // CHECK: %offset = spec.scan exclusive %count dim 0 : !spec.tensor<[R], i64>
  %offset = spec.scan exclusive %count dim 0 : !spec.tensor<[R], i64>
  // CHECK-NEXT: %total = spec.scan %count dim 0 : !spec.tensor<[R], i64>
  %total = spec.scan %count dim 0 : !spec.tensor<[R], i64>
  // CHECK-NEXT: %y, %z = spec.compute (%b_1: 0 to %R, %h: 0 to 4) -> (!spec.tensor<[N, 4], T>, !spec.tensor<[4], U>) {
  %y, %z = spec.compute (%b: 0 to %R, %h: 0 to 4) -> (!spec.tensor<[N, 4], T>, !spec.tensor<[4], U>) {
    // CHECK-NEXT: %begin = spec.read %offset[%b_1] : index
    %begin = spec.read %offset[%b] : index
    // CHECK-NEXT: %end = spec.read %total[%b_1] : index
    %end = spec.read %total[%b] : index
    // CHECK-NEXT: %q = spec.index [%end - %begin]
    %q = spec.index [%end - %begin]
    // CHECK-NEXT: spec.each (%t: max(%begin, 0) to min(%end, %begin + 8), %w: 0 to %q) {
    spec.each (%t: max(%begin, 0) to min(%end, %begin + 8), %w: 0 to %q) {
      // CHECK-NEXT: %a = spec.read %x[%t + %w, %h] else %eps : f32
      %a = spec.read %x[%t + %w, %h] else %eps : f32
      // CHECK-NEXT: %keep = spec.read %mask[%t] absent %true : i1
      %keep = spec.read %mask[%t] absent %true : i1
      // CHECK-NEXT: spec.write add %a to 0[%t, %h] if %keep
      spec.write add %a to 0[%t, %h] if %keep
      // CHECK-NEXT: spec.write max %a to 1[%h]
      spec.write max %a to 1[%h]
    }
  }
  // CHECK: %s = spec.compute (%b_2: 0 to %R) -> !spec.tensor<[N], i64> {
  %s = spec.compute (%b: 0 to %R) -> !spec.tensor<[N], i64> {
    %place = spec.read %offset[%b] : index
    %n = spec.read %count[%b] : i64
    // CHECK: spec.write %{{.*}} to 0[%place] unique if %given
    spec.write %n to 0[%place] unique if %given
  }
  // CHECK: spec.output "y" %y : !spec.tensor<[N, 4], T>
  spec.output "y" %y : !spec.tensor<[N, 4], T>
  // CHECK-NEXT: spec.output "z" optional %z : !spec.tensor<[4], U>
  spec.output "z" optional %z : !spec.tensor<[4], U>
  spec.output "s" %s : !spec.tensor<[N], i64>
}
