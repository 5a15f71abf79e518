"""Emitters of Ascend C, C and NumPy code from the lowered IR."""
