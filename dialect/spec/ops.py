"""Operations of the spec dialect: what an operator computes, in index notation.

    spec.operator @Blur {
      %N = spec.dim "N"
      %x = spec.input "x" : !spec.tensor<[N], T>
      spec.columns ["T"] [[f16], [f32]]
      %zero = arith.constant 0.0 : f32
      %y = spec.compute (%i: 0 to %N) -> !spec.tensor<[N], T> {
        %a = spec.read %x[%i] : f32
        %b = spec.read %x[%i + 1] else %zero : f32
        %s = arith.addf %a, %b : f32
        spec.write %s to 0[%i]
      }
      spec.output "y" %y : !spec.tensor<[N], T>
    }

Reads widen 16-bit floats to f32; a write into a 16-bit result rounds once, to nearest even, when the element is
complete. Rules that the structure cannot say are in verify/.
"""

from .computes import ComputeOp, EachOp, IndexOp, ScanOp
from .constraints import ColumnsOp, RequireOp
from .elements import COMBINERS, ReadOp, WriteOp
from .front_end import CheckOp, FrontEndOp, LengthOp, NeedOp, WhenOp
from .operator import OperatorOp
from .parameters import AttrOp, DimOp, GivenOp, InputOp, OutputOp
from .positions import PositionsOp
from .promises import PlacesOp
from .search import SearchOp

__all__ = [
    "COMBINERS",
    "AttrOp",
    "CheckOp",
    "ColumnsOp",
    "ComputeOp",
    "DimOp",
    "EachOp",
    "FrontEndOp",
    "GivenOp",
    "IndexOp",
    "InputOp",
    "LengthOp",
    "NeedOp",
    "OperatorOp",
    "OutputOp",
    "PlacesOp",
    "PositionsOp",
    "ReadOp",
    "RequireOp",
    "ScanOp",
    "SearchOp",
    "WhenOp",
    "WriteOp",
]
