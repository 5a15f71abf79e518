"""Passes over the spec, tile and loop levels, and the chips they serve."""
