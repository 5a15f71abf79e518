"""The tiling side of an operator: which kernel serves a call, its tiling data, the number of cores, the workspace."""

from collections.abc import Iterable, Sequence

from ..aclnn.interface import Constraint, Guard, Presence
from ..aclnn.text import wrapped
from .calls import always_given, call_header, dim_names, row_type, shape_of, switch_names
from .kernel import tiling_header
from .model import TILING_FUNCTION, Architecture, Piece, ProjectOperator, outputs_matter
from .text import block, dims_text, filled, formula_text, refuse_if, shape_text


def host_files(operator: ProjectOperator) -> dict[str, str]:
    """Return the files of op_host/<op>/ that have to do with tiling, by path."""
    folder = f"op_host/{operator.snake}"
    files = {
        f"{folder}/{operator.snake}_call.h": call_header(operator),
        f"{folder}/{operator.snake}_tiling.h": _tiling_header(operator),
        f"{folder}/{operator.snake}_tiling.cpp": _tiling_source(operator),
    }
    for architecture in operator.architectures:
        for piece in distinct(architecture.pieces):
            files[f"{folder}/{architecture.folder}/{piece.symbol}_tiling.cpp"] = _function_file(
                operator, architecture, piece
            )
    return files


def distinct(pieces: Sequence[Piece]) -> list[Piece]:
    """Return the variants whose tiling functions differ: the first of each that are the same."""
    return list({(piece.tiling, piece.sizes): piece for piece in reversed(pieces)}.values())[::-1]


def _same(piece: Piece, pieces: Sequence[Piece]) -> Piece:
    """Return the first variant with the tiling function of this one."""
    return next(other for other in pieces if (other.tiling, other.sizes) == (piece.tiling, piece.sizes))


# <op>_tiling.h and <op>_tiling.cpp


def _tiling_header(operator: ProjectOperator) -> str:
    lines = [
        f"// The tiling functions of {operator.interface.name}'s kernels.",
        "#pragma once",
        "",
        f'#include "../../op_kernel/{operator.snake}/{tiling_header(operator)}"',
        "",
        "// Each computes the tiling data and the size of the workspace in bytes, for a launch on `cores` cores.",
        "// It returns a null pointer, or why the kernel cannot run these sizes.",
    ]
    for architecture in operator.architectures:
        lines.append(f"namespace {architecture.folder} {{")
        for piece in distinct(architecture.pieces):
            taken = [f"int64_t {name}" for name in piece.sizes]
            taken += [f"{operator.struct} *data", "int64_t *workspaceBytes"]
            lines += [f"namespace {piece.space} {{", *wrapped(f"const char *{TILING_FUNCTION}", taken, ";"), "}"]
        lines.append(f"}}  // namespace {architecture.folder}")
    return "\n".join((*lines, ""))


def _function_file(operator: ProjectOperator, architecture: Architecture, piece: Piece) -> str:
    users = [each.symbol for each in architecture.pieces if _same(each, architecture.pieces) is piece]
    space = f"{architecture.folder}::{piece.space}"
    return "\n".join(
        (
            f"// Tiling of {', '.join(users)}",
            f'#include "../{operator.snake}_tiling.h"',
            "",
            "#include <initializer_list>",
            "",
            f"namespace {architecture.folder} {{",
            f"namespace {piece.space} {{",
            "",
            f"{piece.tiling}",
            f"}}  // namespace {piece.space}",
            f"}}  // namespace {architecture.folder}",
            "",
        )
    ).replace("// namespace \n", f"// namespace {space}\n")


