"""Floats rounded to integers, whose zeros keep their sign, and conversions to integer types and back."""

from opwright.dialect.frontend import Spec, bf16, cast, ceil, f16, f32, floor, i8, i32, indices, operator, rint, trunc


@operator("LaneRounding")
def lane_rounding(spec: Spec) -> None:
    N, M = spec.dims("N", "M")
    E = spec.dtype("E", f32, f16, bf16)
    x = spec.input("x", E[N, M])
    scale = spec.input("scale", E[N])
    k = spec.input("k", i8[N, M])
    rounded = spec.output("rounded", E[N, M])
    inverse = spec.output("inverse", E[N, M])
    bytes_ = spec.output("bytes", i8[N, M])
    whole = spec.output("whole", i32[N, M])
    back = spec.output("back", E[N, M])
    i, j = indices(i=N, j=M)
    y = x[i, j] * 3
    rounded[i, j] = floor(y) - ceil(y) * 0.25 + trunc(y) * 3
    inverse[i, j] = 1 / rint(x[i, j])
    bytes_[i, j] = cast(rint(y), i8)
    whole[i, j] = cast(y, i32)
    back[i, j] = cast(k[i, j], f32) * scale[i] + cast(cast(y, i32), f32)
