"""Rows of ragged segments with a bias: a list that is checked, conditions on attributes, strides."""

from opwright.dialect.frontend import (
    Spec,
    boolean,
    eq,
    f16,
    f32,
    i8,
    i64,
    indices,
    integers,
    maximum,
    operator,
    sum_,
    text,
    where,
)


@operator("SegmentBias")
def segment_bias(spec: Spec) -> None:
    T, R, C = spec.dims("T", "R", "C")
    P = spec.attr("stride", default=1)
    padded = spec.attr("padded", boolean)
    spec.attr("restoreShape", integers, default=())
    spec.attr("layout", text, default="TND", allowed=("TND",), code=161002)
    E = spec.dtype("E", f32, f16, code=161002)
    x = spec.input("x", E[T, C])
    bias = spec.input("bias", E[C], mismatch=(C, 161002), dense=True)
    mask = spec.input("mask", boolean[T], optional=True, accepts=(i8,))
    act = spec.list("act", i64[R], optional=True, default=[T])
    out = spec.output("out", E[T, C], strided=True)

    spec.require(P >= 1, T >= 1, code=561002)
    spec.require(eq(T % 2, 0), code=561002, when=(spec.given(mask), ~padded))
    spec.require_given(mask, code=561002, when=(padded,))
    b, t, c = indices(b=R, t=T, c=C)
    spec.check(act[b - 1].outside(0), "<=", act[b], code=561002)
    count = spec.tensor(i64[R])
    count[b] = maximum(0, (act[b] - act[b - 1].outside(0)) // P)
    spec.check(sum_(b, count[b]), "==", T, code=561002)
    out[t, c] = where(mask[t].absent(True), x[t, c] + bias[c], 0)
