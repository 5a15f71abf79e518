"""Functions, loops, branches and memrefs of the NumPy emitter."""

import ast
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from xdsl.dialects.builtin import StringAttr

from opwright.codegen.numpy import emit, load
from opwright.codegen.numpy.helpers import HELPERS, module_text
from opwright.dialect.diagnostics import Diagnostic
from opwright.dialect.parser import parse_module
from opwright.dialect.registry import new_context


def functions(text: str) -> dict[str, Callable[..., Any]]:
    module = parse_module(new_context(), text, "control.mlir")
    module.verify()
    return load(emit(module))


def test_loop_carries_values_all_at_once() -> None:
    f = functions("""
        func.func @fibonacci(%n: index) -> (index, index) {
          %c0 = arith.constant 0 : index
          %c1 = arith.constant 1 : index
          %a, %b = scf.for %i = %c0 to %n step %c1 iter_args(%x = %c0, %y = %c1) -> (index, index) {
            %z = arith.addi %x, %y : index
            scf.yield %y, %z : index, index
          }
          func.return %a, %b : index, index
        }""")["fibonacci"]
    assert [f(n) for n in range(6)] == [(0, 1), (1, 1), (1, 2), (2, 3), (3, 5), (5, 8)]


def test_loop_over_fixed_width_integers() -> None:
    f = functions("""
        func.func @f(%lo: i8, %hi: i8, %step: i8) -> i8 {
          %zero = arith.constant 0 : i8
          %s = scf.for %i = %lo to %hi step %step iter_args(%a = %zero) -> (i8) : i8 {
            %t = arith.addi %a, %i : i8
            scf.yield %t : i8
          }
          func.return %s : i8
        }""")["f"]
    assert f(np.int8(90), np.int8(101), np.int8(10)) == np.int8(-66)
    assert f(np.int8(0), np.int8(4), np.int8(1)).dtype == np.int8


def test_branch_with_results() -> None:
    f = functions("""
        func.func @f(%a: index, %b: index) -> index {
          %less = arith.cmpi slt, %a, %b : index
          %r = scf.if %less -> (index) {
            scf.yield %a : index
          } else {
            %d = arith.subi %a, %b : index
            scf.yield %d : index
          }
          func.return %r : index
        }""")["f"]
    assert (f(2, 3), f(7, 3)) == (2, 4)


def test_while_runs_its_first_part_once_more() -> None:
    f = functions("""
        func.func @log2(%n: index, %m: memref<1xindex>) -> (index, index) {
          %c0 = arith.constant 0 : index
          %c1 = arith.constant 1 : index
          %c2 = arith.constant 2 : index
          %x, %k = scf.while (%a = %n, %i = %c0) : (index, index) -> (index, index) {
            %seen = memref.load %m[%c0] : memref<1xindex>
            %more = arith.addi %seen, %c1 : index
            memref.store %more, %m[%c0] : memref<1xindex>
            %go = arith.cmpi sgt, %a, %c1 : index
            scf.condition(%go) %a, %i : index, index
          } do {
          ^bb0(%b: index, %j: index):
            %half = arith.divui %b, %c2 : index
            %next = arith.addi %j, %c1 : index
            scf.yield %half, %next : index, index
          }
          func.return %x, %k : index, index
        }""")["log2"]
    count = np.zeros(1, np.int64)
    assert f(40, count) == (1, 5)
    assert count[0] == 6


def test_parallel_loops_reduce_in_order() -> None:
    f = functions("""
        func.func @f(%m: memref<?x?xf32>, %a: index, %b: index) -> f32 {
          %zero = arith.constant 0.0 : f32
          %c0 = arith.constant 0 : index
          %c1 = arith.constant 1 : index
          %s = "scf.parallel"(%c0, %c0, %a, %b, %c1, %c1, %zero) <{operandSegmentSizes = array<i32: 2, 2, 2, 1>}> ({
          ^bb0(%i: index, %j: index):
            %v = memref.load %m[%i, %j] : memref<?x?xf32>
            scf.reduce(%v : f32) {
            ^bb1(%x: f32, %y: f32):
              %t = arith.addf %x, %y : f32
              scf.reduce.return %t : f32
            }
          }) : (index, index, index, index, index, index, f32) -> f32
          func.return %s : f32
        }""")["f"]
    m = np.random.default_rng(0).standard_normal((5, 7)).astype(np.float32)
    total = np.float32(0)
    for value in m.ravel():
        total = total + value
    result = f(m, 5, 7)
    assert result == total
    assert result.dtype == np.float32


def test_functions_call_each_other() -> None:
    f = functions("""
        func.func @twice(%a: index) -> index {
          %b = arith.addi %a, %a : index
          func.return %b : index
        }
        func.func @f(%a: index) -> index {
          %b = func.call @twice(%a) : (index) -> index
          %c = func.call @twice(%b) : (index) -> index
          func.return %c : index
        }""")["f"]
    assert f(3) == 12