def _tiling_source(operator: ProjectOperator) -> str:
    name = operator.interface.name
    return "\n".join(
        (
            f"// {name}: which kernel serves a call, and what it is told.",
            "#include <cstdio>",
            "",
            '#include "tiling/platform/platform_ascendc.h"',
            "",
            f'#include "{operator.snake}_call.h"',
            f'#include "{operator.snake}_tiling.h"',
            "",
            "namespace optiling {",
            "namespace {",
            "",
            f"using Row = {row_type(operator)};",
            f"using Sizes = {name}Sizes;",
            f"using Data = {operator.struct};",
            "",
            *_find_row(operator),
            "",
            *_check(operator),
            "",
            *(line for architecture in operator.architectures for line in (*_choose(operator, architecture), "")),
            *_compute(operator),
            "",
            "}  // namespace",
            "",
            _tiling_function(operator),
            "}  // namespace optiling",
            "",
        )
    )


def _find_row(operator: ProjectOperator) -> Iterable[str]:
    interface = operator.interface
    yield "/// The row of the table that fits the dtypes of a call, what it gives, and its boolean attributes."
    sizes = "const Sizes &sizes" if switch_names(operator) else "const Sizes &"
    yield f"const Row *FindRow(const gert::TilingContext &context, {sizes})"
    yield "{"
    for place, tensor in enumerate(interface.inputs):
        kind = "Required" if always_given(operator, tensor) else "Optional"
        yield f"    const ge::DataType {tensor.name} = call::{kind}Dtype(context, {place});"
    yield f"    for (const Row &row : {operator.snake.upper()}_ROWS) {{"
    tests = [f"row.inputs[{place}] == {tensor.name}" for place, tensor in enumerate(interface.inputs)]
    tests += [f"row.switches[{place}] == sizes.{name}" for place, name in enumerate(switch_names(operator))]
    if outputs_matter(operator.rows):
        tests += [f"call::MayBe(context, {place}, row.outputs[{place}])" for place in range(len(interface.outputs))]
    yield from filled("        if (", tests, ") {", " &&")
    yield "            return &row;"
    yield "        }"
    yield "    }"
    yield "    return nullptr;"
    yield "}"


def _check(operator: ProjectOperator) -> Iterable[str]:
    interface = operator.interface
    yield "/// Reads the sizes of a call, and tests what the operator demands of them."
    yield "const char *Check(gert::TilingContext &context, Sizes &sizes)"
    yield "{"
    yield f"    const char *refusal = Read{interface.name}Sizes(context, sizes);"
    yield "    if (refusal != nullptr) {"
    yield "        return refusal;"
    yield "    }"
    for place, tensor in enumerate(interface.outputs):
        test = f"!call::Match(call::ShapeOf(context.GetOutputShape({place})), {dims_text(tensor)})"
        yield from refuse_if([test], f"the shape of {tensor.name} must be {shape_text(tensor)}")
    for dim in dim_names(operator):
        yield f"    sizes.{dim} = std::max<int64_t>(sizes.{dim}, 0);"
    for constraint in interface.constraints:
        if isinstance(constraint, Constraint | Presence) and _is_known(operator, constraint):
            tests = [*(_guard(operator, guard) for guard in constraint.guards), _violation(operator, constraint)]
            yield from refuse_if(tests, f"it must hold that {constraint.text}")
    yield "    return nullptr;"
    yield "}"


def _is_known(operator: ProjectOperator, constraint: Constraint | Presence) -> bool:
    """Return whether tiling knows all that a constraint is made of: the API alone sees what lists hold."""
    known = {*dim_names(operator), *(attribute.name for attribute in operator.interface.attributes)}
    return isinstance(constraint, Presence) or known.issuperset(constraint.names)


OPPOSITES = {"<=": ">", "<": ">=", ">=": "<", ">": "<=", "==": "!=", "!=": "=="}


def _violation(operator: ProjectOperator, constraint: Constraint | Presence) -> str:
    """Return the test for what a constraint forbids."""
    if isinstance(constraint, Presence):
        return f"{shape_of(operator, constraint.name)} == nullptr"
    return f"{formula_text(constraint.lhs)} {OPPOSITES[constraint.comparison]} {formula_text(constraint.rhs)}"


def _guard(operator: ProjectOperator, guard: Guard) -> str:
    if guard.is_tensor:
        return f"{shape_of(operator, guard.name)} {'!=' if guard.holds else '=='} nullptr"
    return f"sizes.{guard.name}" if guard.holds else f"!sizes.{guard.name}"


