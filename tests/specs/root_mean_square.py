"""Normalisation by the root of the mean of squares: a function of a sum along the contiguous dim."""

from opwright.dialect.frontend import Spec, bf16, cast, f16, f32, indices, operator, rsqrt, sqrt, sum_


@operator("RootMeanSquare")
def root_mean_square(spec: Spec) -> None:
    """Define y[n, h, d] = x[n, h, d] * gamma[d] / sqrt(mean of squares + 1e-6), and the factor itself."""
    N, H, D = spec.dims("N", "H", "D")
    T = spec.dtype("T", f32, f16, bf16)
    x = spec.input("x", T[N, H, D])
    gamma = spec.input("gamma", T[D])
    y = spec.output("y", T[N, H, D])
    factor = spec.output("factor", f32[N, H])
    n, h, d = indices(n=N, h=H, d=D)
    squares = spec.tensor(f32[N, H])
    squares[n, h] = sum_(d, x[n, h, d] * x[n, h, d])
    root = spec.tensor(f32[N, H])
    root[n, h] = sqrt(squares[n, h] / cast(D, f32) + 1e-6)
    factor[n, h] = rsqrt(root[n, h] * root[n, h])
    y[n, h, d] = x[n, h, d] / root[n, h] * gamma[d]
