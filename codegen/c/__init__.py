"""The C backend: emits C11 with OpenMP where there is a compiler for it, compiles and runs it."""
