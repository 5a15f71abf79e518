"""Find kernels in Ascend C source text, and take out what only a host program needs.

No C++ parser: the text is cut into the items that stand outside of functions, which is what these questions need.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

_HIDDEN = re.compile(
    r"""//[^\n]*|/\*.*?\*/|R"(?P<d>[^(\s]*)\(.*?\)(?P=d)"|"(?:\\.|[^"\\\n])*"|(?<![0-9a-fA-F])'(?:\\.|[^'\\\n])+'"""
    r"""|(?P<directive>^[ \t]*\#(?:\\\r?\n|/\*.*?\*/|[^\n])*)""",
    re.DOTALL | re.MULTILINE,
)
"""Comments, literals and preprocessor lines."""

_TRANSPARENT = re.compile(r'\s*(?:(?:inline\s+)?namespace\b(?P<name>[\w:\s]*)|extern\s*"[^"]*")\s*$')
_HOST = re.compile(
    r"<<<|\b(?:acl[A-Za-z]\w*|ACL_\w+|platform_ascendc|context_ascendc|tikcpulib|ICPU_\w+|gert|ge|at|torch|c10"
    r"|TORCH_\w+|PYBIND11_\w+)\b(?!\s*=)"
)
"""What no kernel mentions: launches, the runtime's API, and the interfaces of frameworks."""

_AMBIGUOUS = re.compile(r"\b(?:gert|ge|at|torch|c10)\b(?!\s*::)")
_DEVICE = re.compile(r"\b__(?:aicore|global|simd_vf|simt_vf)__\b")
_LINE = re.compile(r'[ \t]*#[ \t]*line[ \t]+(?P<line>\d+)(?:[ \t]+"(?P<file>[^"]*)")?')
_INCLUDE = re.compile(r'^[ \t]*#[ \t]*include[ \t]*(?P<file>"[^"\n]+"|<[^>\n]*[/.][^>\n]*>)[^\n]*', re.MULTILINE)


@dataclass(frozen=True)
class KernelSignature:
    """A kernel as its source declares it.

    Attributes:
        name: with its namespaces.
        params: names of its parameters, in order.
        line: where it stands, from 1.
        templated: it needs template arguments.
    """

    name: str
    params: tuple[str, ...]
    line: int
    templated: bool


@dataclass(frozen=True)
class _Item:
    """Something that stands outside of functions: text[start:end], of which [start:head] comes before the body."""

    start: int
    head: int
    end: int
    scope: tuple[str, ...]


def find_kernels(text: str) -> list[KernelSignature]:
    """Return the kernels that a source text defines, in its order."""
    code = _masked(text)
    return [_signature(code, item) for item in _items(code) if _is_kernel(code, item)]


def kernel_place(sources: Mapping[str, str], entry: str) -> tuple[str, int] | None:
    """Return file and line of a kernel, as its compiler names them.

    Args:
        sources: file name -> text, with `#line` where a text comes from elsewhere.
        entry: the kernel's name with its namespaces; template arguments do not count.
    """
    name = entry.partition("<")[0].strip().removeprefix("::")
    for file, text in sources.items():
        for kernel in find_kernels(text):
            if kernel.name == name:
                return _presumed(file, text, kernel.line)
    return None


def _presumed(file: str, text: str, line: int) -> tuple[str, int]:
    """Return the place that `#line` gives to a line of a text."""
    shift = 0
    for at, row in enumerate(text.splitlines()[: line - 1], 1):
        directive = _LINE.match(row)
        if directive is not None:
            shift = int(directive["line"]) - at - 1
            file = directive["file"] or file
    return file, line + shift


def device_text(text: str) -> str:
    """Return the text without what only a host program needs; every line keeps its number.

    Functions, types and declarations that launch kernels, call the runtime or use a framework's types become blank, and
    functions that call those. Files that are not there are not included where the text has such a part.
    """
    code = _masked(text)
    host = _host_items(code, list(_items(code)))
    pieces, done = list[str](), 0
    for item in host:
        pieces += [text[done : item.start], _blank(text[item.start : item.end])]
        done = item.end
    kept = "".join((*pieces, text[done:]))
    return _without_missing_files(kept) if host else kept


def _blank(text: str) -> str:
    """Return the text with everything but line ends and preprocessor lines blank."""
    pieces, done = list[str](), 0
    for match in _HIDDEN.finditer(text):
        if match["directive"] is not None:
            pieces += [re.sub(r"[^\n]", " ", text[done : match.start()]), match[0]]
            done = match.end()
    return "".join((*pieces, re.sub(r"[^\n]", " ", text[done:])))


def _masked(text: str) -> str:
    """Return the text with comments, literals and preprocessor lines blank, and every other character in its place."""

    def blank(match: re.Match[str]) -> str:
        hidden = match[0]
        spaces = re.sub(r"[^\n]", " ", hidden)
        return f'"{spaces[1:-1]}"' if hidden.startswith('"') and len(hidden) > 1 else spaces

    return _HIDDEN.sub(blank, text)


