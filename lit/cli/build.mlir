// RUN: opwright build %s --target cpu -o %t | filecheck %s
// RUN: opwright build %s --target ascend950 -o %t | filecheck %s --check-prefix=CHIP

spec.operator @Twice {
  %N = spec.dim "N"
  %M = spec.dim "M"
  spec.columns ["T"] [[f32]]
  %x = spec.input "x" : !spec.tensor<[N, M], T>
  %two = arith.constant 2.0 : f32
  %y = spec.compute (%i: 0 to %N, %j: 0 to %M) -> !spec.tensor<[N, M], T> {
    %a = spec.read %x[%i, %j] : f32
    %b = arith.mulf %a, %two : f32
    spec.write %b to 0[%i, %j]
  }
  spec.output "y" %y : !spec.tensor<[N, M], T>
}

//      CHECK: {{.*}}/f32/twice_f32.c
// CHECK-NEXT: {{.*}}/f32/twice_f32.py
// CHECK-NEXT: {{.*}}/README.md

//      CHIP: {{.*}}/f32/twice_f32.cpp
// CHIP-NEXT: {{.*}}/f32/twice_f32_tiling.h
// CHIP-NEXT: {{.*}}/f32/twice_f32_tiling.cpp
// CHIP-NEXT: {{.*}}/README.md
