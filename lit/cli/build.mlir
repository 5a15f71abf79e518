// RUN: opwright build %s --target cpu -o %t | filecheck %s
// RUN: opwright build %s --target ascend950 -o %t | filecheck %s --check-prefix=CHIP
// RUN: opwright build %s --target ascend950 --layout launch -o %t | filecheck %s --check-prefix=LAUNCH

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

//     CHIP: {{.*}}/op_host/twice/twice_def.cpp
//     CHIP: {{.*}}/op_host/twice/twice_tiling.cpp
//     CHIP: {{.*}}/op_host/twice/dav_3510/twice_f32_tiling.cpp
//     CHIP: {{.*}}/op_api/twice/aclnn_twice.cpp
//     CHIP: {{.*}}/op_kernel/twice/twice.cpp
//     CHIP: {{.*}}/op_kernel/twice/dav_3510/twice_f32.h
//     CHIP: {{.*}}/examples/test_aclnn_twice.cpp
//     CHIP: {{.*}}/CMakeLists.txt
//     CHIP: {{.*}}/README.md
// CHIP-NOT: {{.}}

//      LAUNCH: {{.*}}/dav_3510/twice_f32.asc
// LAUNCH-NEXT: {{.*}}/README.md
// LAUNCH-NOT: {{.}}
