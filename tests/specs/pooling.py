"""The largest of each window along a dim, with a border: a size that is a maximum."""

from opwright.dialect.frontend import Spec, f16, f32, index, indices, max_, maximum, operator


@operator("Pooling")
def pooling(spec: Spec) -> None:
    """Define y[n, o, c] = max over k of x[n, o * stride - pad + k, c], with no windows where x is too short."""
    N, L, C = spec.dims("N", "L", "C")
    K = spec.attr("size")
    pad = spec.attr("pad", default=0)
    P = spec.attr("stride", default=1)
    spec.require(K >= 1, P >= 1, maximum(L, 4) >= K, code=561002)
    O = spec.dim("O", maximum(0, (L + 2 * pad - K) // P + 1))  # noqa: E741
    E = spec.dtype("E", f32, f16)
    x = spec.input("x", E[N, L, C])
    y = spec.output("y", E[N, O, C])
    n, o, c = indices(n=N, o=O, c=C)
    k = index("k", 0, K)
    y[n, o, c] = max_(k, x[n, o * P - pad + k, c].outside(-65504.0))