def _items(code: str) -> Iterator[_Item]:
    """Yield the items outside of functions; namespaces and linkage blocks are looked into."""
    scope: list[str] = []
    start, head, at = 0, -1, 0
    while at < len(code):
        char = code[at]
        at += 1
        if char == ";" or (char == "}" and scope):
            if char == ";":
                yield _Item(start, head if head >= 0 else at, at, tuple(scope))
            else:
                scope.pop()
            start, head = at, -1
        elif char == "{":
            opened = _TRANSPARENT.match(code, start, at - 1)
            if opened is not None:
                scope.append((opened["name"] or "").strip())
                start = at
                continue
            head = at - 1 if head < 0 else head
            at = _closing(code, at - 1)
            if _is_function(code[start:head]):
                yield _Item(start, head, at, tuple(scope))
                start, head = at, -1


def _closing(code: str, at: int) -> int:
    """Return the position after the brace or bracket that closes the one at a position, or the end of the text."""
    pairs = {"{": "}", "(": ")"}
    opening, closing, depth = code[at], pairs[code[at]], 0
    for match in re.compile(rf"[{re.escape(opening + closing)}]").finditer(code, at):
        depth += 1 if match[0] == opening else -1
        if depth == 0:
            return match.end()
    return len(code)


def _is_function(head: str) -> bool:
    bare = re.sub(r"template\s*<[^{;]*?>(?=\s*[\w\[])", "", head)
    types = re.match(r"\s*(?:typedef\s+)?(?:struct|class|union|enum)\b[^(]*$", bare)
    return "(" in bare and types is None and not re.search(r"=\s*$", bare)


def _is_kernel(code: str, item: _Item) -> bool:
    return (
        code[item.head : item.head + 1] == "{"
        and re.search(r"\b__global__\b", code[item.start : item.head]) is not None
    )


def _parameter_span(head: str) -> tuple[int, int]:
    """Return where the last bracketed group outside of others stands, without its brackets."""
    at, span = 0, (len(head), len(head))
    while (at := head.find("(", at)) >= 0:
        end = _closing(head, at)
        span, at = (at + 1, end - 1), end
    return span


def _signature(code: str, item: _Item) -> KernelSignature:
    head = code[item.start : item.head]
    begin, end = _parameter_span(head)
    name = re.search(r"([\w:]+)\s*$", head[: begin - 1])
    params = [part for part in _split(head[begin:end]) if part not in ("", "void")]
    line = code.count("\n", 0, item.start + (name.start() if name else 0)) + 1
    qualified = "::".join((*filter(None, item.scope), name[1] if name else ""))
    names = tuple(_parameter_name(part, index) for index, part in enumerate(params))
    return KernelSignature(qualified, names, line, re.search(r"\btemplate\s*<", head) is not None)


def _split(text: str) -> list[str]:
    """Return the parts between commas that stand in no brackets."""
    parts, depth = [""], 0
    for char in text:
        depth += (char in "<([{") - (char in ">)]}")
        if char == "," and depth == 0:
            parts.append("")
        else:
            parts[-1] += char
    return [part.strip() for part in parts]


def _parameter_name(part: str, index: int) -> str:
    declared = re.sub(r"\[[^\]]*\]\s*$", "", part.partition("=")[0].strip())
    found = re.search(r"[\s*&]([A-Za-z_]\w*)\s*$", declared)
    return found[1] if found else f"arg{index}"


def _host_items(code: str, items: list[_Item]) -> list[_Item]:
    """Return the items that only a host program needs, in order: by what they mention, or by what they call."""
    texts = {item: code[item.start : item.end] for item in items}
    free = [item for item in items if not _DEVICE.search(texts[item])]
    host = {item for item in free if _mentions_host(texts[item]) or _name(code, item) == "main"}
    grown = True
    while grown:
        names = {name for item in host if (name := _name(code, item))}
        called = re.compile(rf"\b(?:{'|'.join(map(re.escape, sorted(names)))})\s*\(") if names else None
        more = {item for item in free if item not in host and called is not None and called.search(texts[item])}
        host |= more
        grown = bool(more)
    return [item for item in items if item in host]


def _mentions_host(text: str) -> bool:
    return any(not _AMBIGUOUS.match(text, found.start()) for found in _HOST.finditer(text))


def _name(code: str, item: _Item) -> str:
    """Return the name of a function, or nothing."""
    head = code[item.start : item.head]
    found = re.search(r"([A-Za-z_]\w*)\s*$", head[: max(_parameter_span(head)[0] - 1, 0)])
    return found[1] if found and "(" in head else ""


def _without_missing_files(text: str) -> str:
    """Return the text with its includes such that a file which is not there is left out; lines keep their numbers."""

    def guarded(match: re.Match[str]) -> str:
        line = text.count("\n", 0, match.start()) + 1
        return f"#if __has_include({match['file']})\n#include {match['file']}\n#endif\n#line {line}\n"

    return _INCLUDE.sub(guarded, text)
