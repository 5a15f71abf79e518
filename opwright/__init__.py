"""Compile operator specifications to Ascend C kernels with host tiling, and to C and NumPy that prove them."""
