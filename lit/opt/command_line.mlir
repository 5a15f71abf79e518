// RUN: not opwright-opt %s -p canonicalise 2>&1 | filecheck %s --check-prefix=PASS
// RUN: not opwright-opt %s -p 'cse{depth=3}' 2>&1 | filecheck %s --check-prefix=OPTION
// RUN: not opwright-opt %s -p 'cse{' 2>&1 | filecheck %s --check-prefix=PIPELINE
// RUN: not opwright-opt %s -t 'mlir{colour=3}' 2>&1 | filecheck %s --check-prefix=TARGET-OPTION
// RUN: not opwright-opt %s -t fortran 2>&1 | filecheck %s --check-prefix=TARGET
// RUN: not opwright-opt %s --fast 2>&1 | filecheck %s --check-prefix=ARGUMENT
// RUN: not opwright-opt %s.missing 2>&1 | filecheck %s --check-prefix=MISSING
// RUN: not opwright-opt %S/../lit.cfg.py 2>&1 | filecheck %s --check-prefix=SUFFIX

// PASS: error[OPW003]: unknown pass 'canonicalise'
// PASS-NEXT: hint: did you mean 'canonicalize'?
// OPTION: error[OPW003]: pass 'cse': Provided arguments ["depth"] not found
// PIPELINE: error[OPW003]: {{.*}}pass pipeline
// TARGET-OPTION: error[OPW003]: target 'mlir': Provided arguments ["colour"] not found
// TARGET: error[OPW003]: {{.*}}invalid choice: 'fortran'
// ARGUMENT: error[OPW003]: unrecognized arguments: --fast
// MISSING: error[OPW004]: cannot open '{{.*}}command_line.mlir.missing'
// SUFFIX: error[OPW003]: Unrecognized file extension 'py'
