"""How a contiguous dim is cut into tiles."""

from xdsl.ir import SSAValue

from .index_code import Code

BLOCK_LANES = 32
"""Lane tiles are multiples of this many elements, so that a row of any element type starts on a block."""


def even_lanes(extent: SSAValue, most: SSAValue, code: Code, name: str) -> SSAValue:
    """Cut the lane dim into equal tiles of at most `most` lanes (1 or more), in whole blocks of lanes."""
    one = code.constant(1)
    tiles = code.binary("max", code.binary("ceildiv", extent, most), one)
    lanes = code.binary("ceildiv", extent, tiles)
    blocks = code.binary("max", code.binary("ceildiv", lanes, code.constant(BLOCK_LANES)), one)
    return code.binary("*", blocks, code.constant(BLOCK_LANES), name)