def _choose(operator: ProjectOperator, architecture: Architecture) -> Iterable[str]:
    yield f"/// Calls the tiling function of a kernel, for {' and '.join(architecture.targets)}."
    taken = ("uint64_t key", "const Sizes &sizes", "int64_t cores", "Data *data", "int64_t *workspaceBytes")
    yield from wrapped(f"const char *Compute_{architecture.folder}", taken, "")
    yield "{"
    yield "    switch (key) {"
    for piece in distinct(architecture.pieces):
        for each in architecture.pieces:
            if _same(each, architecture.pieces) is piece:
                yield f"        case {each.key}:"
        names = [f"sizes.{name}" for name in piece.sizes[:-1]]
        function = f"{architecture.folder}::{piece.space}::{TILING_FUNCTION}"
        yield from wrapped(f"return {function}", [*names, "cores", "data", "workspaceBytes"], ";", " " * 12)
    yield "        default:"
    yield '            return "there is no such kernel";'
    yield "    }"
    yield "}"


def _compute(operator: ProjectOperator) -> Iterable[str]:
    """Yield the function that chooses the architecture by the platform, and refuses other chips."""
    yield "/// Calls the tiling function of a kernel for the chip at hand."
    taken = ("platform_ascendc::PlatformAscendC &platform", "uint64_t key", "const Sizes &sizes", "Data *data")
    yield from wrapped("const char *Compute", (*taken, "int64_t *workspaceBytes"), "")
    yield "{"
    yield "    const int64_t cores = platform.GetCoreNumAiv();"
    for architecture in operator.architectures:
        version = f"platform_ascendc::SocVersion::{architecture.chip.soc_version}"
        answer = f"return Compute_{architecture.folder}(key, sizes, cores, data, workspaceBytes);"
        yield from block(f"if (platform.GetSocVersion() == {version})", [answer])
    targets = ", ".join(target for architecture in operator.architectures for target in architecture.targets)
    yield f'    return "there is no kernel for this chip, only for {targets}";'
    yield "}"


TILING = """\
/// Chooses the kernel, fills the tiling data, and says how many cores and how much workspace it takes.
ge::graphStatus {name}Tiling(gert::TilingContext *context)
{{
    Data *data = context->GetTilingData<Data>();
    size_t *workspaces = context->GetWorkspaceSizes(1);
    if (data == nullptr || workspaces == nullptr) {{
        return ge::GRAPH_FAILED;
    }}
    *data = Data();
    platform_ascendc::PlatformAscendC platform(context->GetPlatformInfo());
    Sizes sizes;
    int64_t workspaceBytes = 0;
    const char *refusal = Check(*context, sizes);
    const Row *row = refusal == nullptr ? FindRow(*context, sizes) : nullptr;
    if (refusal == nullptr) {{
        refusal = row == nullptr ? "no kernel takes these dtypes and optional tensors"
                                 : Compute(platform, row->key, sizes, data, &workspaceBytes);
    }}
    if (refusal != nullptr) {{
        std::fprintf(stderr, "{name}: %s\\n", refusal);
        return ge::GRAPH_FAILED;
    }}
    context->SetTilingKey(row->key);
    context->SetBlockDim(platform.GetCoreNumAiv());
{schedule}    workspaces[0] = static_cast<size_t>(workspaceBytes) + platform.GetLibApiWorkSpaceSize();
    return ge::GRAPH_SUCCESS;
}}
"""

SCHEDULE = """\
    context->SetScheduleMode(1);  // cores wait for each other, so all of them have to run at once
"""


def _tiling_function(operator: ProjectOperator) -> str:
    synced = any(piece.task_type != "KERNEL_TYPE_AIV_ONLY" for a in operator.architectures for piece in a.pieces)
    return TILING.format(name=operator.interface.name, schedule=SCHEDULE if synced else "")
