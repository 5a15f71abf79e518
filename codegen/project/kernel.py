"""The kernel side of an operator: an entry that chooses by the tiling key, a header a kernel, what both sides share."""

from collections.abc import Mapping, Sequence

from ...passes.chips import Chip
from ..aclnn.text import wrapped
from .model import Architecture, Piece, ProjectOperator

MOST_FIELDS = 256
"""CANN keeps 2048 bytes for tiling data unless told otherwise."""


def kernel_files(operator: ProjectOperator) -> dict[str, str]:
    """Return the files of op_kernel/<op>/ by path."""
    folder = f"op_kernel/{operator.snake}"
    files = {f"{folder}/{operator.snake}.cpp": _entry(operator)}
    files[f"{folder}/{tiling_header(operator)}"] = _shared(operator)
    for architecture in operator.architectures:
        for piece in architecture.pieces:
            files[f"{folder}/{architecture.folder}/{piece.symbol}.h"] = _variant(operator, piece)
    return files


def tiling_header(operator: ProjectOperator) -> str:
    """Return the name of the header that host and kernel share."""
    return f"{operator.snake}_tiling_data.h"


def _shared(operator: ProjectOperator) -> str:
    keys = [f"#define {piece.key} {number}" for number, piece in enumerate(operator.pieces, 1)]
    fields = [f"    int64_t {field};" for field in operator.fields]
    return "\n".join(
        (
            f"// {operator.interface.name}: what the host tells the kernel.",
            "#pragma once",
            "",
            "#include <cstdint>",
            "",
            "// Tiling keys, one a kernel: the host chooses by them, and the kernel's entry.",
            *keys,
            "",
            "/// Sizes, tile sizes and places in the workspace; 0 where the chosen kernel needs none.",
            f"struct {operator.struct} {{",
            *fields,
            "};",
            "",
        )
    )


def _variant(operator: ProjectOperator, piece: Piece) -> str:
    includes = ('#include "kernel_operator.h"', f'#include "../{tiling_header(operator)}"')
    return "\n".join((*piece.comment, "#pragma once", "", *includes, "", piece.kernel))


def _entry(operator: ProjectOperator) -> str:
    head = f'{operator.comment}#include "kernel_operator.h"\n#include "{tiling_header(operator)}"\n'
    includes = _includes(operator.architectures)
    names = [tensor.name for tensor in operator.interface.tensors]
    taken = [f"GM_ADDR {name}" for name in (*names, "workspace", "tiling")]
    body = [
        "/// Arguments: the inputs, the outputs, the workspace and the tiling data, all in global memory.",
        *wrapped(f'extern "C" __global__ __aicore__ void {operator.snake}', taken, ""),
        "{",
        *(f"    {line}" for line in _task_types(operator.pieces)),
        f"    REGISTER_TILING_DEFAULT({operator.struct});",
        "    GET_TILING_DATA(data, tiling);",
        "    GM_ADDR space = AscendC::GetUserWorkspace(workspace);",
        *_dispatch(operator.pieces),
        "}",
    ]
    return "\n".join((f"{head}{includes}", *body)) + "\n"


def _includes(architectures: Sequence[Architecture]) -> str:
    """Return the includes of the kernels; those of several architectures by the macro that the compiler defines."""
    if len(architectures) == 1:
        return "".join(f"{line}\n" for line in _headers(architectures[0]))
    lines: list[str] = []
    for architecture in architectures:
        names = " and ".join(architecture.targets)
        lines += [f"#{'el' if lines else ''}if {condition(architecture.chip)}  // {names}", *_headers(architecture)]
    return "\n".join((*lines, "#else", '#error "there are no kernels for this chip"', "#endif", ""))


def condition(chip: Chip) -> str:
    """Return the test for a chip's architecture: by the macro that all compilers define, or by an older one."""
    older = dict(macro.split("=") for macro in chip.macros)["__CCE_AICORE__"]
    return f"__NPU_ARCH__ == {chip.npu_arch} || (!defined(__NPU_ARCH__) && __CCE_AICORE__ == {older})"


def _headers(architecture: Architecture) -> list[str]:
    return [f'#include "{architecture.folder}/{piece.symbol}.h"' for piece in architecture.pieces]


def _task_types(pieces: Sequence[Piece]) -> list[str]:
    types: Mapping[str, None] = dict.fromkeys(piece.task_type for piece in pieces)
    if len(types) == 1:
        return [f"KERNEL_TASK_TYPE_DEFAULT({pieces[0].task_type});"]
    return [f"KERNEL_TASK_TYPE({piece.key}, {piece.task_type});" for piece in pieces]


def _dispatch(pieces: Sequence[Piece]) -> list[str]:
    lines: list[str] = []
    for piece in pieces:
        lines.append(f"    {'} else ' if lines else ''}if (TILING_KEY_IS({piece.key})) {{")
        lines += wrapped(f"{piece.space}::Run", [*piece.tensors, "space", "data"], ";", " " * 8)
    return [*lines, "    }"]
