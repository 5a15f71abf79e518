// RUN: opwright emulate %S/Inputs/kernels.cpp --kernel fill --target ascend910b --cores 2 -a z=float32[128] -a value=float32:0.5 -o %t | filecheck %s --check-prefix=CLEAN
// RUN: not opwright emulate %S/Inputs/kernels.cpp --kernel fill --target ascend910b --cores 2 -a z=float32[64] -a value=float32:0.5 | filecheck %s --check-prefix=FOUND
// RUN: opwright emulate %S/Inputs/kernels.cpp --kernel "nothing<half>" --target ascend910b --cores 1 -a z=null --json | filecheck %s --check-prefix=JSON
// RUN: not opwright emulate %S/Inputs/wrong.cpp --target ascend910b -a z=null 2>&1 | filecheck %s --check-prefix=COMPILE
// RUN: not opwright emulate %S/Inputs/kernels.cpp --target ascend910b 2>&1 | filecheck %s --check-prefix=SEVERAL
// RUN: not opwright emulate %s --target ascend910b 2>&1 | filecheck %s --check-prefix=NONE
// RUN: not opwright emulate %S/Inputs/kernels.cpp --kernel two --target ascend910b 2>&1 | filecheck %s --check-prefix=NAME
// RUN: not opwright emulate %S/Inputs/kernels.cpp --kernel nothing --target ascend910b -a z=null 2>&1 | filecheck %s --check-prefix=TEMPLATE
// RUN: not opwright emulate %S/Inputs/kernels.cpp --kernel fill --target ascend910b -a z=float32[64] 2>&1 | filecheck %s --check-prefix=COUNT
// RUN: not opwright emulate %S/Inputs/kernels.cpp --kernel fill --target ascend910b -a value=null -a z=null 2>&1 | filecheck %s --check-prefix=PLACE
// RUN: not opwright emulate %S/Inputs/kernels.cpp --kernel fill --target ascend910b -a z=float99[64] -a value=float32:1 2>&1 | filecheck %s --check-prefix=DTYPE
// RUN: not opwright emulate %S/Inputs/kernels.cpp --kernel fill --target ascend910b -a z=some -a value=float32:1 2>&1 | filecheck %s --check-prefix=FORM
// RUN: not opwright emulate %S/Inputs/kernels.cpp --kernel fill --target ascend910b -a z=null -a value=float16:1 2>&1 | filecheck %s --check-prefix=VALUE
// RUN: not opwright emulate %S/Inputs/kernels.cpp --kernel fill --target ascend910b -a z=%S/Inputs/kernels.npy -a value=float32:1 2>&1 | filecheck %s --check-prefix=NPY
// RUN: not opwright emulate %S/Inputs/kernels.npy --target ascend910b 2>&1 | filecheck %s --check-prefix=TEXT
// RUN: not opwright emulate %S/Inputs/kernels.cpp --kernel fill --target ascend910b --cores 0 -a z=null -a value=float32:1 2>&1 | filecheck %s --check-prefix=CORES
// RUN: not opwright emulate %S/Inputs/kernels.cpp --kernel fill --target ascend910b -a z 2>&1 | filecheck %s --check-prefix=EQUALS
// RUN: not opwright emulate %S/Inputs/kernels.cpp 2>&1 | filecheck %s --check-prefix=TARGET
// RUN: not opwright emulate --target ascend910b 2>&1 | filecheck %s --check-prefix=SOURCE
// RUN: opwright emulate --choices | filecheck %s --check-prefix=CHOICES

// CLEAN: no findings
// CLEAN: estimated time: {{.*}} us at 1850 MHz
// CLEAN: global memory: 0 bytes read, 512 bytes written
// CLEAN: MTE3  DataCopy{{ +}}2
// FOUND: kernels.cpp:15: gm-bounds: DataCopy: touches bytes [256, 512) of z, which has 256 bytes (core 1)
// JSON: "clean": true,
// JSON: "gm_read_bytes": 0,
// COMPILE: wrong.cpp:7:8: error[OPW025]: Add: {{.*}}for this type
// COMPILE: hint: the kernel does not compile for ascend910b
// COMPILE-NEXT: wrong.cpp:8:5: 'Nonsense' was not declared in this scope
// SEVERAL: error[OPW020]: 2 kernels in {{.*}}kernels.cpp
// SEVERAL-NEXT: hint: choose one of fill, nothing
// NONE: error[OPW020]: no kernel in {{.*}}emulate.mlir
// NAME: error[OPW020]: no kernel 'two' in {{.*}}kernels.cpp
// TEMPLATE: error[OPW020]: kernel 'nothing' needs template arguments
// COUNT: error[OPW026]: kernel 'fill' has 2 parameters, 1 arguments are given
// COUNT-NEXT: hint: give one for each, in order: fill(z, value)
// PLACE: error[OPW026]: argument 1 is 'value', but parameter 1 is 'z'
// DTYPE: error[OPW021]: argument 'z': there is no dtype 'float99'
// FORM: error[OPW021]: argument 'z': 'some' is no argument
// FORM-NEXT: hint: the forms are FILE.npy, inout:FILE.npy, float16[8,2048], uint32:4096, @FILE.bin, workspace:BYTES, null
// VALUE: error[OPW022]: parameter 'value' takes a value of 4 bytes, the argument has 2
// NPY: error[OPW023]: '{{.*}}kernels.npy' is no npy file
// TEXT: error[OPW024]: '{{.*}}kernels.npy' is no source text
// CORES: error[OPW013]: the number of cores is 0, it must be from 1 to 4096
// EQUALS: error[OPW003]: argument -a: 'z' has no '='
// TARGET: error[OPW003]: the following arguments are required: --target
// SOURCE: error[OPW003]: the following arguments are required: FILE
// CHOICES: key{{ +}}API{{ +}}choice{{ +}}why
