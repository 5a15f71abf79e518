"""Point loops: the last dim as array operations gives the bits of a loop over it."""

from collections.abc import Callable
from typing import Any

import ml_dtypes
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from opwright.codegen.numpy import Options, emit, load
from opwright.codegen.numpy.checked import CheckedArray
from opwright.codegen.numpy.compile import load_checked
from opwright.dialect.parser import parse_module
from opwright.dialect.registry import new_context

Array = NDArray[Any]
WIDTH, ROWS = 7, 3

READS = (
    "tile.read %x[%r + {a}, %l + {b}] else %zero : memref<?x?xf32>",
    "tile.read %x[%r, 2 * %l + {a}] else %zero : memref<?x?xf32>",
    "tile.read %x[{c}, {d} - %l] else %zero : memref<?x?xf32>",
    "tile.read %x[%l + {a}, %l] else %zero : memref<?x?xf32>",
    "tile.read %x[%r, %l floordiv 2] : memref<?x?xf32>",
    "tile.read %x[%r + {a}, {c}] else %zero : memref<?x?xf32>",
    "tile.read %x[%r, %at] else %zero : memref<?x?xf32>",
    "tile.read %t[%r, %l] : memref<?x?xf32>",
)
WRITES = (
    "%t[%r, %l]",
    "%t[%r + 1, %l]",
    "%t[%r, %l + 1]",
    "%t[%r, 2 * %l]",
    "%t[{c}, {e} - %l]",
    "%t[%r, {c}]",
    "%t[{c}, {d}]",
    "%t[%r, %place]",
    "%t[%l, %l]",
)


@st.composite
def bodies(draw: st.DrawFn) -> str:
    """One to three reads, and as many writes of their sums."""

    def numbers() -> dict[str, int]:
        a, b = draw(st.integers(-3, 3)), draw(st.integers(-3, 3))
        return {"a": a, "b": b, "c": draw(st.integers(0, 2)), "d": draw(st.integers(3, 9)), "e": WIDTH + 3}

    lines: list[str] = []
    count = draw(st.integers(1, 3))
    for n in range(count):
        read = draw(st.sampled_from(READS)).format(**numbers())
        lines.append(f"%v{n} = {read.replace('%zero', draw(st.sampled_from(('%zero', '%lf'))))}")
    lines.append(f"%s = arith.addf %v0, %v{count - 1} : f32")
    for _ in range(draw(st.integers(1, 3))):
        combiner = draw(st.sampled_from(("", "add ", "max ")))
        guard = draw(st.sampled_from(("", " if %odd", " if %high")))
        value = draw(st.sampled_from(("%s", "%v0", "%one")))
        target = draw(st.sampled_from(WRITES)).format(**numbers())
        lines.append(f"tile.write {combiner}{value} to {target}{guard} : memref<?x?xf32>")
    return "\n".join(lines)


def module_text(body: str, bounds: str) -> str:
    return f"""
        func.func @f(%x: memref<?x?xf32>, %t: memref<?x?xf32>, %k: memref<?xi32>, %rows: index, %width: index) {{
          %zero = arith.constant 0.0 : f32
          %one = arith.constant 1.0 : f32
          %c1 = arith.constant 1 : index
          %one_i32 = arith.constant 1 : i32
          tile.foreach (%r: 0 to %rows, %l: {bounds}) {{
            %li = arith.index_cast %l : index to i32
            %lf = arith.sitofp %li : i32 to f32
            %key = tile.read %k[%l] : memref<?xi32>
            %at = arith.index_cast %key : i32 to index
            %bit = arith.andi %key, %one_i32 : i32
            %odd = arith.cmpi eq, %bit, %one_i32 : i32
            %place = arith.maxsi %at, %c1 : index
            %high = arith.cmpi sgt, %r, %c1 : index
            {body}
          }}
          func.return
        }}"""


def run(text: str, arrays: list[Array], *, lanes: bool) -> Array:
    module = parse_module(new_context(), text, "foreach.mlir")
    module.verify()
    arrays = [a.copy() for a in arrays]
    views = [CheckedArray.of(a, str(n)) for n, a in enumerate(arrays)]
    load_checked(emit(module, Options(lanes=lanes)))["f"](*views, ROWS, WIDTH)
    return arrays[1]


def inputs(seed: int) -> list[Array]:
    rng = np.random.default_rng(seed)
    x = rng.standard_normal((5, 6)).astype(np.float32)
    t = rng.standard_normal((8, 20)).astype(np.float32)
    return [x, t, rng.integers(0, 9, WIDTH).astype(np.int32)]


@given(
    bodies(),
    st.sampled_from(("0 to %width", "0 to 5", "2 to %width", "%r to %width", "0 to min(%width, %r + 2)", "3 to %r")),
    st.integers(0, 99),
)
def test_lanes_give_the_bits_of_a_loop(body: str, bounds: str, seed: int) -> None:
    text, arrays = module_text(body, bounds), inputs(seed)
    np.testing.assert_array_equal(
        run(text, arrays, lanes=True).view(np.int32), run(text, arrays, lanes=False).view(np.int32)
    )


