"""Figures of an emulated run, and its estimated time line."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from ...passes.chips import Chip

PATHS = ("GM->UB", "UB->GM", "UB->UB", "scalar GM read", "scalar GM write", "tiling")
"""The ways on which a core moves bytes."""

PIPES = ("S", "V", "MTE2", "MTE3")


@dataclass(frozen=True)
class ApiFigures:
    """What one API did: instructions, repeats of vector instructions, and estimated cycles that they occupy a pipe."""

    api: str
    pipe: str
    instructions: int
    repeats: int
    cycles: float


@dataclass(frozen=True)
class Span:
    """An instruction on the estimated time line, in microseconds from the start of the kernel."""

    pipe: str
    api: str
    file: str
    line: int
    begin: float
    duration: float


@dataclass(frozen=True)
class CoreFigures:
    """What one core did.

    Attributes:
        core: its index.
        ub_peak: largest number of bytes of the unified buffer that were taken at one time.
        microseconds: estimated time from the start of the kernel to its end on this core.
        bytes: moved bytes by path, the keys of `PATHS`.
        apis: by pipe and API.
        syncs: number of barriers and flags by name, such as "SetFlag MTE2_V".
        spans: the time line, if it was recorded.
    """

    core: int
    ub_peak: int
    microseconds: float
    bytes: Mapping[str, int]
    apis: tuple[ApiFigures, ...]
    syncs: Mapping[str, int]
    spans: tuple[Span, ...] = ()

    @property
    def instructions(self) -> int:
        """How many instructions it executed."""
        return sum(api.instructions for api in self.apis)

    def busy(self, pipe: str) -> float:
        """Return the estimated cycles that a pipe is occupied."""
        return sum(api.cycles for api in self.apis if api.pipe == pipe)


@dataclass(frozen=True)
class Figures:
    """What the cores of a run did. Times are estimates from the chip table, no measurement.

    Attributes:
        cores: the cores that started, by index.
        clock_mhz: the clock of the estimate.
        launch_microseconds: estimated time of the launch, before a core starts.
    """

    cores: tuple[CoreFigures, ...] = ()
    clock_mhz: float = 1.0
    launch_microseconds: float = 0.0

    @property
    def bytes(self) -> dict[str, int]:
        """Moved bytes by path, over all cores."""
        return {path: sum(core.bytes[path] for core in self.cores) for path in PATHS}

    @property
    def gm_read_bytes(self) -> int:
        """Bytes that copies and scalar loads read from global memory; tiling data is not among them."""
        return self.bytes["GM->UB"] + self.bytes["scalar GM read"]

    @property
    def gm_write_bytes(self) -> int:
        """Bytes that copies and scalar stores write to global memory."""
        return self.bytes["UB->GM"] + self.bytes["scalar GM write"]

    @property
    def ub_peak(self) -> int:
        """The largest `ub_peak` of a core."""
        return max((core.ub_peak for core in self.cores), default=0)

    @property
    def instructions(self) -> int:
        """Instructions over all cores."""
        return sum(core.instructions for core in self.cores)

    @property
    def moving_cores(self) -> int:
        """How many cores moved bytes of tensors; reading tiling data is none."""
        return sum(any(count for path, count in core.bytes.items() if path != "tiling") for core in self.cores)

    @property
    def apis(self) -> tuple[ApiFigures, ...]:
        """By pipe and API, over all cores; the pipes in the order of `PIPES`, then the most cycles first."""
        groups: defaultdict[tuple[str, str], list[ApiFigures]] = defaultdict(list)
        for core in self.cores:
            for api in core.apis:
                groups[api.pipe, api.api].append(api)
        sums = [_total(pipe, api, rows) for (pipe, api), rows in groups.items()]
        return tuple(sorted(sums, key=lambda row: (PIPES.index(row.pipe), -row.cycles, row.api)))

    @property
    def syncs(self) -> dict[str, int]:
        """Barriers and flags by name, over all cores."""
        counts: defaultdict[str, int] = defaultdict(int)
        for core in self.cores:
            for name, count in core.syncs.items():
                counts[name] += count
        return dict(sorted(counts.items()))

    @property
    def microseconds(self) -> float:
        """Estimated time of the kernel: its launch, and the core that ends last."""
        return self.launch_microseconds + max((core.microseconds for core in self.cores), default=0.0)

    def plain(self) -> dict[str, Any]:
        """Return the figures for JSON, without the time line."""
        return {
            "estimated_microseconds": round(self.microseconds, 3),
            "gm_read_bytes": self.gm_read_bytes,
            "gm_write_bytes": self.gm_write_bytes,
            "ub_peak": self.ub_peak,
            "instructions": self.instructions,
            "moving_cores": self.moving_cores,
            "bytes": self.bytes,
            "apis": _rows(self.apis),
            "syncs": self.syncs,
            "cores": [
                {
                    "core": core.core,
                    "estimated_microseconds": round(core.microseconds, 3),
                    "ub_peak": core.ub_peak,
                    "instructions": core.instructions,
                    "bytes": dict(core.bytes),
                    "busy_cycles": {pipe: round(core.busy(pipe), 1) for pipe in PIPES},
                    "apis": _rows(core.apis),
                    "syncs": dict(core.syncs),
                }
                for core in self.cores
            ],
        }

    def trace_events(self) -> dict[str, Any]:
        """Return the time line in Chrome's trace format: cores are processes, pipes are threads."""
        events: list[dict[str, Any]] = []
        for core in self.cores:
            events.append(_named("process_name", core.core, 0, f"core {core.core}"))
            events += [_named("thread_name", core.core, n, pipe) for n, pipe in enumerate(PIPES)]
            events += [_event(core.core, span) for span in core.spans]
        return {"traceEvents": events, "displayTimeUnit": "ns", "otherData": {"times": "estimated"}}


