// RUN: opwright list | filecheck %s
// RUN: opwright list --json | filecheck %s --check-prefix=JSON

//      CHECK: operator {{ *}}inputs {{ *}}outputs {{ *}}dtypes
// CHECK-NEXT: -------- {{.*}}
//      CHECK: MaskedCausalConv1dBackward  gradY, x, weight, [maskOptional]  gradXOut, gradWeightOut  T = f16 | T = bf16

// JSON: "name": "MaskedCausalConv1dBackward",
// JSON: "equations": [
