"""The Python front end: what it traces, and where it says the parts stand."""

import ast
from pathlib import Path

import pytest
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Operation

from opwright.dialect.diagnostics import Location
from opwright.dialect.frontend import Spec, cast, f16, f32, i32, index, indices, operator, sum_
from opwright.dialect.spec.equations import equations
from opwright.dialect.spec.ops import ComputeOp, EachOp, ReadOp, WriteOp
from opwright.loading import load


def computes(module: ModuleOp) -> dict[str, ComputeOp]:
    """The computes by the names of their first results."""
    found = [op for op in module.walk() if isinstance(op, ComputeOp)]
    return {op.results_[0].name_hint or "": op for op in found}


def test_python_and_text_give_the_same_ir(root: Path) -> None:
    traced = load("MaskedCausalConv1dBackward")
    written = load(root / "tests" / "specs" / "masked_causal_conv1d_backward.mlir")
    assert written.name == traced.name
    assert written.module.is_structurally_equivalent(traced.module)


def test_values_keep_the_names_of_the_file() -> None:
    text = str(load("MaskedCausalConv1dBackward").module)
    assert '%mask = spec.input "maskOptional" optional' in text
    assert "%g = spec.compute (%i: 0 to %S, %j: 0 to %B, %h: 0 to %H)" in text
    assert "%gradX = spec.compute" in text


def test_the_library_reads_like_the_paper(root: Path) -> None:
    source = (root / "ops" / "masked_causal_conv1d_backward.py").read_text(encoding="utf-8")
    body = source.replace(str(ast.get_docstring(ast.parse(source))), "")
    assert sum(1 for line in body.splitlines() if line.strip() and not line.strip().startswith('"""')) <= 40


def test_every_operation_knows_its_place(root: Path) -> None:
    path = root / "ops" / "masked_causal_conv1d_backward.py"
    lines = path.read_text(encoding="utf-8").splitlines()
    module = load(path).module
    places = {op: Location.of(op) for op in module.walk() if not isinstance(op, ModuleOp)}
    assert all(place is not None and place.file == str(path) for place in places.values())
    starts = {"spec.compute": ("g[", "gradX[", "gradWeight["), "arith.mulf": ("g[",), "arith.select": ("where(",)}
    for op, place in places.items():
        assert place is not None
        if op.name in starts:
            assert lines[place.line - 1][place.column - 1 :].startswith(starts[op.name])
        if isinstance(op, ReadOp):
            assert lines[place.line - 1][place.column - 1 :].startswith(f"{op.tensor.name_hint}[")


def test_dims_come_parallel_first_then_in_the_order_of_the_sum() -> None:
    found = computes(load("MaskedCausalConv1dBackward").module)
    nests = {name: [dim.name_hint for dim in op.dims] for name, op in found.items()}
    assert nests == {"g": ["i", "j", "h"], "gradX": ["i", "j", "h", "k"], "gradWeight": ["k", "h", "j", "i"]}


def test_ranges_that_are_read_open_an_inner_nest(root: Path) -> None:
    found = computes(load(root / "tests" / "specs" / "windows_gradient.py").module)
    outer = found["input_grad"]
    (inner,) = [op for op in outer.walk() if isinstance(op, EachOp)]
    assert [dim.name_hint for dim in outer.dims] == ["b"]
    assert [dim.name_hint for dim in inner.dims] == ["t", "n", "d", "w"]
    assert len(inner.lower.data[3].data) == 2
    assert len(inner.upper.data[3].data) == 2
    hoisted = [op for op in outer.body.block.ops if isinstance(op, ReadOp)]
    assert len(hoisted) == 4


