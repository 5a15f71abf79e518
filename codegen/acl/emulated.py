"""The emulated form of a kernel: one shared object with its tiling function, called as the library calls kernels."""

from collections.abc import Sequence
from pathlib import Path

from ...dialect.tile.kernel import INPUT, OUTPUT
from ..ascendc.executable import AscendcExecutable
from ..emulator.launch import Role
from ..emulator.report import WARNINGS
from ..emulator.toolchain import compile_kernel

MAIN = "opwright_emulated.cpp"

MOST_INSTRUCTIONS = 100_000_000
"""A core that issues more is stopped."""

ENTRY = """\
#include "{kernel}.cpp"

#include "{kernel}_tiling.cpp"

#include <algorithm>
#include <cstdio>
#include <new>
#include <string>
#include <vector>

namespace {{

/// The first of the emulator's findings that breaks a rule, with spaces between its fields.
void tell(const std::string &answer, char *message, size_t room) {{
    const std::string findings = answer.substr(0, answer.find('\x1d'));
    const std::vector<std::string> harmless = {{{warnings}}};
    for (size_t start = 0, end = 0; start < findings.size(); start = end + 1) {{
        end = findings.find('\x1e', start);
        std::string finding = findings.substr(start, end - start);
        const std::string code = finding.substr(0, finding.find('\x1f'));
        if (std::find(harmless.begin(), harmless.end(), code) != harmless.end()) continue;
        std::replace(finding.begin(), finding.end(), '\x1f', ' ');
        std::snprintf(message, room, "%s", finding.c_str());
        return;
    }}
}}

void launch(void *const *tensors, const uint64_t *bytes, const int64_t *sizes, int64_t cores, char *message,
            size_t room) {{
    {data} data{{}};
    int64_t workspaceBytes = 0;
    const char *refusal = {function}({values}&data, &workspaceBytes);
    if (refusal != nullptr) {{
        std::snprintf(message, room, "the tiling function refuses the shapes: %s", refusal);
        return;
    }}
    std::vector<uint8_t> workspace(static_cast<size_t>(workspaceBytes));
    const emu::HostArgument arguments[] = {{
{arguments}
        {{"workspace", workspace.data(), workspace.size(), {workspace}}},
        {{"tiling", reinterpret_cast<uint8_t *>(&data), sizeof data, {input}}},
    }};
    emu::HostOptions options{{}};
    options.cores = static_cast<int32_t>(cores);
    options.maxInstructions = {most};
    char *answer = emu::launch(arguments, sizeof arguments / sizeof arguments[0], options,
                               [](uint8_t *const *a) {{ {kernel}({addresses}); }});
    if (answer == nullptr) throw std::bad_alloc();
    tell(answer, message, room);
    free(answer);
}}

}}  // namespace

extern "C" __attribute__((visibility("default"))) void opwright_emulated_run(
    void *const *tensors, const uint64_t *bytes, const int64_t *sizes, int64_t cores, char *message, size_t room) {{
    (void)sizes;
    try {{
        launch(tensors, bytes, sizes, cores, message, room);
    }} catch (const std::bad_alloc &) {{
        std::snprintf(message, room, "there is not enough memory");
    }}
}}
"""


def compile_emulated(executable: AscendcExecutable, tensors: Sequence[str], sizes: Sequence[str]) -> Path:
    """Return the shared object of a kernel.

    Args:
        executable: the kernel in Ascend C, with its tiling function.
        tensors: names of the arrays that the library passes, in order, without workspaces.
        sizes: names of the dims and attributes that the library passes, in order.
    """
    text = entry_text(executable, tensors, sizes)
    return compile_kernel({**executable.sources, MAIN: text}, MAIN, executable.chip)


def entry_text(executable: AscendcExecutable, tensors: Sequence[str], sizes: Sequence[str]) -> str:
    """Return the source that exports a kernel to the library."""
    interface = executable.interface
    passed = [tensor for tensor in interface.tensors if tensor.role in (INPUT, OUTPUT)]
    roles = {INPUT: int(Role.INPUT), OUTPUT: int(Role.OUTPUT)}
    places = [list(tensors).index(tensor.name) for tensor in passed]
    arguments = [
        f'        {{"{tensor.name}", static_cast<uint8_t *>(tensors[{n}]), bytes[{n}], {roles[tensor.role]}}},'
        for tensor, n in zip(passed, places, strict=True)
    ]
    values = [f"sizes[{list(sizes).index(name)}]" if name in sizes else "cores" for name in interface.tiling_arguments]
    return ENTRY.format(
        kernel=interface.kernel,
        data=executable.data.name,
        function=executable.data.function,
        values="".join(f"{value}, " for value in values),
        arguments="\n".join(arguments),
        addresses=", ".join(f"a[{n}]" for n in range(len(passed) + 2)),
        warnings=", ".join(f'"{code}"' for code in sorted(WARNINGS)),
        most=MOST_INSTRUCTIONS,
        workspace=int(Role.WORKSPACE),
        input=int(Role.INPUT),
    )
