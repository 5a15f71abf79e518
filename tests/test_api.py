"""The public API: load, compile, call."""

from pathlib import Path
from typing import Any

import ml_dtypes
import numpy as np
import pytest

import opwright as ow
from opwright import execution
from opwright.backends import BACKENDS, Engine
from opwright.codegen.dtypes import Array
from opwright.compiled import CompiledOperator
from opwright.dialect.diagnostics import Diagnostic
from opwright.loading import Operator
from opwright.passes.chips import CHIPS
from opwright.variants import Variant

OPERATOR = "MaskedCausalConv1dBackward"
HALF = np.dtype(np.float16)


def arrays(dtype: "np.dtype[np.generic]" = HALF) -> dict[str, Array]:
    random = np.random.default_rng(5)
    sizes = {"gradY": (4, 2, 40), "x": (4, 2, 40), "weight": (3, 40)}
    return {name: random.standard_normal(size).astype(dtype) for name, size in sizes.items()}


@pytest.mark.parametrize("backend", BACKENDS)
def test_call(backend: str) -> None:
    out = ow.compile(OPERATOR, backend=backend)(**arrays(), maskOptional=None)
    given = arrays()
    assert list(out) == ["gradXOut", "gradWeightOut"]
    assert out.gradXOut is out["gradXOut"]
    assert out.gradXOut.dtype == HALF
    last = given["gradY"][3].astype(np.float64) * given["weight"][2].astype(np.float64)
    np.testing.assert_allclose(out.gradXOut[3].astype(np.float64), last, rtol=2**-10)
    with pytest.raises(AttributeError, match="no output 'gradX'; outputs: gradXOut, gradWeightOut"):
        _ = out.gradX


def test_reference_in_float64() -> None:
    out = ow.compile(OPERATOR, backend="reference", precision="f64")(**arrays())
    assert out.gradXOut.dtype == np.float64


def test_default_targets() -> None:
    assert {backend: Engine.of(backend).target for backend in BACKENDS} == {
        "reference": "cpu",
        "numpy": "cpu",
        "c": "cpu",
        "ascendc": "ascend910b",
    }


@pytest.mark.parametrize("target", CHIPS)
def test_backends_of_a_target_agree_in_every_bit(target: str) -> None:
    backends = ["numpy", "c", *(["ascendc"] if CHIPS[target].staged else [])]
    given = arrays(np.dtype(ml_dtypes.bfloat16))
    results = [ow.compile(OPERATOR, backend=b, target=target, cores=3)(**given) for b in backends]
    for name in results[0]:
        assert len({result[name].tobytes() for result in results}) == 1


def test_variants_are_compiled_once_and_when_needed(monkeypatch: pytest.MonkeyPatch) -> None:
    made: list[Variant] = []
    compile_variant = execution.compile_variant

    def counted(operator: Operator, engine: Engine, variant: Variant) -> execution.Runner:
        made.append(variant)
        return compile_variant(operator, engine, variant)

    monkeypatch.setattr(execution, "compile_variant", counted)
    conv = ow.compile(OPERATOR)
    assert made == []
    mask = np.ones((2, 4), np.bool_)
    for _ in range(2):
        conv(**arrays())
        conv(**arrays(), maskOptional=mask)
        conv(**arrays(np.dtype(ml_dtypes.bfloat16)))
    absent, given = frozenset[str](), frozenset({"maskOptional"})
    assert made == [Variant(0, absent), Variant(0, given), Variant(1, absent)]


def test_sources() -> None:
    names = [variant.name(ow.load(OPERATOR).op) for variant in ow.compile(OPERATOR).variants]
    assert names == ["f16", "f16_maskOptional", "bf16", "bf16_maskOptional"]
    for backend, ending in (("numpy", ".py"), ("c", ".c")):
        sources = ow.compile(OPERATOR, backend=backend).sources
        assert [name.partition("/")[0] for name in sources] == names
        assert all(name.endswith(ending) and text for name, text in sources.items())
    assert ow.compile(OPERATOR, backend="reference").sources == {}


def test_ir_after_a_pass() -> None:
    conv = ow.compile(OPERATOR, backend="ascendc")
    assert conv.ir().startswith("builtin.module {\n  spec.operator @")
    assert "spec.columns" in conv.ir()
    assert "spec.columns" not in conv.ir("specialize")
    assert "maskOptional" in conv.ir("specialize")
    assert "maskOptional" not in conv.ir("specialize", present=frozenset())
    assert "bf16" in conv.ir("tile", column=1)
    assert "spec." not in conv.ir("tile")
    with pytest.raises(Diagnostic, match="the pipeline of ascendc on ascend910b has no pass 'melt'"):
        conv.ir("melt")


def test_operator_from_a_file(root: Path) -> None:
    path = root / "ops" / "masked_causal_conv1d_backward.py"
    from_file: CompiledOperator = ow.compile(path)
    assert from_file.ir() == ow.compile(ow.load(OPERATOR)).ir()


@pytest.mark.parametrize(
    ("code", "arguments", "message"),
    [
        ("OPW010", {"backend": "cuda"}, "there is no backend 'cuda'"),
        ("OPW010", {"target": "ascend310"}, "there is no target 'ascend310'"),
        ("OPW011", {"backend": "ascendc", "target": "cpu"}, "backend 'ascendc' does not run target 'cpu'"),
        (
            "OPW011",
            {"backend": "reference", "target": "ascend950"},
            "backend 'reference' does not run",
        ),
        ("OPW013", {"cores": 0}, "the number of cores is 0"),
        ("OPW010", {"precision": "f16"}, "there is no precision 'f16'"),
        ("OPW160", {"op": "Blur"}, "the library has no operator 'Blur'"),
    ],
)
def test_bad_arguments_of_compile(code: str, arguments: dict[str, Any], message: str) -> None:
    given: dict[str, Any] = {"op": OPERATOR, **arguments}
    with pytest.raises(Diagnostic, match=message) as refusal:
        ow.compile(**given)
    assert refusal.value.code == code


def test_unknown_argument_of_a_call() -> None:
    with pytest.raises(Diagnostic, match="the operator has no tensor 'gradx'"):
        ow.compile(OPERATOR)(**arrays(), gradx=1)


def test_no_compiler_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CC", "no-such-compiler")
    with pytest.raises(Diagnostic, match="no c compiler: set CC") as refusal:
        ow.compile(OPERATOR, backend="c")(**arrays())
    assert (refusal.value.code, refusal.value.hint) == ("OPW450", "backend numpy needs no compiler")


def test_text_that_does_not_compile_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    def emit(module: object) -> str:
        return "int kernel(void) { return 1 + }\n"

    monkeypatch.setattr("opwright.codegen.c.executable.emit_c", emit)
    with pytest.raises(Diagnostic, match=r"(?s)cannot compile .*\.c:.*error: expected expression") as refusal:
        ow.compile(OPERATOR, backend="c")(**arrays())
    assert refusal.value.code == "OPW451"


def test_lack_of_memory_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    def run(*args: object) -> dict[str, Array]:
        raise MemoryError

    monkeypatch.setattr("opwright.codegen.numpy.compile.NumpyExecutable.run", run)
    with pytest.raises(Diagnostic, match="not enough memory") as refusal:
        ow.compile(OPERATOR)(**arrays())
    assert refusal.value.code == "OPW452"
