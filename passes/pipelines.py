"""The pass pipelines: what runs for each backend and target."""

from collections.abc import Callable, Sequence

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.passes import ModulePass, PassPipeline

from .chips import get_chip
from .registry import get_all_passes

CLEAN = "cse,canonicalize,cse"
"""Merging equal values first halves what canonicalize walks over."""

SPEC_LEVEL = (
    "specialize{{column={column}{present}}},canonicalize,unroll,inline-producers,"
    "hoist-functions{{target={target}}},legalize-types,hoist-dims,fuse,"
    f"{CLEAN},join-nests,{CLEAN},split-reductions{{{{target={{target}}}}}}"
)
"""From a spec to computes that map to stages."""

STAGES = f"tile{{{{target={{target}}}}}},{CLEAN},hoist-rows"
"""To loops over cores, items and tiles."""

STAGED = f"promote,legalize-lanes,vectorize,{CLEAN}"
"""On-chip buffers and row instructions, where operands are staged."""

SIZES = f"size-tiles{{{{target={{target}}}}}},{CLEAN}"
"""The numbers of the tiling function."""

SIMPLE = "cse,simplify,canonicalize,cse"
"""The same where all operations are there at last."""

LOOPS = f"join-lane-loops,{CLEAN},lower-to-loops,{SIMPLE}"
"""Upstream loops, for C."""

ASCENDC = (
    "pipeline{{target={target}}},insert-sync{{target={target}}},verify-sync{{target={target}}},"
    f"lower-to-ascendc{{{{target={{target}}}}}},{SIMPLE}"
)
"""Queues, events and Ascend C calls."""


def pipeline_spec(target: str, backend: str, column: int = 0, present: frozenset[str] = frozenset()) -> str:
    """Return the pipeline as text, as opwright-opt's -p takes it.

    Args:
        target: a name of the chip table.
        backend: reference, numpy, c or ascendc. The reference runs the operator as it is: no pass at all.
        column: the dtype column.
        present: names of the optional inputs that are given.

    Raises:
        KeyError: unknown target.
        ValueError: unknown backend, or Ascend C for a target that stages nothing.
    """
    chip = get_chip(target)
    given = f" present={','.join(sorted(present))}" if present else ""
    parts = [SPEC_LEVEL, STAGES, *([STAGED] if chip.staged else []), SIZES]
    match backend:
        case "reference":
            return ""
        case "numpy":
            pass
        case "c":
            parts.append(LOOPS)
        case "ascendc" if chip.staged:
            parts.append(ASCENDC)
        case "ascendc":
            raise ValueError(f"backend ascendc needs a chip as its target, not '{target}'")
        case _:
            raise ValueError(f"unknown backend '{backend}'; backends: reference, numpy, c, ascendc")
    return ",".join(parts).format(target=target, column=column, present=given)


def pipeline(
    target: str, backend: str, column: int = 0, present: frozenset[str] = frozenset()
) -> tuple[ModulePass, ...]:
    """Return the passes of `pipeline_spec`, in order."""
    spec = pipeline_spec(target, backend, column, present)
    return tuple(PassPipeline.parse_spec(get_all_passes(), spec).passes) if spec else ()


def run_pipeline(
    module: ModuleOp,
    passes: Sequence[ModulePass],
    callback: Callable[[ModulePass, ModuleOp], None] | None = None,
    context: Context | None = None,
    *,
    verify_each: bool = False,
) -> ModuleOp:
    """Run passes on the module in place and verify the result; `callback` sees the module after each pass.

    Verifying takes as long as the passes, so it happens once at the end unless `verify_each` is set (the tests do).

    Raises:
        Diagnostic: a pass refuses what it cannot do, or the result of a pass does not verify.
    """
    from ..dialect.registry import new_context

    ctx = context or new_context()
    for each in passes:
        each.apply(ctx, module)
        if verify_each:
            module.verify()
        if callback is not None:
            callback(each, module)
    module.verify()
    return module
