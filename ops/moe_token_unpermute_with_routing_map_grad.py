"""MoeTokenUnpermuteWithRoutingMapGrad: gradients of bringing the rows of experts back to their tokens, weighted."""

from opwright.dialect.frontend import (
    Spec,
    bf16,
    boolean,
    ceildiv,
    eq,
    f16,
    f32,
    i8,
    i32,
    indices,
    integers,
    operator,
    sum_,
    when,
    where,
)


@operator("MoeTokenUnpermuteWithRoutingMapGrad")
def moe_token_unpermute_with_routing_map_grad(spec: Spec) -> None:
    """Define the gradients of y[t] = sum over the slots i of token t of tokens[outIndex[i]] * probs[t, expert of i]."""
    T, H, M, E = spec.dims("T", "H", "M", "E")
    padded = spec.attr("paddedMode", boolean, default=False)
    restored = spec.length(spec.attr("restoreShape", integers, default=()))
    spec.require(T >= 1, H >= 1, M >= 1, code=561002)
    K = spec.dim("K", ceildiv(M, T))
    F, P = spec.dtypes(("F", "P"), (f32, f32), (f16, f16), (bf16, bf16), (bf16, f32), code=161002)
    g = spec.input("unpermutedTokensGrad", F[T, H])
    out_index = spec.input("outIndex", i32[M])
    token_id = spec.input("permuteTokenId", i32[M])
    spec.places(out_index, below=M, unused=True, distinct=True)
    spec.places(token_id, below=T, when=(padded,))
    routing = spec.input("routingMapOptional", boolean[T, E], optional=True, accepts=(i8,))
    tokens = spec.input("permutedTokensOptional", F[M, H], optional=True)
    probs = spec.input("probsOptional", P[T, E], optional=True)
    tokens_grad = spec.output("permutedTokensGradOut", F[M, H])
    probs_grad = spec.output("probsGradOutOptional", P[T, E], optional=True)
    weighted = spec.given(probs)
    spec.require_given(routing, tokens, code=561002, when=(weighted,))
    spec.require(eq(M % T, 0), K <= 512, code=561002, when=(~padded,))
    spec.require(K <= E, code=561002, when=(~padded, weighted))
    spec.require(eq(M % E, 0), M // E <= T, code=561002, when=(padded, weighted))
    spec.require(restored <= 2, eq(restored % 2, 0), code=561002, when=(padded,))

    i, h = indices(i=M, h=H)
    experts = spec.positions(routing, count=K)
    place = out_index[i]
    token = where(padded, token_id[i], i // K)
    expert = where(padded, place * E // M, experts[i // K, i % K])
    product = where(expert >= 0, g[token, h] * probs[token, expert].outside(0).absent(1), 0)
    tokens_grad.scatter[place, h] = when(place >= 0, where(weighted, product, g[token, h]))
    dot = g[token, h] * tokens[place, h].absent(0)
    probs_grad.scatter[token, expert] = sum_(h, when(weighted & (place >= 0) & (expert >= 0), dot))