@pytest.mark.parametrize("lanes", [True, False], ids=["lanes", "loop"])
def test_a_sum_over_lanes_starts_with_the_element_and_ascends(lanes: bool) -> None:
    text = module_text(
        "%v = tile.read %x[%r, %l] : memref<?x?xf32> tile.write add %v to %t[%r, 0] : memref<?x?xf32>", "0 to 6"
    )
    arrays = inputs(1)
    expected = arrays[1][:ROWS, 0].copy()
    for r in range(ROWS):
        for lane in range(6):
            expected[r] = expected[r] + arrays[0][r, lane]
    np.testing.assert_array_equal(run(text, arrays, lanes=lanes)[:ROWS, 0], expected)


@pytest.mark.parametrize("lanes", [True, False], ids=["lanes", "loop"])
def test_a_value_that_all_lanes_share_counts_once_a_lane(lanes: bool) -> None:
    text = module_text("tile.write add %one to %t[0, 0] : memref<?x?xf32>", "2 to %width")
    arrays = inputs(1)
    arrays[1][0, 0] = 0
    assert run(text, arrays, lanes=lanes)[0, 0] == ROWS * (WIDTH - 2)


def written_as_loop(body: str) -> bool:
    return "for l in" in emit(parse_module(new_context(), module_text(body, "0 to %width"), "foreach.mlir"))


@pytest.mark.parametrize(
    "body",
    [
        # Each lane keeps to its own column, whatever the rows.
        """tile.write add %lf to %t[0, %l + 1] : memref<?x?xf32>
           tile.write add %lf to %t[%r, %l + 1] : memref<?x?xf32>""",
        # The rows differ.
        """tile.write add %lf to %t[0, 0] : memref<?x?xf32>
           tile.write add %lf to %t[1, %l] : memref<?x?xf32>""",
        "tile.write add %lf to %t[%r, %at] : memref<?x?xf32>",
    ],
)
def test_runs_as_array_operations(body: str) -> None:
    assert not written_as_loop(body)


@pytest.mark.parametrize(
    "body",
    [
        """tile.write add %lf to %t[%r, %l] : memref<?x?xf32>
           tile.write add %lf to %t[%r, %l + 1] : memref<?x?xf32>""",
        """tile.write add %lf to %t[0, 0] : memref<?x?xf32>
           tile.write add %one to %t[0, 0] : memref<?x?xf32>""",
        """%v = tile.read %t[%r, %l] : memref<?x?xf32>
           tile.write %v to %t[%r, %l + 1] : memref<?x?xf32>""",
        """tile.foreach (%q: 0 to 2) {
             tile.write add %lf to %t[%q, %l] : memref<?x?xf32>
           }""",
    ],
)
def test_runs_as_a_loop_where_the_order_would_change(body: str) -> None:
    assert written_as_loop(body)


def test_a_view_does_not_change_under_a_read() -> None:
    body = """
        %old = tile.read %t[%r, %l] : memref<?x?xf32>
        tile.write %one to %t[%r, %l] : memref<?x?xf32>
        tile.write add %old to %t[%r, %l] : memref<?x?xf32>"""
    arrays = inputs(2)
    result = run(module_text(body, "0 to %width"), arrays, lanes=True)
    np.testing.assert_array_equal(result[:ROWS, :WIDTH], np.float32(1) + arrays[1][:ROWS, :WIDTH])


CONTROL = """
    func.func @f(%x: memref<?x?xf32>, %y: memref<?xf32>, %s: memref<1xf32>, %n: index, %width: index, %flag: i1) {
      %zero = arith.constant 0.0 : f32
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      tile.foreach (%l: 0 to %width) {
        %sum, %last = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %zero, %before = %zero) -> (f32, f32) {
          %v = tile.read %x[%i, %l] : memref<?x?xf32>
          %new = arith.addf %acc, %v : f32
          scf.yield %new, %acc : f32, f32
        }
        %value = scf.if %flag -> (f32) {
          %both = arith.addf %sum, %last : f32
          scf.yield %both : f32
        } else {
          scf.yield %zero : f32
        }
        tile.write %value to %y[%l] : memref<?xf32>
        tile.write add %value to %s[0] : memref<1xf32>
      }
      func.return
    }"""