def _total(pipe: str, api: str, rows: Sequence[ApiFigures]) -> ApiFigures:
    counts = (sum(row.instructions for row in rows), sum(row.repeats for row in rows))
    return ApiFigures(api, pipe, *counts, sum(row.cycles for row in rows))


def _rows(apis: Iterable[ApiFigures]) -> list[dict[str, Any]]:
    return [
        {
            "api": row.api,
            "pipe": row.pipe,
            "instructions": row.instructions,
            "repeats": row.repeats,
            "estimated_cycles": round(row.cycles, 1),
        }
        for row in apis
    ]


def _named(kind: str, core: int, thread: int, name: str) -> dict[str, Any]:
    return {"name": kind, "ph": "M", "pid": core, "tid": thread, "args": {"name": name}}


def _event(core: int, span: Span) -> dict[str, Any]:
    return {
        "name": f"{span.api}:{span.line}",
        "ph": "X",
        "pid": core,
        "tid": PIPES.index(span.pipe),
        "ts": round(span.begin, 4),
        "dur": round(span.duration, 4),
        "args": {"file": span.file, "line": span.line},
    }


@dataclass
class _Draft:
    """The records of one core as they come in."""

    ub_peak: int = 0
    cycles: float = 0.0
    bytes: dict[str, int] = field(default_factory=dict[str, int])
    apis: list[ApiFigures] = field(default_factory=list[ApiFigures])
    syncs: dict[str, int] = field(default_factory=dict[str, int])
    spans: list[tuple[str, str, str, int, float, float]] = field(
        default_factory=list[tuple[str, str, str, int, float, float]]
    )

    def take(self, kind: str, rest: Sequence[str]) -> None:
        match kind, rest:
            case "core", (peak, cycles):
                self.ub_peak, self.cycles = int(peak), float(cycles)
            case "path", (path, count):
                self.bytes[path] = int(count)
            case "api", (pipe, api, instructions, repeats, cycles):
                self.apis.append(ApiFigures(api, pipe, int(instructions), int(repeats), float(cycles)))
            case "sync", (name, count):
                self.syncs[name] = int(count)
            case "span", (pipe, api, file, line, begin, duration):
                self.spans.append((pipe, api, file, int(line), float(begin), float(duration)))
            case _:
                raise ValueError(f"no record '{kind}'")

    def finished(self, core: int, clock_mhz: float) -> CoreFigures:
        spans = tuple(
            Span(pipe, api, file, line, begin / clock_mhz, length / clock_mhz)
            for pipe, api, file, line, begin, length in self.spans
        )
        time = self.cycles / clock_mhz
        return CoreFigures(core, self.ub_peak, time, self.bytes, tuple(self.apis), self.syncs, spans)


def parse_figures(records: Iterable[Sequence[str]], chip: Chip) -> Figures:
    """Return the figures in the launcher's records: kind, core and the rest; cycles become microseconds."""
    drafts: defaultdict[int, _Draft] = defaultdict(_Draft)
    for kind, core, *rest in records:
        drafts[int(core)].take(kind, rest)
    costs = chip.costs
    if costs is None:
        raise ValueError(f"{chip.name} has no costs")
    cores = tuple(drafts[core].finished(core, costs.clock_mhz) for core in sorted(drafts))
    return Figures(cores, costs.clock_mhz, costs.launch_us + costs.launch_core_us * len(cores))
