"""Direct launch: one file a kernel, with its tiling function and a host function that runs it."""

from collections.abc import Sequence

from ..aclnn.text import wrapped
from .model import TILING_FUNCTION, Piece
from .text import filled

INCLUDES = """\
#include <cstdint>
#include <initializer_list>

#include "acl/acl.h"
#include "kernel_operator.h"
"""

HOST_BODY = """\
{{
    {struct} data = {{}};
    int64_t workspaceBytes = 0;
{tiling}
    if (refusal != nullptr) {{
        return refusal;
    }}
    void *workspace = nullptr;
    const size_t bytes = static_cast<size_t>(workspaceBytes);
    if (bytes > 0 && aclrtMalloc(&workspace, bytes, ACL_MEM_MALLOC_HUGE_FIRST) != ACL_SUCCESS) {{
        return "there is no memory for the workspace";
    }}
{launch}
    const bool done = aclrtSynchronizeStream(stream) == ACL_SUCCESS;
    if (workspace != nullptr) {{
        aclrtFree(workspace);
    }}
    return done ? nullptr : "the kernel did not end well";
}}
"""


def launch_file(piece: Piece, target: str) -> str:
    """Return the text of a file that CANN's compiler takes as it is."""
    struct = piece.struct
    fields = [f"    int64_t {field};" for field in piece.fields]
    head, *equations = piece.comment
    return "\n".join(
        (
            f"{head}, for {target}",
            *equations,
            INCLUDES,
            "/// What the host tells the kernel.",
            f"struct {struct} {{",
            *fields,
            "};",
            "",
            piece.kernel,
            *_kernel(piece, struct),
            "",
            f"namespace {piece.space}Host {{",
            "",
            f"{piece.tiling}",
            f"}}  // namespace {piece.space}Host",
            "",
            *_host(piece, struct),
        )
    )


def _kernel(piece: Piece, struct: str) -> Sequence[str]:
    taken = [f"GM_ADDR {name}" for name in (*piece.tensors, "workspace")]
    return (
        "/// Arguments: the inputs, the outputs and the workspace in global memory, and the tiling data.",
        *wrapped(f"__global__ __aicore__ void {piece.symbol}", [*taken, f"{struct} data"], ""),
        "{",
        f"    KERNEL_TASK_TYPE_DEFAULT({piece.task_type});",
        *wrapped(f"{piece.space}::Run", [*piece.tensors, "workspace", "data"], ";", "    "),
        "}",
    )


def _host(piece: Piece, struct: str) -> Sequence[str]:
    sizes = [f"int64_t {name}" for name in piece.sizes]
    tensors = [f"void *{name}" for name in piece.tensors]
    tiling = [*piece.sizes, "&data", "&workspaceBytes"]
    addresses = [f"static_cast<uint8_t *>({name})" for name in (*piece.tensors, "workspace")]
    start = f"{piece.symbol}<<<static_cast<uint32_t>(cores), nullptr, stream>>>"
    return (
        "/// Computes the outputs on `cores` vector cores and waits for the end; tensors lie on the device, densely.",
        "/// Returns a null pointer, or what went wrong.",
        *wrapped(f"const char *{piece.launcher}", [*sizes, *tensors, "aclrtStream stream"], ""),
        HOST_BODY.format(
            struct=struct,
            tiling="\n".join(
                wrapped(f"const char *refusal = {piece.space}Host::{TILING_FUNCTION}", tiling, ";", "    ")
            ),
            launch="\n".join(filled(f"    {start}(", [*addresses, "data"], ");")),
        ),
    )
