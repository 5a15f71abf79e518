"""Functions that cpu has and chips do not."""

from opwright.dialect.frontend import Spec, cos, erf, f32, indices, log1p, operator, power, sin, tanh, trunc


@operator("Functions")
def functions(spec: Spec) -> None:
    N, M = spec.dims("N", "M")
    x = spec.input("x", f32[N, M])
    waves = spec.output("waves", f32[N, M])
    powers = spec.output("powers", f32[N, M])
    i, j = indices(i=N, j=M)
    waves[i, j] = sin(x[i, j] * 9) * cos(x[i, j]) + trunc(x[i, j] * 3)
    powers[i, j] = log1p(x[i, j] * x[i, j]) + power(x[i, j] * x[i, j], 1.5) + tanh(x[i, j]) * erf(x[i, j])
