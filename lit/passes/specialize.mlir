// RUN: opwright-opt %s -p 'specialize{column=1 present=mask}' --split-input-file | filecheck %s
// RUN: opwright-opt %s -p specialize --split-input-file | filecheck %s --check-prefix=BARE

// The chosen column, a constant dim, an optional input that is given and one that is not. Values that are read have the
// name of their tensor.
// CHECK: spec.operator @row_sum_bf16_mask {
// CHECK-NOT: spec.dim "W"
// CHECK-NOT: spec.columns
// CHECK: %w = spec.input "w" : !spec.tensor<[3, H], bf16>
// CHECK-NEXT: %mask = spec.input "mask" : !spec.tensor<[N], i1>
// CHECK-NOT: "bias"
// CHECK: spec.require [%N * 3] <= [524288] code 561002
// CHECK-NOT: spec.require
// CHECK: spec.compute (%i: 0 to %N, %h: 0 to %H, %k: 0 to 3) -> !spec.tensor<[N, H], bf16> {
// CHECK-NEXT: %mask_1 = spec.read %mask[%i] : i1
// CHECK-NEXT: %w_1 = spec.read %w[2 - %k, %h] : f32
// CHECK-NEXT: %0 = arith.select %mask_1, %w_1, %zero : f32
// CHECK-NEXT: %1 = arith.addf %0, %zero : f32
// CHECK-NEXT: spec.write add %1 to 0[%i, %h]
// CHECK: spec.output "y" %y : !spec.tensor<[N, H], bf16>

// The first column, and neither optional input: N, which only the output names now, stays a dim.
// BARE: spec.operator @row_sum_f16 {
// BARE: spec.dim "N"
// BARE-NOT: spec.input "mask"
// BARE: spec.compute (%i: 0 to %N, %h: 0 to %H, %k: 0 to 3) -> !spec.tensor<[N, H], f16> {
// BARE: arith.select %true, %w_1, %zero : f32
spec.operator @RowSum {
  %N = spec.dim "N"
  %H = spec.dim "H"
  %W = spec.dim "W" = [3]
  %w = spec.input "w" : !spec.tensor<[W, H], T>
  %mask = spec.input "mask" optional : !spec.tensor<[N], i1>
  %bias = spec.input "bias" optional : !spec.tensor<[N], T>
  spec.columns ["T"] [[f16], [bf16]] code 161002
  spec.require [%W] >= [1] code 561002
  spec.require [%W * %N] <= [524288] code 561002
  %zero = arith.constant 0.0 : f32
  %true = arith.constant true
  %y = spec.compute (%i: 0 to %N, %h: 0 to %H, %k: 0 to %W) -> !spec.tensor<[N, H], T> {
    %keep = spec.read %mask[%i] absent %true : i1
    %a = spec.read %w[%W - 1 - %k, %h] : f32
    %v = arith.select %keep, %a, %zero : f32
    %b = spec.read %bias[%i] else %zero absent %zero : f32
    %c = arith.addf %v, %b : f32
    spec.write add %c to 0[%i, %h]
  }
  spec.output "y" %y : !spec.tensor<[N, H], T>
}

// -----

// A constant dim as data, in a definition, in an inner nest; whether an input is given becomes a constant.
// CHECK: spec.operator @data_mask {
// CHECK: %M = spec.dim "M" = [%N + 4]
// CHECK: %0 = spec.index [4]
// CHECK-NEXT: %n = arith.index_cast %0 : index to i32
// CHECK-NEXT: %given = arith.constant true
// CHECK: arith.select %given, %n, %x_1 : i32
// CHECK: spec.each (%k: 0 to 4) {
// CHECK: spec.write add %1 to 0[%i]
// BARE: spec.operator @data {
// BARE: %given = arith.constant false
spec.operator @Data {
  %N = spec.dim "N"
  %K = spec.dim "K" = [4]
  %M = spec.dim "M" = [%N + %K]
  %x = spec.input "x" : !spec.tensor<[N], i32>
  %mask = spec.input "mask" optional : !spec.tensor<[N], i1>
  %n = arith.index_cast %K : index to i32
  %given = spec.given %mask
  %one = arith.constant 1 : i32
  %y = spec.compute (%i: 0 to %M) -> !spec.tensor<[M], i32> {
    %a = spec.read %x[%i] else %one : i32
    %v = arith.select %given, %n, %a : i32
    spec.each (%k: 0 to %K) {
      spec.write add %v to 0[%i]
    }
  }
  spec.output "y" %y : !spec.tensor<[M], i32>
}

// -----

// A dim that neither inputs nor outputs name any more is 0.
// BARE: spec.operator @counted {
// BARE-NOT: spec.dim "L"
// BARE: spec.compute (%i: 0 to %N, %l: 0 to 0) -> !spec.tensor<[N], f32> {
spec.operator @Counted {
  %N = spec.dim "N"
  %L = spec.dim "L"
  %x = spec.input "x" : !spec.tensor<[N], f32>
  %mask = spec.input "mask" optional : !spec.tensor<[N], i1>
  %like = spec.input "like" optional : !spec.tensor<[L], f32>
  %y = spec.compute (%i: 0 to %N, %l: 0 to %L) -> !spec.tensor<[N], f32> {
    %a = spec.read %x[%i] : f32
    spec.write add %a to 0[%i]
  }
  spec.output "y" %y : !spec.tensor<[N], f32>
}

// -----

// An optional list with a default is an ordinary input: the host passes the default.
// CHECK: spec.operator @listed_mask {
// CHECK: %act = spec.input "act" list : !spec.tensor<[R], i64>
spec.operator @Listed {
  %N = spec.dim "N"
  %R = spec.dim "R"
  %x = spec.input "x" : !spec.tensor<[N], f32>
  %act = spec.input "act" optional list default [%N] : !spec.tensor<[R], i64>
  %mask = spec.input "mask" optional : !spec.tensor<[N], i1>
  %y = spec.compute (%r: 0 to %R) -> !spec.tensor<[R], i64> {
    %a = spec.read %act[%r] : i64
    spec.write %a to 0[%r]
  }
  spec.output "y" %y : !spec.tensor<[R], i64>
}
