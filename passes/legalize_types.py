"""legalize-types: make storage types and the one rounding explicit.

Before:

    %a = spec.read %x[%i] else %zero : f32            // of !spec.tensor<[N], bf16>
    %m = spec.read %mask[%i] : i1                     // of !spec.tensor<[N], i1>
    spec.write %a to 0[%i]                            // into !spec.tensor<[N], bf16>

After: elements are read as they are stored and widened exactly; a plain write into a 16-bit tensor rounds to nearest
even. Booleans are stored as bytes, of which every one but 0 is true. Combining writes stay: they combine in f32 and
round once, when the element is complete.

    %0 = arith.constant 0.0 : bf16
    %1 = spec.read %x[%i] else %0 : bf16
    %a = arith.extf %1 : bf16 to f32
    %2 = spec.read %mask[%i] : i8
    %m = arith.cmpi ne, %2, %c0_i8 : i8
    %3 = arith.truncf %a : f32 to bf16
    spec.write %3 to 0[%i]
"""

from dataclasses import dataclass
from math import isnan

from xdsl.builder import Builder
from xdsl.context import Context
from xdsl.dialects import arith
from xdsl.dialects.builtin import AnyFloat, FloatAttr, IndexType, IntegerType, ModuleOp, i1, i8
from xdsl.ir import Attribute, Operation, SSAValue
from xdsl.passes import ModulePass
from xdsl.rewriter import InsertPoint, Rewriter
from xdsl.utils.hints import isa

from ..dialect.diagnostics import Diagnostic
from ..dialect.spec import InputOp, OperatorOp, ReadOp, TensorType, WriteOp
from .constants import constant, constant_value, scalar_attr
from .spec_rewrite import find_operator


@dataclass(frozen=True)
class LegalizeTypesPass(ModulePass):
    """Read and write storage types; convert between them and the types that compute."""

    name = "legalize-types"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        operator = find_operator(op)
        if operator is None:
            return
        _store_booleans_as_bytes(operator)
        for inner in list(operator.body.walk()):
            if isinstance(inner, ReadOp):
                _legalize_read(inner)
            elif isinstance(inner, WriteOp) and not inner.combine:
                _legalize_write(inner)


def _store_booleans_as_bytes(operator: OperatorOp) -> None:
    for op in list(operator.body.block.ops):
        for result in list(op.results):
            if isinstance(result.type, TensorType) and result.type.element_type == i1:
                if isinstance(op, InputOp):
                    op.accepts = None
                Rewriter.replace_value_with_new_type(result, TensorType(result.type.shape, i8))


def _legalize_read(read: ReadOp) -> None:
    tensor_type = read.tensor.type
    assert isinstance(tensor_type, TensorType)
    stored, wanted = tensor_type.element_type, read.result.type
    if stored == wanted or (isinstance(wanted, IndexType) and isinstance(stored, IntegerType)):
        return
    outside = None if read.outside is None else _stored_constant(read, read.outside, stored)
    new = ReadOp(read.tensor, read.indices, read.operands_, stored, outside)
    _insert_before(read, new)
    conversion = _widen(read, new.result, wanted)
    conversion.results[0].name_hint = read.result.name_hint
    Rewriter.replace_op(read, [], conversion.results)


def _widen(read: ReadOp, value: SSAValue, wanted: Attribute) -> Operation:
    if wanted == i1:
        zero = constant(Builder(InsertPoint.before(read)), value.type, 0, read)
        return _insert_before(read, arith.CmpiOp(value, zero, "ne"))
    assert isinstance(wanted, AnyFloat), "the verifier admits floats and booleans alone"
    return _insert_before(read, arith.ExtFOp(value, wanted))


def _insert_before(at: Operation, op: Operation) -> Operation:
    op.location = at.location
    Builder(InsertPoint.before(at)).insert(op)
    return op


def _stored_constant(read: ReadOp, outside: SSAValue, stored: Attribute) -> SSAValue:
    """Return the `else` in the storage type, which must hold it exactly."""
    value = constant_value(outside)
    if value is None or not _holds(stored, value):
        text = f"the value outside the tensor must be a constant that {stored} holds exactly"
        raise Diagnostic("OPW324", text, read, "use 0, or read without `else` and select")
    return constant(Builder(InsertPoint.before(read)), stored, value, read)


def _holds(stored: Attribute, value: float) -> bool:
    attr = scalar_attr(stored, value)
    return not isinstance(attr, FloatAttr) or attr.value.data == value or isnan(value)


def _legalize_write(write: WriteOp) -> None:
    result_type = write.compute.results_[write.number.data].type
    stored = result_type.element_type
    if stored == write.value.type:
        return
    widened = write.value.owner
    if isinstance(widened, arith.ExtFOp) and widened.input.type == stored:
        write.operands[0] = widened.input
        return
    if isinstance(stored, AnyFloat) and isinstance(write.value.type, AnyFloat):
        narrow = _insert_before(write, arith.TruncFOp(write.value, stored))
    else:
        assert isa(stored, IntegerType), "the verifier admits floats and booleans alone"
        narrow = _insert_before(write, arith.ExtUIOp(write.value, stored))
    narrow.results[0].name_hint = write.value.name_hint
    write.operands[0] = narrow.results[0]
