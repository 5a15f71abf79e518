"""The engines on which tests compare what kernels give."""

ENGINES = [
    ("numpy", "cpu"),
    ("c", "cpu"),
    ("numpy", "ascend910b"),
    ("c", "ascend910b"),
    ("ascendc", "ascend910b"),
    ("ascendc", "ascend950"),
]
"""Backend and target of kernels: both forms on the host, both cores of chips."""

WITH_REFERENCE = [("reference", "cpu"), *ENGINES]
