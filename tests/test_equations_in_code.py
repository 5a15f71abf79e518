"""What a comment of emitted code says: whose equation the code below it serves.

Passes give each operation the left side of an equation in its location. Whose it has to be can be read off the IR:
that of the tensor which is written, also by a partial result or a table of owners, and that of what is computed from
it; values of a tensor that is not stored, as it is computed where it is read, keep that one's.
"""

from collections.abc import Iterator, Mapping

import pytest
from xdsl.dialects import arith, memref
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Operation, SSAValue
from xdsl.passes import ModulePass

from opwright.dialect.ascendc import CopyOutOp
from opwright.dialect.diagnostics import equation_of
from opwright.dialect.spec import OutputOp
from opwright.dialect.tile import FillOp, ForeachOp, LoadRowsOp, StoreRowsOp, WriteOp
from opwright.dialect.tile.kernel import find_kernel, kernel_arguments
from opwright.loading import load
from opwright.passes.pipelines import pipeline, run_pipeline

CALLS = {
    "MaskedCausalConv1dBackward": {"maskOptional"},
    "NsaCompressGrad": set[str](),
    "MoeTokenUnpermuteWithRoutingMapGrad": {"routingMapOptional", "permutedTokensOptional", "probsOptional"},
}
"""Operators whose results share a nest, and what is given; their kernels have partial sums, owners and zeros."""


def levels(name: str) -> Iterator[tuple[str, ModuleOp, Mapping[str, str]]]:
    """Yield the levels with copies between memories, and what equations call the tensors of the kernel."""
    operator = load(name)
    outputs = [op for op in operator.op.body.block.ops if isinstance(op, OutputOp)]
    labels = {op.tensor.name_hint or "": op.label.data for op in outputs}
    found: list[tuple[str, ModuleOp]] = []

    def keep(each: ModulePass, module: ModuleOp) -> None:
        if each.name in ("tile", "promote", "lower-to-ascendc"):
            found.append((each.name, module.clone()))

    passes = pipeline("ascend910b", "ascendc", 0, frozenset(CALLS[name]))
    run_pipeline(operator.module.clone(), passes, keep)
    return ((level, module, labels) for level, module in found)


def side_of(op: Operation) -> str:
    """Return the tensor whose equation an operation serves."""
    return equation_of(op).partition("[")[0]


def written(op: Operation) -> SSAValue | None:
    """Return what an operation writes."""
    match op:
        case CopyOutOp():
            return op.gm
        case memref.StoreOp():
            return op.memref
        case StoreRowsOp() | WriteOp():
            return op.target
        case _:
            return None


@pytest.mark.parametrize("operator", CALLS)
def test_operations_tell_the_equation_that_they_serve(operator: str) -> None:
    """Writes that of the tensor, what leads to them the same, and copies that of what reads the buffer."""
    checked = 0
    for level, module, labels in levels(operator):
        arguments: dict[SSAValue, str] = {a.value: a.name for a in kernel_arguments(find_kernel(module))}
        for op in module.walk():
            target = written(op)
            if target is not None and target in arguments:
                name = arguments[target]
                wanted = next((label for hint, label in labels.items() if name.startswith(f"{hint}_")), name)
                assert side_of(op) == wanted, f"{level}: {op}"
                checked += 1
            if isinstance(op, ForeachOp):
                served = {side_of(write) for write in op.body.walk() if isinstance(write, WriteOp)}
                own = [inner for inner in op.body.walk() if not isinstance(inner, arith.ConstantOp)]
                others = {side_of(inner) for inner in own} - served
                assert not others & {*labels.values(), *arguments.values()}, f"{level}: {op}"
            if isinstance(op, LoadRowsOp):
                users = [use.operation for use in op.target.uses if not isinstance(use.operation, LoadRowsOp | FillOp)]
                assert equation_of(op) in {equation_of(user) for user in users}, f"{level}: {op}"
    assert checked > 4
