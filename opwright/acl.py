"""The laptop's ACL for some operators: from specs to headers and a library."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

from xdsl.dialects.builtin import ModuleOp

from .backends import DEFAULT_CHIP, HOST, Engine
from .codegen.acl.library import OperatorLibrary, library_files
from .codegen.aclnn.derive import derive_interface
from .codegen.aclnn.interface import Interface
from .codegen.aclnn.list_checks import SIZE_OF, sides_operator
from .codegen.aclnn.source import KernelEntry
from .codegen.executable import KernelInterface
from .dialect.diagnostics import Diagnostic
from .dialect.spec.signature import Signature
from .dialect.tile.kernel import WORKSPACE
from .emission import emit
from .execution import native_faults
from .loading import Operator, check_names
from .lowering import lower
from .narrowing import served_choices
from .parallel import in_processes
from .passes.chips import get_chip
from .progress import Progress
from .variants import Variant, optional_inputs

INCLUDED = re.compile(rb'^[ \t]*#[ \t]*include[ \t]*[<"](?:aclnnop/)?(aclnn_\w+\.h)[>"]', re.MULTILINE)
"""The headers of operators in a program."""

KEY_DIGITS = 16
"""How much of the key of its content a compiled kernel's file has in its name: no library runs another one's kernel."""

OWN_HEADERS = frozenset({"aclnn_base.h"})
"""Headers of ACL itself whose names look like an operator's."""


def acl_files(
    operators: Sequence[Operator], emulate: bool, target: str | None = None, sanitizer: str = ""
) -> dict[str, bytes]:
    """Return the content of each file of the laptop's ACL, by its path below the output folder.

    Args:
        operators: what programs can call.
        emulate: whether the library holds the emulated Ascend C kernels beside the native ones.
        target: the chip whose kernels are emulated, and whose name the library answers when asked.
        sanitizer: address, thread, or "" for none; programs must be compiled with it as well.

    Raises:
        Diagnostic: OPW010 or OPW011 for the target, OPW3xx, OPW4xx, OPW462 two operators of one name.
    """
    engine = Engine.of("ascendc", target or DEFAULT_CHIP)
    check_names(operators)
    interfaces = [derive_interface(operator.op) for operator in operators]
    pieces = [
        _library(operator, interface, engine if emulate else None)
        for operator, interface in zip(operators, interfaces, strict=True)
    ]
    with native_faults(), Progress("compiling", "the library"):
        return library_files(pieces, engine.target.capitalize(), sanitizer)


def operators_of_program(text: bytes, known: Sequence[Operator]) -> list[Operator]:
    """Return the operators whose headers a program includes.

    Raises:
        Diagnostic: OPW464, a header that is no operator's.
    """
    by_header = {f"aclnn_{derive_interface(op.op).snake}.h": op for op in known}
    wanted = dict.fromkeys(name.decode() for name in INCLUDED.findall(text) if name.decode() not in OWN_HEADERS)
    for header in wanted:
        if header not in by_header:
            hint = f"there are: {', '.join(by_header) or 'none'}; --op names the spec of another operator"
            raise Diagnostic("OPW464", f"the program includes {header}, which is no operator's header", hint=hint)
    return [by_header[header] for header in wanted]


def _library(operator: Operator, interface: Interface, emulation: Engine | None) -> OperatorLibrary:
    """Return an operator's kernels, compiled for the emulator where there is an engine for it."""
    calls = list(served_choices(operator.op))
    variants = list(dict.fromkeys(variant for _, variant in calls))
    work = partial(_kernel, operator, emulation)
    progress = Progress(operator.name)
    made = progress.over(in_processes(work, variants), len(variants), lambda kernel: kernel.entry.symbol)
    kernels = dict(zip(variants, made, strict=True))
    rows = tuple(_row(operator, choice, kernels[variant].entry) for choice, variant in calls)
    texts = {kernel.entry.symbol: kernel.text for kernel in kernels.values()}
    emulated = {k.entry.emulated: k.emulated for k in kernels.values() if k.emulated is not None}
    return OperatorLibrary(interface, rows, texts, emulated, sides_kernel(operator, texts))


@dataclass(frozen=True)
class _Kernel:
    """A compiled variant: how the library calls it, its C text, and the shared object of its emulated form."""

    entry: KernelEntry
    text: str
    emulated: Path | None


def _row(operator: Operator, choice: Variant, entry: KernelEntry) -> KernelEntry:
    """Return the entry of a kernel for one choice that it serves; a list with a default is always given."""
    inputs = [op for op in Signature.of(operator.op).inputs if op.optional is not None]
    given = tuple(op.label.data for op in inputs if op.default is not None or op.label.data in choice.present)
    return replace(entry, column=choice.column, given=given, switches=tuple(sorted(choice.switches)))


def sides_kernel(operator: Operator, texts: dict[str, str]) -> KernelEntry | None:
    """Return the kernel that computes both sides of the constraints on lists, and add its C text."""
    op = sides_operator(operator.op)
    if op is None:
        return None
    alone = Operator(op.sym_name.data, ModuleOp([op]), op, operator.source)
    kernel = _kernel(alone, None, Variant(0, frozenset(optional_inputs(op))))
    texts[kernel.entry.symbol] = kernel.text
    return replace(kernel.entry, sizes=tuple(name.removeprefix(SIZE_OF) for name in kernel.entry.sizes))


def _kernel(operator: Operator, emulation: Engine | None, variant: Variant) -> _Kernel:
    """Return one kernel, with its emulated form where that is wanted."""
    engine = Engine("c", HOST)
    module = lower(operator, engine, variant)
    entry = _entry(module, emulation)
    (text,) = emit(module, engine).values()
    if emulation is None:
        return _Kernel(entry, text, None)
    made = _emulated(operator, variant, entry, emulation)
    return _Kernel(replace(entry, emulated=f"{entry.symbol}_{made.stem[:KEY_DIGITS]}"), text, made)


def _entry(module: ModuleOp, emulation: Engine | None) -> KernelEntry:
    interface = KernelInterface.of(module)
    tensors = tuple("" if tensor.role == WORKSPACE else tensor.name for tensor in interface.tensors)
    cores = 1 if emulation is None else get_chip(emulation.target).cores
    return KernelEntry(interface.kernel, 0, (), (), tensors, interface.dims, cores)


def _emulated(operator: Operator, variant: Variant, entry: KernelEntry, engine: Engine) -> Path:
    from .codegen.acl.emulated import compile_emulated
    from .codegen.ascendc.executable import compile_module

    executable = compile_module(lower(operator, engine, variant), get_chip(engine.target))
    with native_faults():
        return compile_emulated(executable, [name for name in entry.tensors if name], entry.sizes)


def program_command(folder: Path, source: Path, output: Path, compiler: str, sanitizer: Sequence[str]) -> list[str]:
    """Return the command that compiles a program against the files in a folder, with the usual warnings."""
    includes = [f"-I{folder / place}" for place in ("include", "include/aclnn", "include/aclnnop")]
    library = folder / "lib"
    link = [f"-L{library}", "-lopwright_acl", f"-Wl,-rpath,{library}", "-pthread"]
    return [compiler, "-Wall", "-O1", *sanitizer, *includes, str(source), *link, "-o", str(output)]
