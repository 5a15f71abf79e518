"""Rules of the tile dialect that its structure cannot say: accesses, buffers and copies. Rows are in verify_rows.py."""

from collections.abc import Sequence
from typing import cast

from xdsl.dialects import arith, memref, scf
from xdsl.dialects import math as mlir_math
from xdsl.dialects.builtin import MemRefType
from xdsl.ir import Attribute, Operation, SSAValue

from ..diagnostics import Diagnostic
from ..index_expr import Const, IndexExpr, Ref
from ..spec.ops import COMBINERS
from .buffers import ROLES, AllocOp, LoadRowsOp, StoreRowsOp
from .choices import ChooseOp
from .divisors import constant, divisor_of
from .ops import CoresOp, ForeachOp, ReadOp, WriteOp
from .search import SearchOp
from .verify_kernel import is_kernel, verify_kernel

PITCH = 32
"""Elements a pitch is a multiple of: a row of any element type then starts on a 32-byte block."""

IN_FOREACH = (
    *(ReadOp, WriteOp, ChooseOp, SearchOp, ForeachOp),
    *(memref.LoadOp, memref.DimOp, scf.ForOp, scf.IfOp, scf.YieldOp),
)
"""Operations that may stand in a point loop, besides those of arith and math."""


def type_of(value: SSAValue) -> MemRefType[Attribute]:
    """Return the type of a memref."""
    return cast("MemRefType[Attribute]", value.type)


def named(value: SSAValue) -> str:
    """Return how a message names a value."""
    return f"'%{value.name_hint}'" if value.name_hint else "the memref"


def verify_rank(op: Operation, array: SSAValue, count: int) -> None:
    """Verify the number of indices: OPW306."""
    rank = type_of(array).get_num_dims()
    if count != rank:
        text = f"{named(array)} has rank {rank}, '{op.name}' gives {count} indices"
        raise Diagnostic("OPW306", text, op, "give one index for each dim")


def verify_element(op: Operation, array: SSAValue, other: Attribute, what: str) -> None:
    """Verify that something has the element type of a memref: OPW309."""
    element = type_of(array).element_type
    if other != element:
        raise Diagnostic("OPW309", f"{what} is {other}, {named(array)} holds {element}", op, "convert it first")


def verify_read(op: ReadOp) -> None:
    """Verify an element read; OPW306, OPW309."""
    verify_rank(op, op.source, len(op.indices.data))
    verify_element(op, op.source, op.result.type, "the result")
    if op.outside is not None:
        verify_element(op, op.source, op.outside.type, "the value after 'else'")
    _verify_operands(op, op.indices.operand_count, len(op.operands_))


def verify_write(op: WriteOp) -> None:
    """Verify an element write; OPW306, OPW309, OPW316."""
    verify_rank(op, op.target, len(op.indices.data))
    verify_element(op, op.target, op.value.type, "the value")
    if op.combine and op.combine not in COMBINERS:
        raise Diagnostic("OPW316", f"unknown combiner '{op.combine}'", op, f"combiners: {', '.join(COMBINERS)}")
    _verify_operands(op, op.indices.operand_count, len(op.operands_))


def _verify_operands(op: Operation, needed: int, given: int) -> None:
    """Verify that an index map finds all its operands: OPW317."""
    if needed > given:
        raise Diagnostic("OPW317", f"the index map of '{op.name}' uses {needed} operands, {given} are given", op)


def verify_foreach(op: ForeachOp) -> None:
    """Verify a point loop; OPW313, OPW317."""
    dims, counts = len(op.dims), (len(op.lower.data), len(op.upper.data))
    if counts != (dims, dims):
        text = f"'{op.name}' has {dims} dims, but {counts[0]} lower and {counts[1]} upper bounds"
        raise Diagnostic("OPW317", text, op, "give each dim a range")
    for bound in (*op.lower.data, *op.upper.data):
        _verify_operands(op, bound.operand_count, len(op.bound_values))
    for inner in op.body.block.walk():
        if not isinstance(inner, IN_FOREACH) and inner.dialect_name() not in (arith.Arith.name, mlir_math.Math.name):
            text = f"'{inner.name}' stands in a point loop"
            raise Diagnostic(
                "OPW313", text, inner, "points compute and access elements; move it out of the tile.foreach"
            )


