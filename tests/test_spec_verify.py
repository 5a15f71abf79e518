"""Helpers of the verifier that other code relies on; the rules themselves are tested in lit/diagnostics."""

import pytest

from opwright.dialect.diagnostics import Diagnostic
from opwright.dialect.index_expr import Ref
from opwright.dialect.parser import parse_module
from opwright.dialect.registry import new_context
from opwright.dialect.spec.ops import ComputeOp, DimOp, EachOp, OperatorOp, OutputOp
from opwright.dialect.spec.verify import Symbols, determines

CHUNKS = """
spec.operator @Chunks {{
  %N = spec.dim "N"
  %R = spec.dim "R" = [{size}]
  %C = spec.dim "C" = [%N ceildiv %R]
  %x = spec.input "x" : !spec.tensor<[N], f32>
  %y = spec.compute (%c: 0 to %C, %i: {lower} to {upper}) -> !spec.tensor<[1], f32> {{
    %a = spec.read %x[%i] : f32
    spec.write add %a to 0[0]
  }}
  spec.output "y" %y : !spec.tensor<[1], f32>
}}
"""


def operator(text: str) -> OperatorOp:
    module = parse_module(new_context(), text, "spec.mlir")
    module.verify()
    (op,) = module.body.block.ops
    assert isinstance(op, OperatorOp)
    return op


RANGES = [
    ("%c * %R", "min(%N, %c * %R + %R)", True),
    ("%c * %R", "%c * %R + %R", True),
    ("%R * %c", "min((%c + 1) * %R, %N)", True),
    ("%c * 16", "min(%N, %c * 16 + 16)", True),
    ("%c", "%c + 1", True),
    ("%c * %R", "min(%N, %c * %R + %R + 1)", False),
    ("%c * %R + 1", "min(%N, %c * %R + %R + 1)", False),
    ("%c * %R", "%N", False),
    ("%c * 16", "min(%N, %c * 16 + 17)", False),
    ("max(0, %c * %R)", "%c * %R + %R", False),
    ("0", "%R", False),
]


@pytest.mark.parametrize(("lower", "upper", "expected"), RANGES)
def test_a_row_tells_its_chunk(lower: str, upper: str, expected: bool) -> None:
    op = operator(CHUNKS.format(size=16, lower=lower, upper=upper))
    (compute,) = [inner for inner in op.body.block.ops if isinstance(inner, ComputeOp)]
    chunk, row = compute.dims
    assert determines(row, chunk) is expected
    assert not determines(chunk, row)


def test_a_row_of_an_inner_nest_tells_its_chunk() -> None:
    text = CHUNKS.format(size=16, lower="0", upper="%N").replace(
        "spec.read %x[%i] : f32",
        """spec.read %x[%i] : f32
    spec.each (%t: %c * %R to min(%N, %c * %R + %R)) {
      spec.write add %a to 0[0]
    }""",
    )
    compute = next(inner for inner in operator(text).walk() if isinstance(inner, ComputeOp))
    (each,) = [inner for inner in compute.walk() if isinstance(inner, EachOp)]
    assert determines(each.dims[0], compute.dims[0])
    assert not determines(each.dims[0], compute.dims[1])


BOUNDS = [
    ("[16]", 16),
    ("[%N]", 0),
    ("[%P]", 4),
    ("[%P * 3 + 2]", 14),
    ("[%N ceildiv %P]", 0),
    ("[(%N + 1) ceildiv %P]", 1),
    ("[%P floordiv 2]", 0),
    ("[%P - 1]", 3),
    ("[%N - 1]", 0),
    ("[%Q]", 0),
]


@pytest.mark.parametrize(("definition", "expected"), BOUNDS)
def test_lower_bounds_of_sizes(definition: str, expected: int) -> None:
    op = operator(
        f"""
spec.operator @Sizes {{
  %N = spec.dim "N"
  %P = spec.attr "P" : index
  %Q = spec.attr "Q" : index
  spec.require [%P] >= [1] code 1
  spec.require [3] < [%P] code 1
  spec.require [%P] >= [2] code 1
  spec.require [%Q] <= [5] code 1
  %D = spec.dim "D" = {definition}
  %x = spec.input "x" : !spec.tensor<[N], f32>
  %y = spec.compute (%i: 0 to %N) -> !spec.tensor<[N], f32> {{
    %a = spec.read %x[%i] : f32
    spec.write %a to 0[%i]
  }}
  spec.output "y" %y : !spec.tensor<[N], f32>
}}
""".replace("spec.require [3] <", "spec.require [4] <=")
    )
    size = next(inner for inner in op.body.block.ops if isinstance(inner, DimOp) and inner.label.data == "D")
    symbols = Symbols(op)
    assert symbols.at_least(size.result) == expected
    assert symbols.divides(Ref(0), [size.result]) is (expected >= 1)


def test_sizes_clamped_by_arith_divide() -> None:
    op = operator(
        """
spec.operator @Clamped {
  %N = spec.dim "N"
  %low = arith.constant 16 : index
  %wish = spec.index [%N ceildiv 128]
  %most = arith.maxsi %wish, %low : index
  %size = arith.minsi %most, %low : index
  %R = spec.dim "R" = [%size]
  %C = spec.dim "C" = [%N ceildiv %R]
  %x = spec.input "x" : !spec.tensor<[N], f32>
  %y = spec.compute (%i: 0 to %N) -> !spec.tensor<[N], f32> {
    %a = spec.read %x[%i] : f32
    spec.write %a to 0[%i]
  }
  spec.output "y" %y : !spec.tensor<[N], f32>
}
"""
    )
    dims = [inner for inner in op.body.block.ops if isinstance(inner, DimOp)]
    assert [Symbols(op).at_least(dim.result) for dim in dims] == [0, 16, 0]


def test_verifying_again_after_a_change_finds_the_fault() -> None:
    op = operator(CHUNKS.format(size=16, lower="0", upper="%N"))
    output = next(inner for inner in op.body.block.ops if isinstance(inner, OutputOp))
    output.detach()
    output.erase()
    with pytest.raises(Diagnostic) as caught:
        op.verify()
    assert caught.value.code == "OPW116"
