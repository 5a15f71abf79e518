"""Operator projects for CANN: from interfaces and emitted kernels to the files of a project that CANN builds."""
