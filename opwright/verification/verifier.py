"""Run cases on every engine, and compare."""

import shlex
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from ..backends import Engine
from ..codegen.attributes import AttrValue
from ..codegen.c.executable import CExecutable
from ..codegen.dtypes import Array
from ..codegen.reference import Precision, evaluate
from ..compiled import CompiledOperator, compile_operator
from ..dialect.diagnostics import Diagnostic
from ..dialect.spec.signature import Signature
from ..execution import repeats_of
from ..loading import Operator
from ..progress import Progress
from ..variants import Variant, all_variants
from .accuracy import first_difference, measure
from .cases import Case, draw_case
from .data import check_drawable, draw_arrays, spoil
from .guarded import guarded_tensors
from .preparation import prepare
from .results import Failure, Report, Row
from .threads import limit_threads

CORES = (1, 3, 7, 40, 48, 64)
THREADS = (1, 2)
MACHINE = ("OPW450", "OPW451", "OPW452")
"""Diagnostics of a run that say nothing of the case; all others are what the case shows."""


@dataclass
class Verifier:
    """One operator, verified on several engines.

    Attributes:
        operator: what is verified.
        spec: how the command line names it.
        engines: in the order of the table.
        report: what was found so far.
        failing: the arrays of each case that failed, by number.
    """

    operator: Operator
    spec: str
    engines: Sequence[Engine]
    report: Report
    failing: dict[int, Mapping[str, Array]] = field(default_factory=dict[int, Mapping[str, Array]])
    _compiled: dict[Engine, CompiledOperator] = field(default_factory=dict[Engine, CompiledOperator])
    _guarded: dict[Variant, frozenset[str]] = field(default_factory=dict["Variant", frozenset[str]])

    def compiled(self, engine: Engine) -> CompiledOperator:
        """Return the operator compiled for an engine."""
        if engine not in self._compiled:
            self._compiled[engine] = compile_operator(self.operator, engine.backend, engine.target)
        return self._compiled[engine]

    def row(self, column: int, engine: Engine) -> Row:
        """Return the report's row of a dtype column on an engine."""
        dtypes = " ".join(dict.fromkeys(map(str, Signature.of(self.operator.op).dtype_columns[column].values())))
        return self.report.row(self.operator.name, dtypes, engine)

    def arrays(self, case: Case) -> dict[str, Array]:
        """Return the arrays of a case."""
        arrays = draw_arrays(self.operator.op, case)
        if case.filling != "random, Inf and NaN under false":
            return arrays
        variant = case.variant(self.operator.op)
        if variant not in self._guarded:
            self._guarded[variant] = guarded_tensors(self.operator.op, variant)
        return spoil(self.operator.op, case, arrays, self._guarded[variant])

    def prepare(self, seed: int, numbers: Sequence[int], progress: Progress) -> None:
        """Compile what the cases need.

        Raises:
            Diagnostic: no random cases can be made for the operator, or it cannot be compiled.
        """
        check_drawable(self.operator.op)
        cases = (draw_case(self.operator.op, seed, number) for number in numbers)
        variants = list(dict.fromkeys(case.variant(self.operator.op) for case in cases))
        if len(numbers) > 1:
            self.report.reached[self.operator.name] = len(variants), len(all_variants(self.operator.op))
        prepare([self.compiled(engine) for engine in self.engines], variants, progress)

    def verify(self, seed: int, number: int) -> None:
        """Run one case on every engine."""
        case = draw_case(self.operator.op, seed, number)
        run = CaseRun(self, case, self.arrays(case))
        if repeats_of(self.compiled(self.engines[0]), run.arrays, case.attrs):
            self.report.repeated[self.operator.name] = self.report.repeated.get(self.operator.name, 0) + 1
        for engine in self.engines:
            run.check(engine)
        if run.failed:
            self.failing[number] = run.arrays


