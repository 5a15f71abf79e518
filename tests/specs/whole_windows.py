"""The largest of each whole window along the leading dim: windows longer than x leave no size for the result."""

from opwright.dialect.frontend import Spec, f32, index, indices, max_, operator


@operator("WholeWindows")
def whole_windows(spec: Spec) -> None:
    """Define y[o, n] = max over k of x[o + k, n]."""
    L, N = spec.dims("L", "N")
    K = spec.attr("size")
    spec.require(K >= 1, L >= K, code=561002)
    O = spec.dim("O", L - K + 1)  # noqa: E741
    x = spec.input("x", f32[L, N])
    y = spec.output("y", f32[O, N])
    n, o = indices(n=N, o=O)
    k = index("k", 0, K)
    y[o, n] = max_(k, x[o + k, n])
