"""The Python front end: operators written as equations over indices.

@operator("Blur")
def blur(spec: Spec) -> None:
(N,) = spec.dims("N")
T = spec.dtype("T", f16, f32)
x = spec.input("x", T[N])
y = spec.output("y", T[N])
(i,) = indices(i=N)
y[i] = x[i] + x[i + 1].outside(0)
"""

from .elementary import (
    absolute,
    cast,
    ceil,
    cos,
    erf,
    exp,
    floor,
    log,
    log1p,
    power,
    rint,
    rsqrt,
    sin,
    sqrt,
    tanh,
    trunc,
)
from .functions import (
    between,
    ceildiv,
    eq,
    index,
    indices,
    max_,
    maximum,
    min_,
    minimum,
    ne,
    sum_,
    when,
    where,
)
from .spec import Definition, Spec, operator
from .tensors import Tensor
from .types import DType, Shape, bf16, boolean, f16, f32, i8, i16, i32, i64, integer, integers, text

__all__ = [
    "DType",
    "Definition",
    "Shape",
    "Spec",
    "Tensor",
    "absolute",
    "between",
    "bf16",
    "boolean",
    "cast",
    "ceil",
    "ceildiv",
    "cos",
    "eq",
    "erf",
    "exp",
    "f16",
    "f32",
    "floor",
    "i8",
    "i16",
    "i32",
    "i64",
    "index",
    "indices",
    "integer",
    "integers",
    "log",
    "log1p",
    "max_",
    "maximum",
    "min_",
    "minimum",
    "ne",
    "operator",
    "power",
    "rint",
    "rsqrt",
    "sin",
    "sqrt",
    "sum_",
    "tanh",
    "text",
    "trunc",
    "when",
    "where",
]
