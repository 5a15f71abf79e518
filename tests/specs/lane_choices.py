"""Choices by comparisons of lanes, of lanes with scalars of their row, and by several; roots of negatives are NaN."""

from opwright.dialect.frontend import Spec, bf16, cast, eq, f16, f32, indices, ne, operator, sqrt, where


@operator("LaneChoices")
def lane_choices(spec: Spec) -> None:
    N, M = spec.dims("N", "M")
    E = spec.dtype("E", f32, f16, bf16)
    x = spec.input("x", E[N, M])
    y = spec.input("y", E[N, M])
    low = spec.input("low", E[N])
    high = spec.input("high", E[M])
    positive = spec.output("positive", E[N, M])
    clipped = spec.output("clipped", E[N, M])
    mixed = spec.output("mixed", E[N, M])
    i, j = indices(i=N, j=M)
    root = sqrt(x[i, j])
    positive[i, j] = where(x[i, j] > 0, x[i, j], 0) + cast(root >= y[i, j], f32)
    clipped[i, j] = where((x[i, j] < low[i]) | ~(x[i, j] <= high[j]), low[i] / y[i, j], x[i, j])
    mixed[i, j] = where((low[i] > 0) & ne(root, y[i, j]), y[i, j], where(eq(root, root), root, high[j]))
