// RUN: not opwright 2>&1 | filecheck %s --check-prefix=NONE
// RUN: not opwright explain 2>&1 | filecheck %s --check-prefix=VERB
// RUN: not opwright show Blur 2>&1 | filecheck %s --check-prefix=NAME
// RUN: not opwright show %s.mlir 2>&1 | filecheck %s --check-prefix=FILE
// RUN: not opwright show MaskedCausalConv1dBackward --after tile --variant f64 2>&1 | filecheck %s --check-prefix=VARIANT
// RUN: not opwright show MaskedCausalConv1dBackward --after melt 2>&1 | filecheck %s --check-prefix=PASS
// RUN: not opwright build %s -o %t 2>&1 | filecheck %s --check-prefix=TARGET
// RUN: not opwright build %s --target ascend310 -o %t 2>&1 | filecheck %s --check-prefix=CHIP
// RUN: not opwright build %s --target cpu -o %s 2>&1 | filecheck %s --check-prefix=FOLDER
// RUN: not opwright run %s --in %s --out %t.npz 2>&1 | filecheck %s --check-prefix=BACKEND
// RUN: not opwright run %s --backend numpy --in %s --out %t.npz 2>&1 | filecheck %s --check-prefix=NPZ
// RUN: not opwright run %s --backend numpy --in %s.npz --out %t.npz 2>&1 | filecheck %s --check-prefix=INPUT
// RUN: not opwright run %s --backend numpy --in %s --out %t.none/out.npz 2>&1 | filecheck %s --check-prefix=OUTPUT
// RUN: not opwright run %s --backend numpy --in %s --out %t.npz --attr scale 2>&1 | filecheck %s --check-prefix=ATTR
// RUN: not opwright run %s --backend numpy --in %s --out %t.npz --attr scale=x 2>&1 | filecheck %s --check-prefix=VALUE
// RUN: not opwright run %s --backend numpy --in %s --out %t.npz --attr scale=1 --attr scale=2 2>&1 | filecheck %s --check-prefix=TWICE
// RUN: not opwright run %s --backend numpy --in %s --out %t.npz --cores 0 2>&1 | filecheck %s --check-prefix=CORES
// RUN: not opwright run %s --backend ascendc --target cpu --in %s --out %t.npz 2>&1 | filecheck %s --check-prefix=ENGINE
// RUN: not opwright verify %s --backend ascendc --target cpu 2>&1 | filecheck %s --check-prefix=NOTHING
// RUN: not opwright verify %s --backend numpy --target cpu --cases 0 2>&1 | filecheck %s --check-prefix=CASES
// RUN: not opwright verify %s --backend numpy --target cpu --seed -1 2>&1 | filecheck %s --check-prefix=SEED
// RUN: not opwright verify %s --backend numpy --target cpu 2>&1 | filecheck %s --check-prefix=INTEGERS
// RUN: not opwright verify --backend numpy MaskedCausalConv1dBackward 2>&1 | filecheck %s --check-prefix=ORDER

spec.operator @Take {
  %N = spec.dim "N"
  %M = spec.dim "M"
  %scale = spec.attr "scale" default 2 : i32
  %x = spec.input "x" : !spec.tensor<[N], f32>
  %p = spec.input "places" : !spec.tensor<[M], i32>
  %y = spec.compute (%i: 0 to %M) -> !spec.tensor<[M], f32> {
    %q = spec.read %p[%i] : index
    %a = spec.read %x[%q] : f32
    spec.write %a to 0[%i]
  }
  spec.output "y" %y : !spec.tensor<[M], f32>
}

// NONE: error[OPW003]: the following arguments are required: COMMAND
// VERB: error[OPW003]: argument COMMAND: invalid choice: 'explain'
// NAME: error[OPW160]: the library has no operator 'Blur'
// FILE: error[OPW004]: cannot open '{{.*}}refusals.mlir.mlir': No such file or directory
// VARIANT: error[OPW017]: there is no variant 'f64'
// VARIANT-NEXT: hint: variants: f16, f16_maskOptional, bf16, bf16_maskOptional
// PASS: error[OPW012]: the pipeline of c on cpu has no pass 'melt'
// TARGET: error[OPW003]: the following arguments are required: --target
// TARGET-NEXT: hint: opwright build --help tells all arguments
// CHIP: error[OPW003]: argument --target: there is no target 'ascend310' (targets: {{.*}}ascend910b
// FOLDER: error[OPW004]: cannot open '{{.*}}refusals.mlir
// BACKEND: error[OPW003]: give --backend, or --after
// NPZ: error[OPW015]: '{{.*}}refusals.mlir' is no npz file: it holds one array, or no arrays at all
// INPUT: error[OPW004]: cannot open '{{.*}}refusals.mlir.npz': No such file or directory
// OUTPUT: error[OPW004]: cannot open '{{.*}}.none/out.npz': No such file or directory
// ATTR: error[OPW016]: attribute 'scale' has no '='
// ATTR-NEXT: hint: --attr name=value
// VALUE: error[OPW016]: attribute 'scale' is 'x', it must be of type i32
// TWICE: error[OPW016]: attribute 'scale' is given twice
// CORES: error[OPW013]: the number of cores is 0, it must be at least 1
// ENGINE: error[OPW011]: backend 'ascendc' does not run target 'cpu'
// ENGINE-NEXT: hint: it runs: ascend910b, ascend910_93, ascend950
// NOTHING: error[OPW011]: nothing to verify: ascendc does not run cpu
// CASES: error[OPW013]: the number of cases is 0, it must be at least 1
// SEED: error[OPW013]: seed, case and strict must not be negative
// INTEGERS: refusals.mlir:30:3: error[OPW014]: no random cases for 'places', whose elements are indices
// INTEGERS: hint: say which with spec.places, or use 'opwright run'
// ORDER: error[OPW003]: argument --backend: invalid choice: 'MaskedCausalConv1dBackward'
