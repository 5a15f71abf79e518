"""What C adds to the shared rules: parallel loops, simd loops, and arrays on the heap."""

from collections.abc import Mapping

from xdsl.dialects import arith, memref, scf
from xdsl.dialects.builtin import DYNAMIC_INDEX, IntegerType, StringAttr, bf16, f16, f32
from xdsl.dialects.func import FuncOp
from xdsl.ir import Attribute, Block, Operation

from ...dialect.diagnostics import Diagnostic
from ..cfamily import UPSTREAM_RULES, Expr, Level, Printer, StatementRule, infix
from ..cfamily.control import LoopRange, emit_for, loop_header
from ..cfamily.integers import select
from ..cfamily.memory import memref_type
from .language import C_LANGUAGE

LANES = "tile.lanes"
"""Marks a loop whose iterations are independent."""

BLEND_KEYS: Mapping[Attribute, str] = {
    f32: "blend_f32",
    **dict.fromkeys((bf16, f16), "blend_u16"),
    **{IntegerType(width): f"blend_i{width}" for width in (8, 16, 32, 64)},
}
"""Helpers that choose between values of a type."""


class CPrinter(Printer):
    """The printer of C.

    Attributes:
        unchecked: arrays whose allocation has not been checked yet.
    """

    def __init__(self) -> None:
        super().__init__(C_LANGUAGE, C_RULES)
        self.unchecked: list[str] = []


def allocates(op: Operation) -> bool:
    """Return whether an operation reserves memory, directly or inside."""
    return any(isinstance(inner, memref.AllocOp) for inner in op.walk())


def emit_lanes(printer: CPrinter, op: scf.ForOp) -> None:
    """Print a loop, with the promise that its iterations are independent where the IR makes it."""
    if LANES in op.attributes:
        printer.place(*(inner for inner in op.walk() if isinstance(inner, memref.StoreOp)))
        printer.line("#pragma omp simd")
    emit_for(printer, op)


def emit_select(printer: CPrinter, op: arith.SelectOp) -> Expr:
    """Print a choice between two values, without a branch where all lanes of a loop choose alike."""
    key = BLEND_KEYS.get(op.result.type)
    if key is None or not _is_uniform(op):
        return select(printer, op)
    return printer.helper(key, [printer.value(v) for v in (op.cond, op.lhs, op.rhs)], op)


def _is_uniform(op: arith.SelectOp) -> bool:
    loop = op.parent_op()
    owner = op.cond.owner
    block = owner if isinstance(owner, Block) else owner.parent
    return isinstance(loop, scf.ForOp) and LANES in loop.attributes and block is not op.parent


def emit_parallel(printer: CPrinter, op: scf.ParallelOp) -> None:
    """Print a loop whose iterations may run at once.

    Raises:
        Diagnostic: OPW400 for several dims or a result.
    """
    if len(op.lowerBound) != 1 or op.res:
        raise Diagnostic("OPW400", "a parallel loop of several dims, or with results, has no form in C", op)
    label = op.attributes.get("tile.label")
    if isinstance(label, StringAttr):
        printer.line(f"/* {label.data} */")
    failing = allocates(op)
    clause = " reduction(|:failed)" if failing else ""
    printer.line(f"#pragma omp parallel for schedule(static){clause}")
    with printer.scope():
        span = LoopRange(op.lowerBound[0], op.upperBound[0], op.step[0])
        with printer.braces(loop_header(printer, op.body.block.args[0], span, op)):
            printer.block(op.body.block)
    if failing:
        with printer.braces("if (failed)"):
            printer.line("return 1;")


def emit_reduce(printer: CPrinter, op: scf.ReduceOp) -> None:
    """Print nothing for the end of a parallel loop."""


def emit_alloc(printer: CPrinter, op: memref.AllocOp) -> None:
    """Print the allocation of an array; the last one of a row of them also prints what happens if memory is short.

    Raises:
        Diagnostic: OPW401 inside a loop or branch.
    """
    array = memref_type(op.memref)
    dynamic = iter(op.dynamic_sizes)
    sizes = [
        printer.value(next(dynamic)) if n == DYNAMIC_INDEX else Expr(str(n), literal=True) for n in array.get_shape()
    ]
    count = _product(sizes)
    element = printer.type_name(array.element_type, op)
    block = printer.helper("allocate", [count, Expr(f"sizeof({element})")], op)
    name = printer.define(op.memref, "buffer")
    printer.extents[op.memref] = sizes
    printer.line(f"{element} *const {name} = {block};")
    printer.unchecked.append(name)
    if not _next_allocates(op):
        _check_allocations(printer, op)


def _product(sizes: list[Expr]) -> Expr:
    product, *others = [size for size in sizes if size.text != "1"] or [Expr("1")]
    for size in others:
        product = infix("*", Level.MULTIPLY, product, size)
    return product


def _next_allocates(op: Operation) -> bool:
    following = op.next_op
    while following is not None and type(following) in C_RULES.expressions:
        following = following.next_op
    return isinstance(following, memref.AllocOp)


def _check_allocations(printer: CPrinter, op: Operation) -> None:
    parent = op.parent_op()
    if not isinstance(parent, scf.ParallelOp | FuncOp):
        raise Diagnostic("OPW401", "memory is reserved inside a loop or branch", op, "reserve it before the loop")
    names, printer.unchecked = printer.unchecked, []
    missing = " || ".join(f"{name} == NULL" for name in names)
    with printer.braces(f"if ({missing})"):
        for name in names:
            printer.line(f"free({name});")
        if isinstance(parent, scf.ParallelOp):
            printer.line("failed = true;")
            printer.line("continue;")
        else:
            printer.line("return 1;")


def emit_dealloc(printer: CPrinter, op: memref.DeallocOp) -> None:
    """Print the release of an array."""
    printer.line(f"free({printer.text(op.memref)});")


C_STATEMENTS: Mapping[type[Operation], StatementRule] = {
    scf.ForOp: emit_lanes,
    scf.ParallelOp: emit_parallel,
    scf.ReduceOp: emit_reduce,
    memref.AllocOp: emit_alloc,
    memref.DeallocOp: emit_dealloc,
}

C_RULES = UPSTREAM_RULES.extended({arith.SelectOp: emit_select}, C_STATEMENTS)
"""The rules of C."""
