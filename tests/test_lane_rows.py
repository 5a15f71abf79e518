"""Combinations over lanes against sums written out: NumPy and C, before and after lower-to-loops."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import product
from typing import Any

import ml_dtypes
import numpy as np
import pytest
from numpy.typing import NDArray
from xdsl.dialects import scf
from xdsl.dialects.builtin import ModuleOp

from opwright.codegen.c.executable import compile_module as compile_c
from opwright.codegen.executable import Executable
from opwright.codegen.numpy import Options, emit
from opwright.codegen.numpy.compile import compile_module as compile_numpy
from opwright.dialect.parser import parse_module
from opwright.dialect.registry import new_context
from opwright.passes.loops_nest import LANES as LANES_ATTRIBUTE
from opwright.passes.lower_to_loops import LowerToLoopsPass

Array = NDArray[Any]
Arrays = dict[str, Array]
Runs = list[tuple[str, Executable]]

LANES, PITCH = 64, 256
WIDTHS = (1, 7, 63, 64, 65, 128, 200)
ROWS = (0, 1, 5)
SPECIAL = (0.0, -0.0, np.inf, -np.inf, np.nan, 1.5, -2.5, 1e-40, 3e38)
DTYPES: Mapping[str, Any] = {
    "f32": np.float32,
    "f16": np.float16,
    "bf16": ml_dtypes.bfloat16,
    "i32": np.int32,
}


def negative(a: Array) -> Array:
    return np.signbit(np.asarray(a, np.float64))


def larger(a: Array, b: Array) -> Array:
    """The larger number: NaN wins, and 0 is larger than -0."""
    top: Array = np.maximum(a, b)
    return np.where(a == b, np.where(negative(b), a, b), top)


def smaller(a: Array, b: Array) -> Array:
    """The smaller number: NaN wins, and -0 is smaller than 0."""
    bottom: Array = np.minimum(a, b)
    return np.where(a == b, np.where(negative(b), b, a), bottom)


COMBINE: Mapping[str, Callable[[Any, Any], Any]] = {
    "add": np.add,
    "sub": np.subtract,
    "mul": np.multiply,
    "div": np.divide,
    "max": larger,
    "min": smaller,
}


def kernel(stages: Mapping[str, str], arguments: Iterable[str], constants: str = "") -> ModuleOp:
    """Build a kernel from the bodies of its stages; an argument is `name role element dim...`, R and W are the dims."""
    memrefs = "".join(f"{_memref(*argument.split())}, " for argument in arguments)
    bodies = "".join(f'tile.cores "{label}" %cores (%core) {{ {body} }}\n' for label, body in stages.items())
    text = f"""
        func.func @k_tiling(%R: index {{tile.name = "R"}}, %W: index {{tile.name = "W"}},
            %cores: index {{tile.name = "cores"}}) attributes {{tile.tiling}} {{
          func.return
        }}
        func.func @k({memrefs}%R: index {{tile.name = "R", tile.role = "dim"}},
            %W: index {{tile.name = "W", tile.role = "dim"}},
            %cores: index {{tile.name = "cores", tile.role = "cores"}}) attributes {{tile.kernel}} {{
          %c0 = arith.constant 0 : index
          %c1 = arith.constant 1 : index
          %c6 = arith.constant 6 : index
          %c64 = arith.constant 64 : index
          {constants}
          {bodies}
          func.return
        }}"""
    module = parse_module(new_context(), text, "lanes.mlir")
    module.verify()
    return module


def _memref(name: str, role: str, element: str, *dims: str) -> str:
    shape = "".join(f"{d if d.isdigit() else '?'}x" for d in dims)
    extents = ", ".join(d if d.isdigit() else f'"{d}"' for d in dims)
    described = f'tile.name = "{name}", tile.role = "{role}", tile.dims = [{extents}]'
    return f"%{name}: memref<{shape}{element}> {{{described}}}"


def executables(module: Callable[[], ModuleOp], *, lanes: bool = True) -> Runs:
    """Return what runs the kernel, by name: NumPy and C, before and after lower-to-loops."""
    loops = module()
    LowerToLoopsPass().apply(new_context(), loops)
    loops.verify()
    assert not [op for op in loops.walk() if op.name.startswith("tile.")]
    slow: Runs = [] if lanes else [("numpy by lane", compile_numpy(module(), Options(lanes=False)))]
    return [("numpy", compile_numpy(module())), *slow, ("loops", compile_numpy(loops)), ("c", compile_c(loops))]


def compare(runs: Runs, inputs: Arrays, expected: Arrays, rows: int, width: int) -> None:
    """Run a kernel everywhere on R rows of W lanes."""
    for name, executable in runs:
        with np.errstate(all="ignore"):
            outputs = executable.run(inputs, {"R": rows, "W": width}, 1)
        for key, value in expected.items():
            assert_same(outputs[key], value, f"{name} {key} {rows} x {width}")


def assert_same(actual: Array, expected: Array, what: str) -> None:
    """Compare bits; one NaN is as good as another."""
    if expected.dtype.kind == "i":
        np.testing.assert_array_equal(actual, expected, what)
        return
    nan = np.isnan(expected.astype(np.float64))
    unsigned = np.dtype(f"u{expected.itemsize}")
    np.testing.assert_array_equal(np.isnan(actual.astype(np.float64)), nan, what)
    np.testing.assert_array_equal(actual.view(unsigned)[~nan], expected.view(unsigned)[~nan], what)


def numbers(rng: np.random.Generator, shape: tuple[int, ...], element: str, *, special: bool) -> Array:
    dtype = np.dtype(DTYPES[element])
    if dtype.kind == "i":
        return rng.integers(-(2**31), 2**31, shape).astype(dtype)
    array = rng.standard_normal(shape) * 10.0 ** rng.integers(-3, 3, shape)
    if special:
        chosen = rng.random(shape) < 0.2
        array[chosen] = rng.choice(SPECIAL, int(chosen.sum()))
    with np.errstate(all="ignore"):
        return array.astype(dtype)


# Row instructions

FOLDS = [(kind, step) for kind in ("add", "max", "min") for step in (1, 0)]
UB = 'memref<?x?xT, "ub">'


def fold_stage(kind: str, step: int) -> str:
    """Fold, tree and splat, from row 1 of the buffers on."""
    name = f"{kind}{step}"
    return f"""
        %a = tile.alloc "a" in [7, {PITCH}] : {UB}
        %f = tile.alloc "f" accumulator [%R + 1, {LANES}] : {UB}
        %t = tile.alloc "t" temp [2, {LANES}] : {UB}
        %b = tile.alloc "b" out [%R + 1, {PITCH}] : {UB}
        tile.load_rows %x[%c0, %c0] along 0 to %a[%c1] rows %c6 width %W : memref<6x?xT>, {UB}
        tile.load_rows %p[%c0, %c0] along 0 to %f[%c1] rows %R width %c64 : memref<?x64xT>, {UB}
        tile.fold "{kind}" %a[%c1] step {step} to %f[%c1] rows %R width %W : ({UB}) -> {UB}
        tile.tree "{kind}" %f[%c1] to %t[%c1] rows %R width %c64 : ({UB}) -> {UB}
        tile.splat %t[%c1] to %b[%c1] rows %R width %W : ({UB}) -> {UB}
        tile.store_rows %f[%c1] to %fold_{name}[%c0, %c0] along 0 rows %R width %c64 : {UB}, memref<?x64xT>
        tile.store_rows %t[%c1] to %tree_{name}[%c0, %c0] along 0 rows %c1 width %R : {UB}, memref<1x?xT>
        tile.store_rows %b[%c1] to %splat_{name}[%c0, %c0] along 0 rows %R width %W : {UB}, memref<?x?xT>"""


def folds_kernel(element: str) -> ModuleOp:
    outputs = [
        f"{what}_{kind}{step} output {element} {dims}"
        for kind, step in FOLDS
        for what, dims in (("fold", "R 64"), ("tree", "1 R"), ("splat", "R W"))
    ]
    stages = {f"{kind}{step}": fold_stage(kind, step).replace("xT", f"x{element}") for kind, step in FOLDS}
    return kernel(stages, (f"x input {element} 6 W", f"p input {element} R 64", *outputs))


def tree_of(kind: str, values: Array) -> Any:  # noqa: ANN401
    """Combine neighbours, level by level."""
    level = list(values)
    while len(level) > 1:
        level = [COMBINE[kind](level[n], level[n + 1]) for n in range(0, len(level), 2)]
    return level[0]


def folds_model(inputs: Arrays, rows: int, width: int) -> Arrays:
    expected: Arrays = {}
    for kind, step in FOLDS:
        folded = inputs["p"].copy()
        for e in range(width):
            values = inputs["x"][: rows if step else 1, e]
            folded[:, e % LANES] = COMBINE[kind](folded[:, e % LANES], values)
        trees = np.array([[tree_of(kind, row) for row in folded]], folded.dtype).reshape(1, rows)
        splat = np.repeat(trees[0][:, None], width, axis=1)
        expected |= {f"fold_{kind}{step}": folded, f"tree_{kind}{step}": trees, f"splat_{kind}{step}": splat}
    return expected


@pytest.mark.parametrize("element", DTYPES)
def test_folds_trees_and_splats(element: str) -> None:
    rng = np.random.default_rng(1)
    runs = executables(lambda: folds_kernel(element))
    for rows, width, special in product(ROWS, WIDTHS if element == "f32" else (65,), (False, True)):
        inputs = {
            "x": numbers(rng, (6, width), element, special=special),
            "p": numbers(rng, (rows, LANES), element, special=special),
        }
        with np.errstate(all="ignore"):
            expected = folds_model(inputs, rows, width)
        compare(runs, inputs, expected, rows, width)


FORMS = [((1, 1), True), ((1, 1), False), ((0, 1), False), ((1, 0), False), ((1, 0), True)]
"""Steps of the two sources, and whether the first one is the target."""


def by_row_stage(kind: str, steps: tuple[int, int], output: str, *, in_place: bool) -> str:
    """Combine rows with the first elements of others, at start row 1."""
    target = "%a[%c1]" if in_place else "%b[%c0]"
    sources = f"%a[%c1] step {steps[0]}, %s[%c1] step {steps[1]}"
    return f"""
        %a = tile.alloc "a" in [%R + 2, {PITCH}] : {UB}
        %s = tile.alloc "s" in [%R + 2, {LANES}] : {UB}
        %b = tile.alloc "b" out [%R + 1, {PITCH}] : {UB}
        tile.load_rows %x[%c0, %c0] along 0 to %a[%c1] rows %R width %W : memref<?x?xT>, {UB}
        tile.load_rows %z[%c0, %c0] along 0 to %s[%c1] rows %R width %c1 : memref<?x1xT>, {UB}
        tile.by_row "{kind}" {sources} to {target} rows %R width %W : ({UB}, {UB}) -> {UB}
        tile.store_rows {target} to %{output}[%c0, %c0] along 0 rows %R width %W : {UB}, memref<?x?xT>"""


def by_row_kernel(element: str, cases: Iterable[tuple[str, int]]) -> ModuleOp:
    stages: dict[str, str] = {}
    for kind, form in cases:
        steps, in_place = FORMS[form]
        stage = by_row_stage(kind, steps, f"{kind}{form}", in_place=in_place)
        stages[f"{kind}{form}"] = stage.replace("xT", f"x{element}")
    outputs = (f"{name} output {element} R W" for name in stages)
    return kernel(stages, (f"x input {element} R W", f"z input {element} R 1", *outputs))


@pytest.mark.parametrize("element", ["f32", "bf16", "i32"])
def test_rows_combine_with_one_element(element: str) -> None:
    rng = np.random.default_rng(2)
    kinds = [kind for kind in COMBINE if kind != "div" or element != "i32"]
    cases = [*product(("sub",), range(len(FORMS))), *((kind, n % len(FORMS)) for n, kind in enumerate(kinds))]
    runs = executables(lambda: by_row_kernel(element, dict.fromkeys(cases)))
    for rows, width in ((0, 7), (1, 65), (5, 33)):
        x, z = (numbers(rng, (rows, w), element, special=True) for w in (width, 1))
        expected: Arrays = {}
        for kind, form in cases:
            a, s = (array if step else array[:1] for array, step in zip((x, z), FORMS[form][0], strict=True))
            with np.errstate(all="ignore"):
                combined = COMBINE[kind](a, s).astype(x.dtype)
            expected[f"{kind}{form}"] = np.ascontiguousarray(np.broadcast_to(combined, (rows, width)))
        compare(runs, {"x": x, "z": z}, expected, rows, width)


def test_what_a_row_is_combined_with_may_stand_in_any_row() -> None:
    """A splat of one row is the broadcast of its first element."""
    stage = f"""
        %s = tile.alloc "s" in [1, {LANES}] : {UB}
        tile.load_rows %x[%c0, %c0] along 0 to %s[%c0] rows %c1 width %c1 : memref<?x?xT>, {UB}
        tile.splat %s[%c0] to %y[%c0] rows %c1 width %W : ({UB}) -> memref<?x?xT>""".replace("xT", "xf32")
    runs = executables(lambda: kernel({"s": stage}, ("x input f32 R W", "y output f32 R W")))
    x = np.arange(9, dtype=np.float32).reshape(1, 9) + 3
    compare(runs, {"x": x}, {"y": np.full((1, 9), 3, np.float32)}, 1, 9)


# Point loops

PLACES: Mapping[str, tuple[str, Callable[[int, int], tuple[int, int]]]] = {
    "fold": ("%r, %l mod 64", lambda r, e: (r, e % 64)),
    "below": ("%r + 6, %l mod 64", lambda r, e: (r + 6, e % 64)),
    "short": ("%r, %l mod 24", lambda r, e: (r, e % 24)),
    "lanes": ("%r, %l", lambda r, e: (r, e)),
    "one": ("%r, 0", lambda r, e: (r, 0)),
}
"""Where a write combines: as text, and as a function of row and lane."""


@dataclass(frozen=True)
class Sums:
    """A point loop that combines its lanes into several arrays.

    Attributes:
        writes: (array, place, value, guard) of each write, in order.
        kind: how they combine.
        bounds: the range of the lanes, as text and as a function of row and width.
        widths: of x.
    """

    writes: tuple[tuple[str, str, str, str], ...]
    kind: str = "add"
    bounds: tuple[str, Callable[[int, int], range]] = ("0 to %W", lambda r, width: range(width))
    element: str = "f32"
    widths: tuple[int, ...] = (1, 65, 200)

    def module(self) -> ModuleOp:
        t = self.element
        arrays = sorted({array for array, *_ in self.writes})
        fills = "\n".join(f"tile.write %one to %{a}[%r, %l] : memref<12x256x{t}>" for a in arrays)
        writes = "\n".join(
            f"tile.write {self.kind} %{value} to %{array}[{PLACES[place][0]}]{guard} : memref<12x256x{t}>"
            for array, place, value, guard in self.writes
        )
        body = f"""
            %c37 = arith.constant 37 : index
            %first = arith.minsi %W, %c37 : index
            tile.foreach (%r: 0 to 12, %l: 0 to 256) {{
              {fills}
            }}
            tile.foreach (%r: 0 to %R, %l: {self.bounds[0]}) {{
              %v = tile.read %x[%r, %l] : memref<?x?x{t}>
              {"%w = arith.addf %v, %one : f32" if t == "f32" else ""}
              %key = tile.read %keep[%l] : memref<?xi32>
              %on = arith.cmpi sgt, %key, %zero : i32
              %row = arith.cmpi ne, %r, %c1 : index
              {writes}
              tile.write %v to %y[%r, %l] : memref<?x?x{t}>
            }}"""
        memrefs = (
            f"x input {t} R W",
            "keep input i32 W",
            f"y output {t} R W",
            *(f"{a} output {t} 12 256" for a in arrays),
        )
        constants = f"%one = arith.constant 1.0 : {t} %zero = arith.constant 0 : i32"
        return kernel({"sums": body}, memrefs, constants)

    def model(self, inputs: Arrays, rows: int, width: int) -> Arrays:
        x = inputs["x"]
        one = x.dtype.type(1)
        sums = {array: np.full((12, 256), one, x.dtype) for array, *_ in self.writes}
        with np.errstate(all="ignore"):
            for r in range(rows):
                for e in self.bounds[1](r, width):
                    values = {"v": x[r, e], "w": x[r, e] + one, "one": one}
                    taken = {"": True, " if %on": inputs["keep"][e] > 0, " if %row": r != 1}
                    for array, place, value, guard in self.writes:
                        at = PLACES[place][1](r, e)
                        if taken[guard]:
                            sums[array][at] = COMBINE[self.kind](sums[array][at], values[value])
        return sums


CASES: Mapping[str, Sums] = {
    "one": Sums((("f", "fold", "v", ""),)),
    "largest": Sums((("f", "fold", "v", ""),), "max"),
    "smallest": Sums((("f", "fold", "v", " if %row"),), "min"),
    "in 16 bits": Sums((("f", "fold", "v", ""),), element="bf16"),
    "several": Sums((("f", "fold", "v", ""), ("g", "fold", "w", ""), ("f", "below", "w", ""), ("h", "lanes", "v", ""))),
    "beside a sum of all lanes": Sums((("f", "fold", "v", ""), ("g", "one", "v", ""))),
    "of two sizes": Sums((("f", "fold", "v", ""), ("g", "short", "w", ""))),
    "twice into one": Sums((("f", "fold", "v", ""), ("f", "fold", "w", ""))),
    "of the same value": Sums((("f", "fold", "one", ""),)),
    "of some lanes": Sums((("f", "fold", "v", " if %on"), ("g", "fold", "one", " if %on"))),
    "the largest of some lanes": Sums((("f", "fold", "v", " if %on"),), "max"),
    "of some rows": Sums((("f", "fold", "v", " if %row"), ("g", "fold", "w", " if %row"))),
    "from a lane on": Sums(
        (("f", "fold", "v", ""),), bounds=("%first to %W", lambda r, width: range(min(width, 37), width))
    ),
    "from the row on": Sums(
        (("f", "fold", "v", ""),),
        bounds=("max(%r, 3) to min(%W, 150)", lambda r, width: range(max(r, 3), min(width, 150))),
    ),
    "of one strip": Sums(
        (("f", "fold", "v", ""),), bounds=("64 to 128", lambda r, width: range(64, 128)), widths=(200,)
    ),
}


@pytest.mark.parametrize("name", CASES)
def test_lanes_combine_by_their_remainder(name: str) -> None:
    case, rng = CASES[name], np.random.default_rng(3)
    runs = executables(case.module, lanes=False)
    for rows, width in product((0, 5), case.widths):
        x = numbers(rng, (rows, width), case.element, special=case.kind != "add")
        inputs = {"x": x, "keep": rng.integers(-3, 4, width).astype(np.int32)}
        compare(runs, inputs, case.model(inputs, rows, width), rows, width)


VECTORS = [name for name in CASES if name not in ("twice into one", "beside a sum of all lanes", "of two sizes")]


@pytest.mark.parametrize("name", VECTORS)
def test_lanes_of_a_strip_are_independent(name: str) -> None:
    module = CASES[name].module()
    LowerToLoopsPass().apply(new_context(), module)
    inner = [op for op in module.walk() if isinstance(op, scf.ForOp) and not any(_loops_in(op))]
    assert [LANES_ATTRIBUTE in loop.attributes for loop in inner] == [True, True]


def _loops_in(loop: scf.ForOp) -> Iterator[bool]:
    return (isinstance(op, scf.ForOp) for op in loop.body.walk())


@pytest.mark.parametrize("name", [n for n in CASES if n != "twice into one"])
def test_numpy_takes_all_lanes_at_once(name: str) -> None:
    assert "for l in" not in emit(CASES[name].module())