@dataclass
class CaseRun:
    """One case on its way through the engines."""

    verifier: Verifier
    case: Case
    arrays: Mapping[str, Array]
    failed: bool = False
    _references: dict[Precision, Mapping[str, Array]] = field(default_factory=dict["Precision", "Mapping[str, Array]"])
    _bits: dict[str, tuple[Engine, Mapping[str, Array]]] = field(
        default_factory=dict[str, tuple[Engine, Mapping[str, Array]]]
    )

    def check(self, engine: Engine) -> None:
        """Run the case on an engine, and compare it with the reference and the other engines of the target."""
        row = self.verifier.row(self.case.column, engine)
        row.cases += 1
        try:
            outputs = self.outputs(engine, CORES[0])
            complaints = [*self._accuracy(row, outputs), *self._bit_equality(row, engine, outputs)]
        except Diagnostic as finding:
            if finding.code in MACHINE:
                raise
            complaints = [str(finding)]
        if complaints:
            self._fail(row, engine, complaints)

    def outputs(self, engine: Engine, cores: int) -> Mapping[str, Array]:
        """Run the case on an engine."""
        return self.verifier.compiled(engine).run(self.arrays, self._attrs, cores)

    @property
    def _attrs(self) -> Mapping[str, AttrValue]:
        return self.case.attrs

    def _accuracy(self, row: Row, outputs: Mapping[str, Array]) -> list[str]:
        """Compare with the reference in float64; where that does not suffice, also with the one in f32."""
        found = [measure(name, outputs[name], expected) for name, expected in self._reference("f64").items()]
        if any(accuracy.complaint for accuracy in found):
            in_f32 = self._reference("f32")
            found = [measure(n, outputs[n], expected, in_f32[n]) for n, expected in self._reference("f64").items()]
        row.mean_error = max(row.mean_error, *(accuracy.mean for accuracy in found))
        row.max_error = max(row.max_error, *(accuracy.maximum for accuracy in found))
        row.excepted += sum(accuracy.excepted for accuracy in found)
        return [accuracy.complaint for accuracy in found if accuracy.complaint]

    def _reference(self, precision: Precision) -> Mapping[str, Array]:
        if precision not in self._references:
            self._references[precision] = evaluate(self.verifier.operator.op, self.arrays, self._attrs, precision)
        return self._references[precision]

    def _bit_equality(self, row: Row, engine: Engine, outputs: Mapping[str, Array]) -> list[str]:
        """Compare with the target's other engines, and with other numbers of cores and threads."""
        complaints: list[str] = []
        if engine.target in self._bits:
            other, bits = self._bits[engine.target]
            row.compared = (other.backend,)
            complaints += self._difference(outputs, bits, f"on {engine.backend} and on {other.backend}")
        self._bits.setdefault(engine.target, (engine, outputs))
        row.cores = CORES
        for cores in CORES[1:]:
            text = f"on {cores} cores and on {CORES[0]}"
            complaints += self._difference(self.outputs(engine, cores), outputs, text)
        if engine.backend == "c":
            complaints += self._thread_differences(row, engine, outputs)
        row.bit_equal += not complaints
        return complaints

    def _thread_differences(self, row: Row, engine: Engine, outputs: Mapping[str, Array]) -> list[str]:
        complaints: list[str] = []
        executable = self.verifier.compiled(engine).runner(self.case.variant(self.verifier.operator.op)).executable
        assert isinstance(executable, CExecutable)
        for threads in THREADS:
            with limit_threads(executable.library, threads) as limited:
                if limited:
                    row.threads = tuple(dict.fromkeys((*row.threads, threads)))
                    text = f"on {threads} threads and on the usual number"
                    complaints += self._difference(self.outputs(engine, CORES[-1]), outputs, text)
        return complaints

    def _difference(self, outputs: Mapping[str, Array], others: Mapping[str, Array], where: str) -> list[str]:
        text = first_difference(outputs, others)
        return [f"bits differ {where}: {text}"] if text else []

    def _fail(self, row: Row, engine: Engine, complaints: Sequence[str]) -> None:
        self.failed = True
        row.failures += 1
        command = self._command(engine)
        verifier = self.verifier
        for text in complaints:
            verifier.report.failures.append(
                Failure(verifier.operator.name, self.case.number, engine.target, engine.backend, text, command)
            )

    def _command(self, engine: Engine) -> str:
        """Return the command that runs this case again, on this engine and on the one that it was compared with."""
        backends = dict.fromkeys((self._bits.get(engine.target, (engine,))[0].backend, engine.backend))
        words = ["opwright", "verify", self.verifier.spec, "--backend", *backends, "--target", engine.target]
        return shlex.join([*words, "--seed", str(self.case.seed), "--case", str(self.case.number)])
