"""Gather and scatter: rows of tokens go to the slots of their experts, weighted where weights are given."""

from opwright.dialect.frontend import (
    Spec,
    bf16,
    boolean,
    cast,
    f16,
    f32,
    i32,
    indices,
    operator,
    sum_,
    when,
    where,
)


@operator("ExpertScatter")
def expert_scatter(spec: Spec) -> None:
    T, H, E, M = spec.dims("T", "H", "E", "M")
    padded = spec.attr("padded", boolean, default=False)
    K = spec.dim("K", M // T)
    F, P = spec.dtypes(("F", "P"), (f32, f32), (f16, f16), (bf16, bf16), (bf16, f32), code=161002)
    g = spec.input("g", F[T, H])
    slot = spec.input("slot", i32[M])
    routing = spec.input("routing", boolean[T, E], optional=True)
    probs = spec.input("probs", P[T, E], optional=True)
    tokens = spec.input("tokens", F[M, H], optional=True)
    tokens_grad = spec.output("tokensGrad", F[M, H])
    probs_grad = spec.output("probsGrad", P[T, E], optional=True)
    spec.require(T >= 1, code=561002)
    spec.places(slot, below=M, unused=True, distinct=True)

    m, t, e, h, s = indices(m=M, t=T, e=E, h=H, s=K)
    routed = spec.tensor(i32[T, E])
    routed[t, e] = cast(routing[t, e].absent(False) & ~padded, i32)
    rank = spec.scan(routed, dim=1, exclusive=True)
    k = rank[t, e]
    place = slot[t * K + k].outside(-1)
    used = routing[t, e].absent(False) & (k < K) & (place >= 0)

    weighted = spec.tensor(f32[M, H])
    weighted.scatter[place, h] = when(used, g[t, h] * probs[t, e].absent(1.0))
    copied = spec.tensor(f32[M, H])
    row = slot[t * K + s]
    copied.scatter[row, h] = when(row >= 0, g[t, h])
    weights_given = spec.given(probs)
    tokens_grad[m, h] = where(weights_given, weighted[m, h], copied[m, h])
    probs_grad[t, e] = sum_(h, when(used, g[t, h] * tokens[place, h].outside(0).absent(0)))