def test_ranges_that_are_read_at_an_inner_index_open_one_more() -> None:
    def trace(spec: Spec) -> None:
        (n,) = spec.dims("N")
        ends, lengths = spec.input("ends", i32[n]), spec.input("lengths", i32[n])
        y = spec.output("y", f32[n])
        (i,) = indices(i=n)
        j = index("j", 0, ends[i])
        k = index("k", 0, lengths[j])
        y[i] = sum_((j, k), cast(j + k, f32))

    (compute,) = computes(operator("Nested")(trace).module()).values()
    first, second = (op for op in compute.walk() if isinstance(op, EachOp))
    assert second.parent_op() is first
    assert [nest.dims[0].name_hint for nest in (compute, first, second)] == ["i", "j", "k"]


def test_scatter_promises_unique_places(root: Path) -> None:
    found = computes(load(root / "tests" / "specs" / "expert_scatter.py").module)
    (write,) = [op for op in found["weighted"].walk() if isinstance(op, WriteOp)]
    assert write.unique is not None
    assert write.guard is not None
    assert write.guard.name_hint == "used"
    assert not write.combine


def test_an_expression_is_computed_once_an_equation() -> None:
    def trace(spec: Spec) -> None:
        (n,) = spec.dims("N")
        x, y = spec.input("x", f32[n]), spec.output("y", f32[n])
        (i,) = indices(i=n)
        twice = x[i] + x[i]
        element = x[i]
        y[i] = twice + element * element

    (compute,) = computes(operator("Once")(trace).module()).values()
    names = [op.name for op in compute.body.block.ops]
    assert names.count("spec.read") == 3
    assert names.count("arith.addf") == 2


def test_each_trace_is_a_module_of_its_own() -> None:
    def trace(spec: Spec) -> None:
        (n,) = spec.dims("N")
        dtype = spec.dtype("T", f16, f32)
        x, y = spec.input("x", dtype[n]), spec.output("y", dtype[1])
        (i,) = indices(i=n)
        y[0] = sum_(i, x[i])

    definition = operator("Total")(trace)
    first, second = definition.module(), definition.module()
    assert str(first) == str(second)
    assert {id(op) for op in first.walk()}.isdisjoint({id(op) for op in second.walk()})


@pytest.mark.parametrize("spec", ["windows_gradient.py", "expert_scatter.py", "masked_causal_conv1d_backward.mlir"])
def test_traces_round_trip_as_text(root: Path, tmp_path: Path, spec: str) -> None:
    module = load(root / "tests" / "specs" / spec).module
    copy = tmp_path / "copy.mlir"
    copy.write_text(str(module), encoding="utf-8")
    parsed = load(copy).module
    assert str(parsed) == str(module)
    assert parsed.is_structurally_equivalent(module)


def test_attributes_carry_defaults_and_allowed_values(root: Path) -> None:
    module = load(root / "tests" / "specs" / "windows_gradient.py").module
    texts = [str(op) for op in module.walk() if is_attribute(op)]
    assert texts == [
        '%size = spec.attr "size" : index',
        '%P = spec.attr "stride" default 16 : index',
        '%layout = spec.attr "layout" default "TND" allowed ["TND"] code 161002 : !spec.string',
    ]


def is_attribute(op: Operation) -> bool:
    return op.name == "spec.attr"


def test_equations_are_shown_as_they_are_written(tmp_path: Path) -> None:
    """Signs of values stand before them, in parentheses where Python needs them or two operators would meet."""
    path = tmp_path / "signs.py"
    path.write_text(
        "from opwright.dialect.frontend import *\n"
        "@operator('Signs')\n"
        "def signs(spec):\n"
        "    (N,) = spec.dims('N')\n"
        "    x, y = spec.input('x', f32[N]), spec.output('y', f32[N])\n"
        "    i = index('i', 0, N)\n"
        "    y[i] = -absolute(x[i]) + 2.0 * -power(x[i], -(x[i] - 1.0)) - -rint(x[i])\n"
    )
    wanted = "y[i] = -abs(x[i]) + 2 * (-pow(x[i], -(x[i] - 1))) - (-rint(x[i]))"
    assert equations(load(path).op) == [wanted]