@pytest.mark.parametrize("lanes", [True, False], ids=["lanes", "loop"])
@pytest.mark.parametrize("flag", [True, False])
@pytest.mark.parametrize("rows", [0, 1, 4])
def test_loops_and_branches_that_all_lanes_share(lanes: bool, flag: bool, rows: int) -> None:
    text = emit(parse_module(new_context(), CONTROL, "control.mlir"), Options(lanes=lanes))
    assert ("for l in" in text) != lanes
    x = np.random.default_rng(3).standard_normal((4, WIDTH)).astype(np.float32)
    y, s = np.full(WIDTH, np.nan, np.float32), np.zeros(1, np.float32)
    load(text)["f"](x, y, s, rows, WIDTH, flag)
    sums = np.zeros((rows + 2, WIDTH), np.float32)
    for i in range(rows):
        sums[i + 1] = sums[i] + x[i]
    expected = sums[rows] + (sums[rows - 1] if rows else 0) if flag else np.zeros(WIDTH, np.float32)
    np.testing.assert_array_equal(y, expected)
    total = np.float32(0)
    for value in expected:
        total = total + value
    assert s[0] == total


def test_a_branch_that_lanes_do_not_share_runs_as_a_loop() -> None:
    text = """
        func.func @f(%x: memref<?xf32>, %y: memref<?xf32>, %width: index) {
          %zero = arith.constant 0.0 : f32
          tile.foreach (%l: 0 to %width) {
            %v = tile.read %x[%l] : memref<?xf32>
            %positive = arith.cmpf ogt, %v, %zero : f32
            scf.if %positive {
              tile.write add %v to %y[0] : memref<?xf32>
            }
          }
          func.return
        }"""
    source = emit(parse_module(new_context(), text, "branch.mlir"))
    assert "for l in range(width):" in source
    y = np.zeros(1, np.float32)
    load(source)["f"](np.array([1, -5, 2], np.float32), y, 3)
    assert y[0] == 3


def test_no_dims_is_one_point() -> None:
    text = """
        func.func @f(%y: memref<?xf32>, %v: f32) {
          tile.foreach () {
            tile.write add %v to %y[0] : memref<?xf32>
          }
          func.return
        }"""
    y = np.ones(1, np.float32)
    load(emit(parse_module(new_context(), text, "point.mlir")))["f"](y, np.float32(2))
    assert y[0] == 3


ELEMENTS: dict[str, Any] = {
    "f32": np.float32,
    "f16": np.float16,
    "bf16": ml_dtypes.bfloat16,
    "i32": np.int32,
    "i8": np.int8,
}
COMBINE: dict[str, Callable[[Array, Array], Array]] = {"add": np.add, "max": np.maximum, "min": np.minimum}
PLACES = {"one element": "0", "elements of their own": "%l", "computed elements": "%at"}


@pytest.mark.parametrize("lanes", [True, False], ids=["lanes", "loop"])
@pytest.mark.parametrize("guard", ["", " if %odd"])
@pytest.mark.parametrize("value", ["%v", "%same"])
@pytest.mark.parametrize("place", PLACES)
@pytest.mark.parametrize("combiner", COMBINE)
@pytest.mark.parametrize("element", ELEMENTS)
def test_lanes_combine_in_order(element: str, combiner: str, place: str, value: str, guard: str, lanes: bool) -> None:
    text = f"""
        func.func @f(%x: memref<?x{element}>, %y: memref<?x{element}>, %k: memref<?xi32>, %n: index) {{
          %one = arith.constant 1 : i32
          tile.foreach (%l: 0 to %n) {{
            %v = tile.read %x[%l] : memref<?x{element}>
            %same = tile.read %x[3] : memref<?x{element}>
            %key = tile.read %k[%l] : memref<?xi32>
            %at = arith.index_cast %key : i32 to index
            %bit = arith.andi %key, %one : i32
            %odd = arith.cmpi eq, %bit, %one : i32
            tile.write {combiner} {value} to %y[{PLACES[place]}]{guard} : memref<?x{element}>
          }}
          func.return
        }}"""
    rng = np.random.default_rng(5)
    dtype = ELEMENTS[element]
    x, keys = (rng.standard_normal(40) * 30).astype(np.float32).astype(dtype), rng.integers(0, 6, 40).astype(np.int32)
    y = (rng.standard_normal(40) * 30).astype(np.float32).astype(dtype)
    expected = y.copy()
    for lane in range(40):
        target = {"one element": 0, "elements of their own": lane, "computed elements": keys[lane]}[place]
        if not guard or keys[lane] % 2:
            operand = x[lane if value == "%v" else 3]
            with np.errstate(all="ignore"):
                expected[target] = COMBINE[combiner](expected[target], operand)
    source = emit(parse_module(new_context(), text, "combine.mlir"), Options(lanes=lanes))
    assert ("for l in" in source) != lanes
    load(source)["f"](x, y, keys, 40)
    np.testing.assert_array_equal(y, expected)


@pytest.mark.parametrize("guard", ["", " if %odd"])
@pytest.mark.parametrize("place", PLACES)
def test_the_last_lane_wins(guard: str, place: str) -> None:
    body = f"tile.write %lf to %t[0, {PLACES[place]}]{guard} : memref<?x?xf32>"
    arrays = inputs(4)
    text = module_text(body, "0 to %width")
    np.testing.assert_array_equal(run(text, arrays, lanes=True), run(text, arrays, lanes=False))