def verify_cores(op: CoresOp) -> None:
    """Verify where a stage stands; OPW302, OPW303, and the rules of the kernel around it."""
    outer = op.parent_op()
    while outer is not None and not isinstance(outer, CoresOp):
        outer = outer.parent_op()
    if outer is not None:
        raise Diagnostic("OPW303", "tile.cores stands inside tile.cores", op, "all cores run a stage already")
    function = op.parent_op()
    if not is_kernel(function):
        hint = "mark the function with tile.kernel, and put the stage directly into it"
        raise Diagnostic("OPW302", "tile.cores stands outside a kernel function", op, hint)
    verify_kernel(function)


def verify_alloc(op: AllocOp) -> None:
    """Verify a buffer; OPW304, OPW305, OPW314."""
    label = op.label.data
    if op.role.data not in ROLES:
        raise Diagnostic(
            "OPW314", f"buffer '{label}' has the unknown role '{op.role.data}'", op, f"roles: {', '.join(ROLES)}"
        )
    if len(op.sizes.data) != 2 or type_of(op.result).get_num_dims() != 2:
        raise Diagnostic("OPW314", f"buffer '{label}' has {len(op.sizes.data)} sizes", op, "give rows and pitch")
    if op.times.data < 1:
        raise Diagnostic("OPW314", f"buffer '{label}' has {op.times.data} copies", op, "give at least one")
    _verify_operands(op, op.sizes.operand_count, len(op.operands_))
    if not isinstance(op.parent_op(), CoresOp):
        text = f"buffer '{label}' is not reserved directly in a stage"
        raise Diagnostic("OPW304", text, op, "move the tile.alloc to the start of its tile.cores")
    _verify_pitch(op)


def _verify_pitch(op: AllocOp) -> None:
    rows, pitch = op.sizes.data
    known = divisor_of(pitch, op.operands_)
    if known % PITCH and not _is_one(rows, op.operands_):
        text = f"the pitch of buffer '{op.label.data}' is a multiple of {known}, it must be one of {PITCH} elements"
        raise Diagnostic("OPW305", text, op, "rows start on 32-byte blocks; round the pitch up in the tiling function")


def _is_one(expr: IndexExpr, operands: Sequence[SSAValue]) -> bool:
    match expr:
        case Const(value):
            return value == 1
        case Ref(position):
            return constant(operands[position]) == 1
        case _:
            return False


def verify_copy(op: LoadRowsOp | StoreRowsOp, array: SSAValue, buffer: SSAValue) -> None:
    """Verify a copy between global memory and a buffer; OPW307, OPW308, OPW309, OPW315."""
    rank = type_of(array).get_num_dims()
    if len(op.start) != rank:
        text = f"{named(array)} has rank {rank}, '{op.name}' starts at {len(op.start)} indices"
        raise Diagnostic("OPW307", text, op, "give one start index for each dim")
    if op.along.data >= rank:
        text = f"rows lie along dim {op.along.data}, {named(array)} has rank {rank}"
        raise Diagnostic("OPW308", text, op, f"give a dim below {rank}")
    verify_buffer(op, buffer)
    verify_element(op, array, type_of(buffer).element_type, named(buffer))


def verify_buffer(op: Operation, buffer: SSAValue) -> None:
    """Verify that an operand has rows: OPW315."""
    rank = type_of(buffer).get_num_dims()
    if rank != 2:
        raise Diagnostic("OPW315", f"{named(buffer)} has rank {rank}, a buffer has rank 2: rows by pitch", op)
