"""lower-to-loops: from the tile dialect to scf, memref, arith and math.

Before:

    tile.cores "blur" %cores (%core) {
      %b = tile.alloc "b" temp [1, %n] : memref<?x?xf32, "ub">
      tile.foreach (%r: 0 to %rows, %l: 0 to %width) {
        %v = tile.read %x[%i0 + %r + 1, %l] else %zero : memref<?x?xf32>
        tile.write add %v to %b[0, %l] : memref<?x?xf32, "ub">
      }
    }

After (shortened):

    scf.parallel (%core) = (%c0) to (%cores) step (%c1) {
      %b = memref.alloc(%c1, %n) : memref<?x?xf32>
      scf.for %r = %c0 to %rows step %c1 {
        %i = arith.addi %i0, %r + 1
        %inside = arith.cmpi slt, %i, %N
        %row = arith.minsi %i, %N - 1
        scf.for %l = %c0 to %width step %c1 {
          %a = memref.load %x[%row, %l] : memref<?x?xf32>
          %v = arith.select %inside, %a, %zero : f32
          ... load, add and store %b[%c0, %l]
        } {tile.lanes}
      }
      memref.dealloc %b : memref<?x?xf32>
    } {tile.label = "blur"}

A loop marked `tile.lanes` has independent iterations. The order in which points combine into an element stays as it is.
"""

from collections.abc import Iterator
from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects.builtin import DYNAMIC_INDEX, ModuleOp
from xdsl.dialects.func import FuncOp
from xdsl.ir import Operation
from xdsl.passes import ModulePass

from ..dialect.diagnostics import Diagnostic
from ..dialect.tile import (
    AllocOp,
    ByRowOp,
    CompressOp,
    CoresOp,
    FitLanesOp,
    FitRowsOp,
    FitsOp,
    FoldOp,
    ForeachOp,
    IotaOp,
    LoadRowsOp,
    NonzeroOp,
    PositionsOp,
    ReadOp,
    SearchOp,
    SplatOp,
    StoreRowsOp,
    TreeOp,
    WriteOp,
)
from ..dialect.tile.rows import RowsOp
from .index_facts import Facts
from .loops_context import LoopContext, argument_extents, static_shape
from .loops_foreach import lower_access, lower_foreach
from .loops_lane_rows import lower_lane_rows, lower_tree
from .loops_rows import check_rows, lower_copy, lower_rows
from .loops_scalars import can_combine
from .loops_search import lower_search
from .loops_selection import lower_compress, lower_iota, lower_nonzero, lower_positions
from .loops_stage import lower_alloc, lower_cores
from .loops_strips import strip_mined


@dataclass(frozen=True)
class LowerToLoopsPass(ModulePass):
    """Lower every operation of the tile dialect to loops."""

    name = "lower-to-loops"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        check(op)
        facts = Facts.of(op)
        for function in op.body.block.ops:
            if isinstance(function, FuncOp) and not function.is_declaration:
                lower_function(function, facts)


def check(module: ModuleOp) -> None:
    """Refuse what cannot be lowered.

    Raises:
        Diagnostic: OPW350 for tile.fit_rows, tile.fit_lanes and tile.fits, OPW351 and OPW352 for types, OPW353 for an
            array of unknown size.
    """
    for op in module.walk():
        match op:
            case FitRowsOp():
                raise Diagnostic("OPW350", "the number of rows of a tile is still open", op, "run size-tiles before")
            case FitLanesOp():
                raise Diagnostic("OPW350", "the number of lanes of a strip is still open", op, "run size-tiles before")
            case FitsOp():
                raise Diagnostic("OPW350", "whether a stage fits on chip is still open", op, "run size-tiles before")
            case RowsOp():
                check_rows(op)
            case WriteOp() if op.combine and not can_combine(op.combine, op.value.type):
                raise Diagnostic("OPW352", f"'{op.combine}' does not combine values of type {op.value.type}", op)
            case ReadOp() if op.outside is not None:
                _check_size(op)
            case SearchOp():
                _check_size(op)
            case _:
                pass


def _check_size(op: ReadOp | SearchOp) -> None:
    source = op.source
    function = next((p for p in _parents(op) if isinstance(p, FuncOp)), None)
    known = function is not None and source in argument_extents(function)
    if not known and not isinstance(source.owner, AllocOp) and DYNAMIC_INDEX in static_shape(source):
        hint = "give the function's argument the attribute tile.dims"
        raise Diagnostic("OPW353", f"an index is compared with the size of {source.type}, which is not known", op, hint)


def _parents(op: Operation) -> Iterator[Operation]:
    parent = op.parent_op()
    while parent is not None:
        yield parent
        parent = parent.parent_op()


def lower_function(function: FuncOp, facts: Facts) -> None:
    """Lower the body of one function."""
    context = LoopContext(function, facts)
    ops = list(function.walk())
    for op in ops:
        if isinstance(op, AllocOp):
            lower_alloc(op, context)
    for op in ops:
        _lower_loops(op, context)
    for op in list(function.walk()):
        if isinstance(op, ReadOp | WriteOp):
            lower_access(op, context)
    for op in list(function.walk()):
        if isinstance(op, SearchOp):
            lower_search(op, context)
    for op in ops:
        if isinstance(op, CoresOp):
            lower_cores(op, context)


def _lower_loops(op: Operation, context: LoopContext) -> None:
    match op:
        case ForeachOp():
            lower_foreach(strip_mined(op), context)
        case FoldOp() | SplatOp() | ByRowOp():
            lower_lane_rows(op, context)
        case TreeOp():
            lower_tree(op, context)
        case IotaOp():
            lower_iota(op, context)
        case NonzeroOp():
            lower_nonzero(op, context)
        case CompressOp():
            lower_compress(op, context)
        case PositionsOp():
            lower_positions(op, context)
        case RowsOp():
            lower_rows(op, context)
        case LoadRowsOp() | StoreRowsOp():
            lower_copy(op, context)
        case _:
            pass
