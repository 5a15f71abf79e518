"""Builds the stage that lists where the rows of a mask are true.

A target that stages nothing looks at the rows where they are: `tile.positions`. A staged one packs the numbers of the
lanes whose element is not 0. Behind the E elements of a row stand K more that are always selected and that hold -1: so
the first K packed numbers are the places, with -1 for what the row has less.

    tile.fill (-1) to %order[0] rows 1 width %lanes           // once a stage
    tile.iota to %order[0] rows 1 width %E
    tile.fill (1.0) to %flags[0] rows %tile width %lanes
    ...
    tile.load_rows %mask[%row, 0] along 0 to %mask_in[0] rows %rows width %E
    tile.cast %mask_in[0] to %flags[0] rows %rows width %E    // bytes of which every one but 0 is true
    tile.nonzero %flags[0] to %bits[0] rows %rows width %lanes
    tile.compress %order[0] step 0, %bits[0] to %list_out[0] rows %rows width %E + %K
    tile.store_rows %list_out[0] to %list[%row, 0] along 0 rows %rows width %K
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from xdsl.dialects.builtin import Float16Type, i8
from xdsl.ir import Attribute, SSAValue

from ..dialect.index_expr import Const, IndexExpr, Ref, ceildiv
from ..dialect.index_map import pack
from ..dialect.spec.attrs import TensorType, tensor_type
from ..dialect.tile import (
    AllocOp,
    CastOp,
    CompressOp,
    CoresOp,
    FillOp,
    FitRowsOp,
    IotaOp,
    LoadRowsOp,
    NonzeroOp,
    PositionsOp,
    StoreRowsOp,
)
from ..dialect.tile.selection import BITS_WIDTH
from ..dialect.tile.verify import PITCH
from .chips import Chip
from .index_code import Code
from .positions_plan import PositionsPlan
from .ragged_sums_build import dim_value
from .spec_scope import Scope
from .stage_share import share

FLAG = Float16Type()
"""The type that bytes are converted to for the comparison with 0: it holds each exactly."""

ITEMS_A_CORE = 4
"""Tiles a core where nothing is staged: enough to share rows evenly."""


@dataclass(frozen=True)
class Extents:
    """The sizes of a stage: of the leading dims, of a row, and of its list of places."""

    leading: Sequence[SSAValue]
    width: SSAValue
    count: SSAValue

    @staticmethod
    def of(plan: PositionsPlan, scope: Scope, code: Code) -> "Extents":
        """Return the sizes as values."""
        *leading, width = _sizes(tensor_type(plan.op.tensor), plan, scope, code)
        return Extents(leading, width, _sizes(plan.op.result.type, plan, scope, code)[-1])

    def rows(self, code: Code) -> SSAValue:
        """Return the number of rows along the last leading dim."""
        return self.leading[-1] if self.leading else code.constant(1)


def _sizes(tensor: TensorType, plan: PositionsPlan, scope: Scope, code: Code) -> list[SSAValue]:
    return [code.constant(d) if isinstance(d, int) else dim_value(plan.op, d, scope) for d in tensor.dims]


def positions_tiles(plan: PositionsPlan, scope: Scope, code: Code, chip: Chip) -> dict[str, SSAValue]:
    """Append the rows of a tile and, on chip, the blocks of lanes that hold a row and its list."""
    extents, one, cores = Extents.of(plan, scope, code), code.constant(1), code.block.args[-1]
    rows = code.fold("*", [*extents.leading[:-1], extents.rows(code)])
    if not chip.staged:
        tiles = code.binary("*", cores, code.constant(ITEMS_A_CORE))
        return {plan.rows_name: code.binary("max", code.binary("ceildiv", rows, tiles), one, plan.rows_name)}
    lanes = code.binary("+", extents.width, extents.count)
    blocks = code.binary("ceildiv", lanes, code.constant(BITS_WIDTH))
    blocks = code.binary("max", blocks, one, plan.blocks_name)
    cap = code.binary("max", code.binary("ceildiv", rows, cores), one)
    cap = code.binary("min", cap, code.constant(chip.max_repeat))
    fit = code.add(FitRowsOp(plan.label, blocks, cap), plan.rows_name)
    return {plan.rows_name: fit.result, plan.blocks_name: blocks}


def build_positions(
    plan: PositionsPlan, scope: Scope, code: Code, cores: SSAValue, named: Mapping[str, SSAValue]
) -> None:
    """Append the stage; an item is a point of the dims before the rows, and a tile of rows."""
    stage = code.add(CoresOp(cores, plan.label, ragged=True))
    core = stage.body.block.args[0]
    core.name_hint = "core"
    inner = Code(stage.body.block, plan.op.location)
    extents, tile = Extents.of(plan, scope, inner), named[plan.rows_name]
    rows = extents.rows(inner)
    buffers = _Buffers.prepare(plan, extents, tile, named[plan.blocks_name], inner) if plan.staged else None
    tiles = inner.binary("ceildiv", rows, tile, "tiles")
    first, last = share(core, cores, inner.fold("*", [*extents.leading[:-1], tiles], "items"), inner)
    with inner.loop(first, last, inner.constant(1), "item") as (body, item):
        start, count = _place(extents, (item, tiles, tile, rows), body)
        source, target = scope.value(plan.op.tensor), scope.value(plan.op.result)
        if buffers is None:
            body.add(PositionsOp(source, target, start, count, extents.width, extents.count))
        else:
            buffers.list_places((source, target), start, count, body)


def _place(
    extents: Extents, item: tuple[SSAValue, SSAValue, SSAValue, SSAValue], code: Code
) -> tuple[list[SSAValue], SSAValue]:
    """Append the indices at which an item starts, all but the last, and its number of rows."""
    number, tiles, tile, rows = item
    if not extents.leading:
        return [], code.constant(1)
    outer = extents.leading[:-1]
    first = code.binary("*", code.binary("mod", number, tiles) if outer else number, tile, "row")
    count = code.binary("min", tile, code.binary("-", rows, first), "rows")
    rest = code.binary("div", number, tiles) if outer else number
    indices: list[SSAValue] = []
    for size in reversed(outer[1:]):
        indices.insert(0, code.binary("mod", rest, size))
        rest = code.binary("div", rest, size, "outer")
    return [*([rest] if outer else []), *indices, first], count


@dataclass(frozen=True)
class _Buffers:
    """The buffers of a staged target, and the sizes that belong to them.

    Attributes:
        extents: the sizes of the tensors.
        lanes: the lanes of a row on chip.
        mask: rows of the mask.
        flags: the same as floats; what follows a row is 1.
        bits: a bit for each of these.
        order: the numbers of a row's lanes, then -1.
        packed: the numbers whose bits are set.
    """

    extents: Extents
    lanes: SSAValue
    mask: SSAValue
    flags: SSAValue
    bits: SSAValue
    order: SSAValue
    packed: SSAValue

    @staticmethod
    def prepare(plan: PositionsPlan, extents: Extents, tile: SSAValue, blocks: SSAValue, code: Code) -> "_Buffers":
        """Reserve the buffers and fill what stays the same in a stage."""
        kind, label = plan.op.result.type.element_type, plan.label

        def reserve(
            name: str, role: str, sizes: tuple[IndexExpr, IndexExpr], element: Attribute, times: int
        ) -> SSAValue:
            alloc = AllocOp(name, role, *pack(sizes, [tile, blocks, extents.width]), element, times)
            return code.add(alloc, name).result

        lanes, row = Ref(1) * BITS_WIDTH, ceildiv(Ref(2), PITCH) * PITCH
        name = plan.op.tensor.name_hint or "mask"
        mask = reserve(f"{name}_in", "in", (Ref(0), row), i8, 2)
        flags = reserve(f"{label}_flags", "temp", (Ref(0), lanes), FLAG, 1)
        bits = reserve(f"{label}_bits", "temp", (Ref(0), Ref(1) * (BITS_WIDTH // 8)), i8, 1)
        order = reserve(f"{label}_order", "temp", (Const(1), lanes), kind, 1)
        packed = reserve(f"{label}_out", "out", (Ref(0), lanes), kind, 2)
        count = code.binary("*", blocks, code.constant(BITS_WIDTH), "lanes")
        zero, one = code.constant(0), code.constant(1)
        code.add(FillOp("", [], order, zero, one, count, [code.scalar(kind, -1)]))
        code.add(IotaOp("", [], order, zero, one, extents.width))
        code.add(FillOp("", [], flags, zero, tile, count, [code.scalar(FLAG, 1)]))
        return _Buffers(extents, count, mask, flags, bits, order, packed)

    def list_places(
        self, tensors: tuple[SSAValue, SSAValue], start: Sequence[SSAValue], rows: SSAValue, code: Code
    ) -> None:
        """Append the work of one tile of rows."""
        source, target = tensors
        zero, extents = code.constant(0), self.extents
        along, place = max(len(start) - 1, 0), [*start, zero]
        code.add(LoadRowsOp(source, place, along, self.mask, zero, rows, extents.width))
        code.add(CastOp("", [(self.mask, zero, 1)], self.flags, zero, rows, extents.width))
        code.add(NonzeroOp("", [(self.flags, zero, 1)], self.bits, zero, rows, self.lanes))
        selected = code.binary("+", extents.width, extents.count, "selected")
        sources = [(self.order, zero, 0), (self.bits, zero, 1)]
        code.add(CompressOp("", sources, self.packed, zero, rows, selected))
        code.add(StoreRowsOp(self.packed, zero, target, place, along, rows, extents.count))
