"""Emulated kernels under adversarial orders of their pipes and cores."""

import shlex
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from ..backends import Engine
from ..codegen.ascendc.executable import AscendcExecutable
from ..codegen.binding import bind, bound_arrays
from ..codegen.dtypes import Array
from ..dialect.diagnostics import Diagnostic
from ..execution import Runner, native_faults
from ..variants import Variant, all_variants
from .accuracy import first_difference
from .cases import small_case
from .data import draw_arrays
from .results import Failure
from .verifier import MACHINE, Verifier

CORES = (1, 3, 7, 40)
SIZES = (5, 17, 33, 65)
"""Numbers of cores and sizes of all dims that seeds take in turn: small, as every seed runs every kernel."""


@dataclass(frozen=True)
class StrictCase:
    """A small case of one variant on one engine."""

    verifier: Verifier
    engine: Engine
    variant: Variant
    size: int

    def complaints(self, seed: int, cores: int) -> list[str]:
        """Run with a seed; return findings, and how bits differ from those in the order of the program."""
        inputs, dims = self._arguments
        try:
            with native_faults():
                outputs, report = self._executable.emulate(inputs, dims, cores, strict=True, seed=seed)
            difference = first_difference(outputs, self._expected)
        except Diagnostic as finding:
            if finding.code in MACHINE:
                raise
            return [str(finding)]
        text = f"bits differ from those in the order of the program: {difference}"
        return [*map(str, report.findings), *([text] if difference else [])]

    @property
    def _runner(self) -> Runner:
        return self.verifier.compiled(self.engine).runner(self.variant)

    @property
    def _executable(self) -> AscendcExecutable:
        executable = self._runner.executable
        assert isinstance(executable, AscendcExecutable)
        return executable

    @cached_property
    def _arguments(self) -> tuple[dict[str, Array], dict[str, int]]:
        operator = self.verifier.operator.op
        case = small_case(operator, self.variant, self.size)
        given = draw_arrays(operator, case)
        binding = bind(operator, given, case.attrs)
        return self._runner.arguments(binding, bound_arrays(operator, binding, given))

    @cached_property
    def _expected(self) -> Mapping[str, Array]:
        inputs, dims = self._arguments
        with native_faults():
            return self._executable.run(inputs, dims, CORES[0])


def strict_engines(engines: Sequence[Engine]) -> list[Engine]:
    """Return the engines that run on the emulator."""
    return [engine for engine in engines if engine.backend == "ascendc"]


def verify_strictly(verifier: Verifier, engine: Engine, seeds: range) -> Iterator[int]:
    """Run every variant of the operator with every seed, and compare bits with those in the order of the program.

    What does not hold becomes a failure of the verifier's report. Yields each seed when it is done.

    Raises:
        Diagnostic: the operator cannot be compiled, or this machine lacks something.
    """
    variants = all_variants(verifier.operator.op)
    cases = {(v, size): StrictCase(verifier, engine, v, size) for v in variants for size in SIZES}
    for seed in seeds:
        size, cores = SIZES[seed % len(SIZES)], CORES[seed // len(SIZES) % len(CORES)]
        for variant in variants:
            case = cases[variant, size]
            _count(case, seed, f"size {size}, {cores} cores", case.complaints(seed, cores))
        yield seed


def _count(case: StrictCase, seed: int, where: str, complaints: Sequence[str]) -> None:
    verifier, engine = case.verifier, case.engine
    row = verifier.row(case.variant.column, engine)
    row.strict += not complaints
    row.failures += bool(complaints)
    name = case.variant.name(verifier.operator.op)
    words = ["opwright", "verify", verifier.spec, "--backend", engine.backend, "--target", engine.target]
    command = shlex.join([*words, "--cases", "0", "--strict", str(seed + 1)])
    for complaint in complaints:
        text = f"strict mode, seed {seed}, {name}, {where}: {complaint}"
        verifier.report.failures.append(
            Failure(verifier.operator.name, 0, engine.target, engine.backend, text, command)
        )
