"""The spec dialect (what an operator computes) and the tile dialect (how a chip computes it)."""
