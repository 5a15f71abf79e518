"""What index_facts proves holds for every run of random index programs, and it proves what tiled loops need."""

from collections.abc import Callable
from dataclasses import dataclass, field
from itertools import pairwise

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import SSAValue

from opwright.dialect.parser import parse_module
from opwright.dialect.registry import new_context
from opwright.passes.index_facts import Facts

FRAME = """
func.func @k_tiling(%N: index {{tile.name = "N"}}, %M: index {{tile.name = "M"}}, %cores: index {{tile.name = "cores"}})
    -> (index {{tile.name = "t"}}) attributes {{tile.tiling}} {{
{tiling}
}}
func.func @k(%N: index {{tile.name = "N", tile.role = "dim"}}, %M: index {{tile.name = "M", tile.role = "dim"}},
    %t: index {{tile.name = "t", tile.role = "tiling"}},
    %cores: index {{tile.name = "cores", tile.role = "cores"}}) attributes {{tile.kernel}} {{
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  tile.cores "k" %cores (%core) {{
{body}
  }}
  func.return
}}
"""

MEANING: dict[str, Callable[[int, int], int]] = {
    "addi": lambda a, b: a + b,
    "subi": lambda a, b: a - b,
    "muli": lambda a, b: a * b,
    "minsi": min,
    "maxsi": max,
    "ceildivsi": lambda a, b: -(-a // b),
    "divsi": lambda a, b: a // b if a >= 0 else -(-a // b),
    "remsi": lambda a, b: a % b if a >= 0 else -(-a % b),
}
DIVISIONS = ("ceildivsi", "divsi", "remsi")


@dataclass
class Program:
    """Operations on N, M and constants, then a loop between two of the values with operations in it.

    Attributes:
        steps: kind and the numbers of the operands among what is there before.
        loop: numbers of the values at which the loop starts and ends, and its step.
        inner: operations in the loop; its variable is the value after the steps.
    """

    steps: list[tuple[str, int, int]]
    loop: tuple[int, int, int]
    inner: list[tuple[str, int, int]]
    names: list[str] = field(default_factory=lambda: ["N", "M", "t", "k2", "k7"])

    def text(self) -> str:
        """The program as the body of a stage."""
        lines = ["%k2 = arith.constant 2 : index", "%k7 = arith.constant 7 : index"]
        names = list(self.names)
        lines += self._steps(names, self.steps, "v")
        start, end, step = self.loop
        lines.append(f"%step = arith.constant {step} : index")
        lines.append(f"scf.for %i = %{names[start % len(names)]} to %{names[end % len(names)]} step %step {{")
        names.append("i")
        lines += [*self._steps(names, self.inner, "w"), "}"]
        return "\n".join(lines)

    def _steps(self, names: list[str], steps: list[tuple[str, int, int]], prefix: str) -> list[str]:
        lines: list[str] = []
        for number, (kind, a, b) in enumerate(steps):
            left, right = names[a % len(names)], names[b % len(names)]
            if kind in DIVISIONS:
                lines.append(f"%{prefix}{number}_d = arith.maxsi %{right}, %c1 : index")
                right = f"{prefix}{number}_d"
            lines.append(f"%{prefix}{number} = arith.{kind} %{left}, %{right} : index")
            names.append(f"{prefix}{number}")
        return lines

    def run(self, n: int, m: int, t: int) -> list[dict[str, int]]:
        """The values by name, of a few iterations; of none where the loop has none."""
        values = {"N": n, "M": m, "t": t, "k2": 2, "k7": 7}
        names = list(self.names)
        self._evaluate(names, values, self.steps, "v")
        start, end, step = self.loop
        first, last = values[names[start % len(names)]], values[names[end % len(names)]]
        runs = [dict(values)]
        for i in range(first, last, step)[:4]:
            inner = {**values, "i": i}
            self._evaluate([*names, "i"], inner, self.inner, "w")
            runs.append(inner)
        return runs

    def _evaluate(
        self, names: list[str], values: dict[str, int], steps: list[tuple[str, int, int]], prefix: str
    ) -> None:
        for number, (kind, a, b) in enumerate(steps):
            left, right = values[names[a % len(names)]], values[names[b % len(names)]]
            if kind in DIVISIONS:
                right = values[f"{prefix}{number}_d"] = max(right, 1)
            values[f"{prefix}{number}"] = MEANING[kind](left, right)
            names.append(f"{prefix}{number}")


def steps(most: int) -> st.SearchStrategy[list[tuple[str, int, int]]]:
    return st.lists(st.tuples(st.sampled_from(sorted(MEANING)), st.integers(0, 30), st.integers(0, 30)), max_size=most)


PROGRAMS = st.builds(
    Program, steps(6), st.tuples(st.integers(0, 30), st.integers(0, 30), st.sampled_from([1, 3, 8])), steps(5)
)


def facts_of(module: ModuleOp) -> tuple[Facts, dict[str, SSAValue]]:
    values: dict[str, SSAValue] = {
        value.name_hint: value
        for op in module.walk()
        for value in (*op.results, *(a for region in op.regions for block in region.blocks for a in block.args))
        if value.name_hint
    }
    return Facts.of(module), values


@settings(max_examples=150)
@example(Program([("maxsi", 0, 4), ("divsi", 5, 1), ("ceildivsi", 5, 1)], (0, 1, 1), []), [(9, 40), (9, 3), (1, 1)])
@example(Program([("remsi", 0, 4), ("muli", 5, 1)], (2, 6, 3), [("subi", 6, 7)]), [(9, 40), (20, 3), (40, 1)])
@given(PROGRAMS, st.lists(st.tuples(st.integers(0, 40), st.integers(0, 40)), min_size=3, max_size=3))
def test_what_is_proven_holds(program: Program, sizes: list[tuple[int, int]]) -> None:
    tiling = "  %c3 = arith.constant 3 : index\n  %t = arith.minsi %N, %c3 : index\n  func.return %t : index"
    text = FRAME.format(tiling=tiling, body=program.text())
    facts, values = facts_of(parse_module(new_context(), text, "facts.mlir"))
    for n, m in sizes:
        for run in program.run(n, m, min(n, 3)):
            for name, number in run.items():
                check(facts, values[name], number)
            names = sorted(run)
            for left, right in pairwise(names):
                gap = facts.form(values[left]).plus(facts.form(values[right]), -1)
                for bound in (-1, 0, 1):
                    assert not facts.at_least(gap, bound) or run[left] - run[right] >= bound


def check(facts: Facts, value: SSAValue, number: int) -> None:
    low, high, divisor = facts.low(value), facts.high(value), facts.divisor(value)
    assert low is None or low <= number
    assert high is None or number <= high
    assert number % divisor == 0 if divisor else number == 0


TILES = """
  %tiles = arith.ceildivsi %N, %t : index
  %a = arith.muli %core, %tiles : index
  %first = arith.divsi %a, %cores : index
  %next = arith.addi %core, %c1 : index
  %b = arith.muli %next, %tiles : index
  %last = arith.divsi %b, %cores : index
  scf.for %tile = %first to %last step %c1 {
    %i0 = arith.muli %tile, %t : index
    %left = arith.subi %N, %i0 : index
    %rows = arith.minsi %t, %left : index
    %c2 = arith.constant 2 : index
    %halo = arith.addi %rows, %c2 : index
    %inside = arith.minsi %halo, %left : index
    %missing = arith.subi %halo, %inside : index
    %ahead = arith.subi %last, %tile : index
  }
"""


@pytest.fixture(scope="module")
def tiled() -> tuple[Facts, dict[str, SSAValue]]:
    """A tile of at most 96 rows, a multiple of 32, of a dim that is split over cores."""
    tiling = """
      %c32 = arith.constant 32 : index
      %c96 = arith.constant 96 : index
      %c1 = arith.constant 1 : index
      %most = arith.minsi %N, %c96 : index
      %u = arith.ceildivsi %most, %c32 : index
      %v = arith.maxsi %u, %c1 : index
      %t = arith.muli %v, %c32 : index
      func.return %t : index"""
    return facts_of(parse_module(new_context(), FRAME.format(tiling=tiling, body=TILES), "tiled.mlir"))


TILED = {
    "t": (32, 96),
    "left": (1, None),
    "rows": (1, 96),
    "halo": (3, 98),
    "inside": (1, 98),
    "missing": (0, 2),
    "ahead": (1, None),
}
"""The closest bounds that hold, by value."""


@pytest.mark.parametrize(("name", "low", "high"), [(name, *bounds) for name, bounds in TILED.items()])
def test_tiled_loops(tiled: tuple[Facts, dict[str, SSAValue]], name: str, low: int, high: int | None) -> None:
    facts, values = tiled
    assert facts.at_least(values[name], low)
    assert not facts.at_least(values[name], low + 1)
    assert high is None or facts.at_most(values[name], high)
    assert not facts.at_most(values[name], 95 if high is None else high - 1)


@pytest.mark.parametrize(("kind", "least", "most"), [("ceildivsi", 0, 7), ("divsi", -7, 0)])
def test_quotients_by_a_constant(kind: str, least: int, most: int) -> None:
    """8 * (N / 8) lies between N + least and N + most, and no closer."""
    body = f"""
      %c8 = arith.constant 8 : index
      %q = arith.{kind} %N, %c8 : index
      %p = arith.muli %q, %c8 : index"""
    text = FRAME.format(tiling="  func.return %N : index", body=body)
    facts, values = facts_of(parse_module(new_context(), text, "quotient.mlir"))
    gap = facts.form(values["p"]).plus(facts.form(values["N"]), -1)
    assert facts.at_least(gap, least)
    assert facts.at_most(gap, most)
    assert not facts.at_least(gap, least + 1)
    assert not facts.at_most(gap, most - 1)


@pytest.mark.parametrize(("kind", "most"), [("ceildivsi", 32), ("floordivsi", 31)])
def test_quotients_of_what_may_be_negative(kind: str, most: int) -> None:
    """Rounding up or down is monotone: at most 255 gives at most 32 or 31 eighths."""
    body = f"""
      %c8 = arith.constant 8 : index
      %c255 = arith.constant 255 : index
      %left = arith.subi %N, %M : index
      %rows = arith.minsi %left, %c255 : index
      %q = arith.{kind} %rows, %c8 : index"""
    text = FRAME.format(tiling="  func.return %N : index", body=body)
    facts, values = facts_of(parse_module(new_context(), text, "quotient.mlir"))
    assert facts.at_most(values["q"], most)
    assert not facts.at_most(values["q"], most - 1)


@pytest.mark.parametrize("most", [6, 5])
def test_remainders_of_what_may_be_negative(most: int) -> None:
    body = """
      %c7 = arith.constant 7 : index
      %left = arith.subi %N, %M : index
      %rest = arith.remsi %left, %c7 : index"""
    text = FRAME.format(tiling="  func.return %N : index", body=body)
    facts, values = facts_of(parse_module(new_context(), text, "remainder.mlir"))
    assert facts.at_most(values["rest"], most) == (most == 6)
    assert not facts.at_least(values["rest"], 0)


def test_divisors(tiled: tuple[Facts, dict[str, SSAValue]]) -> None:
    facts, values = tiled
    assert facts.divisor(values["t"]) == 32
    assert facts.divisor(values["i0"]) == 32
    assert facts.divisor(values["rows"]) == 1


def test_a_requirement_is_a_bound() -> None:
    tiling = """
      %c100 = arith.constant 100 : index
      %double = arith.addi %N, %N : index
      %fits = arith.cmpi sle, %double, %c100 : index
      ascendc.require %fits "too long"
      func.return %N : index"""
    facts, values = facts_of(parse_module(new_context(), FRAME.format(tiling=tiling, body=TILES), "required.mlir"))
    assert facts.at_most(values["left"], 50)
    assert not facts.at_most(values["left"], 49)
