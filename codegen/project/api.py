"""The aclnn functions of an operator for CANN: the documented checks, and the launch of the kernel."""

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

from ..aclnn.header import header_text, parameters
from ..aclnn.interface import Attribute, Interface, Tensor
from ..aclnn.source import KernelEntry, check_lines, description_lines, sides_lines
from ..aclnn.text import quoted, wrapped
from .text import GE_NAMES

SHARED = Path(__file__).parents[1] / "acl" / "src"
"""The checks that the laptop's library makes too."""

SHARED_NAMES = (
    "argument.h",
    "call.cpp",
    "call.h",
    "number.cpp",
    "number.h",
    "operator.h",
    "places.cpp",
    "places.h",
    "refusal.h",
    "view.cpp",
    "view.h",
)

OWN = Path(__file__).parent / "files" / "checks"
"""What they need to know of CANN."""


def check_files() -> dict[str, str]:
    """Return the files of op_api/checks/ by path."""
    paths = [*(SHARED / name for name in SHARED_NAMES), *sorted(OWN.iterdir())]
    return {f"op_api/checks/{path.name}": path.read_text(encoding="utf-8") for path in paths}


def api_files(
    interface: Interface, comment: str, sides: KernelEntry | None, texts: Mapping[str, str]
) -> dict[str, str]:
    """Return the files of op_api/<op>/ by path.

    Args:
        interface: parameters and constraints.
        comment: name and equations.
        sides: the kernel that computes both sides of constraints on lists, None where there are none.
        texts: its C text by its symbol.
    """
    folder, name = f"op_api/{interface.snake}", interface.snake
    files = {
        f"{folder}/aclnn_{name}.h": header_text(interface),
        f"{folder}/aclnn_{name}.cpp": f"{comment}{_functions(interface, sides)}",
        f"{folder}/{name}.h": _launcher_header(interface),
        f"{folder}/{name}.cpp": _launcher(interface),
    }
    return files | {f"{folder}/{symbol}.c": text for symbol, text in texts.items()}


# aclnn_<op>.cpp

INCLUDES = """\
#include "aclnn_{name}.h"

#include "../checks/tensors.h"
#include "opdev/make_op_executor.h"
#include "opdev/op_dfx.h"
#include "opdev/op_log.h"
#include "{name}.h"

using opwright::Number;
"""

PHASES = """\
    {phase};
    opwright::Call call(description());
    aclnnStatus status = opwright::guarded("{function}", [&] {{
{check}
    }});
    CHECK_RET(status == ACLNN_SUCCESS, status);
    auto made = CREATE_EXECUTOR();
    CHECK_RET(made.get() != nullptr, ACLNN_ERR_INNER_CREATE_EXECUTOR);
    status = opwright::guarded("{function}", [&] {{
{launch}
    }});
    CHECK_RET(status == ACLNN_SUCCESS, status);
    *workspaceSize = made->GetWorkspaceSize();
    made.ReleaseTo(executor);
    return ACLNN_SUCCESS;
}}

aclnnStatus {name}(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor, aclrtStream stream)
{{
    L2_DFX_PHASE_2({name});
    return CommonOpExecutorRun(workspace, workspaceSize, executor, stream);
}}
"""


def _functions(interface: Interface, sides: KernelEntry | None) -> str:
    own = parameters(interface)
    names = [*(t.name for t in interface.inputs), *(a.name for a in interface.attributes)]
    names += [t.name for t in interface.outputs]
    taken = "void *const *tensors, const int64_t *sizes, int64_t cores"
    lines = [INCLUDES.format(name=interface.snake)]
    lines += [] if sides is None else [f'extern "C" int {sides.symbol}_run({taken});', ""]
    lines += ["namespace {", "", *description_lines(interface, ()), ""]
    lines += [] if sides is None else [*sides_lines(interface, sides), ""]
    lines += ["/// Tests a call as its document says; refuses with the fault that counts."]
    lines += wrapped("void check", ["opwright::Call &call", *own, "aclOpExecutor **executor"], "")
    lines += ["{", *(f"    {line}" for line in check_lines(interface)), "    call.settle();", "}", ""]
    lines += ["/// Adds the kernel to an executor, with copies of tensors whose elements lie apart."]
    used = [(name, text) for name, text in zip(names, own, strict=True) if name not in _held_by_call(interface)]
    taken_too = ["const opwright::Call &call", *(text for _, text in used), "aclOpExecutor *executor"]
    lines += wrapped("void launch", taken_too, "")
    lines += ["{", *(f"    {line}" for line in _launch(interface)), "}", "", "}  // namespace", ""]
    function = f"{interface.function}GetWorkspaceSize"
    lines += wrapped(f"aclnnStatus {function}", [*own, "uint64_t *workspaceSize", "aclOpExecutor **executor"], "")
    inputs = ", ".join(names[: len(names) - len(interface.outputs)])
    outputs = ", ".join(t.name for t in interface.outputs)
    phase = wrapped("L2_DFX_PHASE_1", [interface.function, f"DFX_IN({inputs})", f"DFX_OUT({outputs})"], "", "    ")
    check = wrapped("check", ["call", *names, "executor"], ";", " " * 8)
    launch = wrapped("launch", ["call", *(name for name, _ in used), "made.get()"], ";", " " * 8)
    body = PHASES.format(
        phase="\n".join(phase).lstrip(),
        function=function,
        name=interface.function,
        check="\n".join(check),
        launch="\n".join(launch),
    )
    return "\n".join((*lines, "{", body))


