"""What the C emitter refuses, each at its place."""

import pytest

from opwright.codegen.c.emitter import emit_c
from opwright.dialect.diagnostics import Diagnostic
from opwright.dialect.parser import parse_module
from opwright.dialect.registry import new_context


def refusal(text: str) -> Diagnostic:
    module = parse_module(new_context(), text, "bad.mlir")
    with pytest.raises(Diagnostic) as caught:
        emit_c(module)
    return caught.value


BODIES = {
    "OPW400": """"scf.parallel"(%n, %n, %n, %n, %n, %n) <{operandSegmentSizes = array<i32: 2, 2, 2, 0>}> ({
                 ^bb0(%i: index, %j: index):
                   scf.reduce
                 }) : (index, index, index, index, index, index) -> ()""",
    "OPW401": """scf.for %i = %n to %n step %n {
                   %a = memref.alloc(%n) : memref<?xf32>
                 }""",
    "OPW440": """%0 = memref.dim %x, %n : memref<?x?xf32>
                 %1 = "memref.cast"(%x) : (memref<?x?xf32>) -> memref<4x?xf32>""",
    "OPW441": "%0 = arith.sitofp %k : i32 to f16\nmemref.store %0, %h[%n] : memref<?xf16>",
    "OPW442": "%0 = arith.bitcast %v : f32 to i32\nfunc.call @g(%0) : (i32) -> ()",
    "OPW443": """%0 = memref.load %h[%n] : memref<?xf16>
                 %1 = arith.addf %0, %0 : f16
                 memref.store %1, %h[%n] : memref<?xf16>""",
    "OPW444": "memref.store %v, %x[%n, %n] : memref<?x?xf32>",
    "OPW445": "%0, %1 = func.call @pair() : () -> (f32, f32)",
    "OPW446": "%0 = memref.alloca(%n) : memref<?xf32>",
}


@pytest.mark.parametrize("code", BODIES)
def test_refused_operation(code: str) -> None:
    found = refusal(f"""
        func.func @f(%x: memref<?x?xf32>, %h: memref<?xf16>, %v: f32, %k: i32, %n: index) {{
          {BODIES[code]}
          func.return
        }}""")
    assert found.code == code
    assert found.location is not None
    assert found.location.line >= 3


FUNCTIONS = {
    "OPW402": 'func.func @f(%x: memref<?x?xf32> {tile.name = "x", tile.dims = ["N", "M"]}) { func.return }',
    "OPW403": "func.func @f(%a: f32) -> (f32, f32) { func.return %a, %a : f32, f32 }",
    "OPW404": "func.func private @f(f32) -> f32",
    "OPW405": "func.func @f() attributes {tile.kernel} { func.return }",
}


@pytest.mark.parametrize("code", FUNCTIONS)
def test_refused_function(code: str) -> None:
    found = refusal(FUNCTIONS[code])
    assert found.code == code
    assert found.location is not None


def test_message() -> None:
    found = refusal("func.func @f(%h: f16) -> f16 {\n  %0 = arith.addf %h, %h : f16\n  func.return %0 : f16\n}")
    assert found.render({"bad.mlir": "func\n  %0 = arith.addf"}) == (
        "bad.mlir:2:3: error[OPW443]: 'arith.addf' computes in f16\n"
        "      %0 = arith.addf\n"
        "      ^\n"
        "hint: widen to f32 before, and round once after (arith.extf)"
    )