def test_memrefs() -> None:
    f = functions("""
        func.func @f(%m: memref<?x?xf32>, %i: index, %n: index) -> (index, f32) {
          %c0 = arith.constant 0 : index
          %c1 = arith.constant 1 : index
          %row = memref.subview %m[%i, 1] [1, %n] [1, 2] : memref<?x?xf32> to memref<?xf32, strided<[2], offset: ?>>
          %new = memref.alloc(%n) : memref<?x4xf32>
          %extent = memref.dim %row, %c0 : memref<?xf32, strided<[2], offset: ?>>
          %v = memref.load %row[%c1] : memref<?xf32, strided<[2], offset: ?>>
          memref.store %v, %new[%c0, %c1] : memref<?x4xf32>
          %fixed = "memref.cast"(%new) : (memref<?x4xf32>) -> memref<3x4xf32>
          %part = memref.subview %fixed[0, 0] [3, 4] [1, 1] : memref<3x4xf32> to memref<3x4xf32, strided<[4, 1]>>
          %other = memref.alloca() : memref<3x4xf32>
          "memref.copy"(%fixed, %other) : (memref<3x4xf32>, memref<3x4xf32>) -> ()
          %w = memref.load %other[%c0, %c1] : memref<3x4xf32>
          memref.dealloc %new : memref<?x4xf32>
          memref.store %w, %row[%c0] : memref<?xf32, strided<[2], offset: ?>>
          func.return %extent, %w : index, f32
        }""")["f"]
    m = np.arange(20, dtype=np.float32).reshape(2, 10)
    assert f(m, 1, 3) == (3, np.float32(13))
    assert m[1, 1] == 13


def test_a_view_with_steps_of_one() -> None:
    f = functions("""
        func.func @f(%m: memref<?x?xi32>, %i: index) {
          %c0 = arith.constant 0 : index
          %one = arith.constant 1 : i32
          %v = memref.subview %m[%i, 1] [2, 3] [1, 1] : memref<?x?xi32> to memref<2x3xi32, strided<[?, 1], offset: ?>>
          memref.store %one, %v[%c0, %c0] : memref<2x3xi32, strided<[?, 1], offset: ?>>
          func.return
        }""")["f"]
    m = np.zeros((4, 5), np.int32)
    f(m, 2)
    assert np.argwhere(m).tolist() == [[2, 1]]


def test_new_memory_holds_poison() -> None:
    f = functions("""
        func.func @f() -> (f32, i32) {
          %c0 = arith.constant 0 : index
          %a = memref.alloc() : memref<1xf32>
          %b = memref.alloc() : memref<1xi32>
          %x = memref.load %a[%c0] : memref<1xf32>
          %y = memref.load %b[%c0] : memref<1xi32>
          func.return %x, %y : f32, i32
        }""")["f"]
    assert np.isnan(f()[0])
    assert f()[1] == 0x7F7F7F7F


def test_names_are_python_names() -> None:
    source = emit(
        parse_module(
            new_context(),
            """
        func.func @f(%lambda: index, %np: index, %range: index, %a.b: index, %v: index) -> (index, index) {
          %0 = arith.addi %lambda, %np : index
          %1 = arith.muli %range, %a.b : index
          %v_2 = arith.addi %0, %v : index
          func.return %v_2, %1 : index, index
        }""",
            "names.mlir",
        )
    )
    assert "def f(lambda_1, np_1, range_1, a_b, v):" in source
    assert load(source)["f"](1, 2, 3, 4, 5) == (8, 12)


@pytest.mark.parametrize(
    ("text", "code", "message"),
    [
        ('func.func @f() {\n  %a = spec.dim "N"\n  func.return\n}', "OPW410", "'spec.dim' cannot be written as NumPy"),
        ("builtin.module {\n}", "OPW410", "'builtin.module' cannot be written as NumPy"),
        (
            "func.func @f() {\n  %a = arith.constant 0 : i4\n  func.return\n}",
            "OPW411",
            "NumPy has no type for i4",
        ),
        ("func.func private @f()", "OPW413", "'func.func' has 0 blocks"),
        (
            "func.func @f(%m: memref<?x4xf32>) {\n"
            "  %v = memref.subview %m[0, 0] [1, 1] [1, 1] : memref<?x4xf32> to memref<1xf32>\n  func.return\n}",
            "OPW414",
            "which of the dims",
        ),
    ],
)
def test_what_cannot_be_written_is_refused(text: str, code: str, message: str) -> None:
    module = parse_module(new_context(), f"builtin.module {{\n{text}\n}}", "refused.mlir")
    with pytest.raises(Diagnostic, match=message) as caught:
        emit(module)
    assert caught.value.code == code
    assert caught.value.location is not None
    assert caught.value.location.line in (2, 3)


def test_a_bound_is_read_before_the_loop_changes_it() -> None:
    f = functions("""
        func.func @f(%n: memref<1xindex>, %rows: index) -> index {
          %c0 = arith.constant 0 : index
          %one = arith.constant 1 : index
          %0 = memref.load %n[%c0] : memref<1xindex>
          tile.foreach (%r: 0 to %rows, %l: 0 to %0) {
            tile.write add %one to %n[0] : memref<1xindex>
          }
          %1 = memref.load %n[%c0] : memref<1xindex>
          func.return %1 : index
        }""")["f"]
    assert f(np.array([3]), 4) == 15


def test_the_equation_is_quoted() -> None:
    equation = 'y = "x" \\ z"'
    module = parse_module(new_context(), "func.func @f() {\n  func.return\n}", "equation.mlir")
    next(iter(module.body.block.ops)).attributes["tile.equation"] = StringAttr(equation)
    assert ast.get_docstring(ast.parse(emit(module))) == equation


@pytest.mark.parametrize("name", sorted(HELPERS))
def test_a_function_of_support_stands_alone(name: str) -> None:
    defined = load(module_text("", [name], "", bf16=False))
    assert defined[name].__doc__ == HELPERS[name].__doc__
    assert all(called in defined for called in HELPERS[name].__code__.co_names if called in HELPERS)
