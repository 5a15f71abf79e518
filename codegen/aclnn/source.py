"""The source of an operator's two functions for the laptop: its checks in the documented order, a line each."""

from collections.abc import Sequence
from dataclasses import dataclass

from .header import parameters
from .interface import Attribute, Constraint, Guard, Interface, Kind, ListCheck, Places, Presence, Tensor, reason
from .text import braced, number, quoted, wrapped


@dataclass(frozen=True)
class KernelEntry:
    """One compiled kernel of an operator.

    Attributes:
        symbol: the name of the kernel; the function `<symbol>_run` runs it.
        column: the number of its dtype column.
        given: names of the optional inputs that are given where it serves.
        switches: names of the boolean attributes that are true where it serves.
        tensors: names of the parameters that it takes as arrays, in order; "" for a workspace.
        sizes: names of the dims and attributes that it takes, in order.
        cores: the number of cores of its emulated form.
        emulated: the name of that form's file, without its ending; "" where the library has none.
    """

    symbol: str
    column: int
    given: tuple[str, ...]
    switches: tuple[str, ...]
    tensors: tuple[str, ...]
    sizes: tuple[str, ...]
    cores: int
    emulated: str = ""


def source_text(interface: Interface, kernels: Sequence[KernelEntry], sides: KernelEntry | None = None) -> str:
    """Return the text of aclnn_<op>.cpp; `sides` computes both sides of the constraints on lists."""
    own = ('#include "call.h"', '#include "executor.h"')
    lines = [f'#include "{interface.header}"', "", *own, "", "using opwright::Number;", ""]
    declared = dict.fromkeys(kernel.symbol for kernel in (*kernels, *([sides] if sides else [])))
    taken = "void *const *tensors, const int64_t *sizes, int64_t cores"
    lines += [f'extern "C" int {symbol}_run({taken});' for symbol in declared]
    lines += ["", "namespace {", "", *description_lines(interface, kernels), ""]
    lines += [] if sides is None else [*sides_lines(interface, sides), ""]
    lines += ["}  // namespace", ""]
    return "\n".join((*lines, *_first_phase(interface), "", *_second_phase(interface))) + "\n"


def description_lines(interface: Interface, kernels: Sequence[KernelEntry]) -> list[str]:
    """Return the function that describes an operator: its parameters and kernels."""
    return [
        "const opwright::Operator &description() {",
        "    using opwright::Role;",
        "    static const opwright::Operator op{",
        f"        {quoted(interface.function)},",
        f"        {braced(quoted(each.name) for each in interface.attributes if each.kind == 'bool')},",
        "        {",
        *(f"            {_parameter(tensor)}," for tensor in interface.tensors),
        "        },",
        "        {",
        *(f"            {_kernel(kernel)}," for kernel in kernels),
        "        }};",
        "    return op;",
        "}",
    ]


def _parameter(tensor: Tensor) -> str:
    dims = braced(quoted(str(dim)) for dim in tensor.dims)
    dtypes = braced(braced(column) for column in tensor.dtypes)
    codes = braced(str(code) for code in tensor.codes)
    flags = f"{str(tensor.optional).lower()}, {str(tensor.strided).lower()}"
    return f"{{{quoted(tensor.name)}, Role::{tensor.kind}, {flags}, {dims}, {dtypes}, {codes}}}"


def _kernel(kernel: KernelEntry) -> str:
    names = (braced(map(quoted, group)) for group in (kernel.given, kernel.switches, kernel.tensors, kernel.sizes))
    ends = (f"{kernel.symbol}_run", str(kernel.cores), quoted(kernel.emulated))
    return braced((quoted(kernel.symbol), str(kernel.column), *names, *ends))


def sides_lines(interface: Interface, sides: KernelEntry) -> list[str]:
    """Return the function that describes what computes both sides of the constraints on lists."""
    return [
        "const opwright::ListSides &listSides() {",
        "    static const opwright::ListSides sides{",
        f"        {_kernel(sides)},",
        "        {",
        *(f"            {_list_check(check)}," for check in interface.list_checks),
        "        }};",
        "    return sides;",
        "}",
    ]


def _list_check(check: ListCheck) -> str:
    dims = braced(quoted(str(dim)) for dim in check.dims)
    names = ", ".join(map(quoted, (check.comparison, check.lhs, check.rhs)))
    return f"{{{check.code}, {quoted(check.text)}, {names}, {dims}, {check.dtype}}}"


