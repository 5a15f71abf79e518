"""The figures of an emulated run as text."""

from .codegen.emulator.figures import PIPES, CoreFigures, Figures
from .tables import format_table

MOST_CORES = 8
"""Cores that get a row of their own; of more, the one that ends last stands for all."""


def format_figures(figures: Figures) -> str:
    """Return tables of what the cores did: in all, by API, and by core."""
    parts = [_totals(figures), _apis(figures), _cores(figures)]
    return "\n\n".join(part for part in parts if part)


def _totals(figures: Figures) -> str:
    moved = ", ".join(f"{path} {count}" for path, count in figures.bytes.items() if count)
    lines = [
        f"estimated time: {figures.microseconds:.2f} us at {figures.clock_mhz:g} MHz, of which the launch takes "
        f"{figures.launch_microseconds:.2f} us (estimated from the chip table, not measured)",
        f"global memory: {figures.gm_read_bytes} bytes read, {figures.gm_write_bytes} bytes written",
        f"bytes moved: {moved or 'none'}",
        f"unified buffer: at most {figures.ub_peak} bytes on a core",
    ]
    syncs = ", ".join(f"{count} {name}" for name, count in figures.syncs.items())
    lines.append(f"synchronisation: {syncs or 'none'}")
    return "\n".join((*lines, f"cores: {figures.moving_cores} of {len(figures.cores)} moved data"))


def _apis(figures: Figures) -> str:
    rows = [
        (row.pipe, row.api, str(row.instructions), str(row.repeats) if row.repeats else "", f"{row.cycles:.0f}")
        for row in figures.apis
    ]
    header = ("pipe", "API", "instructions", "repeats", "est. cycles")
    return format_table(header, rows, right=header[2:]) if rows else ""


def _cores(figures: Figures) -> str:
    shown, title = list(figures.cores), ""
    if len(shown) > MOST_CORES:
        title = f"slowest of {len(shown)} cores (--json has all):\n"
        shown = [max(shown, key=lambda core: core.microseconds)]
    if not shown:
        return ""
    header = ("core", "est. us", *(f"{pipe} busy" for pipe in PIPES), "instructions", "UB peak")
    return title + format_table(header, [_core_row(core, figures.clock_mhz) for core in shown], right=header)


def _core_row(core: CoreFigures, clock_mhz: float) -> tuple[str, ...]:
    whole = core.microseconds * clock_mhz
    busy = (f"{100 * core.busy(pipe) / whole:.0f}%" if whole else "" for pipe in PIPES)
    return (str(core.core), f"{core.microseconds:.2f}", *busy, str(core.instructions), str(core.ub_peak))
