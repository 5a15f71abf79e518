"""Units of the ascendc dialect."""

BLOCK_BYTES = 32
"""Bytes of a block: what strides and on-chip gaps are counted in."""
