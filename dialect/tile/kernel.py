"""The conventions of a compiled module: a kernel function and its tiling function.

    func.func @blur_tiling(%N: index {tile.name = "N"}, %cores: index {tile.name = "cores"})
        -> (index {tile.name = "n_tile"})
    func.func @blur(%x: memref<?xbf16> {tile.name = "x", tile.role = "input", tile.dims = ["N"]},
                    %y: memref<?xbf16> {tile.name = "y", tile.role = "output", tile.dims = ["N"]},
                    %N: index {tile.name = "N", tile.role = "dim"},
                    %n_tile: index {tile.name = "n_tile", tile.role = "tiling"},
                    %cores: index {tile.name = "cores", tile.role = "cores"}) attributes {tile.kernel}

Memrefs come first (inputs, outputs, workspace), then the dims in the order of the tiling function's arguments, then the
tiling function's results in order, then the number of cores. `tile.dims` names each extent of a memref by an index
argument, or gives it as an integer.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import cast

from xdsl.dialects.builtin import ArrayAttr, DictionaryAttr, IntAttr, IntegerAttr, ModuleOp, StringAttr
from xdsl.dialects.func import FuncOp
from xdsl.ir import Attribute, BlockArgument

INPUT, OUTPUT, WORKSPACE, DIM, TILING, CORES = "input", "output", "workspace", "dim", "tiling", "cores"


@dataclass(frozen=True)
class KernelArgument:
    """One argument of a kernel or tiling function.

    Attributes:
        name: the document's name of a tensor or dim, or the name of a tiling value.
        role: input, output, workspace, dim, tiling or cores.
        dims: extents of a memref: names of index arguments, or integers.
        value: the block argument.
    """

    name: str
    role: str
    dims: tuple[str | int, ...]
    value: BlockArgument

    @property
    def type(self) -> Attribute:
        """Return the argument's type."""
        return self.value.type


def argument_attrs(name: str, role: str = "", dims: Sequence[str | int] | None = None) -> DictionaryAttr:
    """Return the attributes that describe an argument."""
    attrs: dict[str, Attribute] = {"tile.name": StringAttr(name)}
    if role:
        attrs["tile.role"] = StringAttr(role)
    if dims is not None:
        attrs["tile.dims"] = ArrayAttr([StringAttr(d) if isinstance(d, str) else IntegerAttr(d, 64) for d in dims])
    return DictionaryAttr(attrs)


def kernel_arguments(function: FuncOp) -> list[KernelArgument]:
    """Return the described arguments of a kernel or tiling function, in order."""
    if function.arg_attrs is None:
        return []
    return [_argument(attrs, value) for attrs, value in zip(function.arg_attrs, function.args, strict=True)]


def _argument(attrs: DictionaryAttr, value: BlockArgument) -> KernelArgument:
    dims = attrs.data.get("tile.dims")
    extents = tuple(_extent(d) for d in cast("ArrayAttr[Attribute]", dims)) if isinstance(dims, ArrayAttr) else ()
    return KernelArgument(_text(attrs, "tile.name"), _text(attrs, "tile.role"), extents, value)


def _extent(attr: Attribute) -> str | int:
    match attr:
        case StringAttr(data=name):
            return name
        case IntegerAttr(value=number):
            return number.data
        case _:
            return cast("IntAttr", attr).data


def _text(attrs: DictionaryAttr, key: str) -> str:
    value = attrs.data.get(key)
    return value.data if isinstance(value, StringAttr) else ""


def tiling_result_names(function: FuncOp) -> list[str]:
    """Return the names of a tiling function's results, in order."""
    described = function.res_attrs.data if function.res_attrs is not None else ()
    return [_text(attrs, "tile.name") for attrs in described]


def find_kernel(module: ModuleOp) -> FuncOp:
    """Return the module's kernel function.

    Raises:
        LookupError: the module holds none (it still stands at spec level).
    """
    return _find(module, "tile.kernel")


def find_tiling(module: ModuleOp) -> FuncOp:
    """Return the module's tiling function; raises LookupError where there is none."""
    return _find(module, "tile.tiling")


def _find(module: ModuleOp, mark: str) -> FuncOp:
    for op in module.body.block.ops:
        if isinstance(op, FuncOp) and mark in op.attributes:
            return op
    raise LookupError(f"the module has no function marked {mark}")
