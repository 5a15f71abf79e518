"""Element types and tensor shapes as a spec file writes them: `T[S, B, H]`, `boolean[B, S]`, `f32[3]`."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

from xdsl.dialects.builtin import BFloat16Type, Float16Type, Float32Type, IndexType, IntegerType, i1
from xdsl.ir import Attribute

from ..spec.attrs import IntegersType, StringType, TensorType

if TYPE_CHECKING:
    from .exprs import Symbol

Size: TypeAlias = "Symbol | int"


@dataclass(frozen=True)
class Shape:
    """The dims and element type of a tensor."""

    dims: tuple[Size, ...]
    element: Attribute

    @property
    def type(self) -> TensorType:
        """Return the MLIR type."""
        return TensorType.of([dim if isinstance(dim, int) else dim.label for dim in self.dims], self.element)


@dataclass(frozen=True)
class DType:
    """An element type, or a variable for one; indexed with dims it gives the shape of a tensor."""

    element: Attribute

    def __getitem__(self, dims: "Size | tuple[Size, ...]") -> Shape:
        return Shape(dims if isinstance(dims, tuple) else (dims,), self.element)


f16 = DType(Float16Type())
bf16 = DType(BFloat16Type())
f32 = DType(Float32Type())
boolean = DType(i1)
text = DType(StringType())
integers = DType(IntegersType())
i8 = DType(IntegerType(8))
i16 = DType(IntegerType(16))
i32 = DType(IntegerType(32))
i64 = DType(IntegerType(64))
integer = DType(IndexType())
