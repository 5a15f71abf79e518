"""Results of every emulated API against NumPy definitions, bit by bit."""
