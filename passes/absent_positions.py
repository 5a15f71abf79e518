"""spec.positions of a mask that is not given: a compute that says -1 everywhere, for no element is true."""

from xdsl.builder import Builder
from xdsl.dialects.builtin import IndexType
from xdsl.ir import Block, Region
from xdsl.rewriter import InsertPoint, Rewriter

from ..dialect.index_expr import Const, Ref
from ..dialect.index_map import pack
from ..dialect.spec import ComputeOp, DimOp, PositionsOp, WriteOp
from .constants import constant
from .spec_scope import FROM_ZERO, Bound, make_header

NOWHERE = -1


def replace_absent(op: PositionsOp) -> None:
    """Replace an operation whose mask is not given; where nothing uses the result, what is left goes later."""
    block = op.parent_block()
    assert block is not None
    kind = op.result.type
    dims = {dim.label.data: dim.result for dim in block.ops if isinstance(dim, DimOp)}
    upper: list[Bound] = [([Const(d)], ()) if isinstance(d, int) else ([Ref(0)], (dims[d],)) for d in kind.dims]
    builder = Builder(InsertPoint.before(op))
    nowhere = constant(builder, kind.element_type, NOWHERE, op)
    body = Block(arg_types=[IndexType()] * kind.rank)
    write = WriteOp(nowhere, 0, *pack([Ref(n) for n in range(kind.rank)], body.args))
    write.location = op.location
    body.add_op(write)
    header, bounds = make_header(body.args, [FROM_ZERO] * kind.rank, upper)
    compute = ComputeOp(header, bounds, [kind], Region(body))
    compute.location = op.location
    compute.results_[0].name_hint = op.result.name_hint
    Rewriter.replace_op(op, compute)
