"""The files of the laptop's ACL: headers, the library, and the names under which programs link it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from ..aclnn.header import header_text
from ..aclnn.interface import Interface
from ..aclnn.list_checks import WRAPPING_FLAG
from ..aclnn.source import KernelEntry, source_text
from .compiling import CPP_FLAGS, Unit, compile_objects, kernel_flags, link_shared

INCLUDE = Path(__file__).parent / "include"
SOURCES = Path(__file__).parent / "src"
LIBRARY = "libopwright_acl.so"

LINK_NAMES = (
    "acl_rt",
    "ascendcl",
    "c_sec",
    "cust_opapi",
    "nnopbase",
    "opapi",
    "opapi_math",
    "opapi_nn",
    "opapi_transformer",
    "platform",
    "register",
    "tiling_api",
)
"""The libraries that programs name when they are linked against CANN."""

SANITIZERS: Mapping[str, tuple[str, ...]] = {
    "": (),
    "address": (
        "-fsanitize=address,undefined",
        "-fno-sanitize-recover=undefined",
        "-fno-omit-frame-pointer",
        "-g1",
        "-O0",
    ),
    "valgrind": ("-g1",),
    "thread": ("-fsanitize=thread", "-fno-omit-frame-pointer", "-g1", "-O0"),
}
"""The flags of library and program for each sanitizer; valgrind knows no recent instructions, so kernels have none."""


@dataclass(frozen=True)
class OperatorLibrary:
    """One operator in the library.

    Attributes:
        interface: its two functions.
        kernels: its compiled kernels.
        texts: the C text of each kernel, by the kernel's symbol.
        emulated: the shared object of each kernel's emulated form, by `KernelEntry.emulated`; none where not asked for.
        sides: the kernel that computes both sides of the constraints on lists, where there are such.
    """

    interface: Interface
    kernels: tuple[KernelEntry, ...]
    texts: Mapping[str, str]
    emulated: Mapping[str, Path]
    sides: KernelEntry | None = None


def library_files(operators: Sequence[OperatorLibrary], soc: str, sanitizer: str = "") -> dict[str, bytes]:
    """Return the content of each file below the output folder.

    Args:
        operators: what the library holds.
        soc: the chip's name that the library answers when asked.
        sanitizer: a key of `SANITIZERS`; programs must be compiled with it as well.

    Raises:
        CompilerMissing: no C or C++ compiler on this machine.
        CompileError: the compiler rejects a source.
    """
    files = {f"include/{path.relative_to(INCLUDE).as_posix()}": path.read_bytes() for path in _headers()}
    for operator in operators:
        files[f"include/{operator.interface.header}"] = header_text(operator.interface).encode()
    flags = SANITIZERS[sanitizer]
    objects = compile_objects(
        [_runtime(soc), *(unit for operator in operators for unit in _units(operator, sanitizer == "valgrind"))], flags
    )
    files[f"lib/{LIBRARY}"] = link_shared(objects, flags).read_bytes()
    files |= {f"lib/lib{name}.so": f"INPUT({LIBRARY})\n".encode() for name in LINK_NAMES}
    for operator in operators:
        files |= {f"lib/emulated/{name}.so": path.read_bytes() for name, path in operator.emulated.items()}
    return files


def _headers() -> list[Path]:
    return sorted(path for path in INCLUDE.rglob("*.h"))


def _runtime(soc: str) -> Unit:
    """Return the runtime as one source that includes all of its files: much faster to compile than one by one."""
    names = sorted(path.name for path in SOURCES.glob("*.cpp"))
    text = "".join(f'#include "{name}"\n' for name in names)
    return Unit("runtime.cpp", text, "c++", (*CPP_FLAGS, f'-DOPWRIGHT_SOC="{soc}"'), (INCLUDE, SOURCES))


def _units(operator: OperatorLibrary, portable: bool) -> list[Unit]:
    """Return the operator's sources: its interface, whose header stands in its text, and its kernels."""
    interface, kernels = operator.interface, operator.kernels
    text = source_text(interface, kernels, operator.sides).replace(
        f'#include "{interface.header}"\n', header_text(interface), 1
    )
    front = Unit(f"aclnn_{interface.snake}.cpp", text, "c++", CPP_FLAGS, (INCLUDE, SOURCES))
    sides = operator.sides.symbol if operator.sides else None
    flags = kernel_flags(portable=portable)
    units = (
        Unit(f"{symbol}.c", text, "c", (*flags, WRAPPING_FLAG) if symbol == sides else flags)
        for symbol, text in operator.texts.items()
    )
    return [front, *units]
