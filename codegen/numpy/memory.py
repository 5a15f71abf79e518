"""memref: arrays, their elements and views."""

from collections.abc import Sequence
from typing import cast

from xdsl.dialects import memref
from xdsl.dialects.builtin import DYNAMIC_INDEX, IndexType, MemRefType
from xdsl.ir import Attribute, Operation, SSAValue

from ...dialect.diagnostics import Diagnostic
from . import support
from .writer import Table, Writer


def memref_type(value: SSAValue) -> MemRefType[Attribute]:
    """Return the type of a memref."""
    return cast("MemRefType[Attribute]", value.type)


def element_type(value: SSAValue) -> Attribute:
    """Return the element type of a memref."""
    return memref_type(value).element_type


def place(array: str, indices: Sequence[str]) -> str:
    """Return `array[i, j]`; the element of a memref without dims is `array[()]`."""
    return f"{array}[{', '.join(indices) or '()'}]"


def new_array(w: Writer, op: Operation, sizes: Sequence[str], element: Attribute) -> str:
    """Return the expression of a new, poisoned array."""
    shape = f"({', '.join(sizes)}{',' if len(sizes) == 1 else ''})"
    return f"{w.helper(support.poisoned)}({shape}, {w.dtype(element, op)})"


def _load(w: Writer, op: memref.LoadOp) -> None:
    element = place(w.text(op.memref), w.arguments(op.indices))
    w.assign(op.res, f"int({element})" if isinstance(op.res.type, IndexType) else element)


def _store(w: Writer, op: memref.StoreOp) -> None:
    w.line(f"{place(w.text(op.memref), w.arguments(op.indices))} = {w.argument(op.value)}")


def _alloc(w: Writer, op: memref.AllocOp | memref.AllocaOp) -> None:
    result = op.memref
    dynamic = iter(w.arguments(op.dynamic_sizes))
    sizes = [next(dynamic) if size == DYNAMIC_INDEX else str(size) for size in memref_type(result).get_shape()]
    w.assign_name(result, new_array(w, op, sizes, element_type(result)))


def _nothing(w: Writer, op: memref.DeallocOp) -> None:
    """Write nothing: Python frees arrays."""


def _dim(w: Writer, op: memref.DimOp) -> None:
    w.assign(op.result, f"{w.text(op.source)}.shape[{w.argument(op.index)}]")


def _cast(w: Writer, op: memref.CastOp) -> None:
    w.bind(op.dest, w.text(op.source))


def _mixed(w: Writer, static: Sequence[int], dynamic: Sequence[SSAValue]) -> list[str]:
    left = iter(w.texts(dynamic))
    return [next(left) if value == DYNAMIC_INDEX else str(value) for value in static]


def _subview(w: Writer, op: memref.SubviewOp) -> None:
    offsets = _mixed(w, op.static_offsets.get_values(), op.offsets)
    sizes = _mixed(w, op.static_sizes.get_values(), op.sizes)
    strides = _mixed(w, op.static_strides.get_values(), op.strides)
    kept = kept_dims(op)
    indices = [_slice(*dim) if n in kept else dim[0] for n, dim in enumerate(zip(offsets, sizes, strides, strict=True))]
    w.assign(op.result, place(w.text(op.source), indices))


def _slice(offset: str, size: str, stride: str) -> str:
    start = "" if offset == "0" else offset
    if stride == "1":
        return f"{start}:{size if not start else f'{offset} + {size}'}"
    return f"{start}:{offset} + {size} * {stride}:{stride}"


def kept_dims(op: memref.SubviewOp) -> frozenset[int]:
    """Return the dims of the source that the view keeps; dims of size 1 may be dropped.

    Raises:
        Diagnostic: OPW414, it does not follow from the types which dims of size 1 are dropped.
    """
    sizes = op.static_sizes.get_values()
    ones = [n for n, size in enumerate(sizes) if size == 1]
    dropped = len(sizes) - memref_type(op.result).get_num_dims()
    if dropped not in (0, len(ones)):
        raise Diagnostic("OPW414", f"which of the dims {ones} of size 1 does the view drop?", op, "drop all or none")
    return frozenset(range(len(sizes))) - frozenset(ones if dropped else ())


def _copy(w: Writer, op: memref.CopyOp) -> None:
    w.line(f"{w.text(op.destination)}[...] = {w.text(op.source)}")


EMITTERS: Table = {
    memref.LoadOp: _load,
    memref.StoreOp: _store,
    memref.AllocOp: _alloc,
    memref.AllocaOp: _alloc,
    memref.DeallocOp: _nothing,
    memref.DimOp: _dim,
    memref.CastOp: _cast,
    memref.SubviewOp: _subview,
    memref.CopyOp: _copy,
}
