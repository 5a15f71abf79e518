"""Which variants an operator has: none that its spec forbids, and one for all calls that run the same kernel."""

from pathlib import Path

import numpy as np
import pytest

import opwright as ow
from opwright.loading import Operator, load
from opwright.narrowing import bound_column, is_allowed, narrow
from opwright.variants import Variant, all_variants

SPEC = """
from opwright.dialect.frontend import Spec, bf16, boolean, f16, f32, indices, operator, where


@operator("Weighted")
def weighted(spec: Spec) -> None:
    (N,) = spec.dims("N")
    padded = spec.attr("padded", boolean, default=False)
    F, P = spec.dtypes(("F", "P"), (f16, f16), (bf16, bf16), (bf16, f32), code=161002)
    x = spec.input("x", F[N])
    weight = spec.input("weight", P[N], optional=True)
    scale = spec.input("scale", f32[N], optional=True)
    spec.require_given(scale, code=561002, when=[spec.given(weight), padded])
    y = spec.output("y", F[N])
    (n,) = indices(n=N)
    given = spec.given(weight)
    y[n] = where(given, x[n] * weight[n].absent(1) * scale[n].absent(1), x[n])
"""
X, S = frozenset({"weight"}), frozenset({"scale"})
PADDED = frozenset({"padded"})


@pytest.fixture(scope="module")
def weighted(tmp_path_factory: pytest.TempPathFactory) -> Operator:
    path = tmp_path_factory.mktemp("specs") / "weighted.py"
    path.write_text(SPEC)
    return load(path)


def test_what_is_not_read_makes_no_variant(weighted: Operator) -> None:
    assert narrow(weighted.op, Variant(0, S)) == Variant(0, frozenset())
    assert narrow(weighted.op, Variant(0, X | S)) == Variant(0, X | S)
    assert narrow(weighted.op, Variant(1, X, PADDED)) == Variant(1, X, PADDED)


def test_what_the_spec_forbids_is_no_variant(weighted: Operator) -> None:
    assert is_allowed(weighted.op, X, {"padded": False})
    assert not is_allowed(weighted.op, X, {"padded": True})
    assert is_allowed(weighted.op, X, {}), "what is not decided forbids nothing"
    assert is_allowed(weighted.op, X | S, {"padded": True})
    assert is_allowed(weighted.op, S, {"padded": True})


def test_a_call_is_bound_to_the_first_column_that_fits(weighted: Operator) -> None:
    assert [bound_column(weighted.op, column, X) for column in range(3)] == [0, 1, 2]
    assert [bound_column(weighted.op, column, S) for column in range(3)] == [0, 1, 1]


def test_all_variants(weighted: Operator) -> None:
    names = [variant.name(weighted.op) for variant in all_variants(weighted.op)]
    forms = ["", "_weight", "_weight_scale", "_padded", "_padded_weight_scale"]
    weights = [form for form in forms if "weight" in form]
    assert names == [
        *(f"f16{form}" for form in forms),
        *(f"bf16{form}" for form in forms),
        *(f"bf16_f32{form}" for form in weights),
    ]


def test_a_call_runs_the_narrow_variant(weighted: Operator, tmp_path: Path) -> None:
    compiled = ow.compile(weighted, backend="numpy")
    x = np.arange(5, dtype=np.float16)
    assert compiled(x=x, scale=np.ones(5, np.float32)).y.tolist() == x.tolist()
    assert list(compiled.runners) == [Variant(0, frozenset())]


WIDER = """
from opwright.dialect.frontend import Spec, f16, f32, indices, operator


@operator("Wider")
def wider(spec: Spec) -> None:
    (N,) = spec.dims("N")
    F, P = spec.dtypes(("F", "P"), (f16, f16), (f16, f32))
    x = spec.input("x", F[N])
    scale = spec.input("scale", P[N], optional=True)
    y = spec.output("y", P[N])
    (n,) = indices(n=N)
    y[n] = x[n] * scale[n].absent(1)
"""


def test_an_output_of_another_dtype_makes_a_variant(tmp_path: Path) -> None:
    """Where a call brings its outputs, their dtype is told although no input has it."""
    path = tmp_path / "wider.py"
    path.write_text(WIDER)
    operator = load(path)
    assert [bound_column(operator.op, column, frozenset()) for column in range(2)] == [0, 0]
    assert [variant.name(operator.op) for variant in all_variants(operator.op)] == [
        "f16",
        "f16_scale",
        "f16_f32",
        "f16_f32_scale",
    ]
    compiled = ow.compile(operator, backend="numpy")
    assert compiled(x=np.ones(3, np.float16)).y.dtype == np.float16


def test_what_no_write_needs_makes_no_variant() -> None:
    """Without weights no gradient of weights is written, so the tokens that only it reads are not read."""
    routing = load("MoeTokenUnpermuteWithRoutingMapGrad")
    tokens, routing_map = "permutedTokensOptional", "routingMapOptional"
    assert narrow(routing.op, Variant(0, frozenset({tokens}))).present == frozenset()
    assert narrow(routing.op, Variant(0, frozenset({tokens, routing_map}))).present == {routing_map}
    full = frozenset({tokens, routing_map, "probsOptional"})
    assert narrow(routing.op, Variant(0, full)).present == full


SIZED = """
from opwright.dialect.frontend import Spec, f32, indices, operator


@operator("Sized")
def sized(spec: Spec) -> None:
    N, L = spec.dims("N", "L")
    x = spec.input("x", f32[N])
    spec.input("like", f32[L], optional=True)
    spec.input("twin", f32[L, N], optional=True)
    y = spec.output("y", f32[N, L])
    n, m = indices(n=N, m=L)
    y[n, m] = x[n]
"""


def test_a_tensor_that_alone_tells_a_size_makes_a_variant(tmp_path: Path) -> None:
    path = tmp_path / "sized.py"
    path.write_text(SIZED)
    operator = load(path)
    like, twin = frozenset({"like"}), frozenset({"twin"})
    assert [v.present for v in all_variants(operator.op)] == [frozenset(), like, twin]
    assert narrow(operator.op, Variant(0, like | twin)).present == like
    compiled = ow.compile(operator, backend="numpy")
    x = np.arange(3, dtype=np.float32)
    assert compiled(x=x).y.shape == (3, 0)
    assert compiled(x=x, twin=np.zeros((2, 3), np.float32)).y.tolist() == [[0, 0], [1, 1], [2, 2]]
