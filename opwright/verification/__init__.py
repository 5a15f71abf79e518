"""Random cases of an operator, run on every backend and compared with the reference."""
