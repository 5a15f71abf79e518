"""NsaCompressGrad: gradients of a compression of keys by weighted sums over windows along ragged segments."""

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


@operator("NsaCompressGrad")
def nsa_compress_grad(spec: Spec) -> None:
    """Define inputGrad and weightGrad of y[c, n] = sum over r of weight[r, n] * x[start of window c + r, n]."""
    T, N, D, C, R = spec.dims("T", "N", "D", "C", "R")
    size = spec.attr("compressBlockSize")
    P = spec.attr("compressStride")
    spec.attr("actSeqLenType", default=0, allowed=(0,), code=561002)
    spec.attr("layoutOptionalOptional", text, default="TND", allowed=("TND",), code=161002)
    K = spec.dim("K", size)
    E = spec.dtype("E", f16, bf16, code=161002)
    dy = spec.input("outputGrad", E[C, N, D])
    x = spec.input("input", E[T, N, D])
    weight = spec.input("weight", E[K, N], mismatch=(N, 161002))
    act = spec.list("actSeqLenOptionalOptional", i64[R], optional=True, default=[T])
    input_grad = spec.output("inputGradOut", E[T, N, D], strided=True)
    weight_grad = spec.output("weightGradOut", E[K, N], strided=True)
    spec.require(N >= 1, D >= 1, K >= 1, P >= 1, code=561002)
    spec.require(eq(K % 16, 0), eq(P % 16, 0), eq(D % 16, 0), K > P, code=561002)

    b, t, n, d = indices(b=R, t=T, n=N, d=D)
    count = spec.tensor(i64[R])
    count[b] = maximum(0, (act[b] - act[b - 1].outside(0) - K) // P + 1)
    first = spec.scan(count, dim=0, exclusive=True)
    spec.check(act[b - 1].outside(0), "<=", act[b], code=561002)
    spec.check(act[b], "<=", T, code=561002)
    spec.check(sum_(b, count[b]), "==", C, code=561002)

    s = act.search(t)
    begin = act[s - 1].outside(0)
    windows = count[s].outside(0)
    before = first[s].outside(0)
    w = index("w", maximum(0, ceildiv(t - begin - K + 1, P)), minimum(windows, (t - begin) // P + 1))
    r = t - begin - w * P
    input_grad[t, n, d] = sum_(w, weight[r, n] * dy[before + w, n, d])
    weight_grad[r, n] = sum_((t, w, d), x[t, n, d] * dy[before + w, n, d])
