"""The largest of each window along the leading dim, with a border: a size that is a maximum."""

from opwright.dialect.frontend import Spec, f16, f32, index, indices, max_, maximum, operator


@operator("Pooling")
def pooling(spec: Spec) -> None:
    """Define y[o, n] = max over k of x[o * stride - pad + k, n], with no windows where x is too short."""
    L, N = spec.dims("L", "N")
    K = spec.attr("size")
    pad = spec.attr("pad", default=0)
    P = spec.attr("stride", default=1)
    spec.require(K >= 1, P >= 1, maximum(L, 4) >= K, code=561002)
    O = spec.dim("O", maximum(0, (L + 2 * pad - K) // P + 1))  # noqa: E741
    E = spec.dtype("E", f32, f16)
    x = spec.input("x", E[L, N])
    y = spec.output("y", E[O, N])
    n, o = indices(n=N, o=O)
    k = index("k", 0, K)
    y[o, n] = max_(k, x[o * P - pad + k, n].outside(-65504.0))
