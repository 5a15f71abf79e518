"""Run emitted Ascend C kernels on a laptop: a functional model of the vector cores and its checks."""
