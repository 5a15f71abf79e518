"""The operator library: one specification a file."""