def _held_by_call(interface: Interface) -> set[str]:
    """Return the parameters whose content, or default, the call knows: lists and texts."""
    texts = {attribute.name for attribute in interface.attributes if attribute.kind == "text"}
    return texts | {tensor.name for tensor in interface.inputs if tensor.kind == "list"}


def _launch(interface: Interface) -> Iterable[str]:
    for tensor in interface.inputs:
        place = quoted(tensor.name)
        if tensor.kind == "list":
            dtype = f"op::DataType::{GE_NAMES[tensor.dtypes[0][0]].removeprefix('ge::')}"
            yield f"const aclTensor *{tensor.name}Dense = opwright::listTensor(call, {place}, {dtype}, executor);"
        else:
            yield f"const aclTensor *{tensor.name}Dense = opwright::dense({tensor.name}, {place}, executor);"
    for tensor in interface.outputs:
        place = quoted(tensor.name)
        yield f"const aclTensor *{tensor.name}Dense = opwright::target(call, {tensor.name}, {place}, executor);"
    passed = [f"{tensor.name}Dense" for tensor in interface.inputs]
    passed += [_passed(attribute) for attribute in interface.attributes]
    passed += [f"{tensor.name}Dense" for tensor in interface.outputs]
    yield from wrapped(f"const aclnnStatus status = l0op::{interface.name}", [*passed, "executor"], ";")
    yield 'opwright::requireSuccess(status, "the launch of the kernel");'
    for tensor in interface.outputs:
        yield f"opwright::copyBack({tensor.name}Dense, {tensor.name}, {quoted(tensor.name)}, executor);"


def _passed(attribute: Attribute) -> str:
    """Return an attribute as the kernel's definition takes it, its default for null."""
    match attribute.kind:
        case "text":
            return f"call.textOf({quoted(attribute.name)}).c_str()"
        case "integers" if isinstance(attribute.default, tuple):
            values = ", ".join(map(str, attribute.default))
            return f"opwright::integersOr({attribute.name}, {{{values}}}, executor)"
        case "float":
            return f"static_cast<float>({attribute.name})"
        case _:
            return attribute.name


# <op>.h and <op>.cpp

ATTRIBUTE_TYPES = {
    "int": "int64_t ",
    "bool": "bool ",
    "float": "float ",
    "text": "const char *",
    "integers": "const aclIntArray *",
}


def _signature(interface: Interface) -> Sequence[str]:
    def tensors(group: Sequence[Tensor]) -> list[str]:
        return [f"const aclTensor *{tensor.name}" for tensor in group]

    attributes = [f"{ATTRIBUTE_TYPES[each.kind]}{each.name}" for each in interface.attributes]
    return [*tensors(interface.inputs), *attributes, *tensors(interface.outputs), "aclOpExecutor *executor"]


def _launcher_header(interface: Interface) -> str:
    return "\n".join(
        (
            "#pragma once",
            "",
            '#include "opdev/op_executor.h"',
            "",
            "namespace l0op {",
            "",
            "/// Adds the kernel to an executor; all tensors are dense. Returns the status of its tiling.",
            *wrapped(f"aclnnStatus {interface.name}", _signature(interface), ";"),
            "",
            "}  // namespace l0op",
            "",
        )
    )


def _launcher(interface: Interface) -> str:
    inputs = [tensor.name for tensor in interface.inputs]
    attributes = [attribute.name for attribute in interface.attributes]
    outputs = [tensor.name for tensor in interface.outputs]
    groups = [f"OP_INPUT({', '.join(inputs)})", f"OP_OUTPUT({', '.join(outputs)})"]
    groups += [f"OP_ATTR({', '.join(attributes)})"] if attributes else []
    return "\n".join(
        (
            f'#include "{interface.snake}.h"',
            "",
            '#include "opdev/make_op_executor.h"',
            '#include "opdev/op_def.h"',
            '#include "opdev/op_dfx.h"',
            "",
            "using namespace op;",
            "",
            "namespace l0op {",
            "",
            f"OP_TYPE_REGISTER({interface.name});",
            "",
            *wrapped(f"aclnnStatus {interface.name}", _signature(interface), ""),
            "{",
            *wrapped("L0_DFX", [interface.name, *inputs, *attributes, *outputs], ";", "    "),
            *wrapped("return ADD_TO_LAUNCHER_LIST_AICORE", [interface.name, *groups], ";", "    "),
            "}",
            "",
            "}  // namespace l0op",
            "",
        )
    )