def _first_phase(interface: Interface) -> list[str]:
    name = f"{interface.function}GetWorkspaceSize"
    taken = [*parameters(interface), "uint64_t *workspaceSize", "aclOpExecutor **executor"]
    return [
        *wrapped(f"aclnnStatus {name}", taken, " {"),
        "    return opwright::firstPhase(description(), [&](opwright::Call &call) {",
        *(f"        {line}" for line in check_lines(interface)),
        *(f"        {line}" for line in _places(interface, ("input",))),
        "        call.finish(workspaceSize, executor);",
        "    });",
        "}",
    ]


def _second_phase(interface: Interface) -> list[str]:
    taken = ("void *workspace", "uint64_t workspaceSize", "aclOpExecutor *executor", "aclrtStream stream")
    return [
        *wrapped(f"aclnnStatus {interface.function}", taken, " {"),
        "    return opwright::secondPhase(description(), workspace, workspaceSize, executor, stream);",
        "}",
    ]


def check_lines(interface: Interface) -> list[str]:
    """Return the checks of a call, a line each."""
    given = [f"call.{'list' if t.kind == 'list' else 'tensor'}({t.name});" for t in interface.tensors]
    lines = [*given, "call.place(executor);"]
    lines += [_take(attribute) for attribute in interface.attributes]
    lines += ["call.checkTypes();", "call.bindInputs();"]
    lines += [
        f"call.defaultList({quoted(default.name)}, {braced(map(number, default.content))});"
        for default in interface.list_defaults
    ]
    if any(tensor.kind == "list" for tensor in interface.inputs):
        lines.append("call.bindLists();")
    lines += [f"call.define({quoted(d.dim)}, {number(d.value)}, {quoted(d.text)});" for d in interface.definitions]
    lines.append("call.checkOutputs();")
    lines += [_allow(attribute) for attribute in interface.attributes if attribute.allowed]
    plain = (each for each in interface.constraints if not isinstance(each, ListCheck))
    lines += [line for constraint in plain for line in _constraint(constraint)]
    lines += _places(interface, ("list",))
    return [*lines, "call.checkLists(listSides());"] if interface.list_checks else lines


def _take(attribute: Attribute) -> str:
    name = quoted(attribute.name)
    match attribute.kind:
        case "text":
            default = "nullptr" if attribute.default is None else quoted(str(attribute.default))
            return f"call.text({name}, {attribute.name}, {default});"
        case "integers":
            otherwise = len(attribute.default) if isinstance(attribute.default, tuple) else -1
            return f"call.integers({name}, {attribute.name}, {otherwise});"
        case "float":
            return f"call.attribute({name}, {attribute.name});"
        case "int" | "bool":
            return f"call.attribute({name}, static_cast<int64_t>({attribute.name}));"


def _allow(attribute: Attribute) -> str:
    values = (quoted(v) if isinstance(v, str) else str(int(v)) for v in attribute.allowed if not isinstance(v, tuple))
    kind = "const char *" if attribute.kind == "text" else "int64_t"
    listed = f"std::vector<{kind}>{braced(values)}"
    return f"call.allow({attribute.code}, {quoted(attribute.name)}, {listed});"


def _constraint(constraint: Constraint | Presence) -> list[str]:
    if isinstance(constraint, Presence):
        why = quoted(reason(constraint.guards))
        lines = [f"call.requireGiven({constraint.code}, {quoted(constraint.name)}, {why});"]
    else:
        test = f"{number(constraint.lhs)} {constraint.comparison} {number(constraint.rhs)}"
        names = braced(map(quoted, constraint.names))
        lines = wrapped("call.require", (str(constraint.code), test, quoted(constraint.text), names), ";")
    return _where(constraint.guards, lines)


def _places(interface: Interface, kinds: Sequence[Kind]) -> list[str]:
    """Return what is demanded of elements: a list's are known now, a tensor's when the stream comes to them."""
    of_kind = {tensor.name for tensor in interface.inputs if tensor.kind in kinds}
    found = [_place(places) for places in interface.places if places.name in of_kind]
    return [line for lines in found for line in lines]


def _place(places: Places) -> list[str]:
    line = f"call.places({quoted(places.name)}, {number(places.below)}, {str(places.unused).lower()});"
    return _where(places.guards, [line])


def _where(guards: Sequence[Guard], lines: list[str]) -> list[str]:
    """Return lines that count where all guards hold."""
    if not guards:
        return lines
    condition = " && ".join(_guard(guard) for guard in guards)
    return [f"if ({condition}) {{", *(f"    {line}" for line in lines), "}"]


def _guard(guard: Guard) -> str:
    if guard.is_tensor:
        return f"{'' if guard.holds else '!'}call.given({quoted(guard.name)})"
    return f"call.at({quoted(guard.name)}).value {'!=' if guard.holds else '=='} 0"
