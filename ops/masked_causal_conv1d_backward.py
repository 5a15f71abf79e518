"""MaskedCausalConv1dBackward: gradients of a masked causal depthwise convolution along a sequence."""

from opwright.dialect.frontend import Spec, between, bf16, boolean, eq, f16, f32, indices, operator, sum_, where


@operator("MaskedCausalConv1dBackward")
def masked_causal_conv1d_backward(spec: Spec) -> None:
    """Define gradX and gradWeight of y[i, j] = mask[j, i] * sum over k of weight[k] * x[i - (W - 1) + k, j]."""
    S, B, H = spec.dims("S", "B", "H")
    W = spec.dim("W", 3)
    T = spec.dtype("T", f16, bf16, code=161002)

    gradY = spec.input("gradY", T[S, B, H])
    x = spec.input("x", T[S, B, H])
    weight = spec.input("weight", T[W, H])
    mask = spec.input("maskOptional", boolean[B, S], optional=True)
    gradX = spec.output("gradXOut", T[S, B, H])
    gradWeight = spec.output("gradWeightOut", T[W, H])

    spec.require(S >= 1, between(1, B, 32), between(1, B * S, 524288), code=561002)
    spec.require(between(384, H, 24576), eq(H % 64, 0), code=561002)

    i, j, h, k = indices(i=S, j=B, h=H, k=W)
    g = spec.tensor(f32[S, B, H])
    g[i, j, h] = where(mask[j, i].absent(True), gradY[i, j, h], 0)
    gradX[i, j, h] = sum_(k, g[i + k, j, h].outside(0) * weight[W - 1 - k, h])
    gradWeight[k, h] = sum_((j, i), g[i + W - 1 - k, j, h].outside(0) * x[i, j, h])
