"""strip-tile-attributes: remove the discardable attributes `tile.*`, which upstream tools do not know.

Before:

    func.func @f(%x: memref<?xf32> {tile.name = "x"}) attributes {tile.kernel} {
      scf.for %i = ... { ... } {tile.lanes}

After:

    func.func @f(%x: memref<?xf32>) {
      scf.for %i = ... { ... }
"""

from collections.abc import Mapping
from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects.builtin import ArrayAttr, DictionaryAttr, ModuleOp
from xdsl.dialects.func import FuncOp
from xdsl.ir import Attribute
from xdsl.passes import ModulePass

PREFIX = "tile."


@dataclass(frozen=True)
class StripTileAttributesPass(ModulePass):
    """Remove all discardable attributes of the tile dialect."""

    name = "strip-tile-attributes"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        for inner in op.walk():
            inner.attributes = _kept(inner.attributes)
            if isinstance(inner, FuncOp):
                inner.arg_attrs = _stripped(inner.arg_attrs)
                inner.res_attrs = _stripped(inner.res_attrs)


def _kept(attributes: Mapping[str, Attribute]) -> dict[str, Attribute]:
    return {name: value for name, value in attributes.items() if not name.startswith(PREFIX)}


def _stripped(described: ArrayAttr[DictionaryAttr] | None) -> ArrayAttr[DictionaryAttr] | None:
    if described is None:
        return None
    kept = [DictionaryAttr(_kept(attributes.data)) for attributes in described]
    return ArrayAttr(kept) if any(attributes.data for attributes in kept) else None
