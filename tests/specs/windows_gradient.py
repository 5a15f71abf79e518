"""Ragged windows: gradients of weighted sums over windows that slide over each segment of a list."""

from opwright.dialect.frontend import (
    Spec,
    bf16,
    ceildiv,
    eq,
    f16,
    i64,
    index,
    indices,
    maximum,
    minimum,
    operator,
    sum_,
    text,
)


@operator("WindowsGradient")
def windows_gradient(spec: Spec) -> None:
    T, N, D, C, R = spec.dims("T", "N", "D", "C", "R")
    size = spec.attr("size")
    P = spec.attr("stride", default=16)
    spec.attr("layout", text, default="TND", allowed=("TND",), code=161002)
    K = spec.dim("K", size)
    E = spec.dtype("E", f16, bf16, code=161002)
    dy = spec.input("dy", E[C, N, D])
    x = spec.input("x", E[T, N, D])
    weight = spec.input("weight", E[K, N])
    act = spec.list("act", i64[R], optional=True, default=[T])
    input_grad = spec.output("inputGrad", E[T, N, D])
    weight_grad = spec.output("weightGrad", E[K, N])
    spec.require(P >= 1, eq(K % 16, 0), code=561002)

    b, c, n, d, r = indices(b=R, c=C, n=N, d=D, r=K)
    begin, end = act[b - 1].outside(0), act[b]
    count = spec.tensor(i64[R])
    count[b] = maximum(0, (end - begin - K) // P + 1)
    first = spec.scan(count, dim=0, exclusive=True)

    j = index("j", 0, count[b])
    start = spec.tensor(i64[C])
    start.scatter[first[b] + j] = begin + j * P
    weight_grad[r, n] = sum_((c, d), x[start[c] + r, n, d] * dy[c, n, d])

    t = index("t", begin, end)
    q = t - begin
    w = index("w", maximum(0, ceildiv(q - K + 1, P)), minimum(count[b], q // P + 1))
    input_grad[t, n, d] = sum_((b, w), weight[q - w * P, n] * dy[first[b] + w, n, d])
