"""The backends, and the targets each of them runs."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, TypeAlias

from .dialect.diagnostics import Diagnostic
from .passes.chips import CHIPS

Backend: TypeAlias = Literal["reference", "numpy", "c", "ascendc"]
COMPARED: tuple[Backend, ...] = ("numpy", "c", "ascendc")
"""The backends that run kernels, and are compared with the reference; ascendc runs on the emulator."""

BACKENDS: tuple[Backend, ...] = ("reference", *COMPARED)
"""All backends."""

HOST = "cpu"
DEFAULT_CHIP = "ascend910b"


@dataclass(frozen=True)
class Engine:
    """A backend and the target whose schedule it runs."""

    backend: Backend
    target: str

    @staticmethod
    def of(backend: str, target: str | None = None) -> "Engine":
        """Return the engine of these names; without a target the backend's usual one.

        Raises:
            Diagnostic: OPW010 for a name that is not known, OPW011 for a backend that cannot run the target.
        """
        if backend not in BACKENDS:
            raise Diagnostic("OPW010", f"there is no backend '{backend}'", hint=f"backends: {', '.join(BACKENDS)}")
        kind: Backend = backend
        chosen = target or default_target(kind)
        if chosen not in CHIPS:
            raise Diagnostic("OPW010", f"there is no target '{chosen}'", hint=f"targets: {', '.join(CHIPS)}")
        if chosen not in targets_of(kind):
            text = f"backend '{kind}' does not run target '{chosen}'"
            raise Diagnostic("OPW011", text, hint=f"it runs: {', '.join(targets_of(kind))}")
        return Engine(kind, chosen)

    def __str__(self) -> str:
        return f"{self.backend} on {self.target}"


def default_target(backend: Backend) -> str:
    """Return the target that a backend runs where none is named."""
    return DEFAULT_CHIP if backend == "ascendc" else HOST


def targets_of(backend: Backend) -> tuple[str, ...]:
    """Return the targets that a backend runs; the reference has no schedule, so it has the host only."""
    staged = tuple(name for name, chip in CHIPS.items() if chip.staged)
    match backend:
        case "reference":
            return (HOST,)
        case "ascendc":
            return staged
        case _:
            return tuple(CHIPS)


def emitting_backends(target: str) -> Sequence[Backend]:
    """Return the backends whose code is built for a target: Ascend C where there is one, else C and NumPy."""
    return ("ascendc",) if target in targets_of("ascendc") else ("c", "numpy")
